//! Was the site redesigned? Its documents go through driftline's detector, and what that remembers goes to the catalog.
//!
//! Templates are most of what the detector remembers, and they can be read again from the documents in the archive. So
//! only the documents are written down; templates are remembered as long as the process runs. For a document that the
//! archive has no more its neighbour stands: an empty template would be unlike all others, as a new design is.

use std::collections::{HashMap, VecDeque};

use driftline::event::key::Cause;
use driftline::event::{self, Event, Kind};
use driftline::page::{Limits, ReadOptions, Source};
use driftline::redesign::stream::Stream;
use driftline::redesign::template::Template;
use driftline::redesign::{Detector, Finding, Parameters};
use driftline::time::Time;
use driftline_archive::Archive;
use driftline_archive::archive::Error;
use serde::{Deserialize, Serialize};

use super::Sites;
use super::designs::{Design, Designs, Restored, Sighting};

/// The format in which it is stored. Format 1 names the detectors in another way, and is still read.
const FORMAT: u32 = 2;
/// So many documents are remembered: as many as a finding can be old.
const MOST_DOCUMENTS: usize = 64;
/// So many redesigns are remembered.
const MOST_REDESIGNS: usize = 8;
/// So many templates are kept in memory, of some 20 kB each.
const MOST_TEMPLATES: usize = 1_000;
/// The least similarity of documents to the first one of a new design that are of it.
const SAME_SIDE: f64 = 0.5;

/// A document of a site.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    /// Its number in the catalog.
    pub(crate) capture: i64,
    /// When it was captured.
    pub(crate) at: Time,
    pub(crate) template: Template,
    /// Its address.
    pub(crate) url: String,
    /// The template of the version before, if it is another one.
    pub(crate) older: Option<Template>,
}

/// A redesign that was found, or the return of an earlier design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Redesign {
    /// The number of its first document in the stream.
    pub document: usize,
    /// When its first document was captured.
    pub since: Time,
    /// The key of its event.
    pub key: String,
    /// How sure it is after the last document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certainty: Option<f64>,
}

/// What is known of a site, as the catalog has it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Memory {
    format: u32,
    stream: Stream,
    /// The last documents, the newest last.
    documents: VecDeque<(i64, Time)>,
    redesigns: VecDeque<Redesign>,
    /// Bodies of before version 0.2 have none.
    #[serde(default)]
    designs: Designs,
}

/// Templates of documents, by their numbers in the catalog; none if the archive has the document no more.
#[derive(Debug, Default)]
pub(crate) struct Templates(HashMap<i64, Option<Template>>);

/// What documents showed.
pub(crate) struct Seen {
    /// What is known of the site from now on.
    pub(crate) stream: driftline_catalog::Stream,
    /// Redesigns, each with the capture that showed it.
    pub(crate) redesigns: Vec<(Event, i64)>,
}

impl Sites {
    /// Adds documents to the stream of a site. Whoever calls holds the [lock](Sites::lock) of the site until the
    /// answer is on its way to the catalog.
    pub(crate) fn see(&self, archive: &Archive, site: &str, documents: Vec<Document>) -> Result<Seen, Error> {
        let mut memory = Memory::load(self.load(archive.catalog(), site)?.as_deref());
        let templates = stand_in(self.recall(archive, &memory.documents)?);
        if templates.is_empty() {
            memory = Memory::load(None);
        }
        memory.stream = memory.stream.with_templates(templates.into_iter());
        let mut redesigns = Vec::new();
        for document in documents {
            let capture = document.capture;
            memory.documents.push_back((capture, document.at));
            self.remember(capture, Some(&document.template));
            let restored =
                self.returned(archive, &mut memory.designs, &document, memory.stream.stripe().documents())?;
            let events = restored.and_then(|restored| memory.restored(site, &restored)).into_iter();
            redesigns.extend(events.map(|event| (event, capture)));
            for finding in memory.stream.push(document.template) {
                memory.update(&finding);
                let found = self.found(archive, site, &mut memory, &finding)?;
                redesigns.extend(found.map(|event| (event, capture)));
            }
        }
        let surplus = memory.documents.len().saturating_sub(MOST_DOCUMENTS);
        memory.documents.drain(..surplus);
        let surplus = memory.redesigns.len().saturating_sub(MOST_REDESIGNS);
        memory.redesigns.drain(..surplus);
        memory.stream = memory.stream.without_templates();
        let body = serde_json::to_vec(&memory).unwrap_or_default();
        Ok(Seen { stream: driftline_catalog::Stream { site: site.to_owned(), body }, redesigns })
    }

