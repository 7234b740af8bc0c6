//! What is behind a foreign document? Four explanations, and how probable each is after every further
//! document (Bayes' rule).

use serde::{Deserialize, Serialize};

use super::experience::{Alternative, Experience};

/// The probabilities of the explanations; they add up to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hypotheses {
    /// The site was redesigned.
    redesign: f64,
    /// One document is unlike the others.
    outlier: f64,
    /// A section has its own template.
    section: f64,
    /// The layout goes again.
    temporary: f64,
}

/// What a further document shows about a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Evidence {
    /// It looks like the candidate, and not like what was there before.
    Alike,
    /// The design that the candidate would have replaced is still there.
    Rival,
    /// One of several designs that the candidate may have replaced is still there.
    OneOfRivals,
    /// It tells neither.
    None,
}

/// What is known of a foreign document when it comes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circumstances {
    /// How far its likeness to the site stays below the cutoff.
    pub(super) shortfall: f64,
    /// How many shingles it has, as a share of what is usual; 1 if that is not known.
    pub(super) size: f64,
    /// The highest certainty of another open candidate: a site is not redesigned twice at once.
    pub(super) rival_certainty: f64,
    /// Has a document like it been seen, and nothing come of it?
    pub(super) was_seen: bool,
    /// Is it of the design that was replaced? Late documents of an old design are common.
    pub(super) is_late: bool,
}

/// Documents since the candidate appeared, and with it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tally {
    /// Those like the candidate, with itself.
    pub(super) alike: usize,
    /// Those of the design that it would have replaced.
    pub(super) rivals: usize,
}

/// The probability that a document is the first of a new design: a site is redesigned every fifty documents
/// or so. Only its relation to [`Experience`]'s rates matters.
const REDESIGN: f64 = 0.02;
/// A document of the old design comes late.
const LATE: f64 = 0.03;
/// One of several designs was not replaced.
const SPARED: f64 = 0.5;
/// A second outlier looks like the first.
const OUTLIER_AGAIN: f64 = 0.02;
/// A temporary layout lasts one more document.
const STAYS: f64 = 0.75;
/// A temporary layout that was gone is back.
const RETURNS: f64 = 0.05;
/// The share of a section in the stream, before anything of it was seen: a Beta distribution.
const SECTION: (f64, f64) = (0.5, 2.0);
/// No section has more of the stream: what has is the design.
const LARGEST_SECTION: f64 = 0.9;
/// A document just below the cutoff is an unusual one of the old design as probably as that …
const UNUSUAL: f64 = 0.05;
/// … which fades within so much likeness.
const UNUSUAL_WITHIN: f64 = 0.04;
/// How much more probable a section is once a second document of it is seen.
const SEEN_AGAIN: f64 = 50.0;

impl Hypotheses {
    /// Before any further document.
    pub(super) fn new(experience: &Experience, circumstances: &Circumstances) -> Self {
        let Circumstances { shortfall, size, rival_certainty, was_seen, is_late } = *circumstances;
        // Error pages, redirects and stubs are small; a new design is not.
        let redesign = REDESIGN * size.min(1.0).powi(2) * (1.0 - rival_certainty);
        let unusual = UNUSUAL * (-shortfall.max(0.0) / UNUSUAL_WITHIN).exp();
        let late = if is_late { LATE } else { 0.0 };
        let outlier = experience.rate(Alternative::Outlier) + unusual + late;
        let section = experience.rate(Alternative::Section) * if was_seen { SEEN_AGAIN } else { 1.0 };
        Self { redesign, outlier, section, temporary: experience.rate(Alternative::Temporary) }.normalised()
    }

