//! Was the site redesigned? Its documents go through driftline's detector, and what that remembers goes to the catalog.
//!
//! Templates are most of what the detector remembers, and they can be read again from the documents in the archive. So
//! only the documents are written down; templates are remembered as long as the process runs. For a document that the
//! archive has no more its neighbour stands: an empty template would be unlike all others, as a new design is.

use std::collections::{HashMap, VecDeque};

use driftline::event::key::Cause;
use driftline::event::{self, Event, Kind};
use driftline::page::{Limits, Recipe, Source};
use driftline::redesign::stream::{Finding, Stream};
use driftline::redesign::template::Template;
use driftline::redesign::{Detector, Parameters};
use driftline::time::Time;
use driftline_archive::archive::Error;
use driftline_archive::{Archive, catalog};
use serde::{Deserialize, Serialize};

use super::Sites;

/// The format in which it is stored.
const FORMAT: u32 = 1;
/// So many documents are remembered: as many as a suspicion can be old.
const MOST_DOCUMENTS: usize = 64;
/// So many redesigns are remembered.
const MOST_REDESIGNS: usize = 8;
/// So many templates are kept in memory, of some 20 kB each.
const MOST_TEMPLATES: usize = 1_000;

/// A document of a site.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    /// Its number in the catalog.
    pub(crate) capture: i64,
    /// When it was captured.
    pub(crate) at: Time,
    pub(crate) template: Template,
}

/// A redesign that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Redesign {
    /// The number of its first document in the stream.
    pub document: usize,
    /// When its first document was captured.
    pub since: Time,
    /// The key of its event.
    pub key: String,
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
}

/// Templates of documents, by their numbers in the catalog; none if the archive has the document no more.
#[derive(Debug, Default)]
pub(crate) struct Templates(HashMap<i64, Option<Template>>);

/// What documents showed.
pub(crate) struct Seen {
    /// What is known of the site from now on.
    pub(crate) stream: catalog::Stream,
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
        let mut stream = memory.stream.with_templates(templates.into_iter());
        let mut redesigns = Vec::new();
        for document in documents {
            memory.documents.push_back((document.capture, document.at));
            self.remember(document.capture, Some(&document.template));
            for finding in stream.push(document.template) {
                let found = redesign(site, &stream, &memory.documents, &finding);
                let is_new =
                    |(one, _): &(Redesign, Event)| memory.redesigns.iter().all(|other| other.document != one.document);
                if let Some((redesign, event)) = found.filter(is_new) {
                    memory.redesigns.push_back(redesign);
                    redesigns.push((event, document.capture));
                }
            }
        }
        let surplus = memory.documents.len().saturating_sub(MOST_DOCUMENTS);
        memory.documents.drain(..surplus);
        let surplus = memory.redesigns.len().saturating_sub(MOST_REDESIGNS);
        memory.redesigns.drain(..surplus);
        memory.stream = stream.without_templates();
        let body = serde_json::to_vec(&memory).unwrap_or_default();
        Ok(Seen { stream: catalog::Stream { site: site.to_owned(), body }, redesigns })
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
        last.map(|(capture, _)| {
            let known = self.templates().0.get(capture).cloned();
            if let Some(template) = known {
                return Ok(template);
            }
            let template = read(archive, *capture)?;
            self.remember(*capture, template.as_ref());
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
    Ok(Some(Template::read(source, &Recipe::default(), Template::SHINGLE_LENGTH)))
}

impl Memory {
    /// What the catalog has. What cannot be used is begun again: it is learned anew from the next documents.
    fn load(body: Option<&[u8]>) -> Self {
        let stored = body.and_then(|body| serde_json::from_slice::<Self>(body).ok());
        let sound = stored.filter(|memory| memory.format == FORMAT).and_then(|memory| {
            let stream = memory.stream.checked().ok()?;
            Some(Self { stream, ..memory })
        });
        sound.unwrap_or_else(|| Self {
            format: FORMAT,
            stream: Stream::new(Parameters::default(), &[Detector::Driftline]).expect("the defaults make sense"),
            documents: VecDeque::new(),
            redesigns: VecDeque::new(),
        })
    }
}

/// The redesigns of a site that were found so far.
pub(super) fn redesigns(body: Option<&[u8]>) -> Vec<Redesign> {
    Memory::load(body).redesigns.into()
}

/// A redesign, if that is what was found.
fn redesign(
    site: &str,
    stream: &Stream,
    documents: &VecDeque<(i64, Time)>,
    finding: &Finding,
) -> Option<(Redesign, Event)> {
    let Finding::Suspicion(suspicion) = finding else { return None };
    if !suspicion.is_report(stream.parameters()) {
        return None;
    }
    let age = stream.stripe().documents().checked_sub(suspicion.document + 1)?;
    let &(_, since) = documents.iter().rev().nth(age)?;
    let key = Cause::new(Kind::Redesigned, site).at(since).key();
    let event = Event {
        format: event::FORMAT,
        key: key.clone(),
        at: since,
        kind: Kind::Redesigned,
        watch: None,
        name: site.to_owned(),
        tags: Vec::new(),
        url: format!("http://{site}/"),
        site: site.to_owned(),
        summary: "the site has a new design".to_owned(),
        importance: 0.8,
        why: why(stream, suspicion.document),
        degree: None,
        versions: None,
        excerpts: Vec::new(),
        parts: Vec::new(),
        template: None,
        returned_to: None,
        since: Some(since),
        certainty: Some(suspicion.certainty),
        pages: Vec::new(),
        explains: Vec::new(),
        limits: Vec::new(),
        learned: Vec::new(),
    };
    Some((Redesign { document: suspicion.document, since, key }, event))
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
