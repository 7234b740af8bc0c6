//! Watches pages, feeds and sites: schedule, check, decide, tell.
//!
//! One check is a plain function, [`check::check_once`]: it fetches, keeps the capture, compares it with the version
//! before, and says what happened. The [`daemon`] is a loop around it, with a [`Clock`](clock::Clock) that tests set.
//! What is watched stands in TOML files ([`watches`]); who is told, in `driftline.toml` ([`tell`]).

pub mod check;
pub mod clock;
pub mod daemon;
pub mod ledger;
mod leftover;
pub mod retention;
pub mod schedule;
pub mod settings;
pub mod site;
pub mod tell;
pub mod watches;
