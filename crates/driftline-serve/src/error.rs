//! Why can nobody be served?

use std::io;
use std::net::SocketAddr;

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Others could reach it, and nobody said that they may.
    #[error(
        "`{0}` can be reached from other machines, and whoever reaches it reads every feed\nhint: listen on 127.0.0.1 behind a proxy that asks for a password, or set `public = true` under `[serve]`"
    )]
    Public(SocketAddr),
    /// The address is taken, or is none of this machine.
    #[error("cannot listen on `{address}`\nhint: `listen` under `[serve]`, or `--listen`, names another address")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// The address that others see is none of the web.
    #[error("`{0}` cannot be the beginning of links\nhint: `url` under `[serve]` is like https://example.org/changes/")]
    Url(String),
    /// There are no threads left.
    #[error("cannot start the threads of the server")]
    Threads(#[source] io::Error),
}
