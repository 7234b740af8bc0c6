//! `Transfer-Encoding: chunked`: a body in pieces, each with its length before it.

use std::borrow::Cow;

/// The pieces of a body, joined, as far as they go. Many crawlers write the body joined and keep the
/// header: what does not begin with a length is taken as it is.
pub(super) fn join(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some((mut length, mut rest)) = chunk(bytes) else {
        return bytes.into();
    };
    let mut joined = Vec::with_capacity(bytes.len());
    while length > 0 {
        let (piece, behind) = rest.split_at(rest.len().min(length));
        joined.extend_from_slice(piece);
        let behind = behind.strip_prefix(b"\r").unwrap_or(behind);
        let behind = behind.strip_prefix(b"\n").unwrap_or(behind);
        match chunk(behind) {
            Some(next) => (length, rest) = next,
            None => break,
        }
    }
    joined.into()
}

/// The length of the next piece, and what stands behind the line that says it.
fn chunk(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = memchr::memchr(b'\n', bytes.get(..MOST_LINE).unwrap_or(bytes))?;
    let line = bytes[..end].split(|&byte| byte == b';').next()?;
    let length = usize::from_str_radix(str::from_utf8(line.trim_ascii()).ok()?, 16).ok()?;
    Some((length, &bytes[end + 1..]))
}

/// The longest line with a length.
const MOST_LINE: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn pieces_are_joined() {
        assert_eq!(join(b"3\r\nabc\r\n2;name=value\r\nde\r\n0\r\n\r\n").as_ref(), b"abcde");
        assert_eq!(join(b"3\nabc\n002 \nde\n0\n").as_ref(), b"abcde");
        assert_eq!(join(b"0\r\n\r\n").as_ref(), b"");
    }

    #[test]
    fn what_ends_early_is_read_as_far_as_it_goes() {
        assert_eq!(join(b"3\r\nabc\r\n9\r\nde").as_ref(), b"abcde");
        assert_eq!(join(b"3\r\nabc\r\nnonsense").as_ref(), b"abc");
        assert_eq!(join(b"ffffffffffffffff\r\nabc").as_ref(), b"abc");
        assert_eq!(join(b"ffffffffffffffffff\r\nabc").as_ref(), b"ffffffffffffffffff\r\nabc");
    }
}
