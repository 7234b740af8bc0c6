//! Which capture does an address mean? And if none: what is there instead?

use std::sync::Arc;

use anyhow::{Result, anyhow};
use driftline_archive::{Archive, Time};
use driftline_catalog::address::When;
use driftline_catalog::{Address, CaptureKind};

use super::{Held, Holdings, Role};
use crate::tell;

impl Holdings {
    /// The capture that an address means. Where it means a page and there is none, that is told.
    pub(crate) fn find(&self, address: &Address) -> Result<Held> {
        let held = match self {
            Self::Files(collection) => Held::File(*collection.find(address)?),
            Self::Archive(archive) => match archive.find(address)? {
                Some(stored) => Held::Stored(Arc::new(stored)),
                None => return Err(not_found(archive, address)),
            },
        };
        let is_any = matches!(address.when, When::Exactly(_));
        if !is_any && matches!(self.role(&held), Role::Redirect | Role::Failure) && !Self::is_unmodified(&held) {
            let (url, at) = (&address.url, Self::at(&held).digits());
            tell::warning(format_args!("no capture of `{url}` is a page; the one of {at} is an error or a redirect"));
        }
        Ok(held)
    }

    /// Does it stand for the capture before it?
    fn is_unmodified(held: &Held) -> bool {
        match held {
            Held::File(entry) => entry.is_page(),
            Held::Stored(stored) => stored.capture.kind == CaptureKind::Revisit && stored.capture.status == Some(304),
        }
    }
}

/// What there is instead of a capture that is not there.
fn not_found(archive: &Archive, address: &Address) -> anyhow::Error {
    let url = &address.url;
    let captures = match archive.captures_of(url) {
        Ok(captures) => captures,
        Err(error) => return error.into(),
    };
    let times = || captures.iter().map(|own| own.capture.at);
    // Whoever does not ask for one moment finds whatever there is.
    let nearest = match address.when {
        When::Exactly(at) => times().min_by_key(|own| own.distance(at)).map(|nearest| (at, nearest)),
        _ => None,
    };
    let (Some((at, nearest)), Some(first), Some(last)) = (nearest, times().min(), times().max()) else {
        return anyhow!("there is no capture of `{url}`\nhint: `driftline archive list` shows what there is");
    };
    let [at, nearest, first, last] = [at, nearest, first, last].map(Time::digits);
    anyhow!(
        "there is no capture of `{url}` at {at}; the nearest is of {nearest}\nhint: write `{url}@={nearest}` for that \
         one; there are {}, from {first} to {last}",
        captures.len()
    )
}
