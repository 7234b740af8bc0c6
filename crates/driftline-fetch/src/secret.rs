//! How is a secret kept? In the file itself, or better outside of it: `env:NAME` is read from the environment,
//! `file:PATH` from a file, both when the secret is used, so that it can be changed without a restart.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};

use serde::{Deserialize, Serialize};

/// No secret is longer.
const MOST_BYTES: u64 = 64 << 10;

/// Something that is never printed. In files it is the secret itself, or better `env:NAME` or `file:PATH`.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

/// Why a secret is not there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SecretError {
    /// The environment does not have it.
    #[error("the secret `env:{0}` is not in the environment\nhint: set {0} for the process that runs driftline")]
    NotSet(String),
    /// The file cannot be read.
    #[error("cannot read the secret `file:{path}`: {source}")]
    File {
        /// The file.
        path: String,
        /// Why not.
        source: io::Error,
    },
}

impl Secret {
    /// The secret itself.
    ///
    /// # Errors
    /// If it is said to be elsewhere, and is not there.
    pub fn reveal(&self) -> Result<String, SecretError> {
        if let Some(name) = self.0.strip_prefix("env:") {
            return std::env::var(name).map_err(|_| SecretError::NotSet(name.to_owned()));
        }
        let Some(path) = self.0.strip_prefix("file:") else { return Ok(self.0.clone()) };
        let mut text = String::new();
        match File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text)) {
            Ok(_) => Ok(text.trim_end_matches(['\r', '\n']).to_owned()),
            Err(source) => Err(SecretError::File { path: path.to_owned(), source }),
        }
    }

    /// Whether it is not written itself, but where it is.
    #[must_use]
    pub fn is_reference(&self) -> bool {
        ["env:", "file:"].iter().any(|scheme| self.0.starts_with(scheme))
    }

    /// What stands in the file: for files that are written again, never for people.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(written: String) -> Self {
        Self(written)
    }
}

impl From<&str> for Secret {
    fn from(written: &str) -> Self {
        Self(written.to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("…")
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn a_secret_is_itself_or_in_a_file_or_in_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        std::fs::write(&path, "hush\n").unwrap();
        assert_eq!(Secret::from("plain").reveal().unwrap(), "plain");
        assert_eq!(Secret::from(format!("file:{}", path.display())).reveal().unwrap(), "hush");
        assert_eq!(Secret::from("env:CARGO_PKG_NAME").reveal().unwrap(), "driftline-fetch");
    }

    #[test]
    fn a_secret_that_is_missing_is_told_without_one() {
        let error = Secret::from("env:DRIFTLINE_NOT_SET").reveal().unwrap_err().to_string();
        assert!(error.contains("DRIFTLINE_NOT_SET"), "{error}");
        assert!(Secret::from("file:/nowhere/at/all").reveal().unwrap_err().to_string().contains("/nowhere"));
        assert_eq!(format!("{:?}", Secret::from("hush")), "…");
    }
}
