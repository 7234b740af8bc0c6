//! Detected changes under each setting of the weights: figure 8.
//!
//! As in the paper, one of `α`, `β` and `γ` goes from 0 to 1 in steps of 0.2 while the other two
//! share the rest, and the reliability is the number of detected changes in that of the actual
//! ones. The paper's verdict, a similarity that is not exactly 1, is a matter of *whether* a weight
//! is zero, hardly of its size. What changed is known because exactly one thing was changed, or, of
//! given pages, by an exact comparison.

use driftline::compare::Comparer;
use driftline::page::Page;
use driftline::region::Aspects;
use driftline::region::artail;
use driftline::region::comparison::Options;
use driftline::region::similarity::{Typedist, Weights};
use fastrand::Rng;
use serde::Serialize;

use super::{Group, read};
use crate::regions::synthesis::{Aspect, Layout, MadePage};

/// What a change changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Words.
    Content,
    /// Values of attributes.
    Attributes,
    /// Paths of elements, the paper's "type" or "style": an element stands in one more.
    Structure,
    /// Elements, but no path that an unchanged element has: words stand in one more element, or an
    /// element has another name. The paper does not speak of it.
    Inside,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Content, Self::Attributes, Self::Structure, Self::Inside];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Attributes => "attributes",
            Self::Structure => "structure",
            Self::Inside => "inside",
        }
    }

    /// The weight that is about it.
    #[must_use]
    pub fn parameter(self) -> Parameter {
        match self {
            Self::Structure | Self::Inside => Parameter::Alpha,
            Self::Attributes => Parameter::Beta,
            Self::Content => Parameter::Gamma,
        }
    }
}

/// A weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Parameter {
    /// Of paths.
    Alpha,
    /// Of attributes.
    Beta,
    /// Of words.
    Gamma,
}

impl Parameter {
    /// All weights.
    pub const ALL: [Self; 3] = [Self::Alpha, Self::Beta, Self::Gamma];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Alpha => "alpha",
            Self::Beta => "beta",
            Self::Gamma => "gamma",
        }
    }
}

/// One weight is told, the others share the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// The weight.
    pub parameter: Parameter,
    /// Its value, in fifths.
    pub fifths: u8,
}

impl Setting {
    /// All 18 of the figure.
    pub fn all() -> impl Iterator<Item = Self> {
        Parameter::ALL.into_iter().flat_map(|parameter| (0..=5).map(move |fifths| Self { parameter, fifths }))
    }

    /// The value of the weight.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from(self.fifths) / 5.0
    }

    /// The three weights.
    #[must_use]
    pub fn weights(self) -> Weights {
        let (one, rest) = (self.value(), f64::from(5 - self.fifths) / 10.0);
        let [alpha, beta, gamma] = Parameter::ALL.map(|other| if other == self.parameter { one } else { rest });
        Weights::new(alpha, beta, gamma).unwrap_or_default()
    }

    fn index(self) -> usize {
        self.parameter as usize * 6 + usize::from(self.fifths)
    }
}

/// Who detects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Approach {
    /// Artail and Fawaz, with the similarity of paths as printed.
    Product,
    /// The same with its sum form.
    Sum,
    /// driftline.
    Driftline,
}

impl Approach {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Product, Self::Sum, Self::Driftline];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Product => "artail-product",
            Self::Sum => "artail-sum",
            Self::Driftline => "driftline",
        }
    }
}

/// Two pages, what changed, and who detected that something did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    kinds: Vec<Kind>,
    /// By approach and setting.
    detected: [[bool; 18]; 3],
}

impl Trial {
    /// Tries all approaches and settings on two pages that differ in these kinds.
    #[must_use]
    pub fn of(older: &Page, newer: &Page, kinds: Vec<Kind>) -> Self {
        let mut detected = [[false; 18]; 3];
        let mut comparer = Comparer::default();
        for setting in Setting::all() {
            for (approach, form) in [(Approach::Product, Typedist::Product), (Approach::Sum, Typedist::Sum)] {
                let options = Options { weights: setting.weights(), typedist: form, ..Options::default() };
                detected[approach as usize][setting.index()] = artail::detect(older, newer, &options).changed;
            }
            comparer.options_mut().regions.weights = setting.weights();
            let regions = comparer.compare(older, newer).regions;
            detected[Approach::Driftline as usize][setting.index()] = !regions.is_empty();
        }
        Self { kinds, detected }
    }

