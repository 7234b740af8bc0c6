//! The serialised form of a change, in which it is stored, sent and read back.
//!
//! It is part of what `driftline diff --json` and `driftline measure --with regions` print, and it is what the archive
//! stores. The texts of edits are not in it: they are on the two versions of the page, which are read again as `read`
//! says.

use std::borrow::Cow;
use std::ops::Range;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{Change, CompareRecord, FORMAT, Sides};
use crate::degree::Measurement;
use crate::degree::edit::{Edit, EditKind};
use crate::degree::ied::Operations;
use crate::limit::Limit;
use crate::page::{NodeId, ReadRecord};
use crate::region::importance::{Importance, Reason};
use crate::region::{Aspects, Place, Region, RegionChange, RegionKind, ResourceChange};

/// The oldest format that is read.
const OLDEST: u32 = 2;

/// A change with its format.
#[derive(Serialize, Deserialize)]
struct Form<'a> {
    format: u32,
    #[serde(flatten)]
    measurement: Cow<'a, Measurement>,
    changed: Aspects,
    #[serde(flatten)]
    importance: ImportanceForm<'a>,
    /// None in format 2.
    #[serde(default)]
    edits: Option<Cow<'a, [Edit]>>,
    regions: Cow<'a, [Region]>,
    resources: Cow<'a, [ResourceChange]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<Cow<'a, Sides<String>>>,
    /// None of two web pages that were read in the usual way; nothing is known in formats 2 and 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read: Option<Cow<'a, Sides<ReadRecord>>>,
    /// None of the usual options; nothing is known in formats 2 and 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compared: Option<Cow<'a, CompareRecord>>,
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = Form {
            format: FORMAT,
            measurement: Cow::Borrowed(&self.measurement),
            changed: self.changed,
            importance: ImportanceForm::of(&self.importance),
            edits: Some(Cow::Borrowed(&self.edits)),
            regions: Cow::Borrowed(&self.regions),
            resources: Cow::Borrowed(&self.resources),
            title: self.title.as_ref().map(Cow::Borrowed),
            read: (usual_pages().as_ref() != Some(&self.read)).then_some(Cow::Borrowed(&self.read)),
            compared: (self.compared != CompareRecord::default()).then_some(Cow::Borrowed(&self.compared)),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Change {
    /// Reads changes of formats 2 and 3 too. One of format 2 has no edits, which the archive did not store:
    /// [`Limit::Edits`] says so. Neither says how the pages were read: as usual, if the archive stored it.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The format decides what the other members are.
        let mut members = Map::<String, Value>::deserialize(deserializer)?;
        let format = members.get("format").and_then(Value::as_u64).unwrap_or_default();
        if !(u64::from(OLDEST)..=u64::from(FORMAT)).contains(&format) {
            let is_newer = format > u64::from(FORMAT);
            let cure = if is_newer { "use the newer driftline that wrote it" } else { "compare the pages again" };
            return Err(D::Error::custom(format_args!(
                "the change has the format {format}, this driftline reads {OLDEST} to {FORMAT}\nhint: {cure}"
            )));
        }
        if format == u64::from(OLDEST) {
            members.remove("edits");
        }
        let form = Form::deserialize(Value::Object(members)).map_err(D::Error::custom)?;
        let mut measurement = form.measurement.into_owned();
        if form.edits.is_none() && measurement.operations != Operations::default() {
            measurement.limits.push(Limit::Edits);
        }
        Ok(Self {
            measurement,
            edits: form.edits.unwrap_or_default().into_owned(),
            changed: form.changed,
            regions: form.regions.into_owned(),
            resources: form.resources.into_owned(),
            title: form.title.map(Cow::into_owned),
            importance: form.importance.into(),
            read: form.read.map_or_else(|| unsaid(form.format), |read| Ok(read.into_owned()))?,
            compared: form.compared.map(Cow::into_owned).unwrap_or_default(),
        })
    }
}

/// Two web pages that were received and read with the usual options.
fn usual_pages() -> Option<Sides<ReadRecord>> {
    ReadRecord::usual().map(|usual| Sides { older: usual.clone(), newer: usual })
}

/// What a change means that does not say how its pages were read. Before format 4 no change said it.
fn unsaid<E: Error>(format: u32) -> Result<Sides<ReadRecord>, E> {
    if format < FORMAT {
        return Ok(Sides::default());
    }
    usual_pages().ok_or_else(|| {
        E::custom("the words of the change were split by a rule that is not in this build\nhint: build `driftline` with the feature `segmentation`")
    })
}

/// The importance of something with its reasons: as sentences for people, and as values for programs.
#[derive(Serialize, Deserialize)]
struct ImportanceForm<'a> {
    importance: f64,
    why: Vec<String>,
    /// None in format 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reasons: Option<Cow<'a, [Reason]>>,
}

