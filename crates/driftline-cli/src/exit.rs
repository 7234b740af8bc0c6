//! Exit codes, as `diff` has them.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Nothing changed, or the work is done.
    Same,
    /// Something changed.
    Changed,
    /// It failed; a message was printed.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Same => Self::SUCCESS,
            Exit::Changed => Self::from(1),
            Exit::Failed => Self::from(2),
        }
    }
}
