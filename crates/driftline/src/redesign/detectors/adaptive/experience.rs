//! How often did a foreign document turn out to be no redesign on this site?

use serde::{Deserialize, Serialize};

/// What a foreign document can be, other than the first of a new design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Alternative {
    /// One document that is unlike all others.
    Outlier,
    /// The first of a section with its own template.
    Section,
    /// The first of a layout that goes again.
    Temporary,
}

/// Counts that fade: what happened a hundred documents ago weighs a third.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Experience {
    documents: f64,
    outliers: f64,
    sections: f64,
    temporaries: f64,
}

impl Experience {
    /// What a count loses with each document.
    const FADING: f64 = 0.01;
    /// Of a site that nothing is known about: so many documents, in which so many of each were seen.
    const PRIOR: Self = Self { documents: 30.0, outliers: 1.0, sections: 0.15, temporaries: 0.1 };

    /// Are they counts?
    pub(super) fn is_sound(&self) -> bool {
        let Self { documents, outliers, sections, temporaries } = *self;
        [documents, outliers, sections, temporaries].iter().all(|count| count.is_finite() && *count >= 0.0)
    }

    /// A document went by.
    pub(super) fn pass(&mut self) {
        let Self { documents, outliers, sections, temporaries } = self;
        for count in [&mut *documents, outliers, sections, temporaries] {
            *count *= 1.0 - Self::FADING;
        }
        *documents += 1.0;
    }

    /// A foreign document turned out to be this.
    pub(super) fn learn(&mut self, alternative: Alternative) {
        *match alternative {
            Alternative::Outlier => &mut self.outliers,
            Alternative::Section => &mut self.sections,
            Alternative::Temporary => &mut self.temporaries,
        } += 1.0;
    }

    /// The probability that the next document is the first of such.
    pub(super) fn rate(&self, alternative: Alternative) -> f64 {
        let of = |counts: &Self| match alternative {
            Alternative::Outlier => counts.outliers,
            Alternative::Section => counts.sections,
            Alternative::Temporary => counts.temporaries,
        };
        (of(&Self::PRIOR) + of(self)) / (Self::PRIOR.documents + self.documents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_are_expected_where_they_were_seen() {
        let mut clean = Experience::default();
        (0..100).for_each(|_| clean.pass());
        let mut strewn = clean;
        strewn.learn(Alternative::Outlier);
        assert!(clean.rate(Alternative::Outlier) < 0.02);
        assert!(strewn.rate(Alternative::Outlier) > 1.9 * clean.rate(Alternative::Outlier));
        assert_eq!(strewn.rate(Alternative::Section), clean.rate(Alternative::Section));
    }

    #[test]
    fn what_was_long_ago_fades() {
        let mut experience = Experience::default();
        experience.learn(Alternative::Temporary);
        (0..1_000).for_each(|_| experience.pass());
        let mut never = Experience::default();
        (0..1_000).for_each(|_| never.pass());
        assert!(experience.rate(Alternative::Temporary) < 1.01 * never.rate(Alternative::Temporary));
    }
}
