//! The integration tests of `driftline-graph` in one program: it links once.
//!
//! Apart are those that start themselves (`crash`, `disk`) and the one with an allocator of its own (`memory`).

mod adding;
mod beyond;
mod copies;
mod interrupted;
mod missed;
mod toyoda_by_hand;
mod toyoda_on_dev;
mod toyoda_on_synthetic;
