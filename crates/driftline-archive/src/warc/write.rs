//! How is a record written? WARC 1.1, each record packed by itself, so that it can be read alone.
//!
//! The head of a record is lines, so no value may break one: addresses are escaped as browsers do it, and
//! anything else with a line break in it is refused.

mod packing;
mod record;

pub use packing::Packing;
pub(crate) use record::warcinfo;
pub use record::{NewRecord, Profile, Whole};

/// What no WARC file can hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{name}` cannot be written to a WARC file: `{value}` has a line break or is no name\nhint: leave it out, or escape it"
)]
pub struct Unwritable {
    name: String,
    value: String,
}

impl Unwritable {
    fn new(name: &str, value: &str) -> Self {
        let shown = |text: &str| text.escape_debug().take(100).collect();
        Self { name: shown(name), value: shown(value) }
    }
}

/// An address as it stands in WARC files: without blanks, control characters and letters beyond ASCII.
#[must_use]
pub fn target_uri(url: &str) -> String {
    use std::fmt::Write;
    let mut written = String::with_capacity(url.len());
    for byte in url.trim_matches(|letter: char| letter <= ' ').bytes() {
        if byte.is_ascii_graphic() {
            written.push(char::from(byte));
        } else {
            let _ = write!(written, "%{byte:02X}");
        }
    }
    written
}

/// Lines `name: value`, as records `warcinfo` and `metadata` hold them.
///
/// # Errors
/// If a name is none. Line breaks in values become blanks.
pub fn fields<'a>(lines: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Vec<u8>, Unwritable> {
    let mut block = Vec::new();
    for (name, value) in lines {
        if !is_name(name) {
            return Err(Unwritable::new(name, value));
        }
        let value: String = value.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        block.extend_from_slice(format!("{name}: {}\r\n", value.trim()).as_bytes());
    }
    Ok(block)
}

/// A name of a header: letters, digits and a few signs.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::{fields, target_uri};

    #[test]
    fn no_address_breaks_a_line() {
        assert_eq!(target_uri(" http://example.org/a b\r\nX: y\n"), "http://example.org/a%20b%0D%0AX:%20y");
        assert_eq!(target_uri("http://example.org/é?%C3"), "http://example.org/%C3%A9?%C3");
        assert_eq!(target_uri("http://example.org/\u{7f}\u{85}\u{2028}"), "http://example.org/%7F%C2%85%E2%80%A8");
    }

    #[test]
    fn no_field_breaks_a_line() {
        let block = fields([("via", "a\r\nWARC-Type: response\u{85}b")]).unwrap();
        assert_eq!(block, b"via: a  WARC-Type: response b\r\n");
        for name in ["", "a:b", "a b", "a\r\nb", "é"] {
            assert!(fields([(name, "value")]).is_err(), "{name:?}");
        }
    }
}
