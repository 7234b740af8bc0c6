//! What does a new version mean? It is compared with the one before, once, and that one change decides.
//!
//! A change that does not count yet leaves the base where it is, so that small changes add up until they count.

use driftline::change::{Change, Sides};
use driftline::event::key::Cause;
use driftline::event::{Event, Kind};
use driftline::page::{Page, ReadOptions};
use driftline::redesign::template::Template;
use driftline::region::resources;
use driftline_archive::derive;
use driftline_catalog::EventFilter;
use driftline_report::summary::line::{self, Description};
use driftline_report::summary::resources::{has_shown, is_shown};
use xxhash_rust::xxh3::Xxh3;

use super::case::{Case, Pair};
use super::counts::{Looked, Weight, weigh};
use super::history::Step;
use super::leftover::Flickering;
use super::versions::Version;
use super::zones::{self, Standing};
use super::{CheckError, FirstLook, Outcome, State, earlier, leftover, parts};
use crate::leftover::Leftover;
use crate::site::{Document, SAME_DESIGN};
use crate::watches::{Operation, Settings, Watch};

/// Events of a watch that are looked through for those that another one explained.
const MOST_EVENTS: u32 = 100;
/// Most words of a version whose leftover is looked for.
const MOST_WORDS: usize = 1 << 17;
/// The limit that an event names if there are more.
const LEFTOVER: &str = "leftover";

/// Judges a version that differs from the one before.
pub(super) fn judge(case: &mut Case<'_>, newer: Version) -> Result<Outcome, CheckError> {
    let Some(base) = case.state.base().cloned() else { return after_text(case, newer) };
    // A text that was imported long ago is not what a lost version was.
    let Some(older) = case.recall(&base)? else { return first(case, newer) };
    // The source of a page and what a browser made of it are not versions of each other.
    if older.is_rendered() != newer.is_rendered() {
        return first(case, newer);
    }
    if !older.is_readable() || !newer.is_readable() {
        return Ok(opaque(case, &older, newer));
    }
    judge_pages(case, older, newer)
}

/// The first version: compared with the text that another monitor kept, if there is one.
fn after_text(case: &mut Case<'_>, newer: Version) -> Result<Outcome, CheckError> {
    let Some(older) = earlier::from_text(case, &newer)? else { return first(case, newer) };
    read_first(case, &newer)?;
    let (capture, documents) = (older.seen.capture, case.documents.len());
    let outcome = judge_pages(case, older, newer)?;
    // The next version is compared with this one, which is a page.
    case.state.base.take_if(|base| base.capture == capture);
    // The archive has no such page: its capture is the text.
    case.change = None;
    case.pair = None;
    case.documents.truncate(documents);
    Ok(if outcome == Outcome::Ignored { Outcome::First } else { outcome })
}

fn judge_pages(case: &mut Case<'_>, older: Version, newer: Version) -> Result<Outcome, CheckError> {
    match zones::read(case, &older, &newer)? {
        Standing::Lost => {
            let base = Some(older.seen);
            case.state = State { seen: Some(newer.seen), base, ..std::mem::take(&mut case.state) };
            Ok(Outcome::Ignored)
        }
        Standing::Appeared(page) => {
            begin(case, newer, &page);
            Ok(Outcome::Ignored)
        }
        Standing::There(pages) => compare(case, older, newer, *pages),
    }
}

/// The first version: there is nothing to compare it with.
fn first(case: &mut Case<'_>, newer: Version) -> Result<Outcome, CheckError> {
    if !newer.is_readable() {
        case.look(|| FirstLook::File(newer.body.len()));
        step_on(case, newer);
        return Ok(Outcome::First);
    }
    let page = read_first(case, &newer)?;
    if page.zone_matches() == Some(0) {
        zones::lose(case, &newer, zones::Loss::NeverThere);
    }
    begin(case, newer, &page);
    Ok(Outcome::First)
}

