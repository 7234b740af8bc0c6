//! Answers that differ from the last kept version only by what flickers.
//!
//! With `keep = "changes"` such an answer is not archived. Flicker is whatever the watch ignores, the elements that it
//! has [learned](super::learned), and outside of its zones also dates, times and counts. Comments and white space are not
//! compared. The comparison is always with the last kept version, so a page that drifts slowly is archived as soon as the
//! drift is more than flicker.
//!
//! Before a change is reported, the page is fetched again, politely and without conditions. What is not in each of these
//! answers waits for the next check, which compares with the same kept version: so nothing is lost.

use driftline::change::{Change, Sides};
use driftline::page::zone::{Selector, Zones};
use driftline::page::{Normaliser, Page, ReadOptions, Source};
use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::derive::is_readable;
use driftline_fetch::Fetched;
use xxhash_rust::xxh3::xxh3_64;

use super::CheckError;
use super::case::Case;
use super::judge::is_visible;
use super::learned::{Depth, Notice, are_dates};
use super::refetch::{Again, Purpose};
use super::versions::{Version, is_rendered};
use super::zones;
use crate::watches::Keep;

/// The next check after one that is unclear.
const SOON: Span = Span::from_seconds(90);
/// Two answers that differ more than this are not versions of one page: one of them is a notice in its place.
const MOST_DIFFERENT: f64 = 0.5;

/// What a new answer is, compared with the last kept version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finding {
    /// More than flicker: it is kept and judged.
    News,
    /// Nothing but flicker, and need not be kept.
    Flicker,
    /// Unclear: the next check compares with the same version.
    Later(Later),
}

/// What becomes of an unclear answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Later {
    /// When the next check should be, if that is sooner than the schedule says.
    pub(super) retry: Option<Time>,
    /// Whether the answer shows something that is archived nowhere.
    pub(super) is_kept: bool,
}

/// Compares an answer with the last kept version, and learns what flickers.
pub(super) fn examine(case: &mut Case<'_>, fetched: &Fetched) -> Result<Finding, CheckError> {
    case.state.learned.begin(case.now);
    let folded = |case: &Case<'_>| -> Vec<_> {
        case.state.learned.folded().map(|(selector, flicker)| (selector.to_owned(), flicker)).collect()
    };
    let known = folded(case);
    let finding = find(case, fetched)?;
    if !matches!(finding, Finding::Later(_)) {
        case.state.learned.end();
    }
    for (selector, flicker) in folded(case).into_iter().filter(|new| !known.contains(new)) {
        let (watch, what) = (&case.watch.id, flicker.name());
        tracing::info!(%watch, selector, what, "an element changes by itself; that is not reported");
    }
    Ok(finding)
}

fn find(case: &mut Case<'_>, fetched: &Fetched) -> Result<Finding, CheckError> {
    let Some(seen) = case.state.seen.clone() else { return first(case, fetched) };
    let Some(older) = case.recall(&seen)? else { return Ok(Finding::News) };
    let sources = Sides { older: older.source(), newer: source(fetched) };
    if older.is_rendered() != is_rendered(fetched) || !is_readable(&sources.older) || !is_readable(&sources.newer) {
        return Ok(Finding::News);
    }
    let is_kept = case.watch.settings.keep != Keep::Changes;
    if case.watch.settings.learns() {
        let finding = learn(case, fetched, &older)?;
        return Ok(if is_kept && finding == Finding::Flicker { Finding::News } else { finding });
    }
    if is_kept {
        return Ok(Finding::News);
    }
    let read_options = zones::read_options(case.watch, &case.state.zones)?;
    if read_options.zones.include.is_empty() {
        return settle_attributes(case, &older, sources, read_options);
    }
    let inside = case.work.read(sources, &read_options);
    let [before, after] = [&inside.older, &inside.newer].map(|page| page.zone_matches().unwrap_or_default());
    // A zone that is lost or found again is an event, and events are about kept versions.
    let is_news = before != after || after == 0 && !case.state.zones.is_lost();
    if is_news || !are_same(case, &inside) {
        return Ok(Finding::News);
    }
    settle_attributes(case, &older, sources, outside(read_options))
}

