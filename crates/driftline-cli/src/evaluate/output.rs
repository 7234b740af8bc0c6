//! What an evaluation gives out: text or JSON, and the folder of the report.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use driftline_evaluation::report::Report;

use crate::args::OutputArgs;
use crate::tell;

/// What was asked for of an evaluation.
pub(super) struct Output {
    folder: Option<Folder>,
    json: bool,
    quiet: bool,
}

impl Output {
    /// Tries the folder, if there is to be one.
    pub(super) fn new(args: &OutputArgs) -> Result<Self> {
        let folder = args.output.as_deref().map(Folder::create).transpose()?;
        Ok(Self { folder, json: args.json, quiet: args.quiet })
    }

    /// Prints the findings and writes the report.
    pub(super) fn give(&self, evaluation: &impl Report) -> Result<()> {
        let text = if self.json { format!("{:#}\n", evaluation.json()) } else { evaluation.text() };
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
        match &self.folder {
            Some(folder) => folder.write(evaluation)?,
            None if !self.quiet => {
                tell::note("hint: `--output DIR` writes figures, CSV files and report.html");
            }
            None => {}
        }
        Ok(())
    }
}

/// A folder that can be written to.
struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes the folder and tries it, before hours are spent on measuring.
    fn create(path: &Path) -> Result<Self> {
        let failed = || format!("cannot write to the folder `{}`", path.display());
        fs::create_dir_all(path).with_context(failed)?;
        let trial = path.join(".driftline-trial");
        fs::write(&trial, b"").and_then(|()| fs::remove_file(&trial)).with_context(failed)?;
        Ok(Self { path: path.to_owned() })
    }

    /// Writes all files, the page last: where it is, the files it names are.
    fn write(&self, evaluation: &impl Report) -> Result<()> {
        let names = evaluation.file_names();
        for name in names.iter().rev() {
            let content = evaluation.file(name).with_context(|| format!("cannot make `{name}`"))?;
            self.put(name, &content)?;
        }
        let page = self.path.join(names[0]);
        tell::note(format_args!("wrote `{}` and {} other files", page.display(), names.len() - 1));
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
