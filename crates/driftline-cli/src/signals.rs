//! What do signals say? Stop, stop at once, and to a daemon: read the files again.

use std::io;
use std::sync::Arc;
use std::thread;

use driftline_watch::daemon::Daemon;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// What is meant by SIGHUP: nobody is at the terminal any more, or there are other files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HangUp {
    Stop,
    Reload,
}

/// Hears signals from now on, on a thread of its own.
pub(crate) fn hear(daemon: &Daemon, hang_up: HangUp) -> io::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    let (handle, fetch) = (daemon.handle(), Arc::clone(daemon.fetch()));
    let listen = move || {
        for signal in signals.forever() {
            match signal {
                SIGHUP if hang_up == HangUp::Reload => handle.reload(),
                _ if handle.is_stopping() => {
                    tracing::warn!("stopped at once; what was under way is done again");
                    // A browser would outlive this process.
                    fetch.close();
                    // As the shell has it: 128 and the number of the signal.
                    std::process::exit(128 + signal);
                }
                _ => handle.stop(),
            }
        }
    };
    thread::Builder::new().name("driftline-signals".to_owned()).spawn(listen).map(drop)
}
