//! Measures pairs of files one after the other; each thread has one worker.

use std::path::{Path, PathBuf};

use anyhow::Result;
use driftline::compare::{CompareOptions, Comparer};
use driftline::degree::Measurement;
use driftline::page::{Page, ReadOptions};

use crate::input;
use crate::versions::FilePair;

/// Reads and compares.
pub(crate) struct Worker {
    pub(crate) read_options: ReadOptions,
    pub(crate) compare_options: CompareOptions,
    pub(crate) comparer: Comparer,
    /// The newer file of the last pair: often the older one of the next.
    last: Option<(PathBuf, Page)>,
}

impl Clone for Worker {
    /// The same way of measuring, with memory of its own.
    fn clone(&self) -> Self {
        Self::new(self.read_options.clone(), self.compare_options.clone())
    }
}

impl Worker {
    pub(crate) fn new(read_options: ReadOptions, compare_options: CompareOptions) -> Self {
        Self { read_options, comparer: Comparer::new(compare_options.clone()), compare_options, last: None }
    }

    /// Measures two files.
    pub(crate) fn measure_files(&mut self, pair: &FilePair) -> Result<Measurement> {
        self.on_files(pair, Comparer::measure)
    }

    /// Reads two files and looks at them.
    pub(crate) fn on_files<T>(
        &mut self,
        pair: &FilePair,
        look: impl FnOnce(&mut Comparer, &Page, &Page) -> T,
    ) -> Result<T> {
        let older = match self.last.take() {
            Some((path, page)) if path == pair.old => page,
            _ => self.page(&pair.old)?,
        };
        let newer = self.page(&pair.new)?;
        let seen = look(&mut self.comparer, &older, &newer);
        self.last = Some((pair.new.clone(), newer));
        Ok(seen)
    }

    /// Reads a file as a page.
    pub(crate) fn page(&self, path: &Path) -> Result<Page> {
        input::page(path, &self.read_options)
    }
}
