//! Synthetic streams to try a detector on, of which it is known where the site was redesigned.
//!
//! A site is random: a frame, boxes, kinds of pages, names of classes, and authors whose texts
//! are of very different length, so that documents of one design are as unlike as on real sites. What
//! happens to it is one of ten [`Scenario`]s: Gottron's four (section 5.1), and what only looks like a
//! redesign, or hardly looks like one. The same seed makes the same streams.
//!
//! What counts as a redesign here is a lasting change of the template, whoever notices: a new look, a
//! rearranged one, and the upgrade of a generator that renders every page differently. A
//! [`Campaign`](EventKind::Campaign) is none, neither where it begins nor where it ends, and neither is
//! a [`Section`](EventKind::Section). A new design that is taken back after it has lasted for a while was a
//! redesign, but the [`Rollback`](EventKind::Rollback) is none: by Gottron's definition the template of a
//! redesign is one that no document before it was based on.

mod content;
mod course;
mod design;
mod frame;
mod markup;
mod names;
mod outlier;
mod parts;

use fastrand::Rng;
use serde::Serialize;

use course::Course;

/// A synthetic stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeStream {
    /// What it is called: its scenario and a number.
    pub name: String,
    /// What happens in it.
    pub scenario: Scenario,
    /// The documents as HTML, in order.
    pub documents: Vec<String>,
    /// The first document of each new design.
    pub redesigns: Vec<usize>,
    /// The first document after each small change, which is no redesign.
    pub minor_changes: Vec<usize>,
    /// All that happened.
    pub events: Vec<Event>,
}

/// What happens in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scenario {
    /// One design, no outliers (Gottron's first).
    Homogeneous,
    /// One design, outliers (Gottron's second).
    Outliers,
    /// A redesign, no outliers (Gottron's third).
    Redesign,
    /// A redesign and outliers (Gottron's fourth).
    OutliersAndRedesign,
    /// A section with a template of its own opens.
    Section,
    /// For a few documents the site looks different.
    Campaign,
    /// A new design is taken back.
    Rollback,
    /// The design is extended.
    Extension,
    /// A newer generator builds the same look from other tags.
    Upgrade,
    /// Several redesigns close together.
    Close,
}

impl Scenario {
    /// All.
    pub const ALL: [Self; 10] = [
        Self::Homogeneous,
        Self::Outliers,
        Self::Redesign,
        Self::OutliersAndRedesign,
        Self::Section,
        Self::Campaign,
        Self::Rollback,
        Self::Extension,
        Self::Upgrade,
        Self::Close,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Homogeneous => "homogeneous",
            Self::Outliers => "outliers",
            Self::Redesign => "redesign",
            Self::OutliersAndRedesign => "outliers-and-redesign",
            Self::Section => "section",
            Self::Campaign => "campaign",
            Self::Rollback => "rollback",
            Self::Extension => "extension",
            Self::Upgrade => "upgrade",
            Self::Close => "close",
        }
    }
}

/// Something that happened to a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// The first document that shows it.
    pub first: usize,
    /// The last document of a campaign; of all else, the last one of the stream.
    pub last: usize,
}

/// What can happen to a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// Another design.
    Redesign,
    /// Another generator, the same look.
    Upgrade,
    /// An earlier design is back, after another one had lasted.
    Rollback,
    /// Something was added to the design.
    Extension,
    /// From here on some documents are of a section with a template of its own.
    Section,
    /// Some documents look different, and then no more.
    Campaign,
}

impl EventKind {
    /// Is it a redesign (see the [module](self))?
    #[must_use]
    pub fn is_redesign(self) -> bool {
        matches!(self, Self::Redesign | Self::Upgrade)
    }
}

impl MadeStream {
    /// A stream in which this happens.
    #[must_use]
    pub fn new(scenario: Scenario, number: usize, seed: u64) -> Self {
        let mut seeds = Rng::with_seed(seed);
        let seed = seeds.u64(..) ^ ((scenario as u64) << 32 | number as u64);
        let mut rng = Rng::with_seed(seed);
        let course = Course::any(scenario, &mut rng);
        let documents = course.documents(&mut rng);
        let starts = |wanted: fn(EventKind) -> bool| {
            course.events.iter().filter(|event| wanted(event.kind)).map(|event| event.first).collect()
        };
        Self {
            name: format!("{}-{number}", scenario.name()),
            scenario,
            documents,
            redesigns: starts(EventKind::is_redesign),
            minor_changes: starts(|kind| kind == EventKind::Extension),
            events: course.events,
        }
    }
}

/// So many streams of each scenario.
#[must_use]
pub fn streams(seed: u64, count_per_scenario: usize) -> Vec<MadeStream> {
    let numbers = |scenario| (0..count_per_scenario).map(move |number| MadeStream::new(scenario, number, seed));
    Scenario::ALL.into_iter().flat_map(numbers).collect()
}

#[cfg(test)]
mod tests;
