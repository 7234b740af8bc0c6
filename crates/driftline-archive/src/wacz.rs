//! What is in a WACZ file? A whole collection in one zip: archives, their index, and a list of pages.
//!
//! WACZ stores its archives as they are, so that a record is read in place: the member's offset in the zip plus
//! its own. A member that is deflated all the same is read from its beginning. Nothing is ever unpacked to where
//! its name says.

mod write;

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use flate2::read::DeflateDecoder;
use zip::{CompressionMethod, ZipArchive};

use crate::unzip;
pub use write::{About, Page, Writer};

/// A WACZ file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wacz {
    path: PathBuf,
    members: Vec<Member>,
}

/// A file in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name, such as `archive/data.warc.gz`.
    pub name: String,
    /// How long it is, unpacked.
    pub size: u64,
    start: u64,
    packed: u64,
    is_stored: bool,
}

/// Why a WACZ file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaczError {
    /// It cannot be opened.
    #[error("cannot open `{}`: {source}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is not a zip archive.
    #[error("`{}` is not a WACZ file: {}\nhint: copy or download it anew", .path.display(), unzip::why(why))]
    Zip {
        /// The file.
        path: PathBuf,
        /// Why.
        why: zip::result::ZipError,
    },
    /// Two members share bytes of the file, which a zip made to harm does.
    #[error("`{}`: the members `{first}` and `{second}` overlap; pack the collection anew", .path.display())]
    Overlap {
        /// The file.
        path: PathBuf,
        /// The member that begins first.
        first: String,
        /// The one that begins before its end.
        second: String,
    },
    /// Its members unpack to far more than any collection.
    #[error(
        "`{}` unpacks to {bytes} bytes, more than {MOST_RATIO} times its size; store its archives without compression",
        .path.display()
    )]
    Bomb {
        /// The file.
        path: PathBuf,
        /// What its members claim to unpack to.
        bytes: u64,
    },
    /// It has more members than any collection.
    #[error("`{}` has {count} members; a WACZ file with more than {MOST_MEMBERS} is not read", .path.display())]
    TooMany {
        /// The file.
        path: PathBuf,
        /// How many it has.
        count: usize,
    },
}

/// The most members of a file.
const MOST_MEMBERS: usize = 100_000;
/// The most bytes that deflated members unpack to, for each byte of the file. Texts have ten.
const MOST_RATIO: u64 = 200;
/// What any file may unpack to.
const ALWAYS_ALLOWED: u64 = 256 << 20;

impl Wacz {
    /// Reads which files are in it.
    ///
    /// # Errors
    /// If it cannot be opened, or is not a zip archive.
    pub fn open(path: &Path) -> Result<Self, WaczError> {
        let file = File::open(path).map_err(|source| WaczError::Open { path: path.to_owned(), source })?;
        Self::read(BufReader::new(file), path)
    }

    /// Reads which files are in these bytes of `path`.
    ///
    /// # Errors
    /// If it is not a zip archive.
    pub fn read(mut input: impl Read + Seek, path: &Path) -> Result<Self, WaczError> {
        let failed = |why| WaczError::Zip { path: path.to_owned(), why };
        let size = input.seek(SeekFrom::End(0)).map_err(|source| failed(source.into()))?;
        let mut zip = ZipArchive::new(input).map_err(failed)?;
        if zip.len() > MOST_MEMBERS {
            return Err(WaczError::TooMany { path: path.to_owned(), count: zip.len() });
        }
        let mut members = Vec::new();
        for number in 0..zip.len() {
            // A member that cannot be read spoils none of the others.
            let Ok(member) = zip.by_index_raw(number) else { continue };
            let is_stored = member.compression() == CompressionMethod::Stored;
            let is_known = is_stored || member.compression() == CompressionMethod::Deflated;
            if let (true, Some(start)) = (is_known && !member.encrypted() && member.is_file(), member.data_start()) {
                members.push(Member {
                    name: String::from_utf8_lossy(member.name_raw()).into_owned(),
                    size: member.size(),
                    start,
                    packed: member.compressed_size(),
                    is_stored,
                });
            }
        }
        let wacz = Self { path: path.to_owned(), members };
        wacz.check_overlaps()?;
        wacz.check_ratio(size)?;
        Ok(wacz)
    }

    /// Each byte of the file belongs to one member.
    fn check_overlaps(&self) -> Result<(), WaczError> {
        let mut members: Vec<&Member> = self.members.iter().filter(|member| member.packed > 0).collect();
        members.sort_by_key(|member| member.start);
        let overlap = members.windows(2).find(|pair| pair[0].start.saturating_add(pair[0].packed) > pair[1].start);
        overlap.map_or(Ok(()), |pair| {
            let name = |member: &Member| member.name.chars().take(200).collect();
            Err(WaczError::Overlap { path: self.path.clone(), first: name(pair[0]), second: name(pair[1]) })
        })
    }

    /// No member is read beyond the size that it claims.
    fn check_ratio(&self, size: u64) -> Result<(), WaczError> {
        let deflated = self.members.iter().filter(|member| !member.is_stored);
        let bytes = deflated.fold(0_u64, |sum, member| sum.saturating_add(member.size));
        if bytes > size.saturating_mul(MOST_RATIO).saturating_add(ALWAYS_ALLOWED) {
            return Err(WaczError::Bomb { path: self.path.clone(), bytes });
        }
        Ok(())
    }

    /// The files in it.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The archives in it.
    pub fn archives(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.name.starts_with("archive/"))
    }

    /// Reads a file in it from its beginning.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open_member(&self, member: &Member) -> io::Result<Box<dyn Read + Send>> {
        let range = self.open_range(member, 0)?;
        Ok(if member.is_stored { Box::new(range) } else { Box::new(DeflateDecoder::new(range).take(member.size)) })
    }

    /// Reads a file in it from this byte on.
    ///
    /// # Errors
    /// If it is deflated, or cannot be opened.
    pub fn open_member_at(&self, member: &Member, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        if !member.is_stored {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "it is deflated"));
        }
        Ok(Box::new(self.open_range(member, offset)?))
    }

    /// The bytes of a member as they stand in the file.
    fn open_range(&self, member: &Member, offset: u64) -> io::Result<io::Take<File>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(member.start.saturating_add(offset)))?;
        Ok(file.take(member.packed.saturating_sub(offset)))
    }
}

impl Member {
    /// Its name without folders.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }

    /// The bytes of the file that it takes, as they are there.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.start..self.start.saturating_add(self.packed)
    }

    /// Where its bytes stand in the file, if they are there as they are.
    pub(crate) fn stored_at(&self) -> Option<(u64, u64)> {
        self.is_stored.then_some((self.start, self.packed))
    }

    /// Is it there as it is, so that it can be read from anywhere?
    #[must_use]
    pub fn is_stored(&self) -> bool {
        self.is_stored
    }
}
