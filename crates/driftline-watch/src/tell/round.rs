//! What is sent now? Everything that is due: claimed, sent, and written down, message by message.
//!
//! Targets are told at the same time, and each gets its messages one after the other. One that fails is left alone for a
//! minute: its other messages wait without counting as attempts. A kill at any point leaves deliveries that are pending,
//! or claimed for a while, or done; what was claimed is sent again with the same key.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use driftline::event::Event;
use driftline::time::Time;
use driftline_catalog::{Catalog, CatalogError, Delivery};

use super::{Outcome, Teller, back_off, group};

/// The most deliveries of one round.
const MOST_DELIVERIES: u32 = 2_000;
/// The most targets that are told at the same time.
const MOST_THREADS: usize = 4;
/// So long nobody else sends what is claimed: longer than any message takes. A mail may take a quarter of an hour.
const CLAIM: i64 = 16 * 60_000_000;
/// So long a target is told at most in one round. What is left is due in the next.
const MOST_TIME: Duration = Duration::from_mins(1);
/// So long a target that failed is left alone.
const REST: i64 = 60_000_000;

/// What was sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Round {
    /// The messages, and what became of them.
    pub told: Vec<Told>,
    /// Messages that were due and were not sent: their targets get no more for now.
    pub left: Vec<Left>,
    /// When those may go whose targets only get no more at once.
    pub turns: Vec<Time>,
}

/// A message that has to wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// For whom.
    pub target: String,
    /// The keys of the events that it is about.
    pub events: Vec<String>,
}

/// A message that was sent, or was to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// To whom.
    pub target: String,
    /// The keys of the events that it was about.
    pub events: Vec<String>,
    /// What became of it.
    pub outcome: Outcome,
}

/// Sends all that is due, and writes down what became of it. Blocks while targets answer, which may take minutes: `clock`
/// tells the time of each message.
///
/// # Errors
/// If the catalog fails. What was sent by then is sent again, with the same keys.
pub fn round(catalog: &Catalog, teller: &Teller, clock: &(dyn Fn() -> Time + Sync)) -> Result<Round, CatalogError> {
    let due = catalog.due_deliveries(clock(), MOST_DELIVERIES)?;
    let is_cut = due.len() == MOST_DELIVERIES as usize;
    let mut groups = group(due);
    // The rest of it may be behind the limit.
    if is_cut && groups.len() > 1 {
        groups.pop();
    }
    let mut by_target = BTreeMap::<String, Vec<Vec<Delivery>>>::new();
    for group in groups.into_iter().flat_map(apart) {
        by_target.entry(group[0].target.clone()).or_default().push(group);
    }
    let threads = by_target.len().min(MOST_THREADS);
    let (queue, done) = (Mutex::new(by_target.into_iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    // By itself, so that the queue is free while the target is told.
                    let next = hold(&queue).next();
                    let Some((target, groups)) = next else { break };
                    let told = Messenger { catalog, teller, clock, target: &target }.tell(groups);
                    hold(&done).push(told);
                }
            });
        }
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut round = Round::default();
    for part in done {
        let part = part?;
        round.told.extend(part.told);
        round.left.extend(part.left);
        round.turns.extend(part.turns);
    }
    round.told.sort_by(|one, other| one.target.cmp(&other.target));
    Ok(round)
}

/// An event that cannot be read goes by itself, so that it takes no others with it when it is buried.
fn apart(group: Vec<Delivery>) -> Vec<Vec<Delivery>> {
    let is_readable = |delivery: &Delivery| serde_json::from_value::<Event>(delivery.body.clone()).is_ok();
    let (readable, unreadable): (Vec<_>, Vec<_>) = group.into_iter().partition(is_readable);
    let mut groups: Vec<_> = unreadable.into_iter().map(|delivery| vec![delivery]).collect();
    groups.extend((!readable.is_empty()).then_some(readable));
    groups
}

fn hold<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells one target.
struct Messenger<'a> {
    catalog: &'a Catalog,
    teller: &'a Teller,
    clock: &'a (dyn Fn() -> Time + Sync),
    target: &'a str,
}

