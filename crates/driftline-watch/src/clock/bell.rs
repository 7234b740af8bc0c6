//! How is someone woken who waits?

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Wakes whoever waits. A ring that nobody waited for is not lost. Copies are the same bell.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    rung: Mutex<bool>,
    changed: Condvar,
}

impl Bell {
    /// Wakes who waits, or the next one who does.
    pub fn ring(&self) {
        *self.0.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.changed.notify_all();
    }

    /// Waits for a ring, at most so long. Was there one?
    pub fn wait(&self, most: Option<Duration>) -> bool {
        let Shared { rung, changed } = &*self.0;
        let rung = rung.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rung = match most {
            None => changed.wait_while(rung, |rung| !*rung).unwrap_or_else(PoisonError::into_inner),
            Some(most) => {
                changed.wait_timeout_while(rung, most, |rung| !*rung).unwrap_or_else(PoisonError::into_inner).0
            }
        };
        std::mem::take(&mut *rung)
    }
}
