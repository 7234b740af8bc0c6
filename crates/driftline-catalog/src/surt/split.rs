//! The parts of a URL, split as archives always did it: by RFC 2396, with mercy.

/// What a key is made of.
pub(super) struct Parts {
    pub(super) scheme: Vec<u8>,
    /// Empty if there is none.
    pub(super) host: Vec<u8>,
    pub(super) port: Option<u16>,
    pub(super) path: Vec<u8>,
    pub(super) query: Vec<u8>,
}

impl Parts {
    /// None if there is nothing, or if the port is no number.
    pub(super) fn of(url: &[u8]) -> Option<Self> {
        let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
        let start = url.iter().position(|byte| !is_space(byte))?;
        let end = url.iter().rposition(|byte| !is_space(byte))? + 1;
        let url: Vec<u8> = url[start..end].iter().copied().filter(|byte| !b"\n\r\t".contains(byte)).collect();
        let url = one_scheme(url);
        let colon = memchr::memchr(b':', &url)?;
        let (scheme, rest) = (url[..colon].to_vec(), &url[colon + 1..]);
        let rest = &rest[..memchr::memchr(b'#', rest).unwrap_or(rest.len())];
        let (rest, query) = rest.split_at(memchr::memchr(b'?', rest).unwrap_or(rest.len()));
        let query = query.get(1..).unwrap_or_default().to_vec();
        let (authority, path) = match rest.strip_prefix(b"//") {
            None => (b"".as_slice(), rest),
            Some(rest) => rest.split_at(memchr::memchr(b'/', rest).unwrap_or(rest.len())),
        };
        let (mut host, port) = host_and_port(authority)?;
        let mut path = path.to_vec();
        if host.is_empty() && scheme.starts_with(b"http") && !path.is_empty() {
            // `http:////example.org/`: the first step is the host.
            let first = path.iter().position(|&byte| byte != b'/').unwrap_or(path.len());
            let end = memchr::memchr(b'/', &path[first..]).map_or(path.len(), |end| first + end);
            host = path[first..end].to_vec();
            path = [b"/", path.get(end + 1..).unwrap_or_default()].concat();
        }
        Some(Self { scheme, host, port, path, query })
    }
}

/// With a scheme, and with the last of `http://https://`.
fn one_scheme(url: Vec<u8>) -> Vec<u8> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let end = url.iter().position(|byte| !is_part(byte)).unwrap_or(url.len());
    let has_scheme = url.first().is_some_and(u8::is_ascii_alphabetic) && url.get(end) == Some(&b':');
    let url = if has_scheme { url } else { [b"http://".as_slice(), &url].concat() };
    let mut start = 0;
    let more = |from: usize| [b"http://".as_slice(), b"https://"].into_iter().find(|own| url[from..].starts_with(own));
    while let Some(scheme) = more(start).filter(|scheme| more(start + scheme.len()).is_some()) {
        start += scheme.len();
    }
    url[start..].to_vec()
}

/// What `user@host:port` says.
fn host_and_port(authority: &[u8]) -> Option<(Vec<u8>, Option<u16>)> {
    let end = authority.iter().rposition(|&byte| byte != b':').map_or(0, |last| last + 1);
    let authority = &authority[..end];
    let own = &authority[memchr::memrchr(b'@', authority).map_or(0, |at| at + 1)..];
    let (host, rest) = match memchr::memchr(b'[', own) {
        None => own.split_at(memchr::memchr(b':', own).unwrap_or(own.len())),
        Some(open) => {
            let bracketed = &own[open + 1..];
            let close = memchr::memchr(b']', bracketed).unwrap_or(bracketed.len());
            let rest = bracketed.get(close + 1..).unwrap_or_default();
            (&bracketed[..close], &rest[memchr::memchr(b':', rest).unwrap_or(rest.len())..])
        }
    };
    let port = match rest.strip_prefix(b":") {
        None => None,
        Some(digits) if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
            let number =
                digits.iter().try_fold(0_u16, |sum, digit| sum.checked_mul(10)?.checked_add(u16::from(digit - b'0')));
            Some(number?).filter(|&port| port != 0)
        }
        Some(_) => return None,
    };
    Some((host.to_vec(), port))
}
