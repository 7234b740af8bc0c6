//! How many messages may a target get? A few at once, and then one after the other: services shut out who sends too many.
//!
//! A virtual clock for each target says until when its messages of the past are paid for (the generic cell rate algorithm).
//! It is not stored: after a restart a target may get its few at once again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use driftline::time::Time;

const MINUTE: i64 = 60_000_000;
/// So many may come at once.
const AT_ONCE: i64 = 5;

/// When each target may get its next message.
#[derive(Debug, Default)]
pub(super) struct Paces {
    paid: Mutex<HashMap<String, Time>>,
}

impl Paces {
    /// May a target that gets at most so many messages a minute get one now? If not, when it may.
    pub(super) fn take(&self, target: &str, most_a_minute: u32, now: Time) -> Result<(), Time> {
        let interval = MINUTE / i64::from(most_a_minute.max(1));
        let mut paid = self.paid.lock().unwrap_or_else(PoisonError::into_inner);
        let until = paid.entry(target.to_owned()).or_insert(now);
        // Nothing is paid for longer, unless the clock was set back.
        let most = now.microseconds().saturating_add(interval * AT_ONCE);
        *until = (*until).min(Time::from_microseconds(most));
        let start = until.microseconds().max(now.microseconds());
        let allowed = start.saturating_sub(interval * (AT_ONCE - 1));
        if allowed > now.microseconds() {
            return Err(Time::from_microseconds(allowed));
        }
        *until = Time::from_microseconds(start + interval);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_go_at_once_and_the_rest_one_after_the_other() {
        let paces = Paces::default();
        let at = |seconds: i64| Time::from_microseconds(seconds * 1_000_000);
        let first: Vec<_> = (0..6).map(|_| paces.take("chat", 20, at(100))).collect();
        assert_eq!(first, [Ok(()), Ok(()), Ok(()), Ok(()), Ok(()), Err(at(103))]);
        assert_eq!(paces.take("chat", 20, at(103)), Ok(()));
        assert_eq!(paces.take("chat", 20, at(103)), Err(at(106)));
        assert_eq!(paces.take("other", 20, at(103)), Ok(()));
        assert_eq!(paces.take("chat", 20, at(1_000)), Ok(()), "quiet time is not saved up, but forgiven");
    }

    #[test]
    fn a_clock_that_is_set_back_does_not_silence_a_target() {
        let paces = Paces::default();
        let at = |seconds: i64| Time::from_microseconds(seconds * 1_000_000);
        (0..5).for_each(|_| paces.take("chat", 20, at(100_000)).unwrap());
        assert_eq!(paces.take("chat", 20, at(100)), Err(at(103)), "the few have gone");
        assert_eq!(paces.take("chat", 20, at(103)), Ok(()));
    }
}
