//! Where does the data go? To stdout, or to a file that appears under its name once it is whole.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Where data goes.
pub(crate) struct Output {
    path: Option<PathBuf>,
    /// What it is called while it is written, if it can be replaced.
    partial: Option<PathBuf>,
}

impl Output {
    /// A file, or stdout without one, or with `-`.
    pub(crate) fn new(path: Option<&Path>) -> Self {
        let path = path.filter(is_file);
        // A device cannot be replaced, so it is written to directly.
        let replaceable = |path: &&Path| !path.exists() || path.is_file();
        let partial = path.filter(replaceable).map(|path| path.with_added_extension("partial"));
        Self { path: path.map(Path::to_owned), partial }
    }

    /// The same for bytes that would confuse a terminal; `what` says what they are.
    pub(crate) fn of_bytes(path: Option<&Path>, what: &str) -> Result<Self> {
        if path.is_none_or(|path| !is_file(&path)) && io::stdout().is_terminal() {
            bail!("{what} is not for a terminal\nhint: add `--output FILE`, or pipe stdout somewhere");
        }
        Ok(Self::new(path))
    }

    pub(crate) fn writer(&self) -> Result<Box<dyn Write + Send>> {
        let Some(path) = self.partial.as_ref().or(self.path.as_ref()) else {
            return Ok(Box::new(BufWriter::new(io::stdout())));
        };
        Ok(Box::new(BufWriter::new(self.file(path)?)))
    }

    /// The file for something that has to be written here and there; none for stdout and devices.
    pub(crate) fn seekable(&self) -> Result<Option<File>> {
        self.partial.as_ref().map(|path| self.file(path)).transpose()
    }

    fn file(&self, path: &Path) -> Result<File> {
        let asked = self.path.as_deref().unwrap_or(path).display();
        File::create(path).with_context(|| format!("cannot write `{asked}`"))
    }

    /// Gives the whole file its name.
    pub(crate) fn keep(mut self) -> Result<()> {
        if let (Some(partial), Some(path)) = (self.partial.take(), &self.path) {
            std::fs::rename(partial, path).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        Ok(())
    }
}

/// `-` is none, as it is for what is read.
fn is_file(path: &&Path) -> bool {
    path.as_os_str() != "-"
}

impl Drop for Output {
    /// What was not kept is half of something, and goes.
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            let _ = std::fs::remove_file(partial);
        }
    }
}