    /// After a further document; `tally` is what came before it.
    pub(super) fn update(&mut self, evidence: Evidence, tally: Tally) {
        let (first, second) = SECTION;
        let seen = (tally.alike + tally.rivals) as f64;
        let section = ((first + tally.alike as f64) / (first + second + seen)).min(LARGEST_SECTION);
        let stays = if tally.rivals == 0 { STAYS } else { RETURNS };
        let likelihood = match evidence {
            Evidence::None => return,
            Evidence::OneOfRivals => Self { redesign: SPARED, outlier: 1.0, section: 1.0, temporary: 1.0 },
            Evidence::Alike => Self { redesign: 1.0 - LATE, outlier: OUTLIER_AGAIN, section, temporary: stays },
            Evidence::Rival => {
                Self { redesign: LATE, outlier: 1.0 - OUTLIER_AGAIN, section: 1.0 - section, temporary: 1.0 - stays }
            }
        };
        *self = Self {
            redesign: self.redesign * likelihood.redesign,
            outlier: self.outlier * likelihood.outlier,
            section: self.section * likelihood.section,
            temporary: self.temporary * likelihood.temporary,
        }
        .normalised();
    }

    /// Are they probabilities?
    pub(super) fn is_sound(&self) -> bool {
        let Self { redesign, outlier, section, temporary } = *self;
        let all = [redesign, outlier, section, temporary];
        all.iter().all(|share| (0.0..=1.0).contains(share)) && (all.iter().sum::<f64>() - 1.0).abs() < 1e-6
    }

    /// The probability that it is a redesign.
    pub(super) fn certainty(&self) -> f64 {
        self.redesign
    }

    /// What it most probably is, if it is no redesign.
    pub(super) fn alternative(&self, tally: Tally) -> Alternative {
        if tally.alike == 1 {
            Alternative::Outlier
        } else if self.temporary > self.section {
            Alternative::Temporary
        } else {
            Alternative::Section
        }
    }

    fn normalised(self) -> Self {
        let Self { redesign, outlier, section, temporary } = self;
        let sum = redesign + outlier + section + temporary;
        Self { redesign: redesign / sum, outlier: outlier / sum, section: section / sum, temporary: temporary / sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDINARY: Circumstances =
        Circumstances { shortfall: 0.3, size: 1.0, rival_certainty: 0.0, was_seen: false, is_late: false };

    fn after(evidence: &[Evidence]) -> Hypotheses {
        let mut experience = Experience::default();
        (0..50).for_each(|_| experience.pass());
        let mut hypotheses = Hypotheses::new(&experience, &ORDINARY);
        let mut tally = Tally { alike: 1, rivals: 0 };
        for &evidence in evidence {
            hypotheses.update(evidence, tally);
            tally.alike += usize::from(evidence == Evidence::Alike);
            tally.rivals += usize::from(evidence == Evidence::Rival);
        }
        hypotheses
    }

    #[test]
    fn certainty_rises_with_each_further_document_of_the_new_design() {
        let course: Vec<f64> = (0..300).map(|count| after(&vec![Evidence::Alike; count]).certainty()).collect();
        assert!(course[..40].windows(2).all(|pair| pair[0] < pair[1]), "{course:?}");
        assert!(course.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12), "{course:?}");
        assert!(course[0] > 0.5 && course[7] > 0.97, "{course:?}");
    }

    #[test]
    fn one_document_of_the_old_design_makes_it_an_outlier() {
        assert!(after(&[Evidence::Rival]).certainty() < 0.1);
    }

    #[test]
    fn a_late_document_of_the_old_design_does_not_undo_a_redesign() {
        let mut evidence = vec![Evidence::Alike; 9];
        evidence.push(Evidence::Rival);
        assert!(after(&evidence).certainty() > 0.5);
    }

    #[test]
    fn a_small_document_is_suspected_less() {
        let experience = Experience::default();
        let of = |size| Hypotheses::new(&experience, &Circumstances { size, ..ORDINARY }).certainty();
        assert!(of(0.1) < 0.02 && of(0.5) < of(1.0) && of(3.0) == of(1.0));
    }

    #[test]
    fn a_layout_that_came_and_went_is_temporary_and_one_in_between_is_a_section() {
        let mut gone = vec![Evidence::Alike; 5];
        gone.extend([Evidence::Rival; 4]);
        assert_eq!(after(&gone).alternative(Tally { alike: 6, rivals: 4 }), Alternative::Temporary);
        let mixed = [Evidence::Rival, Evidence::Alike].repeat(3);
        assert_eq!(after(&mixed).alternative(Tally { alike: 4, rivals: 3 }), Alternative::Section);
    }
}