/// The first answer: it is fetched again to learn what flickers, and once more if something does.
fn first(case: &mut Case<'_>, fetched: &Fetched) -> Result<Finding, CheckError> {
    if case.watch.settings.learns() && is_readable(&source(fetched)) {
        let mut last = None;
        for _ in 0..case.refetches(Purpose::First) {
            let Again::Page(again) = case.refetch() else { break };
            let answers = Sides { older: last.as_deref().unwrap_or(fetched), newer: &*again };
            if answers.older.body == again.body || step(case, answers)? == Step::Foreign {
                break;
            }
            last = Some(again);
        }
    }
    Ok(Finding::News)
}

/// Compares an answer without what is known to flicker. Before what is left is news, the page is fetched again.
fn learn(case: &mut Case<'_>, fetched: &Fetched, older: &Version) -> Result<Finding, CheckError> {
    let sources = Sides { older: older.source(), newer: source(fetched) };
    let ignore = case.ignored()?;
    case.state.learned.observe(sources.newer, &ignore, case.now, false, &mut case.work);
    let read_options = case.fold(sources)?;
    let pages = case.work.read(sources, &read_options);
    if are_same(case, &pages) {
        return Ok(Finding::Flicker);
    }
    let change = case.work.compare(sides(&pages));
    if !is_visible(&change) {
        return settle_attributes(case, older, sources, read_options);
    }
    let times = Sides { older: (sources.older, older.seen.at), newer: (sources.newer, case.now) };
    case.state.learned.notice((sides(&pages), &change), times, &ignore, Notice::Values, &mut case.work);
    let may_be_clock = are_dates(sides(&pages), &change) && case.state.learned.may_be_clocks(case.now);
    if let Some(retry) = may_be_clock.then(|| case.wait()).flatten() {
        return Ok(Finding::Later(Later { retry: Some(retry), is_kept: false }));
    }
    drop((pages, change));
    let finding = confirm(case, fetched, sources)?;
    if finding == Finding::News {
        case.state.learned.settle();
    }
    Ok(finding)
}

/// Fetches the page again: only what is in all of its answers is news.
fn confirm(case: &mut Case<'_>, fetched: &Fetched, sources: Sides<Source<'_>>) -> Result<Finding, CheckError> {
    let mut last: Option<Box<Fetched>> = None;
    for _ in 0..case.refetches(Purpose::Changed) {
        let again = match case.refetch() {
            Again::Page(again) => again,
            Again::None => break,
            Again::Stopped => return Ok(Finding::Later(Later::default())),
        };
        let answers = Sides { older: last.as_deref().unwrap_or(fetched), newer: &*again };
        if answers.older.body == again.body {
            case.state.learned.rest();
            continue;
        }
        let kept = Sides { older: sources.older, newer: source(&again) };
        if step(case, answers)? == Step::Foreign {
            if !case.work.may_go_on() {
                break;
            }
            if !are_foreign(case, kept)? {
                return Ok(case.defer(true));
            }
            continue;
        }
        if is_flicker(case, sources, Depth::Learned)? {
            return Ok(Finding::Flicker);
        }
        let is_unstable = is_flicker(case, sources, Depth::Deferred)? || is_flicker(case, kept, Depth::Deferred)?;
        if is_unstable && !case.state.learned.is_nearly_learned() {
            let is_new = case.state.learned.has_new_words() || !case.state.learned.is_unstable();
            return Ok(case.defer(is_new));
        }
        last = Some(again);
    }
    settle_rest(case, sources)
}

