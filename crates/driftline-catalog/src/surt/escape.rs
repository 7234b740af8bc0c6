//! Escapes: all of them undone, however often they were made, then those made that are needed.

/// Undoes escapes until there are none. Each is undone as soon as it stands there, so that a URL of a million
/// nested ones takes one pass.
pub(super) fn unescape(text: Vec<u8>) -> Vec<u8> {
    if memchr::memchr(b'%', &text).is_none() {
        return text;
    }
    let mut plain: Vec<u8> = Vec::with_capacity(text.len());
    for byte in text {
        plain.push(byte);
        while let [.., b'%', high, low] = plain[..] {
            let (Some(high), Some(low)) = (digit(high), digit(low)) else { break };
            plain.truncate(plain.len() - 3);
            plain.push(high << 4 | low);
        }
    }
    plain
}

/// Escapes what is not printable, blanks, `#` and `%`.
pub(super) fn escape(text: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(text.len());
    for &byte in text {
        if byte.is_ascii_graphic() && !b"#%".contains(&byte) {
            escaped.push(byte);
        } else {
            escaped.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
    escaped
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::{escape, unescape};

    #[test]
    fn escapes_within_escapes_are_undone() {
        for (text, plain) in [("%2525%41", "%A"), ("%%3441", "D1"), ("%4%31", "A"), ("%zz%", "%zz%")] {
            assert_eq!(unescape(text.into()), plain.as_bytes(), "{text}");
        }
        assert_eq!(escape("a b#%é~".as_bytes()), b"a%20b%23%25%C3%A9~");
    }
}
