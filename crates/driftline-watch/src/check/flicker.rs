//! Answers that differ from the last kept version only by what flickers.
//!
//! With `keep = "changes"` such an answer is not archived. Flicker is whatever the watch ignores, the elements that it
//! has [learned](super::learned), and outside of its zones also dates, times and counts. Comments and white space are not
//! compared. The comparison is always with the last kept version, so a page that drifts slowly is archived as soon as the
//! drift is more than flicker.
//!
//! Before a change is reported, the page is fetched again, politely and without conditions, to learn whether it flickers.

use driftline::change::{Change, Sides};
use driftline::degree::compare::Comparer;
use driftline::page::zone::Zones;
use driftline::page::{Normaliser, Page, Recipe, Source};
use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::derive::is_readable;
use driftline_fetch::{Fetched, With};
use url::Url;

use super::CheckError;
use super::answer::{Answer, ask};
use super::case::Case;
use super::judge::is_visible;
use super::learned::Steps;
use super::versions::is_rendered;
use super::zones;
use crate::watches::{Keep, Settings};

/// Number of times that a page is fetched again at its first check.
const FIRST_REFETCHES: usize = 2;
/// Number of times that a page is fetched again before a change is reported. One of two variants at random passes for a
/// change once in eight times.
const REFETCHES: usize = 3;
/// Longest pause before a page is fetched again in the same check.
const LONGEST_PAUSE: Span = Span::from_seconds(10);
/// The next check after one that is unclear.
const SOON: Span = Span::from_seconds(90);

/// What a new answer is, compared with the last kept version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finding {
    /// More than flicker: it is kept and judged.
    News,
    /// Nothing but flicker, and need not be kept.
    Flicker,
    /// Dates or counts that changed for the first time: the next answer shows whether they are a clock.
    Unclear,
}