impl<'a> ImportanceForm<'a> {
    fn of(importance: &'a Importance) -> Self {
        let reasons = Some(Cow::Borrowed(importance.reasons.as_slice()));
        Self { importance: importance.score, why: importance.why(), reasons }
    }
}

impl From<ImportanceForm<'_>> for Importance {
    fn from(form: ImportanceForm<'_>) -> Self {
        let sentences = || form.why.iter().cloned().map(Reason::Text).collect();
        Self { score: form.importance, reasons: form.reasons.map_or_else(sentences, Cow::into_owned) }
    }
}

/// An edit: `{ "kind": "move", "old": [2, 4], "new": [0, 2] }`, the words from the first number up to, not including, the second.
#[derive(Serialize, Deserialize)]
struct EditForm {
    kind: EditKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    old: Option<[u32; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    new: Option<[u32; 2]>,
}

impl Serialize for Edit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ends = |words: Option<Range<u32>>| words.map(|words| [words.start, words.end]);
        EditForm { kind: self.kind(), old: ends(self.older()), new: ends(self.newer()) }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Edit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let EditForm { kind, old, new } = EditForm::deserialize(deserializer)?;
        let words = |ends: Option<[u32; 2]>| ends.map(range::<D::Error>).transpose();
        match (kind, words(old)?, words(new)?) {
            (EditKind::Add, None, Some(newer)) => Ok(Self::Add { newer }),
            (EditKind::Drop, Some(older), None) => Ok(Self::Drop { older }),
            (EditKind::Copy, None, Some(newer)) => Ok(Self::Copy { newer }),
            (EditKind::Shrink, Some(older), None) => Ok(Self::Shrink { older }),
            (EditKind::Replace, Some(older), Some(newer)) => Ok(Self::Replace { older, newer }),
            (EditKind::Move, Some(older), Some(newer)) => Ok(Self::Move { older, newer }),
            _ => Err(D::Error::custom(format_args!("the words of an edit `{}` are on other pages", kind.name()))),
        }
    }
}

/// The words from the first to the one before the last number.
fn range<E: Error>([start, end]: [u32; 2]) -> Result<Range<u32>, E> {
    if start > end {
        return Err(E::custom(format_args!("the words {start} to {end} end before they begin")));
    }
    Ok(start..end)
}

/// A region, flat where a reader looks first: `selector` and `path` of the place to look at.
#[derive(Serialize, Deserialize)]
struct RegionForm<'a> {
    kind: RegionKind,
    selector: Cow<'a, str>,
    path: Cow<'a, str>,
    similarity: f64,
    severity: f64,
    #[serde(flatten)]
    importance: ImportanceForm<'a>,
    changed: Aspects,
    operations: Operations,
    old: Option<PlaceForm<'a>>,
    new: Option<PlaceForm<'a>>,
}

#[derive(Serialize, Deserialize)]
struct PlaceForm<'a> {
    selector: Cow<'a, str>,
    path: Cow<'a, str>,
    words: [u32; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    node: Option<NodeId>,
}

impl Serialize for Region {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fn place(place: &Place) -> PlaceForm<'_> {
            PlaceForm {
                selector: Cow::Borrowed(&place.selector),
                path: Cow::Borrowed(&place.path),
                words: [place.words.start, place.words.end],
                node: place.node,
            }
        }
        let form = RegionForm {
            kind: self.kind(),
            selector: Cow::Borrowed(&self.shown().selector),
            path: Cow::Borrowed(&self.shown().path),
            similarity: self.similarity,
            severity: self.severity,
            importance: ImportanceForm::of(&self.importance),
            changed: self.changed,
            operations: self.operations,
            old: self.older().map(place),
            new: self.newer().map(place),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Region {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = RegionForm::deserialize(deserializer)?;
        let place = |form: PlaceForm<'_>| {
            let (path, selector) = (form.path.into_owned(), form.selector.into_owned());
            Ok(Place { node: form.node, path, selector, words: range::<D::Error>(form.words)?.into() })
        };
        if form.old.is_none() && form.new.is_none() {
            return Err(D::Error::custom("a region has neither an old place nor a new one"));
        }
        let (older, newer) = (form.old.map(place).transpose()?, form.new.map(place).transpose()?);
        let change = RegionChange::new(form.kind, older, newer)
            .ok_or_else(|| D::Error::custom(format_args!("a region that is {} has other places", form.kind.name())))?;
        Ok(Self {
            change,
            changed: form.changed,
            similarity: form.similarity,
            severity: form.severity,
            operations: form.operations,
            importance: form.importance.into(),
        })
    }
}
