//! A flag that is set once, and waited for.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A flag that is set once. All that wait for it are woken. Copies are the same flag.
#[derive(Debug, Clone, Default)]
pub struct Latch(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    set: Mutex<bool>,
    changed: Condvar,
}

impl Latch {
    /// Sets it.
    pub fn set(&self) {
        *self.lock() = true;
        self.0.changed.notify_all();
    }

    /// Whether it is set.
    #[must_use]
    pub fn is_set(&self) -> bool {
        *self.lock()
    }

    /// Waits until it is set, but not longer than this. Says whether it is.
    pub fn wait(&self, most: Duration) -> bool {
        let waited = self.0.changed.wait_timeout_while(self.lock(), most, |set| !*set);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.0.set.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_wait_ends_when_the_latch_is_set() {
        let latch = Latch::default();
        let (other, began) = (latch.clone(), Instant::now());
        let waiting = thread::spawn(move || other.wait(Duration::from_mins(5)));
        latch.set();
        assert!(waiting.join().unwrap() && latch.is_set() && began.elapsed() < Duration::from_mins(4));
    }

    #[test]
    fn a_wait_for_a_latch_that_nobody_sets_ends_in_time() {
        assert!(!Latch::default().wait(Duration::from_millis(1)));
    }
}
