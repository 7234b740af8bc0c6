//! How much may wait? So many bytes; who brings more waits until the writer has written some.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// So many bytes of parcels may wait in memory.
const MOST: usize = 64 << 20;

/// The room in the queue.
#[derive(Clone, Default)]
pub(super) struct Room(Arc<Taken>);

#[derive(Default)]
struct Taken {
    bytes: Mutex<usize>,
    freed: Condvar,
}

/// A place in the queue. It is free again when this is dropped.
pub(in crate::archive) struct Ticket {
    room: Arc<Taken>,
    bytes: usize,
}

impl Room {
    /// Waits for a place of so many bytes. One that is too large for all of it gets it alone.
    pub(super) fn enter(&self, bytes: usize) -> Ticket {
        let bytes = bytes.min(MOST);
        let taken = self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = self.0.freed.wait_while(taken, |taken| *taken + bytes > MOST);
        *wait.unwrap_or_else(PoisonError::into_inner) += bytes;
        Ticket { room: Arc::clone(&self.0), bytes }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        *self.room.bytes.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.room.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, TryRecvError};
    use std::thread;

    use super::{MOST, Room};

    #[test]
    fn who_brings_too_much_waits() {
        let room = Room::default();
        let (first, second) = (room.enter(MOST - 10), room.enter(10));
        let (told, heard) = mpsc::channel();
        let other = room.clone();
        let waiting = thread::spawn(move || {
            // More than there will ever be: it waits for all of it.
            let ticket = other.enter(MOST + 1);
            told.send(()).unwrap();
            drop(ticket);
        });
        drop(second);
        assert_eq!(heard.try_recv(), Err(TryRecvError::Empty));
        drop(first);
        waiting.join().unwrap();
        assert_eq!(heard.try_recv(), Ok(()));
        assert_eq!(*room.0.bytes.lock().unwrap(), 0);
    }
}
