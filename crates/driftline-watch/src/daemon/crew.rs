//! Who does the work? Plain threads that take jobs one after the other, and ring when one is done.
//!
//! A job that panics costs that job: the thread goes on, and whoever handed it out is told.

use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crate::clock::Bell;

/// Threads that do jobs of one kind. They end with it, and are waited for if none is at work: what they share is free
/// then.
pub(super) struct Crew<Job> {
    /// None once it ends.
    jobs: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
    size: usize,
    busy: usize,
}

/// No more threads are started than this, whatever the settings say.
pub(super) const MOST: usize = 1_024;

impl<Job: Send + 'static> Crew<Job> {
    /// Starts so many threads, at least one. What they answer goes to `answers`, and the bell rings. `lost` says what is
    /// answered if the work panics.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub(super) fn start<Output: Send + 'static>(
        name: &str,
        size: usize,
        answers: &Sender<Output>,
        bell: &Bell,
        lost: fn(&Job) -> Output,
        work: impl Fn(Job) -> Output + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let (jobs, waiting) = mpsc::channel::<Job>();
        let (waiting, work) = (Arc::new(Mutex::new(waiting)), Arc::new(work));
        let size = size.clamp(1, MOST);
        let mut threads = Vec::with_capacity(size);
        for number in 0..size {
            let (waiting, work) = (Arc::clone(&waiting), Arc::clone(&work));
            let (answers, bell) = (answers.clone(), bell.clone());
            let thread = thread::Builder::new().name(format!("{name}-{number}"));
            let thread = thread.spawn(move || {
                while let Some(job) = next(&waiting) {
                    let lost = lost(&job);
                    let answer = panic::catch_unwind(AssertUnwindSafe(|| work(job))).unwrap_or(lost);
                    let is_wanted = answers.send(answer).is_ok();
                    bell.ring();
                    if !is_wanted {
                        break;
                    }
                }
            })?;
            threads.push(thread);
        }
        Ok(Self { jobs: Some(jobs), threads, size, busy: 0 })
    }

    /// Has a thread nothing to do?
    pub(super) fn has_room(&self) -> bool {
        self.busy < self.size
    }

    /// How many jobs are under way.
    pub(super) fn busy(&self) -> usize {
        self.busy
    }

    /// Hands a job out.
    pub(super) fn give(&mut self, job: Job) {
        // It fails only if all threads are gone, and they go only with this.
        self.busy += usize::from(self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok()));
    }

    /// A job was answered.
    pub(super) fn done(&mut self) {
        self.busy = self.busy.saturating_sub(1);
    }
}

impl<Job> Drop for Crew<Job> {
    fn drop(&mut self) {
        self.jobs = None;
        if self.busy > 0 {
            return;
        }
        for thread in self.threads.drain(..) {
            // Panics of jobs are caught; there is nothing else that a thread could say.
            let _ = thread.join();
        }
    }
}

fn next<Job>(waiting: &Mutex<Receiver<Job>>) -> Option<Job> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::Crew;
    use crate::clock::Bell;

    #[test]
    fn a_panic_costs_one_job() {
        let (answers, done) = mpsc::channel();
        let work = |job: u32| {
            assert!(job != 1, "a page that nobody can read");
            Some(job * 10)
        };
        let mut crew = Crew::start("test", 1, &answers, &Bell::default(), |_| None, work).unwrap();
        (0..3).for_each(|job| crew.give(job));
        assert_eq!(crew.busy(), 3);
        let answers: Vec<_> = done.iter().take(3).collect();
        assert_eq!(answers, [Some(0), None, Some(20)]);
    }
}