/// The page of a first version, which is noted for the person who waits for it and for the stream of its site.
fn read_first(case: &mut Case<'_>, newer: &Version) -> Result<Page, CheckError> {
    let read_options = zones::read_options(case.watch, &case.state.zones)?;
    let page = Page::read(newer.source(), &read_options);
    case.work.spend(page.work());
    page.title().clone_into(&mut case.state.title);
    case.look(|| FirstLook::of_page(newer, &page));
    case.documents.extend(document(case, newer, &page));
    Ok(page)
}

/// What cannot be read differs wholly.
fn opaque(case: &mut Case<'_>, older: &Version, newer: Version) -> Outcome {
    keep_change(case, older, &newer, None);
    case.pair = Some(Pair { older: older.seen.capture, newer: newer.seen.capture, reading: String::new() });
    let cause = cause(case, Kind::Changed, older, &newer);
    let event = Event {
        url: newer.url().to_owned(),
        summary: line::file(Sides { older: older.file(), newer: newer.file() }),
        degree: Some(1.0),
        versions: Some(Sides { older: older.seen.at, newer: newer.seen.at }),
        limits: newer.limits(&[]),
        ..case.event(Kind::Changed, &cause)
    };
    let step = case.state.history.step(newer.seen.at, newer.seen.digest.clone());
    let outcome = tell(case, (event, None), step, newer.seen.capture);
    step_on(case, newer);
    outcome
}

fn compare(case: &mut Case<'_>, older: Version, newer: Version, pages: Sides<Page>) -> Result<Outcome, CheckError> {
    let sides = Sides { older: &pages.older, newer: &pages.newer };
    let change = case.work.compare(sides);
    pages.newer.title().clone_into(&mut case.state.title);
    let reading = zones::reading(case);
    // Of a part of the page, only a change is news; of all of it, `rebuild` would measure what is not there.
    if reading.is_empty() || !change.is_empty() {
        keep_change(case, &older, &newer, Some(&change));
    }
    case.pair = Some(Pair { older: older.seen.capture, newer: newer.seen.capture, reading });
    if change.is_empty() {
        case.state.history.rest();
        step_on(case, newer);
        return Ok(Outcome::Ignored);
    }
    let is_whole = case.folds.is_empty() && zones::read_options(case.watch, &case.state.zones)?.zones.is_everything();
    let templates = match case.watch.settings.zone.is_empty() {
        true if is_whole => Some(templates(&pages)),
        // Ignored parts belong to the design.
        true => Some([template(&older), template(&newer)]),
        false => None,
    };
    let similarity = templates.as_ref().map(|[older, newer]| older.similarity(newer));
    let looked = Looked::of(case.watch, sides)?;
    let left = looked.within(sides, &change);
    match weigh(&looked, &change, &left) {
        Weight::Nothing => {
            note_template(case, &newer, templates, similarity);
            case.state.history.rest();
            begin(case, newer, sides.newer);
            Ok(Outcome::Ignored)
        }
        Weight::NotYet => {
            note_template(case, &newer, templates, similarity);
            case.state.history.rest();
            case.state = State { seen: Some(newer.seen), base: Some(older.seen), ..std::mem::take(&mut case.state) };
            Ok(Outcome::Ignored)
        }
        Weight::Enough(degree) => {
            let step = case.state.history.step(newer.seen.at, fingerprint(case.watch, sides.newer));
            note_document(case, step, (&newer, sides.newer), templates, similarity);
            let versions = Sides { older: &older, newer: &newer };
            let mut event = event(case, versions, sides, (&change, &left));
            event.degree = Some(degree);
            event.template_similarity = similarity;
            // A redesign may explain the change, but not what of it is more than the design.
            let is_rebuilt = similarity.is_some_and(|similarity| similarity < SAME_DESIGN);
            let leftover = if is_rebuilt { left_over(case, versions, pages, change)? } else { None };
            event.limits.extend(case.work.limit().map(str::to_owned));
            event.limits.extend((is_rebuilt && leftover.is_none()).then(|| LEFTOVER.to_owned()));
            let outcome = tell(case, (event, leftover), step, newer.seen.capture);
            step_on(case, newer);
            Ok(outcome)
        }
    }
}

