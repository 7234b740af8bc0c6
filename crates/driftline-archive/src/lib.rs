//! What did a crawl bring home, and what did a page say back then? Captures on disk, for ever.
//!
//! [`Archive`] keeps captures: WARC segments that only grow, and a [`catalog`] that knows where each capture is.
//! [`collection`] reads files of others in place. Both find a capture by its [`Address`], `URL@TIME`.
//! Nothing here knows the network or the clock; times are passed in.

pub mod address;
pub mod archive;
pub mod capture;
pub mod care;
pub mod catalog;
pub mod cdxj;
pub mod collection;
pub mod derive;
pub mod digest;
pub mod export;
pub mod http;
pub mod import;
pub mod seconds;
mod segment;
pub mod settings;
pub mod store;
pub mod surt;
mod unzip;
pub mod wacz;
pub mod warc;

pub use address::Address;
pub use archive::Archive;
pub use capture::Capture;
pub use catalog::Catalog;
pub use collection::Collection;
pub use driftline::time::{self, Time};
pub use driftline_files as private;
