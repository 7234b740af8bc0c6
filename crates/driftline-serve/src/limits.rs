//! Limits of the server: how many connections, for how long, and how long an answer takes.

use std::time::Duration;

/// The limits. Tests have shorter ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Connections at the same time, without the reserved ones.
    pub(crate) places: usize,
    /// Connections of one client at the same time; behind a trusted proxy, requests of one client.
    pub(crate) share: usize,
    /// Further connections, on which only `/health` is answered.
    pub(crate) reserved: usize,
    /// The lifetime of such a connection.
    pub(crate) reserved_life: Duration,
    /// A connection without any traffic is closed after this time.
    pub(crate) idle: Duration,
    /// From the first byte of a request to the first byte of its answer.
    pub(crate) head: Duration,
    /// The lifetime of a connection; clients connect again.
    pub(crate) life: Duration,
    /// The time for whatever needs the catalog. With the rest of the answer it stays below 2 s.
    pub(crate) catalog: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            places: 256,
            share: 64,
            reserved: 16,
            reserved_life: Duration::from_secs(5),
            idle: Duration::from_secs(20),
            head: Duration::from_secs(10),
            life: Duration::from_mins(5),
            catalog: Duration::from_millis(1_500),
        }
    }
}
