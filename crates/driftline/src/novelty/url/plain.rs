//! Is an address canonical as it stands? Nearly all links are, and a crawl has billions: no parser is asked for them.
//!
//! Here is read only what cannot be spelt in another way: a lower-case ASCII name of a host, a path that begins with a
//! slash and has no dot segments, and characters and escapes that stay as they are. All else goes the long way.

use super::escape::{self, Part, Standing};
use super::{Canonical, LONGEST, SCHEME_AND_WWW, drop_index, push_name};

/// The canonical form of an address that is written plainly.
pub(super) fn read(url: &str) -> Option<Canonical> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let (host, rest) = rest.split_at(rest.find('/')?);
    let rest = rest.split_once('#').map_or(rest, |(rest, _)| rest);
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let is_plain = is_name(host)
        && is_written_so(path, &escape::PATH)
        && is_written_so(query, &escape::QUERY)
        && !path.contains("/.")
        && rest.len() + host.len() + SCHEME_AND_WWW <= LONGEST;
    if !is_plain {
        return None;
    }
    let mut key = String::with_capacity(host.len() + rest.len());
    let www = push_name(&mut key, host);
    key.push_str(path);
    drop_index(&mut key);
    if !query.is_empty() {
        key.push('?');
        key.push_str(query);
    }
    Some(Canonical { key, www })
}

/// Labels of lower-case letters, digits and hyphens, the last one beginning with a letter, none of them encoded.
fn is_name(host: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with("xn--")
            && label.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
    };
    let (labels, last) = host.rsplit_once('.').unwrap_or(("www", host));
    labels.split('.').all(is_label) && is_label(last) && last.starts_with(|first: char| first.is_ascii_lowercase())
}

/// Is every character written as it is in this part of an address?
fn is_written_so(text: &str, part: &Part) -> bool {
    let bytes = text.as_bytes();
    let mut place = 0;
    while let Some(&byte) = bytes.get(place) {
        if part[usize::from(byte)] != Standing::Escaped {
            place += 1;
            continue;
        }
        let is_kept = escape::byte_of(&bytes[place..]).is_some_and(|byte| part[usize::from(byte)] != Standing::Bare)
            && !bytes[place + 1..place + 3].iter().any(u8::is_ascii_lowercase);
        if !is_kept {
            return false;
        }
        place += 3;
    }
    true
}
