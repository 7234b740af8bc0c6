//! Where is the part that the user cares about, now? A zone follows its block; if it is lost, that is told once.

use driftline::change::Sides;
use driftline::event::key::Cause;
use driftline::event::{Event, Kind};
use driftline::page::zone::{Selector, Zones};
use driftline::page::{BodyKind, Page, ReadOptions, Source};
use driftline::region::zone::{Fate, Followed, Purpose, follow};
use driftline::time::Time;
use driftline_fetch::Fetched;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::Unusable;
use super::case::Case;
use super::versions::Version;
use super::{CheckError, State};
use crate::watches::{Settings, Watch};

/// Where the zones are now.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct ZoneState {
    /// What the watch says; if it says something else now, the rest is out of date.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    written: Vec<String>,
    /// The zones where they stand now, if that is not what is written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    zone: Vec<String>,
    /// What is ignored, where it stands now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignore: Vec<String>,
    /// Since when the zones are lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<Time>,
}

impl ZoneState {
    /// Whether the zones are known to be lost.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.is_some()
    }
}

/// Why a zone is not on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// No version had it.
    NeverThere,
    /// The version before had it.
    Gone,
}

/// A pair of versions, read with their zones.
pub(super) enum Standing {
    /// The zone is on both; perhaps elsewhere than before.
    There(Box<Sides<Page>>),
    /// It was not on the older one.
    Appeared(Box<Page>),
    /// It is not on the newer one.
    Lost,
}

/// How pages of the watch are read, with the zones where they stand now.
pub(super) fn read_options(watch: &Watch, state: &ZoneState) -> Result<ReadOptions, CheckError> {
    let settings = &watch.settings;
    let is_moved = !state.zone.is_empty() && state.written == written(settings);
    let (zone, ignore) = if is_moved { (&state.zone, &state.ignore) } else { (&settings.zone, &settings.ignore) };
    let wrong = |error: &dyn std::fmt::Display| CheckError::setting(watch, error);
    let parse = |selectors: &[String]| -> Result<Vec<Selector>, CheckError> {
        selectors.iter().map(|selector| selector.parse().map_err(|error| wrong(&error))).collect()
    };
    let mut read_options =
        ReadOptions { zones: Zones { include: parse(zone)?, ignore: parse(ignore)? }, ..ReadOptions::default() };
    for name in &settings.normalise {
        read_options.normalisers = read_options.normalisers.with(name.parse().map_err(|error| wrong(&error))?);
    }
    Ok(read_options)
}

impl State {
    /// How pages of the watch with this state are read: in its zones where they are now, without what it ignores.
    ///
    /// # Errors
    /// If a selector or another setting of the watch cannot be read.
    pub fn read_options(&self, watch: &Watch) -> Result<ReadOptions, CheckError> {
        read_options(watch, &self.clone().of(&watch.url).zones)
    }
}

/// How pages of the watch are read, as text: its zones where they are now, what is ignored, what flickers, and normalisers.
/// Empty if they are read as a whole and as they are, so that their change is the same for every watch.
pub(super) fn reading(case: &Case<'_>) -> String {
    let (settings, state) = (&case.watch.settings, &case.state.zones);
    let is_moved = !state.zone.is_empty() && state.written == written(settings);
    let (zone, ignore) = if is_moved { (&state.zone, &state.ignore) } else { (&settings.zone, &settings.ignore) };
    if zone.is_empty() && ignore.is_empty() && settings.normalise.is_empty() && case.folds.is_empty() {
        return String::new();
    }
    json!({ "zone": zone, "ignore": ignore, "normalise": settings.normalise, "flicker": texts(&case.folds) })
        .to_string()
}

/// Whether an answer can have the zone of a watch: zones are selectors for HTML and XML, and JSON has no elements.
///
/// A page that had elements before may have them again: its server answers with JSON when it has a problem.
pub(super) fn check_answer(watch: &Watch, fetched: &Fetched, had_elements: bool) -> Result<(), Unusable> {
    if watch.settings.zone.is_empty() || !is_json(fetched) {
        return Ok(());
    }
    let selectors = watch.settings.zone.join("`, `");
    let why = format!("the zone `{selectors}` is a CSS selector for HTML, and the answer is JSON");
    Err(Unusable { why, is_lasting: !had_elements })
}

