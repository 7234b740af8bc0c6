//! What is remembered of a capture while it is decided whether it goes: no more than a line of an index, since there may
//! be millions.

use std::sync::Arc;

use super::super::choice::Candidate;
use crate::Time;
use crate::address::is_page;
use crate::catalog::{CaptureKind, StoredCapture};
use crate::digest::{Algorithm, Digester};

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
    pub(super) fn new(stored: &StoredCapture, segment: Arc<str>) -> Self {
        let capture = &stored.capture;
        Self {
            id: stored.id,
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
}

/// The captures of one address in the order of time, as the rules see them.
pub(super) fn candidates(captures: &[Held]) -> Vec<Candidate> {
    let mut before: Option<&Held> = None;
    let candidate = |own| {
        let own: &Held = own;
        let is_version = !own.is_passed_over() && before.is_none_or(|before| own.differs(before));
        if !own.is_passed_over() {
            before = Some(own);
        }
        Candidate { id: own.id, at: own.at, bytes: own.length, is_version, weight: 0.0 }
    };
    captures.iter().map(candidate).collect()
}
