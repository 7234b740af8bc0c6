//! The feeds that a page announces: fetched after the page, and compared item by item under the watch of the page.

use driftline::event::key::Cause;
use driftline::event::{Event, Kind};
use driftline::feed::Feed;
use driftline::page::{Page, Recipe};
use driftline_fetch::{Fetched, Validators};
use serde::{Deserialize, Serialize};

use super::{compare_with, follow, is_feed};
use crate::check::answer::{Answer, Failure, ask};
use crate::check::case::Case;
use crate::check::failures::Failures;
use crate::check::state::is_default;
use crate::check::versions::{Version, digest};
use crate::check::{CheckError, Outcome, Seen, page, zones};
use crate::watches::announced_feeds;

/// A feed that a page announces.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct AnnouncedFeed {
    /// Its address.
    pub url: String,
    /// The newest capture of it, with which the next one is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<Seen>,
    /// What it may be asked for again with.
    #[serde(skip_serializing_if = "is_default")]
    pub validators: Validators,
    /// Checks of it that failed in a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<Failures>,
}

/// Checks a page, and then the feeds that it announces.
pub(in crate::check) fn check(
    case: &mut Case<'_>,
    check_page: impl Fn(&mut Case<'_>) -> Result<(), CheckError>,
) -> Result<(), CheckError> {
    let before = case.state.seen.as_ref().map(|seen| seen.capture);
    let (rate, answered) = (case.state.rate.clone(), case.state.answered);
    check_page(case)?;
    if matches!(case.outcome, Outcome::Failed | Outcome::Absent) {
        return Ok(());
    }
    let mut feeds = case.state.feeds.take().unwrap_or_default();
    if before.is_none() || before != case.state.seen.as_ref().map(|seen| seen.capture) || feeds.is_empty() {
        feeds = announced(case, &feeds)?;
    }
    let page = case.outcome;
    for feed in &mut feeds {
        check_one(case, feed)?;
    }
    case.state.feeds = Some(feeds);
    if case.outcome != page {
        // What was learnt of the page alone is learnt of the page and its feeds.
        (case.state.rate, case.state.answered) = (rate, answered);
        page::learn(case);
    }
    follow(case)
}

/// The feeds of the newest version of the page, with what is known of them.
fn announced(case: &Case<'_>, known: &[AnnouncedFeed]) -> Result<Vec<AnnouncedFeed>, CheckError> {
    let Some(seen) = &case.state.seen else { return Ok(Vec::new()) };
    let Some(version) = case.recall(seen)?.filter(Version::is_readable) else { return Ok(known.to_vec()) };
    let feed = |url: String| {
        let before = known.iter().find(|feed| feed.url == url).cloned();
        before.unwrap_or(AnnouncedFeed { url, ..AnnouncedFeed::default() })
    };
    Ok(announced_feeds(&Page::read(version.source(), &Recipe::default())).into_iter().map(feed).collect())
}

fn check_one(case: &mut Case<'_>, feed: &mut AnnouncedFeed) -> Result<(), CheckError> {
    let asked_before = feed.seen.is_some() && feed.validators.is_usable();
    match ask(case, &feed.url, asked_before.then_some(&feed.validators)) {
        Answer::Failed(failure) => fail(case, feed, failure),
        Answer::Absent(fetched) => {
            let why = format!("the server answers {}", fetched.status);
            fail(case, feed, Failure::of(why, fetched));
        }
        Answer::Same(_) => recover(case, feed),
        Answer::Page(fetched) => {
            if let Err(unusable) = is_feed(&fetched) {
                fail(case, feed, Failure::of(unusable.why, fetched));
            } else {
                recover(case, feed);
                take(case, feed, *fetched)?;
            }
        }
    }
    Ok(())
}

/// Keeps and compares what came, if it differs from what was there.
fn take(case: &mut Case<'_>, feed: &mut AnnouncedFeed, fetched: Fetched) -> Result<(), CheckError> {
    case.bytes += fetched.body.len() as u64;
    feed.validators = fetched.validators.clone();
    if feed.seen.as_ref().is_some_and(|seen| seen.digest == digest(&fetched.body)) {
        return Ok(());
    }
    let older = match &feed.seen {
        Some(seen) => case.recall(seen)?,
        None => None,
    };
    let Some(newer) = case.keep(fetched)? else { return Ok(()) };
    let items = Feed::read(newer.source(), &zones::recipe(case.watch, &case.state.zones)?);
    if compare_with(case, older.as_ref(), &newer, &items)? == Outcome::Changed {
        case.outcome = Outcome::Changed;
    }
    if let Some(older) = older {
        case.context.memory.forget_version(older.seen.capture);
    }
    case.context.memory.keep_version(&newer);
    feed.seen = Some(newer.seen);
    Ok(())
}

/// The feed did not come; that is reported when it lasts, as for a page.
fn fail(case: &mut Case<'_>, feed: &mut AnnouncedFeed, failure: Failure) {
    let mut failures = Failures::add(feed.failures.take(), case.now, failure.why);
    if failures.is_due(case.now, failure.is_lasting, &case.context.patience) {
        failures.told = true;
        let event = event(case, Kind::CheckFailing, &feed.url, &failures);
        let summary = format!("checks of the feed `{}` fail: {}", feed.url, failures.why);
        case.find(Event { summary, importance: 0.6, ..event }, None);
    }
    feed.failures = Some(failures);
}

fn recover(case: &mut Case<'_>, feed: &mut AnnouncedFeed) {
    if let Some(failures) = feed.failures.take().filter(|failures| failures.told) {
        let event = event(case, Kind::CheckRecovered, &feed.url, &failures);
        let summary = format!("checks of the feed `{}` work again; they failed before: {}", feed.url, failures.why);
        case.find(Event { summary, importance: 0.4, ..event }, None);
    }
}

/// An event about the failures of a feed.
fn event(case: &Case<'_>, kind: Kind, url: &str, failures: &Failures) -> Event {
    let cause = Cause::new(kind, &case.watch.id).and(url).at(failures.since);
    Event { since: Some(failures.since), url: url.to_owned(), ..case.event(kind, &cause) }
}
