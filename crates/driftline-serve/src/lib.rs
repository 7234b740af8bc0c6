//! driftline over HTTP: is the daemon well, what does it count, what happened?
//!
//! `GET /health`, `GET /metrics`, and Atom feeds: `/feeds/all.atom`, `/feeds/watch/WATCH.atom`, `/feeds/tag/TAG.atom`,
//! `/feeds/site/HOST.atom`. Nothing is decided here, and nothing can be altered: every route only reads.
//!
//! There are no accounts yet, so [`Server::start`] listens on the machine itself unless the operator says otherwise,
//! and answers only to names that are its own: a web page that points its own name at 127.0.0.1 reads nothing.

mod admission;
mod cache;
pub mod client;
mod error;
mod feeds;
pub mod gate;
mod health;
mod limits;
mod listener;
mod places;
mod routes;
mod server;

pub use error::ServeError;
pub use health::Health;
pub use server::Server;
