//! The feeds that a page announces: fetched after the page, and compared item by item under the watch of the page.

use driftline::event::key::Cause;
use driftline::event::{Event, Kind};
use driftline::feed::Feed;
use driftline::page::{Page, ReadOptions};
use driftline::time::Time;
use driftline_fetch::{Fetched, How, Validators, Wait, With};
use serde::{Deserialize, Serialize};
use url::Url;

use super::{compare_with, differs_by_dates, follow, is_feed};
use crate::check::answer::{Answer, Failure, ask_with};
use crate::check::case::Case;
use crate::check::failures::Failures;
use crate::check::state::is_default;
use crate::check::versions::{Version, digest};
use crate::check::{CheckError, Outcome, Seen, page, zones};
use crate::watches::{announced_feeds, site};

/// The most feeds that a page announced before and are remembered.
const MOST_MISSING: usize = 10;

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
    /// Since when the page does not announce it. It is not fetched meanwhile, and forgotten when that lasts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Time>,
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
    let mut busy: Vec<String> = Vec::new();
    for feed in feeds.iter_mut().filter(|feed| feed.missing.is_none()) {
        let host = host(&feed.url);
        if !busy.contains(&host) && check_one(case, feed)? == Host::IsBusy {
            busy.push(host);
        }
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
    let urls = announced_feeds(&Page::read(version.source(), &ReadOptions::default()));
    let announced = urls.iter().map(|url| {
        let before = known.iter().find(|feed| feed.url == *url).cloned();
        AnnouncedFeed { url: url.clone(), missing: None, ..before.unwrap_or_default() }
    });
    // A maintenance page announces nothing, and an A/B variant something else: the feed goes on where it was.
    let missing = known.iter().filter(|feed| !urls.contains(&feed.url)).filter_map(|feed| {
        let since = feed.missing.unwrap_or(case.now);
        let is_over = since.distance(case.now) >= case.context.patience.absent.microseconds().unsigned_abs();
        (!is_over).then(|| AnnouncedFeed { missing: Some(since), ..feed.clone() })
    });
    Ok(announced.chain(missing.take(MOST_MISSING)).collect())
}

fn host(url: &str) -> String {
    Url::parse(url).ok().and_then(|url| Some(url.host_str()?.to_owned())).unwrap_or_default()
}

/// Whether the host of a feed may be asked for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Host {
    IsReady,
    IsBusy,
}

/// Fetches a feed over HTTP, also for a page that is fetched by a browser: what a browser makes of a feed is no feed.
fn check_one(case: &mut Case<'_>, feed: &mut AnnouncedFeed) -> Result<Host, CheckError> {
    let asked_before = feed.seen.is_some() && feed.validators.is_usable();
    let how = How { with: With::Http, wait: Wait::default(), ..case.watch.settings.fetch.clone() };
    match ask_with(case, &feed.url, &how, asked_before.then_some(&feed.validators)) {
        Answer::Failed(failure) => {
            let is_busy = failure.is_overload;
            if is_busy && site(&feed.url) == case.site {
                case.heed(&failure);
            }
            fail(case, feed, failure);
            return Ok(if is_busy { Host::IsBusy } else { Host::IsReady });
        }
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
    Ok(Host::IsReady)
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
    if older.as_ref().is_some_and(|older| differs_by_dates(case, older, &fetched)) {
        return Ok(());
    }
    let Some(newer) = case.keep(fetched)? else { return Ok(()) };
    let items = Feed::read(newer.source(), &zones::read_options(case.watch, &case.state.zones)?);
    let found_before = case.found_count();
    let outcome = compare_with(case, older.as_ref(), &newer, &items)?;
    case.drop_repeated_items(found_before);
    if outcome == Outcome::Changed {
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
