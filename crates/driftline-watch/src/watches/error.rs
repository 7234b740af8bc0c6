//! Why can the watches not be used? Which file, which line, what is wrong there, and the cure; never a value that may
//! be a password.

use std::io;
use std::path::{Path, PathBuf};

use driftline_archive::settings::plain;

use super::password::without_password;
use super::pattern::NotAPattern;

/// Why watches cannot be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WatchesError {
    /// A file cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Something in a file is wrong.
    #[error("cannot use `{}`, line {line}: {what}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and the cure.
        what: String,
    },
    /// Two watches have the same id.
    #[error(
        "there are two watches `{id}`: `{}`, line {line}, and `{}`, line {other_line}\nhint: give one of them an `id` of \
         its own, or remove it",
        path.display(), other.display()
    )]
    Twice {
        /// The id of both.
        id: String,
        /// The file of the one.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// The file of the other.
        other: PathBuf,
        /// Its line, from 1.
        other_line: usize,
    },
    /// What is to be added cannot be used. It stands in no line of any file yet.
    #[error("cannot watch `{url}`: {what}")]
    Unusable {
        /// The address that was given, without a name and a password in it.
        url: String,
        /// What is wrong, and the cure.
        what: String,
    },
    /// What is to be added is there already.
    #[error(
        "`{id}` is watched already: `{}`, line {line}\nhint: `driftline watch edit {id}` changes it; a second watch of \
         the same address needs an `id` of its own",
        path.display()
    )]
    There {
        /// The id of both.
        id: String,
        /// The file in which it stands.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
    },
    /// There are more than can be kept.
    #[error("there are more than {most} {what}\nhint: {cure}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// So many may be.
        most: usize,
        /// What to do.
        cure: &'static str,
    },
    /// No watch is called so.
    #[error(
        "there is no watch `{asked}`\nhint: `driftline watch list --members` names all; a name or an address will do, and an id may be cut short"
    )]
    Unknown {
        /// What was asked for.
        asked: String,
    },
    /// Several are.
    #[error("`{asked}` may be {} watches: {}\nhint: write the id of one of them", ids.len(), ids.join(", "))]
    Ambiguous {
        /// What was asked for.
        asked: String,
        /// Some of those that it may be.
        ids: Vec<String>,
    },
    /// It is a member of a list, and stands in no file by itself.
    #[error(
        "`{id}` is a member of the list `{list}` and has no settings of its own\nhint: change the list, or `driftline watch add` the page by itself"
    )]
    Member {
        /// The member.
        id: String,
        /// Its list.
        list: String,
    },
    /// A change cannot be made.
    #[error("{0}")]
    Change(String),
}

impl WatchesError {
    pub(super) fn read(path: &Path, source: io::Error) -> Self {
        Self::Read { path: path.to_owned(), source }
    }

    pub(super) fn write(path: &Path, source: io::Error) -> Self {
        Self::Write { path: path.to_owned(), source }
    }

    /// Several watches that may be meant, by their ids.
    pub fn ambiguous<'a>(asked: &str, ids: impl Iterator<Item = &'a str>) -> Self {
        Self::Ambiguous { asked: asked.to_owned(), ids: ids.map(|id| format!("`{id}`")).collect() }
    }

    /// The fault of a watch that is to be added, by the address that was given for it.
    pub(super) fn unusable(url: &str, fault: Fault) -> Self {
        Self::Unusable { url: without_password(url), what: fault.what }
    }

    /// Two watches with the same id, of which at least one is `added` to a file: told by where the other stands.
    pub(super) fn of_added(self, file: &Path, added: &[String]) -> Self {
        let Self::Twice { id, path, line, other, other_line } = self else { return self };
        match added.iter().filter(|added| **added == id).count() {
            0 => Self::Twice { id, path, line, other, other_line },
            // The old entries of a file stand before those that are added to it.
            1 if other == file => Self::There { id, path, line },
            1 => Self::There { id, path: other, line: other_line },
            _ => Self::Change(format!(
                "there are two watches `{id}` in what is to be added\nhint: name it once, or give each an `id` of its own"
            )),
        }
    }
}

/// What is wrong in a text, and where: the byte at which it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) what: String,
}

impl Fault {
    pub(super) fn new(at: usize, what: impl Into<String>) -> Self {
        Self { at, what: what.into() }
    }

    /// The fault as an error about a file with this text.
    pub(super) fn of(self, path: &Path, text: &str) -> WatchesError {
        WatchesError::Wrong { path: path.to_owned(), line: line(text, self.at), what: self.what }
    }
}

impl From<toml::de::Error> for Fault {
    fn from(error: toml::de::Error) -> Self {
        Self { at: place(&error), what: plain(error.message(), &[]) }
    }
}

/// The byte at which something is wrong.
pub(super) fn place(error: &toml::de::Error) -> usize {
    error.span().map_or(0, |span| span.start)
}

impl From<NotAPattern> for String {
    fn from(error: NotAPattern) -> Self {
        error.to_string()
    }
}

/// The number of the line of a byte.
pub(super) fn line(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.split(|&byte| byte == b'\n').count()
}
