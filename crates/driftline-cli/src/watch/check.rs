//! `driftline watch check`: once, now.

mod first;

use std::collections::{BTreeSet, HashSet};
use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use driftline::time::Time;
use driftline_archive::Archive;
use driftline_catalog::{DeliveryState, StoredEvent};
use driftline_watch::check::{CheckError, Checked, Outcome, Patience};
use driftline_watch::clock::{Clock, SystemClock};
use driftline_watch::daemon::{Lock, Tally};
use driftline_watch::watches::Watch;

use super::list::{Standing, members};
use super::place::{find, is_asked};
use super::{Place, cure, daemon};
use crate::archive::data;
use crate::args::CheckWatchesArgs;
use crate::events::line;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::signals::{self, HangUp};
use crate::tell;

/// At most so many watches that failed, and so many that found no page, are told one by one.
const MOST_TOLD: u64 = 20;
/// So many dead letters are looked through.
const MOST_DEAD: u32 = 10_000;

pub(super) fn run(args: &CheckWatchesArgs) -> Result<Exit> {
    let mut place = Place::of(args.data.data.as_deref())?;
    let lock = Lock::take(&place.data, "driftline watch check")?;
    let archive = Arc::new(data::open(args.data.data.as_deref())?);
    let wanted = Wanted::of(args, &place, &archive)?;
    let daemon = daemon(&mut place, &archive, Arc::new(SystemClock))?;
    let lease = lock.lease(archive.catalog(), &daemon.handle())?;
    signals::hear(&daemon, HangUp::Stop).context("cannot hear signals")?;
    let progress = Progress::new(args.quiet, "checks", || wanted.count(&place));
    let patience = place.settings.watch.patience();
    let (began, mut failed, mut absent, mut kept) = (SystemClock.now(), 0, 0, 0);
    let tally = daemon.check(&|watch| wanted.has(watch), &mut |(watch, result)| {
        progress.advance();
        failed += u64::from(tell_failure(watch, result, failed));
        absent += u64::from(tell_absence(watch, result, absent, &archive, &patience));
        if let Ok(Checked { first: Some(look), .. }) = result
            && !args.quiet
        {
            kept += 1;
            first::tell(watch, *look, kept);
        }
    });
    progress.finish();
    first::tell_rest(kept);
    let is_stopped = daemon.handle().is_stopping();
    daemon.close();
    let tally = tally?;
    print(&tally, &archive, args.json)?;
    if absent > MOST_TOLD {
        tell::warning(format_args!("the pages of {absent} of {} watches are not there", tally.checked));
    }
    let dead = if tally.untold > 0 { given_up(&archive, began)? } else { 0 };
    drop(lease);
    Arc::into_inner(archive).map_or(Ok(()), Archive::close).context("cannot close the archive")?;
    let exit = told(&tally, dead);
    if is_stopped {
        tell::warning("stopped before all was checked and told\nhint: the next check does what is left");
        return Ok(Exit::Failed);
    }
    Ok(exit)
}

/// Which watches are meant.
enum Wanted {
    These(HashSet<String>),
    Tagged(Vec<String>),
}

impl Wanted {
    fn of(args: &CheckWatchesArgs, place: &Place, archive: &Archive) -> Result<Self> {
        let watches = place.watches()?;
        if args.ids.is_empty() {
            let has_tags = |watch: &Watch| is_asked(watch, &args.tags, None);
            if !args.tags.is_empty()
                && !watches.iter().any(has_tags)
                && !members(&watches, Some(archive.catalog()))?.iter().any(has_tags)
            {
                let tags = args.tags.join("`, `");
                bail!("no watch has the tag `{tags}`\nhint: `driftline watch list --json` names the tags of all");
            }
            return Ok(Self::Tagged(args.tags.clone()));
        }
        let id = |asked: &String| Ok(find(&watches, Some(archive.catalog()), asked)?.id.to_string());
        Ok(Self::These(args.ids.iter().map(id).collect::<Result<_>>()?))
    }

    /// One that is named is checked even if it is paused; of a list that is named, its members too.
    fn has(&self, watch: &Watch) -> bool {
        match self {
            Self::These(ids) => {
                let list = watch.id.split_once('/').map_or("", |(list, _)| list);
                ids.contains(&*watch.id) || ids.contains(list)
            }
            Self::Tagged(tags) => !watch.settings.paused && is_asked(watch, tags, None),
        }
    }

    /// How many there are in files.
    fn count(&self, place: &Place) -> Option<u64> {
        let watches = place.watches().ok()?;
        Some(watches.iter().filter(|watch| self.has(watch)).count() as u64)
    }
}

