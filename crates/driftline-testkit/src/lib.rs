//! What driftline's tests share: slow oracles, natural text, broken input.
//!
//! Nothing here is fast or clever: an oracle is only worth something if it can be checked by
//! reading it beside the papers.

pub mod addresses;
pub mod allocations;
pub mod chromium;
pub mod data;
pub mod fast_pages;
pub mod floor;
pub mod kills;
pub mod labels;
pub mod oracle;
pub mod pages;
#[cfg(unix)]
pub mod postgres;
#[cfg(unix)]
pub mod power_cut;
pub mod python;
pub mod receiver;
pub mod server;
pub mod smtp;
pub mod sqlite;
pub mod stripe;
pub mod text;
pub mod timing;
pub mod toyoda;
pub mod truth;
pub mod zoo;
