//! SURT keys, under which an index files URLs: `org,example)/path?query`.
//!
//! Hosts are turned round, so that sorted lines keep a site and its subdomains together; what makes no
//! difference to a server, by long experience of archives, is left out: the scheme, `www.`, the user, the
//! usual port, upper case, session ids, the order of parameters. All indexes of the field must agree on the
//! key of a URL, so this does what the Python package `surt` does, odd corners too; `tests/it/surt_keys.rs`
//! compares with what it says.

mod escape;
mod host;
mod session;
mod split;

use escape::{escape, unescape};
use split::Parts;

/// The key of a URL. What cannot be read as one is its own key, and an empty one is filed under `-`.
#[must_use]
pub fn key(url: &str) -> String {
    if url.is_empty() {
        return "-".to_owned();
    }
    if url.starts_with("filedesc") {
        return url.to_owned();
    }
    Parts::of(url.as_bytes()).map(key_of).and_then(|key| String::from_utf8(key).ok()).unwrap_or_else(|| url.to_owned())
}

fn key_of(parts: Parts) -> Vec<u8> {
    let Parts { scheme, host, port, path, query } = parts;
    let host = host::canonical(host, &scheme);
    let path = path_of(path, !host.is_empty());
    let query = query_of(query);
    let mut key = Vec::new();
    if host.is_empty() {
        key.extend_from_slice(&scheme);
        key.push(b':');
    } else {
        let labels: Vec<_> = host.split(|&byte| byte == b'.').rev().collect();
        key.extend(labels.join(&b','));
        let usual = [(b"http".as_slice(), 80), (b"https", 443)]
            .iter()
            .any(|&(name, usual)| scheme.eq_ignore_ascii_case(name) && port == Some(usual));
        if let (Some(port), false) = (port, usual) {
            key.extend_from_slice(format!(":{port}").as_bytes());
        }
        key.push(b')');
    }
    if path.is_empty() && !query.is_empty() {
        key.push(b'/');
    }
    key.extend(path);
    if !query.is_empty() {
        key.push(b'?');
        key.extend(query);
    }
    key
}

/// A path without session ids, in lower case, without a slash at its end.
fn path_of(path: Vec<u8>, has_host: bool) -> Vec<u8> {
    let plain = unescape(path);
    let mut path = escape(&if has_host { normal(&plain) } else { plain });
    path.make_ascii_lowercase();
    let mut path = session::strip_path(path);
    if path.len() > 1 && path.ends_with(b"/") {
        path.pop();
    }
    path
}

/// Without `.`, `..` and empty steps.
fn normal(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for step in path.split(|&byte| byte == b'/').skip(1) {
        match step {
            b"." => {}
            b".." if kept.pop().is_some() => {}
            _ => kept.push(step),
        }
    }
    let last = kept.pop().unwrap_or_default();
    let mut path = vec![b'/'];
    for step in kept.into_iter().filter(|step| !step.is_empty()) {
        path.extend_from_slice(step);
        path.push(b'/');
    }
    path.extend_from_slice(last);
    path
}

/// A query without session ids, in lower case, its parameters in order.
fn query_of(query: Vec<u8>) -> Vec<u8> {
    let mut query = session::strip_query(escape(&unescape(query)));
    query.make_ascii_lowercase();
    let mut parameters: Vec<_> = query.split(|&byte| byte == b'&').map(parameter).collect();
    parameters.sort_unstable();
    let written = parameters.into_iter().map(|(name, value)| match value {
        None => name.to_vec(),
        Some(value) => [name, b"=", value].concat(),
    });
    written.collect::<Vec<_>>().join(&b'&')
}

/// Name and value; `a` and `a=` are two things.
fn parameter(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match memchr::memchr(b'=', text) {
        None => (text, None),
        Some(at) => (&text[..at], Some(&text[at + 1..])),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::key;

    #[test]
    fn what_makes_no_difference_is_left_out() {
        let same = "org,example)/path?a=1&b=2";
        for url in [
            "http://example.org/path?a=1&b=2",
            "https://user:secret@www2.Example.ORG:443/./x/..//PATH/?b=2&a=1#there",
            "http://example.org/p%2561th?b=2&sid=0123456789abcdef0123456789ABCDEF&a=1",
        ] {
            assert_eq!(key(url), same, "{url}");
        }
    }

    #[test]
    fn what_is_no_url_is_its_own_key() {
        assert_eq!(key(""), "-");
        assert_eq!(key("filedesc://A.arc"), "filedesc://A.arc");
        assert_eq!(key("http://example.org:port/A"), "http://example.org:port/A");
        assert_eq!(key(" "), " ");
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic(url in "(?s)(http|dns|)(:|)(//|)([ -~]|%[0-9A-F]{2}|[@:./?&=%]|\\PC){0,60}") {
            let key = key(&url);
            prop_assert!(key.is_ascii() || key == url);
        }
    }
}
