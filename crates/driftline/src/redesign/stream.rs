//! A stream of documents of one site: each goes in once, in order, and what the detectors find comes out.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::detectors::adaptive::Adaptive;
use super::detectors::{AnyDetector, Detect, Observation};
use super::stripe::Stripe;
use super::template::Template;
use super::template::difference::Difference;
use super::{Detector, Finding, InvalidParameters, Parameters};

/// Everything that has to be kept between two documents: the last h templates, the stripe, and what the
/// detectors remember. It can be saved and read back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored")]
pub struct Stream {
    parameters: Parameters,
    /// The newest last.
    templates: VecDeque<Template>,
    stripe: Stripe,
    /// In the order of [`Detector::ALL`].
    detectors: Vec<AnyDetector>,
}

/// A stream as it was saved. In format 1 the paper's detectors are its `rules`, and driftline's own is what
/// it has `learned`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    parameters: Parameters,
    templates: VecDeque<Template>,
    stripe: Stripe,
    #[serde(alias = "rules")]
    detectors: Vec<AnyDetector>,
    #[serde(default)]
    learned: Option<Adaptive>,
}

impl From<Stored> for Stream {
    fn from(stored: Stored) -> Self {
        let Stored { parameters, templates, stripe, mut detectors, learned } = stored;
        detectors.extend(learned.map(AnyDetector::Driftline));
        Self { parameters, templates, stripe, detectors }
    }
}

/// How many documents of each side tell what its template is.
const MOST_COMPARED: usize = 16;

/// The saved stream is inconsistent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("its parts do not belong together")]
pub struct DamagedStream;

impl Stream {
    /// A stream before its first document, for these detectors.
    ///
    /// # Errors
    /// If the parameters make no sense.
    pub fn new(parameters: Parameters, detectors: &[Detector]) -> Result<Self, InvalidParameters> {
        let parameters = parameters.checked()?;
        Ok(Self {
            parameters,
            templates: VecDeque::with_capacity(parameters.history),
            stripe: Stripe::new(parameters.history),
            detectors: Detector::chosen(detectors).map(AnyDetector::new).collect(),
        })
    }

    /// The same stream, if it is one: what was read back may have been altered.
    ///
    /// # Errors
    /// If its parts cannot belong together.
    pub fn checked(self) -> Result<Self, DamagedStream> {
        let Parameters { history, .. } = self.parameters.checked().map_err(|_| DamagedStream)?;
        let documents = self.stripe.documents();
        let is_sound = self.stripe.history() == history
            && self.stripe.is_sound()
            && (self.templates.is_empty() || self.templates.len() == documents.min(history))
            && self.detectors.iter().all(|detector| detector.is_sound(documents, history));
        if is_sound { Ok(self) } else { Err(DamagedStream) }
    }

    /// The same without its templates, which are most of it and can be read again from the documents.
    #[must_use]
    pub fn without_templates(&self) -> Self {
        Self {
            parameters: self.parameters,
            templates: VecDeque::new(),
            stripe: self.stripe.clone(),
            detectors: self.detectors.clone(),
        }
    }

    /// The same with the templates of its last documents, the newest last: as many as the history has of them.
    /// Those that are missing are taken for empty.
    #[must_use]
    pub fn with_templates(mut self, templates: impl DoubleEndedIterator<Item = Template>) -> Self {
        let kept = self.stripe.documents().min(self.parameters.history);
        self.templates = templates.rev().take(kept).collect();
        self.templates.resize_with(kept, Template::default);
        self.templates.make_contiguous().reverse();
        self
    }

    /// Who detects, in the paper's order.
    #[must_use]
    pub fn detectors(&self) -> Vec<Detector> {
        self.detectors.iter().map(AnyDetector::detector).collect()
    }

    /// The parameters that it was made with.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The similarities of the last documents.
    #[must_use]
    pub fn stripe(&self) -> &Stripe {
        &self.stripe
    }

    /// How the template changed with a document that a detector took for the first of a new design, as far as
    /// the documents before it and those like it are still in the history. None for bare similarities.
    #[must_use]
    pub fn difference(&self, document: usize) -> Option<Difference> {
        let sides = self.detectors.iter().find_map(|detector| detector.sides(document))?;
        let of = |places: Vec<usize>| places.into_iter().filter_map(|place| self.templates.get(place));
        let older: Vec<_> = of(sides.0).rev().take(MOST_COMPARED).collect();
        let newer: Vec<_> = of(sides.1).take(MOST_COMPARED).collect();
        // One document does not tell its template from its contents.
        (older.len() > 1 && !newer.is_empty()).then(|| Difference::between(&older, &newer))
    }

    /// Adds the next document.
    pub fn push(&mut self, template: Template) -> Vec<Finding> {
        let before = self.templates.iter().rev();
        let needs_likeness = self.detectors.iter().any(Detect::needs_likeness);
        let (similarities, likeness): (Vec<f64>, Vec<f64>) = if needs_likeness {
            before.map(|other| template.similarity_and_likeness(other)).unzip()
        } else {
            (before.map(|other| template.similarity(other)).collect(), Vec::new())
        };
        let size = Some(template.len());
        if self.templates.len() == self.parameters.history {
            self.templates.pop_front();
        }
        self.templates.push_back(template);
        self.stripe.push(similarities);
        let document = Observation { stripe: &self.stripe, likeness: &likeness, size };
        show(&mut self.detectors, document, &self.parameters)
    }

    /// Adds a document of which only the similarities to those before it are known, the nearest first.
    pub fn push_similarities(&mut self, similarities: Vec<f64>) -> Vec<Finding> {
        self.stripe.push(similarities);
        show(&mut self.detectors, Observation::of_similarities(&self.stripe), &self.parameters)
    }
}

/// Shows a document to all detectors, one after the other.
fn show(detectors: &mut [AnyDetector], document: Observation<'_>, parameters: &Parameters) -> Vec<Finding> {
    let mut findings = Vec::new();
    detectors.iter_mut().for_each(|detector| detector.see(document, parameters, &mut findings));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(at: usize) -> Template {
        let (tag, class) = if at < 12 { ("div", "old") } else { ("section", "new") };
        let part = format!("<{tag} class={class}><p>{at}<b>x</b></p></{tag}>");
        Template::read(part.repeat(3 + at % 3).as_str(), &crate::page::ReadOptions::default(), Template::SHINGLE_LENGTH)
    }

    #[test]
    fn a_stream_that_was_kept_without_templates_goes_on_as_before() {
        let parameters = Parameters::default().with_history(6);
        let mut whole = Stream::new(parameters, &[Detector::Driftline]).unwrap();
        let mut kept = whole.clone();
        for at in 0..24 {
            let before = (at - at.min(9)..at).map(template);
            kept = kept.without_templates().checked().unwrap().with_templates(before);
            assert_eq!(kept.push(template(at)), whole.push(template(at)), "{at}");
            assert_eq!(kept, whole, "{at}");
        }
    }
}