    /// A design that a document restores.
    fn returned(
        &self,
        archive: &Archive,
        designs: &mut Designs,
        document: &Document,
        number: usize,
    ) -> Result<Option<Restored>, Error> {
        if designs.is_empty() {
            return Ok(None);
        }
        let to = self.design(archive, designs, &document.template)?;
        let from = match &document.older {
            Some(older) => self.design(archive, designs, older)?,
            None => None,
        };
        let (capture, at, url) = (document.capture, document.at, document.url.as_str());
        Ok(designs.note(Sighting { capture, document: number, at, url, from, to }))
    }

    /// The place of the design of a template.
    fn design(&self, archive: &Archive, designs: &Designs, template: &Template) -> Result<Option<usize>, Error> {
        designs.find(|captures| {
            let documents = self.recall_each(archive, captures.iter().copied())?;
            Ok(documents.iter().flatten().map(|other| template.likeness(other)).fold(0.0, f64::max))
        })
    }

    /// The event of a finding that is certain enough, and no earlier design.
    fn found(
        &self,
        archive: &Archive,
        site: &str,
        memory: &mut Memory,
        finding: &Finding,
    ) -> Result<Option<Event>, Error> {
        let is_known = memory.redesigns.iter().any(|other| other.document == finding.document);
        if is_known || !finding.is_report(memory.stream.parameters()) {
            return Ok(None);
        }
        let Some(age) = memory.stream.stripe().documents().checked_sub(finding.document + 1) else { return Ok(None) };
        let Some(&(capture, since)) = memory.documents.iter().rev().nth(age) else { return Ok(None) };
        let Some(template) = self.recall_each(archive, std::iter::once(capture))?.into_iter().flatten().next() else {
            return Ok(None);
        };
        let place = self.design(archive, &memory.designs, &template)?;
        // Pages that return to an earlier design are counted, and those that restored the present one were.
        let is_earlier = place.is_some_and(|place| memory.designs.present() != Some(place));
        if is_earlier || place.is_some() && memory.designs.is_restored() {
            return Ok(None);
        }
        let first = memory.documents.len() - age - 1;
        let (older, newer) = self.sides(archive, &memory.documents, first, &template)?;
        memory.designs.replace(older, newer);
        let event = redesigned(site, since, &memory.stream, finding);
        memory.add(finding.document, &event);
        Ok(Some(event))
    }

    /// The designs before and after a document, which is the first of a new one.
    fn sides(
        &self,
        archive: &Archive,
        documents: &VecDeque<(i64, Time)>,
        first: usize,
        template: &Template,
    ) -> Result<(Design, Design), Error> {
        let templates = self.recall_each(archive, documents.iter().map(|(capture, _)| *capture))?;
        let is_new = |place: usize| {
            let other = templates.get(place).and_then(Option::as_ref);
            other.is_some_and(|other| template.likeness(other) >= SAME_SIDE)
        };
        let all = || documents.iter().copied().enumerate();
        let older = all().filter(|(place, _)| *place < first && !is_new(*place)).map(|(_, document)| document);
        let newer = all().filter(|(place, _)| *place >= first && is_new(*place)).map(|(_, document)| document);
        Ok((Design::of(older), Design::of(newer)))
    }

    fn remember(&self, capture: i64, template: Option<&Template>) {
        let mut templates = self.templates();
        if templates.0.len() >= MOST_TEMPLATES {
            templates.0.clear();
        }
        templates.0.insert(capture, template.cloned());
    }

    /// The templates of the last documents, as far as the archive has them.
    fn recall(&self, archive: &Archive, documents: &VecDeque<(i64, Time)>) -> Result<Vec<Option<Template>>, Error> {
        let history = Parameters::default().history;
        let last = documents.iter().skip(documents.len().saturating_sub(history));
        self.recall_each(archive, last.map(|(capture, _)| *capture))
    }

    /// The templates of documents, as far as the archive has them.
    fn recall_each(
        &self,
        archive: &Archive,
        captures: impl Iterator<Item = i64>,
    ) -> Result<Vec<Option<Template>>, Error> {
        captures
            .map(|capture| {
                let known = self.templates().0.get(&capture).cloned();
                if let Some(template) = known {
                    return Ok(template);
                }
                let template = read(archive, capture)?;
                self.remember(capture, template.as_ref());
                Ok(template)
            })
            .collect()
    }
}

/// For each template that is missing the one before it stands, or the first that is there; nothing if there is none.
fn stand_in(templates: Vec<Option<Template>>) -> Vec<Template> {
    let Some(mut last) = templates.iter().flatten().next().cloned() else { return Vec::new() };
    templates
        .into_iter()
        .map(|template| {
            last = template.unwrap_or_else(|| last.clone());
            last.clone()
        })
        .collect()
}