/// What becomes of an answer by what differs from the kept version in each fetch of this check: nothing, or dates that may
/// be those of a clock, wait for the next check.
fn settle_rest(case: &mut Case<'_>, sources: Sides<Source<'_>>) -> Result<Finding, CheckError> {
    let mut read_options = case.fold_to(sources, Depth::Deferred)?;
    let pages = case.work.read(sources, &read_options);
    if are_same(case, &pages) {
        return Ok(case.defer(case.state.learned.has_new_words()));
    }
    let known = case.state.learned.known_folds(sources, &case.ignored()?, &mut case.work);
    if !known.is_empty() {
        read_options.zones.ignore.extend(known);
        let rest = case.work.read(sources, &read_options);
        if are_same(case, &rest) {
            return Ok(Finding::Flicker);
        }
    }
    let may_be_clock = case.state.learned.is_unstable()
        && case.work.may_go_on()
        && are_dates(sides(&pages), &case.work.compare(sides(&pages)))
        && case.state.learned.may_be_clocks(case.now);
    let retry = may_be_clock.then(|| case.wait()).flatten();
    let is_kept = case.state.learned.has_new_words();
    Ok(retry.map_or(Finding::News, |retry| Finding::Later(Later { retry: Some(retry), is_kept })))
}

/// A step from one answer of a check to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Both are the page.
    Page,
    /// One of them is not: a notice of a proxy, an error that is called a page.
    Foreign,
}

/// Learns what flickers by the difference between two answers of this check.
fn step(case: &mut Case<'_>, answers: Sides<&Fetched>) -> Result<Step, CheckError> {
    let sources = Sides { older: source(answers.older), newer: source(answers.newer) };
    let ignore = case.ignored()?;
    let read_options = case.fold(sources)?;
    let pages = case.work.read(sources, &read_options);
    let change = case.work.compare(sides(&pages));
    if is_foreign(&change) {
        return Ok(Step::Foreign);
    }
    case.state.learned.observe(sources.newer, &ignore, case.now, true, &mut case.work);
    let times = Sides { older: (sources.older, case.now), newer: (sources.newer, case.now) };
    case.state.learned.notice((sides(&pages), &change), times, &ignore, Notice::Flips, &mut case.work);
    Ok(Step::Page)
}

fn is_foreign(change: &Change) -> bool {
    change.measurement.headline().get() > MOST_DIFFERENT
}

fn are_foreign(case: &mut Case<'_>, sources: Sides<Source<'_>>) -> Result<bool, CheckError> {
    let read_options = case.fold(sources)?;
    let pages = case.work.read(sources, &read_options);
    Ok(is_foreign(&case.work.compare(sides(&pages))))
}

/// Whether nothing differs but what is left out at this depth.
fn is_flicker(case: &mut Case<'_>, sources: Sides<Source<'_>>, depth: Depth) -> Result<bool, CheckError> {
    let read_options = case.fold_to(sources, depth)?;
    let pages = case.work.read(sources, &read_options);
    Ok(are_same(case, &pages))
}

/// Whether an answer differs by more than attributes that are new in each answer. Nobody sees them: they are learned to keep
/// the archive small, in pages with zones too.
fn settle_attributes(
    case: &mut Case<'_>,
    older: &Version,
    sources: Sides<Source<'_>>,
    mut read_options: ReadOptions,
) -> Result<Finding, CheckError> {
    let ignore = case.ignored()?;
    if case.watch.settings.learn != Some(false) && !case.watch.settings.learns() {
        case.state.learned.observe(sources.newer, &ignore, case.now, false, &mut case.work);
    }
    let pages = case.work.read(sources, &read_options);
    if are_same(case, &pages) {
        return Ok(Finding::Flicker);
    }
    if case.watch.settings.learn == Some(false) {
        return Ok(Finding::News);
    }
    let change = case.work.compare(sides(&pages));
    let times = Sides { older: (sources.older, older.seen.at), newer: (sources.newer, case.now) };
    let found = (sides(&pages), &change);
    case.state.learned.notice(found, times, &ignore, Notice::Attributes, &mut case.work);
    read_options.zones.ignore.extend(case.state.learned.folds(sources, &ignore, Depth::Keeping, &mut case.work));
    let pages = case.work.read(sources, &read_options);
    Ok(if are_same(case, &pages) { Finding::Flicker } else { Finding::News })
}

