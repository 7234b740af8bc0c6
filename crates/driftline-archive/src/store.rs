//! Where are closed segments? In a folder, or in an S3-compatible store; to a reader they are the same.
//!
//! Segments are always written in a local folder, because only a file can grow and be locked. With an
//! object store, a closed one is uploaded and then removed here. Both are read in ranges, a few at a time,
//! so that a record of a gigabyte does not need a gigabyte of memory.

mod reader;
mod s3;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};
use tokio::runtime::Runtime;

pub use reader::RangeReader;
pub use s3::S3;

/// Where segments go once they are closed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// They stay in the folder where they were written.
    Folder,
    /// To an S3-compatible store.
    S3(S3),
}

/// Why the store did not do it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It cannot be set up.
    #[error(
        "cannot use {place} as a store: {source}\nhint: `warc = \"s3://BUCKET/PREFIX\"` needs a region or an endpoint, and keys"
    )]
    Open {
        /// Which store.
        place: String,
        /// Why not.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// It failed.
    #[error("cannot {what} `{name}` in {place}: {source}")]
    Object {
        /// What was tried.
        what: &'static str,
        /// With which segment.
        name: String,
        /// In which store.
        place: String,
        /// Why not.
        source: Box<object_store::Error>,
    },
    /// A segment cannot be read on its way to the store.
    #[error("cannot upload `{name}`: {source}")]
    Upload {
        /// Which segment.
        name: String,
        /// Why not.
        source: io::Error,
    },
    /// Something else of this name is there.
    #[error(
        "there is another `{name}` in {place}, which is not overwritten\nhint: it is kept here and can be read; rename the one in the store, or import it"
    )]
    Taken {
        /// Which segment.
        name: String,
        /// In which store.
        place: String,
    },
    /// What was uploaded is not what came to be there.
    #[error(
        "`{name}` has {sent} bytes here and {stored} bytes in {place}\nhint: it is kept here; another upload is tried when the archive is opened again"
    )]
    Size {
        /// Which segment.
        name: String,
        /// In which store.
        place: String,
        /// How long it is here.
        sent: u64,
        /// How long it is there.
        stored: u64,
    },
}

impl StoreError {
    /// Is it only that there is no such segment?
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Object { source, .. } if matches!(**source, object_store::Error::NotFound { .. }))
    }
}

/// A place for closed segments.
pub struct Store {
    objects: Arc<dyn ObjectStore>,
    /// Only an object store has one: it stands before each name.
    prefix: Key,
    place: String,
    is_remote: bool,
    runtime: Runtime,
}

/// A part of an upload; S3 wants 5 MiB at least.
const PART: usize = 8 << 20;

impl Store {
    /// The store at a place; `folder` is the one in which segments are written.
    ///
    /// # Errors
    /// If the folder cannot be read, or the settings of the object store make no sense.
    pub fn open(place: &Place, folder: &Path) -> Result<Self, StoreError> {
        match place {
            Place::Folder => Self::folder(folder),
            Place::S3(s3) => {
                let failed = |source| StoreError::Open { place: s3.to_string(), source };
                let objects = Arc::new(s3.connect().map_err(|error| failed(Box::new(error)))?);
                let runtime = runtime().map_err(|error| failed(Box::new(error)))?;
                let prefix = Key::from(s3.prefix.as_str());
                Ok(Self { objects, prefix, place: s3.to_string(), is_remote: true, runtime })
            }
        }
    }

    fn folder(folder: &Path) -> Result<Self, StoreError> {
        let place = format!("`{}`", folder.display());
        let failed = |source| StoreError::Open { place: place.clone(), source };
        // A folder that is not there has nothing in it.
        let objects: Arc<dyn ObjectStore> = if folder.exists() {
            Arc::new(LocalFileSystem::new_with_prefix(folder).map_err(|error| failed(Box::new(error)))?)
        } else {
            Arc::new(InMemory::new())
        };
        let runtime = runtime().map_err(|error| failed(Box::new(error)))?;
        Ok(Self { objects, prefix: Key::default(), place, is_remote: false, runtime })
    }