    /// The same for pages of which it is not known what changed: an exact comparison tells.
    #[must_use]
    pub fn of_given(older: &Page, newer: &Page) -> Self {
        let Aspects { content, structure, attributes, .. } = Comparer::default().compare(older, newer).changed;
        let kinds = [(content, Kind::Content), (attributes, Kind::Attributes), (structure, Kind::Structure)];
        Self::of(older, newer, kinds.into_iter().filter(|(is_so, _)| *is_so).map(|(_, kind)| kind).collect())
    }

    fn is_detected(&self, approach: Approach, setting: Setting) -> bool {
        self.detected[approach as usize][setting.index()]
    }
}

/// Detected changes among the actual ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Ratio {
    /// How many were detected.
    pub detected: usize,
    /// How many there are.
    pub actual: usize,
}

impl Ratio {
    /// As a share; no number without changes.
    #[must_use]
    pub fn share(self) -> f64 {
        self.detected as f64 / self.actual as f64
    }
}

impl std::ops::Add for Ratio {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { detected: self.detected + other.detected, actual: self.actual + other.actual }
    }
}

/// How many changes of a kind are detected under a setting; without a kind, of the three that the
/// paper speaks of.
#[must_use]
pub fn ratio(trials: &[Trial], approach: Approach, setting: Setting, kind: Option<Kind>) -> Ratio {
    let counts = |trial: &&Trial| match kind {
        Some(kind) => trial.kinds.contains(&kind),
        None => trial.kinds.iter().any(|&kind| kind != Kind::Inside),
    };
    trials.iter().filter(counts).fold(Ratio::default(), |ratio, trial| Ratio {
        detected: ratio.detected + usize::from(trial.is_detected(approach, setting)),
        actual: ratio.actual + 1,
    })
}

/// A line of the figure: a kind as its own weight goes from 0 to 1, or all changes as any of them does.
#[must_use]
pub fn curve(trials: &[Trial], approach: Approach, kind: Option<Kind>) -> Vec<(f64, Ratio)> {
    let parameters = kind.map_or(Parameter::ALL.to_vec(), |kind| vec![kind.parameter()]);
    let point = |fifths| {
        let settings = parameters.iter().map(|&parameter| Setting { parameter, fifths });
        let ratios = settings.map(|setting| ratio(trials, approach, setting, kind));
        (f64::from(fifths) / 5.0, ratios.fold(Ratio::default(), |sum, ratio| sum + ratio))
    };
    (0..=5).map(point).collect()
}

/// Numbers of parts that synthetic pages have.
const PARTS: [(usize, &str); 2] = [(1, "One part"), (10, "Ten parts built alike")];

/// The groups of synthetic pages, and the changes to be tried on them: `pairs` of each group, in equal numbers
/// of every kind.
#[must_use]
pub fn made_plan(pairs: usize, seed: u64) -> Vec<Group<Made>> {
    PARTS
        .into_iter()
        .map(|(parts, name)| {
            let made = |number: usize| Made { parts, kind: Kind::ALL[number % 4], seed: seed ^ (number as u64) << 8 };
            Group { name: name.to_owned(), items: (0..pairs).map(made).collect() }
        })
        .collect()
}

/// A synthetic pair of pages, described by its seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Made {
    parts: usize,
    kind: Kind,
    seed: u64,
}

impl Made {
    /// Makes the pair and tries all approaches and settings on it.
    #[must_use]
    pub fn trial(self) -> Trial {
        let mut rng = Rng::with_seed(self.seed);
        let older = MadePage::new(Layout::Tables, 4 + 9 * self.parts, &mut rng);
        let mut newer = older.clone();
        let part = rng.usize(0..older.blocks());
        match self.kind {
            Kind::Content => newer.inject(Aspect::Content, part, &mut rng),
            Kind::Attributes => newer.inject(Aspect::Attributes, part, &mut rng),
            Kind::Structure => newer.wrap(part, &mut rng),
            Kind::Inside => newer.inject(Aspect::Structure, part, &mut rng),
        }
        Trial::of(&read(&older), &read(&newer), vec![self.kind])
    }
}

#[cfg(test)]
mod tests;