impl Case<'_> {
    /// How two versions are read: without the elements that flicker, as far as the watch learns.
    pub(super) fn fold(&mut self, sources: Sides<Source<'_>>) -> Result<ReadOptions, CheckError> {
        self.fold_to(sources, Depth::Learned)
    }

    fn fold_to(&mut self, sources: Sides<Source<'_>>, depth: Depth) -> Result<ReadOptions, CheckError> {
        let mut read_options = zones::read_options(self.watch, &self.state.zones)?;
        let folds = if self.watch.settings.learns() {
            self.state.learned.folds(sources, &read_options.zones.ignore, depth, &mut self.work)
        } else {
            Vec::new()
        };
        read_options.zones.ignore.extend(folds.iter().cloned());
        if depth == Depth::Learned {
            self.folds = folds;
        }
        Ok(read_options)
    }

    /// What the watch ignores.
    pub(super) fn ignored(&self) -> Result<Vec<Selector>, CheckError> {
        Ok(zones::read_options(self.watch, &self.state.zones)?.zones.ignore)
    }

    /// A digest of all that decides whether an answer is only flicker: settings, zones, what is learned.
    pub(super) fn standing(&self) -> u64 {
        let settings = &self.watch.settings;
        let folds = settings.learns().then(|| self.state.learned.digest(Depth::Learned));
        let keeping = (settings.learn != Some(false)).then(|| self.state.learned.digest(Depth::Keeping));
        let (zone, ignore, normalise) = (&settings.zone, &settings.ignore, &settings.normalise);
        let text = serde_json::to_string(&(zone, ignore, normalise, &self.state.zones, folds, keeping));
        xxh3_64(text.unwrap_or_default().as_bytes())
    }

    /// The answer waits for the next check.
    fn defer(&mut self, is_kept: bool) -> Finding {
        Finding::Later(Later { retry: self.wait(), is_kept })
    }

    /// When an unclear page is checked again; none if that may not be, or not soon.
    fn wait(&mut self) -> Option<Time> {
        let soon = Time::from_microseconds(self.now.microseconds().saturating_add(SOON.microseconds()));
        let may_wait = self.state.learned.may_wait(self.now) && self.watch.settings.schedule.is_open(soon);
        may_wait.then(|| {
            self.state.learned.wait(self.now);
            soon
        })
    }
}

/// The answer, for those who read pages.
pub(super) fn source(fetched: &Fetched) -> Source<'_> {
    Source { bytes: &fetched.body, content_type: fetched.content_type.as_deref(), url: Some(&fetched.url) }
}

/// How the page around the zones is read.
fn outside(read_options: ReadOptions) -> ReadOptions {
    let Zones { include, mut ignore } = read_options.zones;
    ignore.extend(include);
    let normalisers = read_options.normalisers.with(Normaliser::Dates).with(Normaliser::Counters);
    ReadOptions { zones: Zones { include: Vec::new(), ignore }, normalisers, ..read_options }
}

fn sides(pages: &Sides<Page>) -> Sides<&Page> {
    Sides { older: &pages.older, newer: &pages.newer }
}

/// Whether two pages are the same as far as driftline compares them: words, elements, attributes, addresses, titles.
pub(super) fn are_same(case: &mut Case<'_>, pages: &Sides<Page>) -> bool {
    let Sides { older, newer } = pages;
    let has_same_words = older.kind() == newer.kind() && older.words().eq(newer.words());
    has_same_words && case.work.compare(sides(pages)).is_empty()
}
