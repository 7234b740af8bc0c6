//! What is asked for: what was typed, then what the input or the state says, then the paper's values.

use anyhow::Result;
use driftline::redesign::template::Template;
use driftline::redesign::{Detector, Parameters};
use serde::{Deserialize, Serialize};

use crate::args::{Input, RedesignArgs};
use crate::settings;

/// How a stream is watched. Findings of two runs only belong together if this is the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    pub(super) input: Input,
    pub(super) detectors: Vec<Detector>,
    pub(super) parameters: Parameters,
    pub(super) template_shingle: usize,
}

impl Asked {
    /// One detector, on documents, with the paper's values.
    pub(super) fn only(detector: Detector) -> Self {
        Self {
            input: Input::Documents,
            detectors: vec![detector],
            parameters: Parameters::GOTTRON,
            template_shingle: Template::SHINGLE_LENGTH,
        }
    }

    /// Every detector, with the paper's values.
    pub(super) fn usual(input: Input) -> Self {
        Self { input, detectors: Detector::ALL.to_vec(), ..Self::only(Detector::Driftline) }
    }

    /// The same, with what the arguments say instead.
    pub(super) fn with(self, args: &RedesignArgs) -> Result<Self> {
        let template_shingle = args.detection.template_shingle.unwrap_or(self.template_shingle);
        let template_shingle = settings::shingle_length(template_shingle, "tags")?;
        let detectors = match args.detectors.as_slice() {
            [] => self.detectors,
            chosen => Detector::chosen(chosen).collect(),
        };
        let parameters = args.detection.instead_of(self.parameters).checked()?;
        Ok(Self { input: args.input, detectors, parameters, template_shingle })
    }
}
