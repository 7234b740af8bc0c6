//! Does it all work together? The evolving site, a real daemon, a receiver that is told, and a clock that is set: a
//! fortnight in seconds, and no test sleeps.

mod failures;
mod feeds;
mod month;
mod once;
mod pages;
mod run;
mod schedule;
mod sites;
mod stage;
mod story;
