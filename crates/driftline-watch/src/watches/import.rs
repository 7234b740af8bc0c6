//! What does another monitor watch? Its files, and what of them cannot be carried over.
//!
//! Files come from elsewhere and are not trusted: each has a limit, and nothing of them is run or fetched. What has no
//! counterpart here is told for each entry by its name, never with its value, which may be a password.

mod changedetection;
mod draft;
mod fate;
mod ids;
mod urlwatch;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::lists::{Listed, NotAList, opml, plain, sitemap};
use super::password::without_password;
use super::{Kind, Member, Settings, Watch, id};
use draft::{Draft, TEMPLATE, is_template};
use ids::Ids;

/// The most bytes of a file that is read as a whole.
const MOST_BYTES: u64 = 64 << 20;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A backup or the folder of changedetection.io.
    Changedetection,
    /// `urls.yaml` of urlwatch or `jobs.yaml` of webchanges.
    Urlwatch,
    /// A list of feeds.
    Opml,
    /// A sitemap: its pages, as they are now.
    Sitemap,
    /// An address a line.
    List,
}

/// What another monitor watches.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Imported {
    /// Watches that can be used.
    pub watches: Vec<Watch>,
    /// What was not carried over.
    pub notes: Vec<Note>,
}

/// Something that was not carried over.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Note {
    /// Of which entry: its name or address.
    pub entry: String,
    /// What, and why.
    pub what: String,
}

/// Why nothing can be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It is nothing that is known here.
    #[error("cannot tell what `{}` is\nhint: `--format` says: changedetection, urlwatch, opml, sitemap or list", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
    },
    /// It is no list.
    #[error(
        "cannot use `{}`: {source}\nhint: mend the file, or say by `--format` what it is; nothing was taken from it",
        path.display()
    )]
    List {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: NotAList,
    },
    /// It is no backup.
    #[error(transparent)]
    Backup(#[from] driftline_archive::import::Error),
}

impl Imported {
    /// What a file or a folder says; without a format, it is told from what stands in it.
    ///
    /// # Errors
    /// If it cannot be read, or is not what it was said to be.
    pub fn read(path: &Path, format: Option<Format>) -> Result<Self, ImportError> {
        if path.is_dir()
            || format == Some(Format::Changedetection)
            || format.is_none() && changedetection::is_index(path)
        {
            return changedetection::read(path);
        }
        let bytes = read(path).map_err(|source| ImportError::Read { path: path.to_owned(), source })?;
        let format = format.or_else(|| guess(path, &bytes));
        match format.ok_or_else(|| ImportError::Unknown { path: path.to_owned() })? {
            Format::Changedetection => changedetection::read(path),
            other => Self::parse(&bytes, other).map_err(|source| ImportError::List { path: path.to_owned(), source }),
        }
    }

    /// What some bytes say that are no backup.
    ///
    /// # Errors
    /// If they are no list of that format.
    pub fn parse(bytes: &[u8], format: Format) -> Result<Self, NotAList> {
        match format {
            Format::Urlwatch => urlwatch::parse(&String::from_utf8_lossy(bytes)),
            Format::Opml => opml::parse(bytes).map(|listed| Self::listed(listed, Kind::Feed)),
            Format::Sitemap => sitemap::parse(bytes).map(|listed| Self::listed(listed, Kind::Page)),
            Format::List => Ok(Self::plain(bytes)),
            Format::Changedetection => Err(NotAList::Other { expected: "list, but a backup" }),
        }
    }

    /// An address a line. A template has blanks in it: it is told as a whole, not cut at the first of them.
    fn plain(bytes: &[u8]) -> Self {
        let is_one =
            |line: &&[u8]| !line.trim_ascii_start().starts_with(b"#") && is_template(&String::from_utf8_lossy(line));
        let (templates, rest): (Vec<&[u8]>, Vec<&[u8]>) =
            bytes.split_inclusive(|&byte| byte == b'\n').partition(is_one);
        let mut imported = Self::listed(plain::parse(&rest.concat()), Kind::Page);
        imported.notes.extend(templates.into_iter().map(|line| {
            let entry = without_password(String::from_utf8_lossy(line).trim()).chars().take(200).collect();
            Note { entry, what: format!("it is not watched: {TEMPLATE}") }
        }));
        imported
    }

    fn listed(listed: Listed, kind: Kind) -> Self {
        let mut imported = Self::default();
        let mut known: HashMap<Vec<String>, Arc<Settings>> = HashMap::new();
        for Member { url, title, tags, .. } in listed.members {
            let settings = known
                .entry(tags)
                .or_insert_with_key(|tags| Arc::new(Settings { kind, tags: tags.clone(), ..Settings::default() }));
            let (id, name) = (id::made_of(kind, &url).into(), Some(title).filter(|title| !title.is_empty()));
            let name = name.map(Into::into);
            imported.watches.push(Watch { id, url: url.into(), name, settings: Arc::clone(settings) });
        }
        let mut tell = |entry: String, what: &str| imported.notes.push(Note { entry, what: what.to_owned() });
        for skipped in listed.skipped {
            tell(skipped, "it is no address of the web, or one with a name and a password in it");
        }
        for list in listed.lists {
            tell(
                without_password(&list),
                "it is another sitemap: `driftline watch add --sitemap` watches it with all it names",
            );
        }
        if listed.is_cut {
            tell("the end".to_owned(), "there are more than 50,000 members or 50 MB");
        }
        imported
    }

    /// Takes a draft. Two of the same address become two watches, the second one as `ID-2`.
    fn take(&mut self, ids: &mut Ids, draft: Draft) {
        let Some((watch, notes)) = draft.finish(&mut self.notes) else { return };
        self.notes.extend(notes);
        let id = ids.take(&watch.id);
        self.watches.push(Watch { id: id.into(), ..watch });
    }
}

/// What bytes are, by how they begin and by the name of their file.
fn guess(path: &Path, bytes: &[u8]) -> Option<Format> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let has_end = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4_096)]).to_ascii_lowercase();
    match bytes {
        [b'P', b'K', 3 | 5, ..] => Some(Format::Changedetection),
        [0x1f, 0x8b, ..] => Some(Format::Sitemap),
        _ if head.contains("<opml") => Some(Format::Opml),
        _ if head.contains("<urlset") || head.contains("<sitemapindex") => Some(Format::Sitemap),
        _ if has_end(&[".yaml", ".yml"]) => Some(Format::Urlwatch),
        _ if head.lines().any(|line| line.starts_with("url:") || line.starts_with("navigate:")) => {
            Some(Format::Urlwatch)
        }
        _ if head.lines().any(|line| line.starts_with("http://") || line.starts_with("https://")) => Some(Format::List),
        _ => None,
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("it has more than {MOST_BYTES} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
