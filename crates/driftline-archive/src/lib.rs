//! Web captures on disk: WARC segments, indexes, third-party files read in place.
//!
//! [`Archive`] keeps captures: WARC segments that only grow, and a [`Catalog`](driftline_catalog::Catalog) that knows where
//! each capture is. [`collection`] reads third-party files in place. Both find a capture by its
//! [`Address`](driftline_catalog::Address), `URL@TIME`.
//! Nothing here knows the network or the clock; times are passed in.

pub mod archive;
pub mod capture;
pub mod care;
pub mod cdxj;
pub mod collection;
pub mod derive;
pub mod export;
pub mod http;
pub mod import;
mod segment;
pub mod settings;
mod stated;
pub mod store;
mod unzip;
pub mod wacz;
pub mod warc;

pub use archive::Archive;
pub use capture::Capture;
pub use collection::Collection;
pub use driftline::time::{self, Time};
pub use driftline_files as private;
