//! What is remembered of a capture while it is decided whether it goes: no more than a line of an index, since there may
//! be millions.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

pub(super) use driftline::page::RENDERED;

use super::super::choice::{Candidate, Protection};
use crate::Time;
use driftline_catalog::address::is_page;
use driftline_catalog::digest::{Algorithm, Digester};
use driftline_catalog::{CaptureKind, StoredCapture};

/// A text, told by 128 bits of its SHA-256: nobody can make two of them alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Print([u8; 16]);

impl Print {
    pub(super) fn of(text: &str) -> Self {
        let mut digester = Digester::new(Algorithm::Sha256);
        digester.update(text.as_bytes());
        let mut print = [0; 16];
        print.iter_mut().zip(digester.finish().as_bytes()).for_each(|(own, byte)| *own = *byte);
        Self(print)
    }
}

/// A capture.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) id: i64,
    pub(super) url: Arc<str>,
    pub(super) at: Time,
    pub(super) is_revisit: bool,
    status: Option<u16>,
    pub(super) digest: Option<Print>,
    pub(super) name: Option<Print>,
    pub(super) segment: Arc<str>,
    pub(super) offset: u64,
    pub(super) length: u64,
}

impl Held {
    pub(super) fn new(stored: &StoredCapture, url: Arc<str>, segment: Arc<str>) -> Self {
        let capture = &stored.capture;
        Self {
            id: stored.id,
            url,
            at: capture.at,
            is_revisit: capture.kind == CaptureKind::Revisit,
            status: capture.status,
            digest: capture.digest.as_deref().map(Print::of),
            name: capture.record_id.as_deref().map(Print::of),
            segment,
            offset: capture.offset,
            length: capture.length,
        }
    }

    /// Whether the view of versions passes over it: an error, a redirect, "not modified", a revisit of an unknown body.
    fn is_passed_over(&self) -> bool {
        !is_page(self.status, self.is_revisit) || self.status == Some(304) || self.is_revisit && self.digest.is_none()
    }

    /// Does it differ from the page before? A status that is not known is no difference.
    fn differs(&self, before: &Self) -> bool {
        let status = self.status.zip(before.status).is_some_and(|(own, before)| own != before);
        self.digest != before.digest || status
    }

    /// Its rank as the capture that is compared: the page as the browser made it, the page, anything else, a picture.
    fn rank(&self) -> u8 {
        match (&*self.url, self.is_passed_over()) {
            (url, _) if url.starts_with(VIEW) => 3,
            (url, false) if url.starts_with(RENDERED) => 0,
            (_, false) => 1,
            (_, true) => 2,
        }
    }
}

/// The beginning of the address of a picture that a browser made of a page; the address of the page follows.
pub(super) const VIEW: &str = "urn:view:";

/// The captures of a page that were made together, which stay or go together: the page, redirects that led to it, and what
/// a browser made of it.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) at: Time,
    pub(super) captures: Vec<Held>,
}

/// The captures of the addresses of a page, in groups of the same time. Two captures of one address at one time are in
/// two groups.
pub(super) fn groups(mut captures: Vec<Held>) -> Vec<Group> {
    captures.sort_by_key(|one| (one.at, one.id));
    let mut groups: BTreeMap<(Time, usize), Vec<Held>> = BTreeMap::new();
    let mut met: HashMap<(Arc<str>, Time), usize> = HashMap::new();
    for held in captures {
        let number = met.entry((Arc::clone(&held.url), held.at)).or_default();
        groups.entry((held.at, *number)).or_default().push(held);
        *number += 1;
    }
    groups.into_iter().map(|((at, _), captures)| Group { at, captures }).collect()
}

impl Group {
    /// The capture that is compared with that of other groups.
    pub(super) fn main(&self) -> &Held {
        let main = self.captures.iter().min_by_key(|held| held.rank());
        main.unwrap_or_else(|| unreachable!("a group has the capture that it was made for"))
    }

    fn is_page(&self) -> bool {
        self.main().rank() < 2
    }

    /// As the rules see it, but for whether it is a version, and whether it has to stay.
    pub(super) fn candidate(&self) -> Candidate {
        Candidate {
            id: self.main().id,
            at: self.at,
            bytes: self.captures.iter().map(|held| held.length).sum(),
            is_page: self.is_page(),
            is_version: false,
            weight: 0.0,
            protection: Protection::None,
        }
    }
}

/// Which of these groups, given in the order of time, differ from the one before.
pub(super) fn versions(groups: &[Group], places: &[usize]) -> Vec<bool> {
    let mut before: Option<&Held> = None;
    let is_version = |place: &usize| {
        let group = &groups[*place];
        let main = group.main();
        let is_version =
            group.is_page() && before.is_none_or(|before| main.differs(before) || main.rank() != before.rank());
        if group.is_page() {
            before = Some(main);
        }
        is_version
    };
    places.iter().map(is_version).collect()
}
