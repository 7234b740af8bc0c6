//! The folder of the report.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use driftline_report::evaluation::Evaluation;

/// A folder that can be written to.
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes the folder and tries it, before hours are spent on measuring.
    pub(super) fn create(path: &Path) -> Result<Self> {
        let failed = || format!("cannot write to the folder `{}`", path.display());
        fs::create_dir_all(path).with_context(failed)?;
        let trial = path.join(".driftline-trial");
        fs::write(&trial, b"").and_then(|()| fs::remove_file(&trial)).with_context(failed)?;
        Ok(Self { path: path.to_owned() })
    }

    /// Writes all files, the page last: where it is, the files it names are.
    pub(super) fn write(&self, evaluation: &Evaluation) -> Result<()> {
        let names = evaluation.file_names();
        for name in names.iter().rev() {
            let content = evaluation.file(name).with_context(|| format!("cannot make `{name}`"))?;
            self.put(name, &content)?;
        }
        let page = self.path.join(names[0]);
        anstream::eprintln!("wrote `{}` and {} other files", page.display(), names.len() - 1);
        Ok(())
    }

    /// Writes a file beside its place and moves it there, so that it is never half of one.
    fn put(&self, name: &str, content: &[u8]) -> Result<()> {
        let (part, whole) = (self.path.join(format!(".{name}.part")), self.path.join(name));
        fs::write(&part, content)
            .and_then(|()| fs::rename(&part, &whole))
            .with_context(|| format!("cannot write `{}`", whole.display()))
    }
}