/// The event of a change, with what is left of it by the text rules of the watch.
fn event(case: &Case<'_>, versions: Sides<&Version>, pages: Sides<&Page>, (change, left): (&Change, &Change)) -> Event {
    let cause = cause(case, Kind::Changed, versions.older, versions.newer);
    let name = case.name();
    let description = Description::of_rest(pages, change, left, &name);
    Event {
        url: versions.newer.url().to_owned(),
        summary: description.summary(),
        importance: left.importance.score,
        why: left.importance.why(),
        versions: Some(Sides { older: versions.older.seen.at, newer: versions.newer.seen.at }),
        excerpts: description.excerpts(),
        parts: parts::parts(pages, left, &description),
        limits: versions.newer.limits(&change.measurement.limits),
        ..case.event(Kind::Changed, &cause)
    }
}

/// What of a change to another template is left over; none if a version has too many words. Both versions are compared as
/// a whole: what the watch ignores and what changes by itself is known by its words.
fn left_over(
    case: &mut Case<'_>,
    versions: Sides<&Version>,
    pages: Sides<Page>,
    change: Change,
) -> Result<Option<Leftover>, CheckError> {
    let mut read_options = zones::read_options(case.watch, &case.state.zones)?;
    let ignore = std::mem::take(&mut read_options.zones.ignore);
    let sources = Sides { older: versions.older.source(), newer: versions.newer.source() };
    let is_whole = ignore.is_empty() && case.folds.is_empty();
    let (pages, change) = if is_whole {
        (pages, Some(change))
    } else {
        drop((pages, change));
        (case.work.read(sources, &read_options), None)
    };
    if pages.older.word_count().max(pages.newer.word_count()) > MOST_WORDS {
        return Ok(None);
    }
    let pages = Sides { older: &pages.older, newer: &pages.newer };
    let change = change.unwrap_or_else(|| case.work.compare(pages));
    let flickering = Flickering::of(sources, &read_options, &ignore, &case.state.learned);
    leftover::leftover(case.watch, pages, &change, &flickering).map(Some)
}

/// Tells a change, unless the page only goes back and forth.
fn tell(case: &mut Case<'_>, (event, leftover): (Event, Option<Leftover>), step: Step, capture: i64) -> Outcome {
    let event = match step {
        Step::New => event,
        Step::Return(time) => Event { returned_to: Some(time), ..event },
        Step::StillFlapping => return Outcome::Ignored,
        Step::Flapping(since) => {
            let cause = Cause::new(Kind::Flapping, &case.watch.id).at(event.versions.map_or(case.now, |it| it.newer));
            let summary = "the page keeps switching between earlier versions; muted until something new appears \
                           or it settles"
                .to_owned();
            Event { kind: Kind::Flapping, key: cause.key(), summary, since: Some(since), parts: Vec::new(), ..event }
        }
    };
    let leftover = leftover.filter(|_| event.kind == Kind::Changed);
    let learned = case.name_learned(&event.key);
    case.find_with(Event { learned, ..event }, Some(capture), leftover);
    Outcome::Changed
}

impl Case<'_> {
    /// The elements that are left out and that no message has named: the event of this key names them. An event that another
    /// one explained named none.
    fn name_learned(&mut self, key: &str) -> Vec<String> {
        if !self.watch.settings.learns() {
            return Vec::new();
        }
        let filter = EventFilter {
            watch: Some(self.watch.id.to_string()),
            all: true,
            limit: MOST_EVENTS,
            ..EventFilter::default()
        };
        let catalog = self.context.archive.catalog();
        let mut events = None;
        let mut is_gone = |key: &str| {
            let events =
                events.get_or_insert_with(|| catalog.events(&filter).map(|page| page.items).unwrap_or_default());
            events.iter().any(|event| event.key == key && event.folded_into.is_some())
        };
        self.state.learned.name(key, &mut is_gone)
    }
}

/// The version is the first of its kind.
fn begin(case: &mut Case<'_>, newer: Version, page: &Page) {
    case.state.history.begin(newer.seen.at, fingerprint(case.watch, page));
    step_on(case, newer);
}