/// Tells why a watch could not be checked. Could it not?
fn tell_failure(watch: &Watch, result: &Result<Checked, CheckError>, before: u64) -> bool {
    let why = match result {
        Ok(checked) if checked.outcome == Outcome::Failed => checked.failure.clone().unwrap_or_default(),
        Ok(_) => return false,
        Err(error) => error.to_string(),
    };
    if before < MOST_TOLD {
        let hint = cure::of(&why).map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        tell::warning(format_args!("cannot check `{}`: {why}{hint}", watch.title()));
    }
    true
}

/// Tells that there is no page, long before it lasts and becomes an event. Is there none?
fn tell_absence(
    watch: &Watch,
    result: &Result<Checked, CheckError>,
    before: u64,
    archive: &Archive,
    patience: &Patience,
) -> bool {
    let Ok(Checked { outcome: Outcome::Absent, absence: Some(status), .. }) = result else { return false };
    if before < MOST_TOLD {
        let standing = Standing::of(watch, Some(archive.catalog())).unwrap_or_default();
        let since = standing.absent().map(|since| format!(" since {since}")).unwrap_or_default();
        let is_told = standing.state.and_then(|state| state.absence).is_some_and(|absence| absence.told);
        let Patience { absences, absent, .. } = patience;
        let hint = format!("\nhint: that is an event once {absences} checks over {absent} have found no page");
        tell::warning(format_args!(
            "the page of `{}` is not there: the server answers {status}{since}{}",
            watch.title(),
            if is_told { "" } else { &hint }
        ));
    }
    true
}

/// What happened, a line each as `driftline events` has them, but in the order of time.
fn print(tally: &Tally, archive: &Archive, json: bool) -> Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let keys: BTreeSet<&str> = tally.events.iter().map(|event| event.key.as_str()).collect();
    let mut events = Vec::new();
    for key in keys {
        events.extend(archive.catalog().event(key)?);
    }
    order(&mut events);
    for event in &events {
        let line = if json { line::json(event).to_string() } else { line::text(event) };
        writeln!(output, "{line}")?;
    }
    Ok(output.flush()?)
}

/// By time; of those of the same time, what matters most comes first.
fn order(events: &mut [StoredEvent]) {
    events.sort_by(|a, b| a.at.cmp(&b.at).then(b.importance.total_cmp(&a.importance)));
}

/// How many messages were given up since a time?
fn given_up(archive: &Archive, since: Time) -> Result<u64> {
    let dead = archive.catalog().deliveries(None, Some(DeliveryState::Dead), None, MOST_DEAD)?.items;
    let dead = dead.iter().filter(|delivery| delivery.settled.is_some_and(|settled| settled >= since));
    let messages: BTreeSet<(&str, &str)> = dead.map(|delivery| (&*delivery.target, &*delivery.batch)).collect();
    Ok(messages.len() as u64)
}

fn told(tally: &Tally, dead: u64) -> Exit {
    if tally.failed > MOST_TOLD {
        tell::warning(format_args!("{} of {} watches could not be checked", tally.failed, tally.checked));
    }
    if tally.untold > 0 {
        let messages = if tally.untold == 1 { "message" } else { "messages" };
        tell::warning(format_args!(
            "{} {messages} did not arrive\nhint: `driftline events deliveries` says why; {}",
            tally.untold,
            again(tally.untold, dead)
        ));
    }
    match tally {
        Tally { failed: 1.., .. } | Tally { untold: 1.., .. } => Exit::Failed,
        Tally { events, .. } if !events.is_empty() => Exit::Changed,
        _ => Exit::Same,
    }
}

/// How do messages go again? What was given up does not by itself.
fn again(untold: u64, dead: u64) -> &'static str {
    match dead {
        0 => "the next check sends them again",
        _ if dead < untold => {
            "the next check sends them again, those given up only after `driftline events retry --dead`"
        }
        _ => "they were given up: after `driftline events retry --dead` the next check sends them again",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_up_is_not_said_to_go_again_by_itself() {
        assert_eq!(again(2, 0), "the next check sends them again");
        assert!(again(2, 1).contains("those given up only after `driftline events retry --dead`"));
        assert!(again(2, 2).starts_with("they were given up: after `driftline events retry --dead`"));
    }

    #[test]
    fn events_are_in_the_order_of_time_then_of_importance() {
        let event = |key: &str, at: i64, importance: f64| StoredEvent {
            id: 0,
            key: key.to_owned(),
            at: Time::from_microseconds(at),
            kind: "changed".to_owned(),
            url: String::new(),
            site: String::new(),
            watch: None,
            capture: None,
            older: None,
            reading: String::new(),
            importance,
            held_until: None,
            folded_into: None,
            summary: String::new(),
            read_at: None,
            is_kept: false,
            body: serde_json::Value::Null,
        };
        let mut events = [event("a", 2, 0.1), event("b", 2, 0.9), event("c", 1, 0.5)];
        order(&mut events);
        assert_eq!(events.map(|event| event.key), ["c", "b", "a"]);
    }
}
