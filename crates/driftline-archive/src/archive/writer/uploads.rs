//! Closed segments on their way to an object store, on a thread of their own: the network may be slow.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use crate::archive::Error;
use crate::segment::Folder;
use crate::store::Store;
use driftline_catalog::{Catalog, SegmentState};

/// Uploads, one after the other. Without an object store there are none.
pub(super) struct Uploads {
    names: Option<Sender<String>>,
    thread: Option<JoinHandle<Result<(), Error>>>,
}

impl Uploads {
    /// Begins with all closed segments that are still here.
    pub(super) fn start(folder: &Folder, catalog: &Arc<Catalog>, store: &Arc<Store>) -> Result<Self, Error> {
        if !store.is_remote() {
            return Ok(Self { names: None, thread: None });
        }
        let (names, waiting) = mpsc::channel();
        for (name, _) in folder.all_closed()? {
            let _ = names.send(name);
        }
        let (folder, catalog, store) = (folder.clone(), Arc::clone(catalog), Arc::clone(store));
        let path = folder.path().to_owned();
        let work = move || {
            let mut last = Ok(());
            for name in waiting {
                last = last.and(upload(&name, &folder, &catalog, &store));
            }
            last
        };
        let thread = thread::Builder::new().name("driftline-upload".to_owned()).spawn(work);
        let thread = thread.map_err(Error::file("start a thread for", &path))?;
        Ok(Self { names: Some(names), thread: Some(thread) })
    }

    pub(super) fn add(&self, name: String) {
        if let Some(names) = &self.names {
            let _ = names.send(name);
        }
    }

    /// Waits for the last one. What could not be uploaded stays here, and is tried again another time.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        self.names = None;
        self.thread.take().map_or(Ok(()), |thread| thread.join().unwrap_or(Err(Error::Closed)))
    }
}

/// Another process may have done it meanwhile: then it is not here any more.
fn upload(name: &str, folder: &Folder, catalog: &Catalog, store: &Store) -> Result<(), Error> {
    let path = folder.closed(name);
    let sent = send(name, &path, catalog, store);
    if sent.is_err() && !path.exists() {
        let segment = catalog.segment(name)?;
        if segment.is_some_and(|segment| matches!(segment.state, SegmentState::Stored | SegmentState::Dropped)) {
            return Ok(());
        }
    }
    sent
}

/// The file goes only when the store has all of it and the catalog knows.
fn send(name: &str, path: &Path, catalog: &Catalog, store: &Store) -> Result<(), Error> {
    store.upload(name, path)?;
    catalog.set_segment_state(name, SegmentState::Stored)?;
    fs::remove_file(path).map_err(Error::file("remove", path))
}
