//! Answers that differ from the last kept version only by what flickers.
//!
//! With `keep = "changes"` such an answer is not archived. Flicker is whatever the watch ignores, and outside of its zones
//! also dates, times and counts. Comments and white space are not compared. The comparison is always with the last kept
//! version, so a page that drifts slowly is archived as soon as the drift is more than flicker.

use driftline::change::Sides;
use driftline::degree::compare::Comparer;
use driftline::page::zone::Zones;
use driftline::page::{Normaliser, Page, Recipe, Source};
use driftline_archive::derive::is_readable;
use driftline_fetch::Fetched;

use super::CheckError;
use super::case::Case;
use super::versions::is_rendered;
use super::zones;
use crate::watches::Keep;

/// Whether an answer differs from the last kept version only by what flickers, and need not be kept.
pub(super) fn is_all(case: &mut Case<'_>, fetched: &Fetched) -> Result<bool, CheckError> {
    if case.watch.settings.keep != Keep::Changes {
        return Ok(false);
    }
    let Some(seen) = case.state.seen.clone() else { return Ok(false) };
    let Some(older) = case.recall(&seen)? else { return Ok(false) };
    let sources = Sides { older: older.source(), newer: source(fetched) };
    if older.is_rendered() != is_rendered(fetched) || !is_readable(&sources.older) || !is_readable(&sources.newer) {
        return Ok(false);
    }
    let recipe = zones::recipe(case.watch, &case.state.zones)?;
    if recipe.zones.include.is_empty() {
        return Ok(are_same(&read(sources, &recipe)));
    }
    let inside = read(sources, &recipe);
    let [older, newer] = [&inside.older, &inside.newer].map(|page| page.zone_matches().unwrap_or_default());
    // A zone that is lost or found again is an event, and events are about kept versions.
    let is_news = older != newer || newer == 0 && !case.state.zones.is_lost();
    Ok(!is_news && are_same(&inside) && are_same(&read(sources, &outside(recipe))))
}

/// The answer, for those who read pages.
fn source(fetched: &Fetched) -> Source<'_> {
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

/// Whether two pages are the same as far as driftline compares them: words, elements, attributes, addresses, titles.
fn are_same(pages: &Sides<Page>) -> bool {
    let Sides { older, newer } = pages;
    older.kind() == newer.kind()
        && older.words().eq(newer.words())
        && Comparer::default().compare(older, newer).is_empty()
}
