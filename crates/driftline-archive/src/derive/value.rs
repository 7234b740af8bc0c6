//! How is a derived value kept? Text as it is, the rest as JSON; all of it packed with zstd.

use std::io::{self, Read};

use driftline::page::LinkKind;
use driftline::redesign::template::Template;
use serde::Serialize;

use super::{Kind, Reading};

/// A link, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Link<'a> {
    /// What it points to.
    pub url: String,
    /// What it is for.
    pub kind: LinkKind,
    /// The text that a reader clicks.
    pub text: &'a str,
}

/// A value that cannot be unpacked.
#[derive(Debug, thiserror::Error)]
#[error("a derived value is damaged\nhint: run `driftline archive rebuild --all`")]
pub struct DamagedValue(#[source] io::Error);

/// How hard zstd tries: the usual.
const LEVEL: i32 = 3;
/// The most that is unpacked: what the largest page can become.
const MOST_BYTES: u64 = 1 << 30;

/// Makes a value; none if it is not made from one capture, an empty one if nothing can be read.
pub(super) fn make(kind: Kind, reading: &Reading) -> Option<Vec<u8>> {
    let Reading::Page(page) = reading else {
        return (kind != Kind::Change).then(Vec::new);
    };
    Some(match kind {
        Kind::Change => return None,
        Kind::Text => page.text().as_bytes().to_vec(),
        Kind::Links => {
            let links: Vec<_> =
                page.links().map(|link| Link { url: link.url, kind: link.kind, text: link.text }).collect();
            json(&links)
        }
        Kind::Template => json(&Template::of(page, Template::SHINGLE_LENGTH)),
    })
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("numbers, texts and lists become JSON")
}

/// Packs a value.
pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, LEVEL).expect("memory takes all that is written")
}

/// Unpacks a value: text for [`Kind::Text`], a JSON array of links, or a JSON
/// [`Template`](driftline::redesign::template::Template). Nothing at all means that the capture is no text.
///
/// # Errors
/// If it is damaged.
pub fn unpack(packed: &[u8]) -> Result<Vec<u8>, DamagedValue> {
    let mut bytes = Vec::new();
    let decoder = zstd::Decoder::new(packed).map_err(DamagedValue)?;
    decoder.take(MOST_BYTES).read_to_end(&mut bytes).map_err(DamagedValue)?;
    Ok(bytes)
}
