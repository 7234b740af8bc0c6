//! Which of the last documents belong together? Groups of documents of one template, as far back as the
//! history goes.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// A group, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GroupId(u32);

/// What a group is to the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Standing {
    /// A template in use.
    Known,
    /// Perhaps a new design.
    #[serde(alias = "Suspect")]
    Candidate,
    /// An outlier.
    Stray,
    /// A template of the design before this one.
    Former,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    id: GroupId,
    standing: Standing,
    /// The first document of its present standing as a candidate.
    first: usize,
}

/// The groups of the last h documents.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Groups {
    /// The group of each document, the newest last.
    window: VecDeque<GroupId>,
    known: Vec<Group>,
    opened: u32,
}

/// What a document is nearest to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// The group of the document that it is most alike to, and how much.
    pub(super) group: Option<(GroupId, f64)>,
    /// How alike it is to the most alike document of a known group.
    pub(super) known: f64,
}

impl Groups {
    /// Where a document belongs that is so alike to the last ones, the nearest in time first.
    pub(super) fn nearest(&self, likeness: &[f64]) -> Nearest {
        let mut nearest = Nearest { group: None, known: 0.0 };
        for (&group, &likeness) in self.window.iter().rev().zip(likeness) {
            if nearest.group.is_none_or(|(_, most)| likeness > most) {
                nearest.group = Some((group, likeness));
            }
            if likeness > nearest.known && self.standing(group) == Standing::Known {
                nearest.known = likeness;
            }
        }
        nearest
    }

    /// A new group, which has no document yet.
    pub(super) fn open(&mut self, standing: Standing, first: usize) -> GroupId {
        let id = GroupId(self.opened);
        self.opened = self.opened.wrapping_add(1);
        self.known.push(Group { id, standing, first });
        id
    }

    /// The next document is of this group; the oldest one leaves, and so do groups without documents.
    pub(super) fn add(&mut self, group: GroupId, history: usize) {
        if self.window.len() == history {
            self.window.pop_front();
        }
        self.window.push_back(group);
        let window = &self.window;
        self.known.retain(|group| group.standing == Standing::Candidate || window.contains(&group.id));
    }

    /// What the group is to the site; a group that was forgotten is an outlier.
    pub(super) fn standing(&self, id: GroupId) -> Standing {
        self.known.iter().find(|group| group.id == id).map_or(Standing::Stray, |group| group.standing)
    }

    /// Changes what a group is to the site.
    pub(super) fn set_standing(&mut self, id: GroupId, standing: Standing) {
        if let Some(group) = self.known.iter_mut().find(|group| group.id == id) {
            group.standing = standing;
        }
    }

    /// The document with which a group first became a candidate.
    pub(super) fn first(&self, id: GroupId) -> Option<usize> {
        self.known.iter().find(|group| group.id == id).map(|group| group.first)
    }

    /// Is there a group for each of the last documents?
    pub(super) fn is_sound(&self, documents: usize, history: usize) -> bool {
        let has_group = |id: &GroupId| self.known.iter().any(|group| group.id == *id);
        self.window.len() == documents.min(history) && self.window.iter().all(has_group)
    }

    /// Makes a group a candidate from this document on.
    pub(super) fn make_candidate(&mut self, id: GroupId, first: usize) {
        if let Some(group) = self.known.iter_mut().find(|group| group.id == id) {
            (group.standing, group.first) = (Standing::Candidate, first);
        }
    }

    /// The known groups that most documents are of: those at least half as frequent as the most frequent.
    pub(super) fn majors(&self) -> Vec<GroupId> {
        let in_use = self.known.iter().filter(|group| group.standing == Standing::Known);
        let counts: Vec<_> = in_use.map(|group| (group.id, self.count(group.id))).collect();
        let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
        counts.into_iter().filter(|(_, count)| 2 * count >= most).map(|(id, _)| id).collect()
    }

    /// How many of the last documents are of the most frequent group.
    pub(super) fn largest(&self) -> usize {
        self.known.iter().map(|group| self.count(group.id)).max().unwrap_or(0)
    }

    fn count(&self, id: GroupId) -> usize {
        self.window.iter().filter(|group| **group == id).count()
    }

    /// The places in the history of the documents of the design before `document` and of the one that begins
    /// with it; `newest` is the number of the last document.
    pub(super) fn sides(&self, document: usize, newest: usize) -> Option<(Vec<usize>, Vec<usize>)> {
        let new = self.known.iter().rev().find(|group| group.first == document)?.id;
        let oldest = (newest + 1).checked_sub(self.window.len())?;
        let is_old = |&(place, &group): &(usize, &GroupId)| {
            oldest + place < document && matches!(self.standing(group), Standing::Known | Standing::Former)
        };
        let older = self.window.iter().enumerate().filter(is_old).map(|(place, _)| place);
        let newer =
            self.window.iter().enumerate().filter(|(place, group)| **group == new && oldest + place >= document);
        Some((older.collect(), newer.map(|(place, _)| place).collect()))
    }
}
