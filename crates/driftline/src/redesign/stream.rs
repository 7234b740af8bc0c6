//! A stream of documents of one site: each goes in once, in order, and what the detectors find comes out.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::gottron::{AnyRule, Rule};
use super::learned::{Learned, Seen, Suspicion};
use super::stripe::Stripe;
use super::template::Template;
use super::template::difference::Difference;
use super::{Detector, InvalidParameters, Parameters, Report};

/// Everything that has to be kept between two documents: the last h templates, the stripe, and what the
/// detectors remember. It can be saved and read back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stream {
    parameters: Parameters,
    /// The newest last.
    templates: VecDeque<Template>,
    stripe: Stripe,
    rules: Vec<AnyRule>,
    learned: Option<Learned>,
}

/// How many documents of each side tell what its template is.
const MOST_COMPARED: usize = 16;

/// A stream that was read back, and is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("its parts do not belong together")]
pub struct DamagedStream;

/// What a document showed.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// A detector of the paper reports.
    Report(Detector, Report),
    /// driftline's own has something new to say.
    Suspicion(Suspicion),
}

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
            rules: detectors.iter().filter_map(|&detector| AnyRule::new(detector)).collect(),
            learned: detectors.contains(&Detector::Driftline).then(Learned::default),
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
            && self.learned.as_ref().is_none_or(|learned| learned.is_sound(documents, history));
        if is_sound { Ok(self) } else { Err(DamagedStream) }
    }

    /// The same without its templates, which are most of it and can be read again from the documents.
    #[must_use]
    pub fn without_templates(&self) -> Self {
        Self {
            parameters: self.parameters,
            templates: VecDeque::new(),
            stripe: self.stripe.clone(),
            rules: self.rules.clone(),
            learned: self.learned.clone(),
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
        let own = self.learned.as_ref().map(|_| Detector::Driftline);
        let mut detectors: Vec<Detector> = self.rules.iter().map(AnyRule::detector).chain(own).collect();
        detectors.sort_unstable();
        detectors
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

    /// How the template changed with a document that driftline's detector suspects, as far as the documents
    /// before it and those like it are still in the history. None for bare similarities.
    #[must_use]
    pub fn difference(&self, document: usize) -> Option<Difference> {
        let sides = self.learned.as_ref()?.sides(document)?;
        let of = |places: Vec<usize>| places.into_iter().filter_map(|place| self.templates.get(place));
        let older: Vec<_> = of(sides.0).rev().take(MOST_COMPARED).collect();
        let newer: Vec<_> = of(sides.1).take(MOST_COMPARED).collect();
        // One document does not tell its template from its contents.
        (older.len() > 1 && !newer.is_empty()).then(|| Difference::between(&older, &newer))
    }

    /// Adds the next document.
    pub fn push(&mut self, template: Template) -> Vec<Finding> {
        let before = self.templates.iter().rev();
        let (similarities, likeness): (Vec<f64>, Vec<f64>) = match self.learned {
            Some(_) => before.map(|other| template.similarity_and_likeness(other)).unzip(),
            None => (before.map(|other| template.similarity(other)).collect(), Vec::new()),
        };
        let size = Some(template.len());
        if self.templates.len() == self.parameters.history {
            self.templates.pop_front();
        }
        self.templates.push_back(template);
        self.see(similarities, Seen { likeness: &likeness, size })
    }

    /// Adds a document of which only the similarities to those before it are known, the nearest first.
    pub fn push_similarities(&mut self, similarities: Vec<f64>) -> Vec<Finding> {
        let likeness = similarities.clone();
        self.see(similarities, Seen { likeness: &likeness, size: None })
    }

    fn see(&mut self, similarities: Vec<f64>, seen: Seen) -> Vec<Finding> {
        self.stripe.push(similarities);
        let (mut findings, mut reports) = (Vec::new(), Vec::new());
        for rule in &mut self.rules {
            rule.see(&self.stripe, &self.parameters, &mut reports);
            findings.extend(reports.drain(..).map(|report| Finding::Report(rule.detector(), report)));
        }
        let suspicions = self.learned.as_mut().map(|learned| learned.see(seen, &self.parameters));
        findings.extend(suspicions.into_iter().flatten().map(Finding::Suspicion));
        findings
    }
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