/// The template of a capture; none if the capture is no longer there, or lost. The site must go on without it.
fn read(archive: &Archive, capture: i64) -> Result<Option<Template>, Error> {
    let Some(stored) = archive.catalog().capture(capture)? else { return Ok(None) };
    let found = match archive.read(&stored, Limits::DEFAULT.bytes) {
        Err(error) if error.is_lost() => {
            let (url, at) = (&stored.capture.url, stored.capture.at);
            tracing::warn!(%url, %at, why = %error, "a document of a site is lost; the site goes on without it");
            return Ok(None);
        }
        found => found?,
    };
    let source = Source { bytes: found.body(), content_type: found.content_type(), url: None };
    Ok(Some(Template::read(source, &ReadOptions::default(), Template::SHINGLE_LENGTH)))
}

impl Memory {
    /// What the catalog has. What cannot be used is begun again: it is learned anew from the next documents.
    fn load(body: Option<&[u8]>) -> Self {
        let stored = body.and_then(|body| serde_json::from_slice::<Self>(body).ok());
        let sound = stored.filter(|memory| (1..=FORMAT).contains(&memory.format)).and_then(|memory| {
            let stream = memory.stream.checked().ok()?;
            Some(Self { format: FORMAT, stream, ..memory })
        });
        sound.unwrap_or_else(|| Self {
            format: FORMAT,
            stream: Stream::new(Parameters::default(), &[Detector::Driftline]).expect("the defaults make sense"),
            documents: VecDeque::new(),
            redesigns: VecDeque::new(),
            designs: Designs::default(),
        })
    }

    /// Notes how sure a redesign is by now.
    fn update(&mut self, finding: &Finding) {
        let is_one = finding.verdict.may_be_redesign();
        let known = self.redesigns.iter_mut().find(|known| is_one && known.document == finding.document);
        known.into_iter().for_each(|known| known.certainty = finding.certainty);
    }

    /// Notes the redesign of an event.
    fn add(&mut self, document: usize, event: &Event) {
        let (since, key) = (event.since.unwrap_or(event.at), event.key.clone());
        self.redesigns.push_back(Redesign { document, since, key, certainty: event.certainty });
    }

    /// The event of a design that is restored; none if there is one, which is surer now.
    fn restored(&mut self, site: &str, restored: &Restored) -> Option<Event> {
        let key = Cause::new(Kind::DesignRestored, site).at(restored.since).key();
        let known = self.redesigns.iter_mut().find(|known| known.key == key);
        if restored.is_known || known.is_some() {
            known.into_iter().for_each(|known| known.certainty = Some(restored.certainty));
            return None;
        }
        let event = Event {
            summary: "the site has an earlier design again".to_owned(),
            returned_to: restored.last,
            certainty: Some(restored.certainty),
            ..event_of(Kind::DesignRestored, site, restored.since)
        };
        self.add(restored.document, &event);
        Some(event)
    }
}

/// The redesigns of a site that were found so far.
pub(super) fn redesigns(body: Option<&[u8]>) -> Vec<Redesign> {
    Memory::load(body).redesigns.into()
}

/// The event of a redesign.
fn redesigned(site: &str, since: Time, stream: &Stream, finding: &Finding) -> Event {
    Event {
        summary: "the site has a new design".to_owned(),
        why: why(stream, finding.document),
        certainty: finding.certainty,
        ..event_of(Kind::Redesigned, site, since)
    }
}

/// An event about the design of a site since a time.
fn event_of(kind: Kind, site: &str, since: Time) -> Event {
    Event {
        format: event::FORMAT,
        key: Cause::new(kind, site).at(since).key(),
        at: since,
        kind,
        watch: None,
        name: site.to_owned(),
        tags: Vec::new(),
        url: format!("http://{site}/"),
        site: site.to_owned(),
        summary: String::new(),
        importance: 0.8,
        why: Vec::new(),
        degree: None,
        versions: None,
        excerpts: Vec::new(),
        parts: Vec::new(),
        template_similarity: None,
        returned_to: None,
        since: Some(since),
        certainty: None,
        pages: Vec::new(),
        explains: Vec::new(),
        limits: Vec::new(),
        learned: Vec::new(),
    }
}

/// Which blocks of the template came and went, the first few of each.
fn why(stream: &Stream, document: usize) -> Vec<String> {
    let Some(difference) = stream.difference(document) else { return Vec::new() };
    let some =
        |blocks: &[String]| blocks.iter().take(5).map(|block| format!("`{block}`")).collect::<Vec<_>>().join(", ");
    let said = [("came", &difference.came), ("went", &difference.went)];
    said.into_iter()
        .filter(|(_, blocks)| !blocks.is_empty())
        .map(|(verb, blocks)| format!("{verb}: {}", some(blocks)))
        .collect()
}

#[cfg(test)]
mod tests;
