//! Measures pairs of files one after the other; each thread has one worker.

use std::path::{Path, PathBuf};

use anyhow::Result;
use driftline::degree::compare::{Comparer, Measurement, Parameters};
use driftline::page::{Page, Recipe};

use crate::input;
use crate::versions::FilePair;

/// Reads and compares.
pub(crate) struct Worker {
    pub(crate) recipe: Recipe,
    pub(crate) parameters: Parameters,
    pub(crate) comparer: Comparer,
    /// The newer file of the last pair: often the older one of the next.
    last: Option<(PathBuf, Page)>,
}

impl Clone for Worker {
    /// The same way of measuring, with memory of its own.
    fn clone(&self) -> Self {
        Self::new(self.recipe.clone(), self.parameters.clone())
    }
}

impl Worker {
    pub(crate) fn new(recipe: Recipe, parameters: Parameters) -> Self {
        Self { recipe, comparer: Comparer::new(parameters.clone()), parameters, last: None }
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
        input::page(path, &self.recipe)
    }
}