/// The next version is compared with this one.
fn step_on(case: &mut Case<'_>, newer: Version) {
    case.state.base = None;
    case.state.seen = Some(newer.seen);
}

fn cause(case: &Case<'_>, kind: Kind, older: &Version, newer: &Version) -> Cause {
    let cause = Cause::new(kind, &case.watch.id).and(&older.seen.url).at(older.seen.at);
    cause.and(&newer.seen.url).at(newer.seen.at)
}

/// Keeps the change for the catalog; none of what cannot be read.
fn keep_change(case: &mut Case<'_>, older: &Version, newer: &Version, change: Option<&Change>) {
    case.change = Some(derive::row(Sides { older: older.seen.capture, newer: newer.seen.capture }, change));
}

/// A fingerprint of what may count: words, links, images and the like, the title; markup too if the watch looks for it.
fn fingerprint(watch: &Watch, page: &Page) -> String {
    let mut hasher = Xxh3::new();
    let mut add = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    page.words().for_each(&mut add);
    resources(page).filter(|(what, _)| is_shown(*what)).for_each(|(_, address)| add(address));
    if page.zone_matches().is_none() {
        add(page.title());
    }
    if watch.settings.counts.operations.contains(&Operation::Markup) {
        for node in page.node_ids() {
            add(page.tag(node));
            page.attributes(node).flat_map(|(name, value)| [name, value]).for_each(&mut add);
        }
    }
    format!("{:032x}", hasher.digest128())
}

fn templates(pages: &Sides<Page>) -> [Template; 2] {
    [&pages.older, &pages.newer].map(|page| Template::of(page, Template::SHINGLE_LENGTH))
}

/// The template of all of a page, ignored parts too.
fn template(version: &Version) -> Template {
    Template::read(version.source(), &ReadOptions::default(), Template::SHINGLE_LENGTH)
}

/// A version that does not count may be of another design all the same.
fn note_template(case: &mut Case<'_>, newer: &Version, templates: Option<[Template; 2]>, similarity: Option<f64>) {
    if let Some([older, template]) = templates.filter(|_| similarity.is_some_and(|similarity| similarity < 1.0)) {
        let older = Some(older).filter(|_| similarity.is_some_and(|similarity| similarity < SAME_DESIGN));
        case.documents.extend(Document::of(newer, template, &case.site).map(|document| Document { older, ..document }));
    }
}

/// A version that counts, for the stream of its site. A page that changes often and is built as before would crowd all
/// others out of it.
fn note_document(
    case: &mut Case<'_>,
    step: Step,
    (newer, page): (&Version, &Page),
    templates: Option<[Template; 2]>,
    similarity: Option<f64>,
) {
    let is_rebuilt = similarity.is_some_and(|similarity| similarity < SAME_DESIGN);
    let is_return = matches!(step, Step::Return(_) | Step::Flapping(_)) && is_rebuilt;
    if step == Step::New && similarity.is_none_or(|similarity| similarity < 1.0) || is_return {
        let older = templates.map(|[older, _]| older).filter(|_| is_rebuilt);
        case.documents.extend(document(case, newer, page).map(|document| Document { older, ..document }));
    }
}

/// The page as a document of its site.
fn document(case: &Case<'_>, newer: &Version, page: &Page) -> Option<Document> {
    let Settings { zone, ignore, .. } = &*case.watch.settings;
    let is_whole = zone.is_empty() && ignore.is_empty() && case.folds.is_empty();
    let template = if is_whole { Template::of(page, Template::SHINGLE_LENGTH) } else { template(newer) };
    Document::of(newer, template, &case.site)
}

/// What a reader can see of a change: not only markup.
pub(super) fn is_visible(change: &Change) -> bool {
    use driftline::region::importance::Reason;
    let is_seen = |reason: &Reason| matches!(reason, Reason::Appeared | Reason::Vanished);
    let has_seen = change.regions.iter().any(|region| region.importance.reasons.iter().any(is_seen));
    change.changed.content || change.title.is_some() || has_seen || has_shown(change)
}
