//! How is the daemon asked to stop, or to read its files again? From any thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::clock::{Bell, Latch};

/// Reaches a daemon from elsewhere. Copies reach the same one.
#[derive(Debug, Clone, Default)]
pub struct Handle(Arc<Wishes>);

#[derive(Debug, Default)]
struct Wishes {
    stop: Latch,
    reload: AtomicBool,
    bell: Bell,
}

impl Handle {
    /// The daemon takes no more work, finishes what it does, and ends.
    pub fn stop(&self) {
        self.0.stop.set();
        self.0.bell.ring();
    }

    /// The daemon reads the files of watches again.
    pub fn reload(&self) {
        self.0.reload.store(true, Ordering::SeqCst);
        self.0.bell.ring();
    }

    /// Was it asked to stop?
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.0.stop.is_set()
    }

    /// Was it asked to read its files again, since this was asked last?
    pub(super) fn takes_reload(&self) -> bool {
        self.0.reload.swap(false, Ordering::SeqCst)
    }

    /// Set once it was asked to stop.
    pub(super) fn stop_latch(&self) -> &Latch {
        &self.0.stop
    }

    /// What wakes the daemon.
    pub(super) fn bell(&self) -> &Bell {
        &self.0.bell
    }
}
