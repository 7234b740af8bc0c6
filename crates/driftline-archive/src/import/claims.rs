//! Who brings this capture? Two files that are read at once may hold the same one.
//!
//! A capture is claimed before the catalog is asked whether it knows it, and released once the catalog does. So it
//! is in one of the two whenever somebody asks, and only what is on its way takes memory.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use sha1::{Digest, Sha1};

use driftline_catalog::seconds::second;
use driftline_catalog::{Identity, NewCapture};

/// What is on its way, by where and when it was captured.
#[derive(Debug, Default)]
pub(super) struct Claims(Mutex<HashMap<Moment, Vec<Identity>>>);

/// A URL, a second and a kind.
type Moment = [u8; 20];

/// A capture that somebody brings.
#[derive(Debug)]
pub(super) struct Claim {
    moment: Moment,
    identity: Identity,
}

impl Claims {
    /// Claims a capture; none if somebody has it already.
    pub(super) fn claim(&self, capture: &NewCapture) -> Option<Claim> {
        let (moment, identity) = (moment(capture), Identity::of(capture));
        let mut claimed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let others = claimed.entry(moment).or_default();
        if others.iter().any(|other| identity.is_same(other)) {
            return None;
        }
        others.push(identity.clone());
        Some(Claim { moment, identity })
    }

    pub(super) fn release(&self, claims: &[Claim]) {
        let mut claimed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for claim in claims {
            let Some(others) = claimed.get_mut(&claim.moment) else { continue };
            if let Some(place) = others.iter().position(|other| *other == claim.identity) {
                others.swap_remove(place);
            }
            if others.is_empty() {
                claimed.remove(&claim.moment);
            }
        }
    }
}

fn moment(capture: &NewCapture) -> Moment {
    let mut sha1 = Sha1::new();
    sha1.update(format!("{:?} {} ", capture.kind, second(capture.at)));
    sha1.update(&capture.url);
    sha1.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::Claims;
    use driftline_catalog::{CaptureKind, NewCapture};

    fn redirect(record: Option<&str>, status: u16) -> NewCapture {
        NewCapture {
            url: "http://a/".to_owned(),
            key: "a)/".to_owned(),
            at: "2020".parse().unwrap(),
            kind: CaptureKind::Response,
            status: Some(status),
            mime: None,
            digest: Some("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ".to_owned()),
            payload_length: Some(0),
            redirect: None,
            record_id: record.map(str::to_owned),
            refers_to: None,
            origin: None,
            body_digest: None,
            offset: 0,
            length: 1,
        }
    }

    #[test]
    fn a_capture_is_claimed_once_until_it_is_released() {
        let claims = Claims::default();
        let first = claims.claim(&redirect(Some("urn:1"), 302)).unwrap();
        assert!(claims.claim(&redirect(Some("urn:1"), 302)).is_none());
        assert!(claims.claim(&redirect(Some("urn:2"), 302)).is_none(), "another id is the same capture");
        let to = NewCapture { redirect: Some("http://b/".to_owned()), ..redirect(Some("urn:2"), 302) };
        let second = claims.claim(&to).expect("redirects to two places are two");
        assert!(claims.claim(&redirect(None, 302)).is_none());
        assert!(claims.claim(&redirect(None, 301)).is_some(), "another status is another answer");
        let other = NewCapture {
            digest: Some("sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA".to_owned()),
            ..redirect(Some("urn:1"), 302)
        };
        assert!(claims.claim(&other).is_some(), "another content is another capture, whatever its id");
        claims.release(&[first, second]);
        assert!(claims.claim(&redirect(Some("urn:1"), 302)).is_some());
    }
}
