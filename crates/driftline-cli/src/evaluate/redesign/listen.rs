//! One stream through all detectors, with every length of the history.

use anyhow::Result;
use driftline::redesign::stream::Stream;
use driftline::redesign::template::Template;
use driftline::redesign::{Detector, Parameters};
use driftline_evaluation::redesign::{Outcome, Trial, Truth};
use driftline_evaluation::report::redesign::Listened;
use driftline_report::redesign::Course;

/// What is asked of every stream.
pub(super) struct Listener {
    /// One for each length of the history, the longest last.
    pub(super) parameters: Vec<Parameters>,
}

impl Listener {
    /// Every document is read once, and its template goes into a stream for each length of the history.
    /// The longest one is drawn.
    pub(super) fn listen(&self, truth: Truth, templates: &[Template]) -> Result<Listened> {
        let longest = self.parameters.last().copied().unwrap_or_default();
        let mut course =
            Course::new(truth.name.clone(), &longest, Detector::ALL).with_figures().with_truth(&truth.redesigns);
        let mut trials = Vec::new();
        for parameters in &self.parameters {
            let (mut stream, mut trial) = (Stream::new(*parameters, Detector::ALL)?, Trial::new(parameters));
            for template in templates {
                let findings = stream.push(template.clone());
                trial.add(&findings);
                if parameters.history == longest.history {
                    course.add(None, stream.stripe(), &findings);
                }
            }
            trials.push(trial);
        }
        Ok(Listened { outcome: Outcome { truth, trials }, course })
    }
}