/// Compares an answer with the last kept version, and learns what flickers.
pub(super) fn examine(case: &mut Case<'_>, fetched: &Fetched) -> Result<Finding, CheckError> {
    let known: Vec<String> = case.state.learned.folded().map(|(selector, _)| selector.to_owned()).collect();
    let finding = find(case, fetched)?;
    for (selector, flicker) in
        case.state.learned.folded().filter(|(selector, _)| !known.iter().any(|it| it == selector))
    {
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
    if case.learns() {
        return learn(case, fetched, sources).map(|finding| if is_kept { Finding::News } else { finding });
    }
    if is_kept {
        return Ok(Finding::News);
    }
    let recipe = zones::recipe(case.watch, &case.state.zones)?;
    let inside = read(sources, &recipe);
    let is_flicker = if recipe.zones.include.is_empty() {
        are_same(&inside)
    } else {
        let [older, newer] = [&inside.older, &inside.newer].map(|page| page.zone_matches().unwrap_or_default());
        // A zone that is lost or found again is an event, and events are about kept versions.
        let is_news = older != newer || newer == 0 && !case.state.zones.is_lost();
        !is_news && are_same(&inside) && are_same(&read(sources, &outside(recipe)))
    };
    Ok(if is_flicker { Finding::Flicker } else { Finding::News })
}

/// The first answer: it is fetched again to learn what flickers.
fn first(case: &mut Case<'_>, fetched: &Fetched) -> Result<Finding, CheckError> {
    if case.learns() && is_readable(&source(fetched)) {
        let (mut last, mut steps) = (None, Steps::since(None));
        for _ in 0..refetches(case, FIRST_REFETCHES) {
            let Some(again) = refetch(case) else { break };
            learn_between(case, Sides { older: last.as_deref().unwrap_or(fetched), newer: &again }, &mut steps)?;
            last = Some(again);
        }
    }
    Ok(Finding::News)
}

/// Compares an answer without what is known to flicker. Before what is left is news, the page is fetched again.
fn learn(case: &mut Case<'_>, fetched: &Fetched, sources: Sides<Source<'_>>) -> Result<Finding, CheckError> {
    case.state.learned.observe(sources.newer);
    let mut pages = read(sources, &case.fold(sources)?);
    let (mut last, mut steps) = (None, Steps::since(Some(sources.older)));
    for _ in 0..refetches(case, REFETCHES) {
        if are_same(&pages) {
            return Ok(Finding::Flicker);
        }
        if !is_visible(&compare(&pages)) {
            return Ok(Finding::News);
        }
        let Some(again) = refetch(case) else { break };
        let answers = Sides { older: last.as_deref().unwrap_or(fetched), newer: &*again };
        if learn_between(case, answers, &mut steps)? {
            pages = read(sources, &case.fold(sources)?);
        }
        last = Some(again);
    }
    if are_same(&pages) {
        return Ok(Finding::Flicker);
    }
    let is_unclear = case.state.learned.notice(sides(&pages), &compare(&pages));
    if is_unclear {
        case.retry = Some(Time::from_microseconds(case.now.microseconds().saturating_add(SOON.microseconds())));
    }
    Ok(if is_unclear { Finding::Unclear } else { Finding::News })
}

/// Learns what flickers by the difference between two answers of this check. Says whether that is more than was known.
fn learn_between(case: &mut Case<'_>, answers: Sides<&Fetched>, steps: &mut Steps<'_>) -> Result<bool, CheckError> {
    if answers.older.body == answers.newer.body {
        return Ok(false);
    }
    let sources = Sides { older: source(answers.older), newer: source(answers.newer) };
    let pages = read(sources, &case.fold(sources)?);
    Ok(case.state.learned.learn_between(sides(&pages), &compare(&pages), steps))
}

/// Number of times that a page is fetched again in one check: this many, but a browser is costly.
fn refetches(case: &Case<'_>, most: usize) -> usize {
    match case.watch.settings.fetch.with {
        With::Http => most,
        With::Browser => 1,
    }
}

/// The same page once more, after the pause that its host asks for; none if that is long, or the page does not come.
fn refetch(case: &Case<'_>) -> Option<Box<Fetched>> {
    let url = Url::parse(&case.watch.url).ok()?;
    let asked = case.context.fetch.delay(url.host_str()?).unwrap_or_default();
    let delay = case.context.pause.delay.max(asked);
    if delay > LONGEST_PAUSE {
        return None;
    }
    (case.context.pause.wait)(delay);
    match ask(case, &case.watch.url, None) {
        Answer::Page(fetched) => Some(fetched),
        Answer::Same(_) | Answer::Absent(_) | Answer::Failed(_) => None,
    }
}

impl Case<'_> {
    /// Whether the watch learns what flickers. What a zone or a rule about text asks for is reported, whatever it is.
    pub(super) fn learns(&self) -> bool {
        let Settings { learn, zone, counts, .. } = &*self.watch.settings;
        let rules = [&counts.trigger, &counts.contains, &counts.not_contains, &counts.only_text, &counts.only_lines];
        learn.unwrap_or(true) && zone.is_empty() && rules.iter().all(|rule| rule.is_empty())
    }

    /// How two versions are read: without the elements that flicker, as far as the watch learns.
    pub(super) fn fold(&mut self, sources: Sides<Source<'_>>) -> Result<Recipe, CheckError> {
        let mut recipe = zones::recipe(self.watch, &self.state.zones)?;
        self.folds = if self.learns() { self.state.learned.folds(sources) } else { Vec::new() };
        recipe.zones.ignore.extend(self.folds.iter().cloned());
        Ok(recipe)
    }
}

/// The answer, for those who read pages.
pub(super) fn source(fetched: &Fetched) -> Source<'_> {
    Source { bytes: &fetched.body, content_type: fetched.content_type.as_deref(), url: Some(&fetched.url) }
}

/// How the page around the zones is read.
fn outside(recipe: Recipe) -> Recipe {
    let Zones { include, mut ignore } = recipe.zones;
    ignore.extend(include);
    let normalisers = recipe.normalisers.with(Normaliser::Dates).with(Normaliser::Counters);
    Recipe { zones: Zones { include: Vec::new(), ignore }, normalisers, ..recipe }
}

fn read(sources: Sides<Source<'_>>, recipe: &Recipe) -> Sides<Page> {
    Sides { older: Page::read(sources.older, recipe), newer: Page::read(sources.newer, recipe) }
}

fn sides(pages: &Sides<Page>) -> Sides<&Page> {
    Sides { older: &pages.older, newer: &pages.newer }
}

fn compare(pages: &Sides<Page>) -> Change {
    Comparer::default().compare(&pages.older, &pages.newer)
}

/// Whether two pages are the same as far as driftline compares them: words, elements, attributes, addresses, titles.
fn are_same(pages: &Sides<Page>) -> bool {
    let Sides { older, newer } = pages;
    older.kind() == newer.kind() && older.words().eq(newer.words()) && compare(pages).is_empty()
}
