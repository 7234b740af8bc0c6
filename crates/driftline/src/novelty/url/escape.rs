//! Which characters of an address are escaped? Those that RFC 3986 lets stand for themselves are not.

/// How a character is written in one part of an address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// By itself, however it was written.
    Bare,
    /// Bare and escaped it means two things: it stays as it was written.
    AsWritten,
    /// As `%XX`.
    Escaped,
}

/// The standing of every byte.
pub(super) type Part = [Standing; 256];

/// A slash separates; all that RFC 3986 calls `pchar` stands for itself.
pub(super) static PATH: Part = part(b"-._~!$&'()*+,;=:@", b"/");

/// Forms give `&`, `=`, `+` and `;` a meaning. Browsers escape `'`.
pub(super) static QUERY: Part = part(b"-._~!$()*,:@", b"&=+;/?");

const fn part(bare: &[u8], as_written: &[u8]) -> Part {
    let mut part = [Standing::Escaped; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        if byte.is_ascii_alphanumeric() {
            part[byte as usize] = Standing::Bare;
        }
        byte += 1;
    }
    set(set(part, bare, Standing::Bare), as_written, Standing::AsWritten)
}

const fn set(mut part: Part, bytes: &[u8], standing: Standing) -> Part {
    let mut place = 0;
    while place < bytes.len() {
        part[bytes[place] as usize] = standing;
        place += 1;
    }
    part
}

/// Writes `text` behind `key`, each character as it is written in this part.
pub(super) fn push(key: &mut String, text: &str, part: &Part) {
    let mut rest = text.as_bytes();
    while let Some(&first) = rest.first() {
        let escaped = byte_of(rest);
        let byte = escaped.unwrap_or(first);
        match (part[usize::from(byte)], escaped) {
            (Standing::Bare, _) | (Standing::AsWritten, None) => key.push(char::from(byte)),
            _ => push_escaped(key, byte),
        }
        rest = &rest[if escaped.is_some() { 3 } else { 1 }..];
    }
}

fn push_escaped(key: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    key.push('%');
    key.push(char::from(DIGITS[usize::from(byte >> 4)]));
    key.push(char::from(DIGITS[usize::from(byte & 15)]));
}

/// The byte that an escape at the beginning of the text stands for: `%E4`.
pub(super) fn byte_of(text: &[u8]) -> Option<u8> {
    let digit = |place: usize| char::from(*text.get(place)?).to_digit(16);
    if text.first() != Some(&b'%') {
        return None;
    }
    u8::try_from(digit(1)? * 16 + digit(2)?).ok()
}
