//! A stream that is being watched: documents go in, and what they show is collected.

use anyhow::Result;
use driftline::redesign::stream::Stream;
use driftline::redesign::template::Template;
use driftline::redesign::{Finding, Verdict};
use driftline_report::redesign::Course;
use serde::Serialize;

use super::asked::Asked;

/// A stream, how it is watched, and what it showed.
#[derive(Debug, Serialize)]
pub(super) struct Watch {
    pub(super) asked: Asked,
    pub(super) stream: Stream,
    pub(super) course: Course,
    /// Of how many documents only the beginning was read.
    pub(super) cut: usize,
    /// How many documents earlier runs had seen, if they were asked for.
    #[serde(skip)]
    pub(super) resumed: Option<usize>,
}

impl Watch {
    /// A stream before its first document.
    pub(super) fn new(name: impl Into<String>, asked: Asked) -> Result<Self> {
        let stream = Stream::new(asked.parameters, &asked.detectors)?;
        let course = Course::new(name, &asked.parameters, &asked.detectors);
        Ok(Self { asked, stream, course, cut: 0, resumed: None })
    }

    /// Keeps what the figures need, from here on.
    pub(super) fn with_figures(self) -> Self {
        Self { course: self.course.with_figures(), ..self }
    }

    /// Adds the next document.
    pub(super) fn push(&mut self, name: String, template: Template) {
        self.course.keep(&template);
        let findings = self.stream.push(template);
        self.course.add(Some(name), self.stream.stripe(), &findings);
        findings.iter().for_each(|finding| self.explain(finding));
    }

    /// Says how the template changed: when a redesign is reported, and better when it is settled.
    fn explain(&mut self, finding: &Finding) {
        let Finding { detector, document, .. } = *finding;
        let is_settled = finding.verdict == Verdict::Redesign;
        let is_due = is_settled || !self.course.is_explained(detector, document);
        if is_due
            && detector.gives_certainty()
            && finding.is_report(self.stream.parameters())
            && let Some(difference) = self.stream.difference(document)
        {
            self.course.explain(detector, document, difference);
        }
    }

    /// Adds a document of which only the similarities to those before it are known.
    pub(super) fn push_similarities(&mut self, row: Vec<f64>) {
        let findings = self.stream.push_similarities(row);
        self.course.add(None, self.stream.stripe(), &findings);
    }

    /// Did this run find a redesign, and not take it back? The main detector decides, if it was asked;
    /// else any does.
    pub(super) fn has_found(&self) -> bool {
        let is_new = |at: usize| at >= self.resumed.unwrap_or(0);
        if let Some(detector) = self.course.main_detector() {
            let mut found = self.course.found_by(detector);
            return found.any(|(suspected, moment)| is_new(moment.at) && suspected.verdict().may_be_redesign());
        }
        let mut reports = self.course.detectors().iter().flat_map(|&detector| self.course.reports(detector));
        reports.any(|reported| is_new(reported.report.at))
    }
}