fn is_json(fetched: &Fetched) -> bool {
    let source = Source { bytes: &fetched.body, content_type: fetched.content_type.as_deref(), url: None };
    Page::read(source, &ReadOptions::default()).kind() == BodyKind::Json
}

/// What the watch says about its zones.
fn written(settings: &Settings) -> Vec<String> {
    settings.zone.iter().chain(&settings.ignore).cloned().collect()
}

/// Reads two versions, and tells if the zone went or came.
pub(super) fn read(case: &mut Case<'_>, older: &Version, newer: &Version) -> Result<Standing, CheckError> {
    let sources = Sides { older: older.source(), newer: newer.source() };
    let read_options = case.fold(sources)?;
    let followed = follow(sources, Sides { older: &read_options, newer: &read_options });
    case.work.spend(followed.older.work() + followed.newer.work());
    if followed.newer.zone_matches() == Some(0) {
        return found_as_written(case, newer, followed.older.zone_matches() == Some(0));
    }
    let is_new = followed.older.zone_matches() == Some(0);
    let Followed { older, newer: page, newer_zones, zones } = followed;
    if let Some((to, certainty)) = moved(&zones) {
        case.state.zones.zone = texts(&newer_zones.include);
        case.state.zones.ignore = texts(&newer_zones.ignore);
        case.state.zones.written = written(&case.watch.settings);
        tell_found(case, newer, &format!("it stands at `{to}` now"), Some(certainty));
    } else if case.state.zones.lost.is_some() {
        tell_found(case, newer, "it stands where it stood", None);
    }
    case.state.zones.lost = None;
    Ok(if is_new {
        Standing::Appeared(Box::new(page))
    } else {
        Standing::There(Box::new(Sides { older, newer: page }))
    })
}

/// A zone that is not where it went may be back where the watch says.
fn found_as_written(case: &mut Case<'_>, newer: &Version, was_absent: bool) -> Result<Standing, CheckError> {
    let page = Page::read(newer.source(), &read_options(case.watch, &ZoneState::default())?);
    if page.zone_matches() == Some(0) {
        lose(case, newer, if was_absent { Loss::NeverThere } else { Loss::Gone });
        return Ok(Standing::Lost);
    }
    case.state.zones = ZoneState { lost: case.state.zones.lost, ..ZoneState::default() };
    tell_found(case, newer, "it stands where the watch says again", None);
    case.state.zones.lost = None;
    Ok(Standing::Appeared(Box::new(page)))
}

/// Where a zone went, if one did.
fn moved(fates: &[driftline::region::zone::ZoneFate]) -> Option<(String, f64)> {
    fates.iter().filter(|zone| zone.purpose == Purpose::Zone).find_map(|zone| match &zone.fate {
        Fate::Moved { to, certainty } => Some((to.clone(), *certainty)),
        Fate::Kept | Fate::Lost | Fate::Absent => None,
    })
}

fn texts(selectors: &[Selector]) -> Vec<String> {
    selectors.iter().map(ToString::to_string).collect()
}

/// The zone is not on the page: told once.
pub(super) fn lose(case: &mut Case<'_>, newer: &Version, loss: Loss) {
    if case.state.zones.lost.is_some() {
        return;
    }
    case.state.zones.lost = Some(newer.seen.at);
    let selectors = case.watch.settings.zone.join("`, `");
    let summary = match loss {
        Loss::NeverThere => format!("the zone `{selectors}` matches nothing on this page; check the selector"),
        Loss::Gone => format!("the zone `{selectors}` is not to be found: nothing on the page is like it"),
    };
    let event = event(case, Kind::ZoneLost, newer, summary);
    case.find(Event { importance: 0.8, ..event }, Some(newer.seen.capture));
}

fn tell_found(case: &mut Case<'_>, newer: &Version, place: &str, certainty: Option<f64>) {
    let since = case.state.zones.lost;
    let what = if since.is_some() { "is found again" } else { "has moved" };
    let selectors = case.watch.settings.zone.join("`, `");
    let event = event(case, Kind::ZoneFound, newer, format!("the zone `{selectors}` {what}: {place}"));
    case.find(Event { importance: 0.4, certainty, since, ..event }, Some(newer.seen.capture));
}

fn event(case: &Case<'_>, kind: Kind, newer: &Version, summary: String) -> Event {
    let cause = Cause::new(kind, &case.watch.id).and(&newer.seen.url).at(newer.seen.at);
    Event { summary, ..case.event(kind, &cause) }
}
