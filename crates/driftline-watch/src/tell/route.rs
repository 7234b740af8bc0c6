//! Whom is an event for? For the targets that its watch names, and for those that ask for one of its tags; for whoever
//! gets all the rest, if there is neither.

use data_encoding::HEXLOWER;
use driftline::event::Event;
use driftline::time::Time;
use driftline_catalog::NewDelivery;
use sha2::{Digest as _, Sha256};

use super::{Target, Teller};

impl Teller {
    /// The deliveries of an event that is released now. `named` are the targets that its watch names.
    #[must_use]
    pub fn plan(&self, event: &Event, named: &[String], now: Time) -> Vec<NewDelivery> {
        let chosen = self.route(&event.tags, named).into_iter();
        chosen.filter(|target| target.wants(event)).map(|target| delivery(target, event, now)).collect()
    }

    /// The names of the targets that events with these tags are for, sorted; whether they want them or not.
    #[must_use]
    pub fn audience(&self, tags: &[String], named: &[String]) -> Vec<String> {
        let mut names: Vec<String> =
            self.route(tags, named).into_iter().map(|target| target.name().to_owned()).collect();
        names.sort_unstable();
        names
    }

    fn route(&self, tags: &[String], named: &[String]) -> Vec<&Target> {
        let of_watch = |target: &Target| {
            let is_tagged = target.tags().iter().any(|tag| tags.contains(tag));
            is_tagged || named.iter().any(|name| name == target.name())
        };
        let is_routed = self.targets().iter().any(of_watch);
        let is_chosen = |target: &&Target| if is_routed { of_watch(target) } else { target.is_for_all() };
        self.targets().iter().filter(is_chosen).collect()
    }
}

fn delivery(target: &Target, event: &Event, now: Time) -> NewDelivery {
    let about = event.watch.as_deref().unwrap_or(&event.site);
    let (due, batch) = match target.digest() {
        Some(digest) => {
            let due = digest.next(now);
            (due, format!("digest@{}", due.digits()))
        }
        None => (now, format!("{about}@{}", now.microseconds())),
    };
    NewDelivery {
        event: event.key.clone(),
        target: target.name().to_owned(),
        key: key(&event.key, target.name()),
        due,
        batch,
    }
}

/// What a receiver knows a repeat by.
pub(super) fn key(event: &str, target: &str) -> String {
    digits(&[event, target])
}

/// 32 hexadecimal digits that are made of these.
pub(super) fn digits(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update([0]);
    }
    let mut digits = HEXLOWER.encode(&hasher.finalize());
    digits.truncate(32);
    digits
}