    /// Does a closed segment have to be uploaded?
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.is_remote
    }

    /// Uploads a closed segment, and makes sure that all of it is there. Nothing in the store is overwritten.
    ///
    /// # Errors
    /// If the store does not take it, in which case what it took is withdrawn, or has something else of this name.
    pub fn upload(&self, name: &str, file: &Path) -> Result<(), StoreError> {
        let unread = |source| StoreError::Upload { name: name.to_owned(), source };
        let mut input = File::open(file).map_err(unread)?;
        let sent = input.metadata().map_err(unread)?.len();
        if self.has(name)? {
            // Whoever uploaded it may have been interrupted before the catalog knew.
            let is_there = self.size(name)? == sent
                && same(&mut self.reader(name, 0, sent), &mut BufReader::new(input)).map_err(unread)?;
            let place = self.place.clone();
            return if is_there { Ok(()) } else { Err(StoreError::Taken { name: name.to_owned(), place }) };
        }
        let mut upload = self.wait("upload", name, self.objects.put_multipart(&self.key(name)))?;
        let parts = self.send(name, &mut input, upload.as_mut());
        if let Err(error) = parts {
            // What stays behind after a failed withdrawal is for the life-cycle rules of the store.
            let _ = self.runtime.block_on(upload.abort());
            return Err(error);
        }
        self.wait("upload", name, upload.complete())?;
        let stored = self.size(name)?;
        if stored == sent {
            Ok(())
        } else {
            Err(StoreError::Size { name: name.to_owned(), place: self.place.clone(), sent, stored })
        }
    }

    fn send(
        &self,
        name: &str,
        input: &mut File,
        upload: &mut dyn object_store::MultipartUpload,
    ) -> Result<(), StoreError> {
        loop {
            let mut part = Vec::new();
            let read = input.by_ref().take(PART as u64).read_to_end(&mut part);
            read.map_err(|source| StoreError::Upload { name: name.to_owned(), source })?;
            if part.is_empty() {
                return Ok(());
            }
            self.wait("upload", name, upload.put_part(PutPayload::from(part)))?;
        }
    }

    /// How long a segment is.
    ///
    /// # Errors
    /// If it is not there, or the store does not say.
    pub fn size(&self, name: &str) -> Result<u64, StoreError> {
        self.wait("look at", name, self.objects.head(&self.key(name))).map(|meta| meta.size)
    }

    /// Is there such a segment?
    ///
    /// # Errors
    /// If the store does not say.
    pub fn has(&self, name: &str) -> Result<bool, StoreError> {
        match self.size(name) {
            Err(error) if error.is_not_found() => Ok(false),
            size => size.map(|_| true),
        }
    }

    /// Bytes of a segment, to be read a piece at a time.
    #[must_use]
    pub fn reader(&self, name: &str, offset: u64, length: u64) -> RangeReader<'_> {
        RangeReader::new(self, name, offset, length)
    }

    /// Bytes of a segment; fewer if it has no more.
    ///
    /// # Errors
    /// If it is not there, ends before them, or cannot be read.
    pub fn read(&self, name: &str, bytes: std::ops::Range<u64>) -> Result<Vec<u8>, StoreError> {
        self.wait("read", name, self.objects.get_range(&self.key(name), bytes)).map(Vec::from)
    }

    /// Removes a segment for good.
    ///
    /// # Errors
    /// If it is not there, or cannot be removed.
    pub fn delete(&self, name: &str) -> Result<(), StoreError> {
        self.wait("delete", name, self.objects.delete(&self.key(name)))
    }

    /// All that is there: names and lengths.
    ///
    /// # Errors
    /// If the store does not say.
    pub fn list(&self) -> Result<Vec<(String, u64)>, StoreError> {
        let prefix = (!self.prefix.as_ref().is_empty()).then_some(&self.prefix);
        let listed = self.wait("list", "", self.objects.list_with_delimiter(prefix))?;
        let named = listed.objects.into_iter().filter_map(|meta| {
            let name = meta.location.filename()?.to_owned();
            Some((name, meta.size))
        });
        let mut all: Vec<_> = named.collect();
        all.sort();
        Ok(all)
    }

    fn key(&self, name: &str) -> Key {
        // As it is: other tools look for the name that stands in the index, so its `~` is not to be escaped.
        Key::parse(format!("{}/{name}", self.prefix)).unwrap_or_else(|_| self.prefix.clone().join(name))
    }

    fn wait<T>(
        &self,
        what: &'static str,
        name: &str,
        work: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, StoreError> {
        self.runtime.block_on(work).map_err(|source| StoreError::Object {
            what,
            name: name.to_owned(),
            place: self.place.clone(),
            source: Box::new(source),
        })
    }
}

/// Do both hold the same bytes?
fn same(one: &mut impl BufRead, other: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let length = left.len().min(right.len());
        if length == 0 || left[..length] != right[..length] {
            return Ok(left.is_empty() && right.is_empty());
        }
        one.consume(length);
        other.consume(length);
    }
}

/// One thread is enough: it mostly waits.
fn runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).thread_name("driftline-store").enable_all().build()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{Place, Store};

    #[test]
    fn a_folder_is_a_store() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&Place::Folder, folder.path()).unwrap();
        assert!(!store.is_remote() && !store.has("one~a.warc.gz").unwrap());
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|number| number as u8).collect();
        std::fs::write(folder.path().join("one~a.warc.gz"), &bytes).unwrap();
        assert_eq!(store.list().unwrap(), [("one~a.warc.gz".to_owned(), 3_000_000)]);
        assert_eq!(store.read("one~a.warc.gz", 5..8).unwrap(), [5, 6, 7]);
        let mut read = Vec::new();
        store.reader("one~a.warc.gz", 100, 2_500_000).read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes[100..2_500_100]);
        store.delete("one~a.warc.gz").unwrap();
        assert!(store.size("one~a.warc.gz").unwrap_err().is_not_found());
    }
}
