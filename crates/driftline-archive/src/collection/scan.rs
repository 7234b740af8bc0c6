//! How do all cores read archives, be it one large or many small ones? Each thread takes the next piece; what it
//! found is handed over in the order of the archives, as if one thread had read them all.
//!
//! Some pieces may be ahead of the one whose turn it is, but not many, so that memory stays bounded.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use super::{Piece, Readers, Source};

/// So many pieces for each thread are ahead of the one whose turn it is.
const AHEAD: usize = 4;

/// A piece that waits for a thread, and where to put what is found in it.
type Job<'a, T> = (Piece<'a>, mpsc::Sender<T>);

/// Reads archives in pieces with `read`, many at a time, and passes on to `take` what it found, in order, with the
/// number of the archive.
///
/// # Errors
/// The first error of `take`, after which nothing more is read.
pub fn scan<'a, T: Send, E>(
    sources: impl IntoIterator<Item = &'a Source>,
    readers: Readers,
    read: impl Fn(&Piece<'a>) -> T + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let most = AHEAD * readers.threads.max(1);
    let numbered = sources.into_iter().enumerate();
    let mut pieces =
        numbered.flat_map(|(number, source)| readers.split(source).into_iter().map(move |own| (number, own)));
    let (jobs, waiting) = mpsc::channel();
    let (waiting, is_over) = (Mutex::new(waiting), AtomicBool::new(false));
    thread::scope(|scope| {
        // Dropped at the end, so that the threads end too.
        let jobs = jobs;
        for _ in 0..readers.threads.max(1) {
            scope.spawn(|| work(&waiting, &is_over, &read));
        }
        let mut turns = VecDeque::new();
        loop {
            for (number, piece) in pieces.by_ref().take(most - turns.len()) {
                let (sender, found) = mpsc::channel();
                turns.push_back((number, found));
                // The other end is there as long as the threads are.
                let _ = jobs.send((piece, sender));
            }
            // Without an answer a thread has panicked, and so does the scope.
            let Some((number, Ok(found))) = turns.pop_front().map(|(number, found)| (number, found.recv())) else {
                return Ok(());
            };
            if let Err(error) = take(number, found) {
                is_over.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
    })
}

/// Reads pieces as long as there are any.
fn work<'a, T>(waiting: &Mutex<mpsc::Receiver<Job<'a, T>>>, is_over: &AtomicBool, read: &impl Fn(&Piece<'a>) -> T) {
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((piece, sender)) = job else { return };
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        // Nobody waits for it any more if something failed.
        let _ = sender.send(read(&piece));
    }
}
