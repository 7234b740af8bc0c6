//! What did a crawl bring home? Captures on disk: WARC files, and the HTTP responses in them.
//!
//! [`warc::Reader`] reads the records of a WARC file, whole or broken, and [`http::Response`] the page in
//! a record. Nothing here knows the network or the clock.

pub mod http;
pub mod warc;