impl Messenger<'_> {
    fn tell(&self, groups: Vec<Vec<Delivery>>) -> Result<Round, CatalogError> {
        let started = Instant::now();
        let most = self.teller.targets().get(self.target).map_or(u32::MAX, super::Target::most_a_minute);
        let mut round = Round::default();
        let mut groups = groups.into_iter();
        for group in groups.by_ref() {
            if let Err(free) = self.teller.paces.take(self.target, most, (self.clock)()) {
                let rest: Vec<_> = std::iter::once(group).chain(groups).collect();
                round.left = self.left(&rest);
                round.turns = self.spread(rest, free, 60_000_000 / i64::from(most))?;
                break;
            }
            let outcome = self.send(group, &mut round.told)?;
            if matches!(outcome, Some(Outcome::Later { .. })) {
                let (free, rest) = ((self.clock)().microseconds().saturating_add(REST), groups.collect::<Vec<_>>());
                round.left = self.left(&rest);
                self.spread(rest, Time::from_microseconds(free), 0)?;
                break;
            }
            if started.elapsed() > MOST_TIME {
                round.left = self.left(groups.as_slice());
                round.turns.extend((!round.left.is_empty()).then(|| (self.clock)()));
                break;
            }
        }
        Ok(round)
    }

    fn left(&self, groups: &[Vec<Delivery>]) -> Vec<Left> {
        let events = |group: &Vec<Delivery>| group.iter().map(|delivery| delivery.event.clone()).collect();
        groups.iter().map(|group| Left { target: self.target.to_owned(), events: events(group) }).collect()
    }

    /// Sends one message: claims it, sends it, and writes down what became of it.
    fn send(&self, group: Vec<Delivery>, told: &mut Vec<Told>) -> Result<Option<Outcome>, CatalogError> {
        let ids: Vec<i64> = group.iter().map(|delivery| delivery.id).collect();
        let now = (self.clock)();
        let until = Time::from_microseconds(now.microseconds().saturating_add(CLAIM));
        let claimed = self.catalog.begin(&ids, now, until)?;
        let group: Vec<Delivery> = group.into_iter().filter(|delivery| claimed.contains(&delivery.id)).collect();
        if group.is_empty() {
            return Ok(None);
        }
        let send = || self.teller.deliver(self.target, &group, self.clock);
        let outcome = catch_unwind(AssertUnwindSafe(send)).unwrap_or_else(|_| Outcome::Later {
            due: back_off((self.clock)(), group[0].attempts + 1, &group[0].key, None),
            error: "driftline itself failed\nhint: its log says where; tell its authors".to_owned(),
        });
        match &outcome {
            Outcome::Acknowledged => self.catalog.acknowledge(&claimed, (self.clock)())?,
            Outcome::Dead { error } => self.catalog.bury(&claimed, (self.clock)(), error)?,
            Outcome::Later { due, error } => {
                let later: Vec<_> = claimed.iter().map(|&id| (id, *due, error.clone())).collect();
                self.catalog.put_off(&later)?;
            }
        }
        let events = group.into_iter().map(|delivery| delivery.event).collect();
        told.push(Told { target: self.target.to_owned(), events, outcome: outcome.clone() });
        Ok(Some(outcome))
    }

    /// Messages wait for their turns, one behind the other; that is no attempt. When their turns are.
    fn spread(&self, groups: Vec<Vec<Delivery>>, from: Time, interval: i64) -> Result<Vec<Time>, CatalogError> {
        let place = |at: i64| Time::from_microseconds(from.microseconds() + interval * at);
        let turns = (0..).map(place).take(groups.len()).collect();
        let later = groups
            .into_iter()
            .zip(0..)
            .flat_map(|(group, at)| group.into_iter().map(move |delivery| (delivery.id, place(at), delivery.error)));
        self.catalog.put_off(&later.collect::<Vec<_>>())?;
        Ok(turns)
    }
}
