//! What goes to a target at once? The events of one batch, the message about them, and a key that a receiver knows a
//! repeat by.

use driftline::event::Event;
use driftline::span::Span;
use driftline::time::Time;
use driftline_catalog::Delivery;
use driftline_report::summary::Message;
use driftline_report::summary::safe::is_web;

use super::route;
use super::target::Target;

/// The most events in one message.
pub(super) const MOST_EVENTS: usize = 1_000;

/// A message on its way.
#[derive(Debug)]
pub(super) struct Parcel<'a> {
    pub(super) target: &'a Target,
    /// The weightiest first.
    pub(super) events: Vec<Event>,
    /// The key of each event's delivery.
    pub(super) keys: Vec<String>,
    /// The key of all of it: the same for the same deliveries.
    pub(super) key: String,
    pub(super) message: Message,
    pub(super) now: Time,
}

impl<'a> Parcel<'a> {
    pub(super) fn new(target: &'a Target, events: Vec<Event>, keys: Vec<String>, message: Message, now: Time) -> Self {
        let key = if let [only] = keys.as_slice() {
            only.clone()
        } else {
            let mut sorted: Vec<&str> = keys.iter().map(String::as_str).collect();
            sorted.sort_unstable();
            route::digits(&sorted)
        };
        // As the message has them.
        let mut ranked: Vec<(Event, String)> = events.into_iter().zip(keys).collect();
        ranked.sort_by(|(one, _), (other, _)| other.importance.total_cmp(&one.importance).then(one.at.cmp(&other.at)));
        let (events, keys) = ranked.into_iter().unzip();
        Self { target, events, keys, key, message, now }
    }

    /// How much the weightiest event matters.
    pub(super) fn importance(&self) -> f64 {
        self.events.iter().map(|event| event.importance).fold(0.0, f64::max)
    }

    /// The page to open, if it is about one page only.
    pub(super) fn link(&self) -> Option<&str> {
        let first = self.events.first()?.url.as_str();
        (is_web(first) && self.events.iter().all(|event| event.url == first)).then_some(first)
    }
}

/// Why a target did not take a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// It may take it later; it may say how much later.
    Again { error: String, after: Option<Span> },
    /// It never will.
    Never(String),
}

impl Failure {
    pub(super) fn again(error: impl Into<String>) -> Self {
        Self::Again { error: error.into(), after: None }
    }

    pub(super) fn map(self, change: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Again { error, after } => Self::Again { error: change(error), after },
            Self::Never(error) => Self::Never(change(error)),
        }
    }

    pub(super) fn into_error(self) -> String {
        match self {
            Self::Again { error, .. } | Self::Never(error) => error,
        }
    }
}

/// Deliveries that go in one message: those of the same target and batch, at most a thousand.
#[must_use]
pub fn group(deliveries: Vec<Delivery>) -> Vec<Vec<Delivery>> {
    let mut groups: Vec<Vec<Delivery>> = Vec::new();
    let mut places = std::collections::HashMap::<(String, String), usize>::new();
    for delivery in deliveries {
        let name = (delivery.target.clone(), delivery.batch.clone());
        let place = places.get(&name).copied().filter(|&at| groups[at].len() < MOST_EVENTS);
        let place = place.unwrap_or_else(|| {
            groups.push(Vec::new());
            places.insert(name, groups.len() - 1);
            groups.len() - 1
        });
        groups[place].push(delivery);
    }
    groups
}

#[cfg(test)]
mod tests {
    use driftline_catalog::DeliveryState;

    use super::*;

    fn delivery(id: i64, target: &str, batch: &str) -> Delivery {
        Delivery {
            id,
            event: id.to_string(),
            target: target.to_owned(),
            key: String::new(),
            batch: batch.to_owned(),
            state: DeliveryState::Pending,
            due: Time::from_microseconds(0),
            attempts: 0,
            settled: None,
            error: String::new(),
            body: serde_json::Value::Null,
        }
    }

    #[test]
    fn a_message_has_what_is_of_one_target_and_batch() {
        let all = [(1, "a", "x"), (2, "a", "y"), (3, "b", "x"), (4, "a", "x")];
        let groups = group(all.map(|(id, target, batch)| delivery(id, target, batch)).to_vec());
        let ids: Vec<Vec<i64>> = groups.iter().map(|group| group.iter().map(|one| one.id).collect()).collect();
        assert_eq!(ids, [vec![1, 4], vec![2], vec![3]]);
    }

    #[test]
    fn a_message_has_a_thousand_events_at_most() {
        let groups = group((0..2_500).map(|id| delivery(id, "a", "x")).collect());
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [1_000, 1_000, 500]);
    }
}
