//! The digests that a record states, compared with its bytes as they stream by.

mod chunks;
pub(crate) mod noted;

use driftline_catalog::digest::{Digest, Digester, Mismatch};

use crate::http::Head;
use crate::warc::{Kind, Record};
use chunks::Joined;

/// The digests of a record's block and of its payload.
pub(crate) struct Stated {
    block: Check,
    payload: Check,
}

/// Those of the two that are wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Mismatches {
    pub(crate) block: Option<Mismatch>,
    pub(crate) payload: Option<Mismatch>,
}

impl Stated {
    /// Of a record whose block begins with these bytes, among them the head of its answer if it has one.
    pub(crate) fn of(record: &Record, start: &[u8]) -> Self {
        let is_http = matches!(record.kind, Kind::Response | Kind::Revisit);
        let head = is_http.then(|| Head::parse(start)).and_then(Result::ok);
        let is_chunked = head.as_ref().is_some_and(|(head, _)| head.is_chunked());
        // What a browser's extension answered looks like HTTP, and its payload is all of it: so do others see it.
        let is_of_web = record.target_uri.as_deref().is_none_or(|url| url.starts_with("http"));
        let body = head.filter(|_| is_of_web).map_or(start, |(_, body)| body);
        // The payload digest of a revisit is that of its original, and the payload of a record in several parts is in all of
        // them.
        let has_payload = matches!(record.kind, Kind::Response | Kind::Resource | Kind::Conversion)
            && record.headers.get("WARC-Segment-Number").is_none();
        let mut block = Check::of(record, "WARC-Block-Digest");
        let mut payload = if has_payload { Check::of(record, "WARC-Payload-Digest") } else { Check::default() };
        if is_chunked {
            payload.accept_joined();
        }
        block.update(start);
        payload.update(body);
        Self { block, payload }
    }

    /// Takes more of the block.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.block.update(bytes);
        self.payload.update(bytes);
    }

    /// What is wrong, after the last byte. A digest that is missing, or of an unknown algorithm, is not.
    pub(crate) fn finish(self) -> Mismatches {
        Mismatches { block: self.block.finish(), payload: self.payload.finish() }
    }
}

impl Mismatches {
    /// Both of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Mismatch> {
        self.block.iter().chain(&self.payload)
    }
}

/// One stated digest, and those that the bytes have: as they are, and joined if they are in chunks.
#[derive(Default)]
struct Check {
    stated: Option<(Digest, Digester)>,
    joined: Option<Joined>,
}

impl Check {
    fn of(record: &Record, name: &str) -> Self {
        let stated: Option<Digest> = record.headers.get(name).and_then(|text| text.parse().ok());
        let stated = stated.map(|digest| (digest.clone(), Digester::new(digest.algorithm)));
        Self { stated, joined: None }
    }

    /// The digest may also be that of the body without its chunks.
    fn accept_joined(&mut self) {
        self.joined = self.stated.as_ref().map(|(stated, _)| Joined::new(stated.algorithm));
    }

    fn update(&mut self, bytes: &[u8]) {
        if let Some((_, digester)) = &mut self.stated {
            digester.update(bytes);
        }
        if let Some(joined) = &mut self.joined {
            joined.update(bytes);
        }
    }

    fn finish(self) -> Option<Mismatch> {
        let (stated, digester) = self.stated?;
        let found = digester.finish();
        let is_joined = || self.joined.is_some_and(|joined| joined.finish() == stated);
        (found != stated && !is_joined()).then_some(Mismatch { stated, found })
    }
}
