//! Is the archive well, and how does it stay so? Checks, room, and numbers.

pub mod choice;
pub mod compact;
mod files;
pub mod permissions;
pub mod retention;
mod rows;
#[cfg(test)]
pub(crate) mod sample;
pub mod summary;
pub mod verify;
mod walk;

pub use compact::{Compact, CompactError, compact};
pub use retention::Retention;
pub use summary::{Summary, summarise};
pub use verify::{Verified, verify};
