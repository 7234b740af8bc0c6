//! Which files does a target name? Templates, and whom it trusts.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::{Own, Target};
use crate::tell::TellerError;

/// No template is longer; the reader of templates says so.
const MOST_BYTES: u64 = (64 << 10) + 1;

impl Target {
    /// Reads its templates, and finds the file of authorities. Paths are relative to the data directory.
    pub(in crate::tell) fn read_files(&mut self, data: &Path) -> Result<(), TellerError> {
        self.own = Own {
            subject: self.settings.subject.clone(),
            text: self.settings.template.as_ref().map(|path| self.read(&data.join(path))).transpose()?,
            html: self.settings.template_html.as_ref().map(|path| self.read(&data.join(path))).transpose()?,
        };
        self.authorities = self.way.authorities().map(|path| data.join(path));
        Ok(())
    }

    fn read(&self, path: &Path) -> Result<String, TellerError> {
        let mut text = String::new();
        match File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text)) {
            Ok(_) => Ok(text),
            Err(error) => {
                Err(TellerError::File { target: self.name.clone(), path: path.to_owned(), why: error.to_string() })
            }
        }
    }
}
