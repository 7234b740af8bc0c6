//! Addresses of the web: as people type them, and as browsers write them.

use std::borrow::Cow;

use driftline_fetch::guard::reason;
use url::{ParseError, Url};

use super::password::without_password;

/// The longest address.
const MOST_BYTES: usize = 8_192;

/// A typed address with its scheme: `example.org/a` is `https://example.org/a`. Any other text is returned as it is.
#[must_use]
pub fn completed(typed: &str) -> Cow<'_, str> {
    let bare = typed.trim();
    if is_bare(bare) { Cow::Owned(format!("https://{bare}")) } else { Cow::Borrowed(typed) }
}

/// Whether a text is a host, perhaps with a port and a path, and no scheme before it.
fn is_bare(text: &str) -> bool {
    let authority = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !authority.ends_with(']') => (host, port),
        _ => (authority, ""),
    };
    let is_host = host.eq_ignore_ascii_case("localhost") || host.starts_with('[') || host.contains('.');
    let is_plain = host.starts_with(|first: char| first.is_alphanumeric() || first == '[')
        && !authority.contains(['@', '\\'])
        && !text.contains(char::is_whitespace);
    let is_named = is_host && is_plain && port.bytes().all(|byte| byte.is_ascii_digit());
    is_named && Url::parse(&format!("https://{text}")).is_ok_and(|url| url.has_host())
}

/// An address of the web, as browsers write it.
pub(super) fn address(text: &str) -> Result<String, String> {
    if text.len() > MOST_BYTES {
        return Err(format!("an address has at most {MOST_BYTES} bytes"));
    }
    if let Cow::Owned(whole) = completed(text) {
        let meant = Url::parse(&whole).map_or(whole, String::from);
        return Err(format!("`{}` is not a full URL\nhint: did you mean `{meant}`?", text.trim()));
    }
    let url = Url::parse(text.trim()).map_err(|error| {
        let (hint, text) = ("\nhint: an address begins with `https://` or `http://`", without_password(text));
        match error {
            ParseError::RelativeUrlWithoutBase => format!("`{text}` is not a full URL{hint}"),
            error => format!("`{text}` is not a valid address: {}{hint}", reason(error)),
        }
    })?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(format!("`{}:` is not watched\nhint: only `http:` and `https:` are", url.scheme()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        let hint = "hint: write `fetch = { auth = { basic = { user = \"…\", password = \"env:NAME\" } } }`";
        return Err(format!("a name and a password do not belong in an address\n{hint}"));
    }
    Ok(url.into())
}

#[cfg(test)]
mod tests {
    use super::{address, completed};

    #[test]
    fn a_bare_host_gets_https_and_nothing_else_does() {
        for (typed, expected) in [
            ("example.com", "https://example.com"),
            (" example.com/a?b#c ", "https://example.com/a?b#c"),
            ("example.com:8080/x", "https://example.com:8080/x"),
            ("localhost:8000", "https://localhost:8000"),
            ("127.0.0.1", "https://127.0.0.1"),
            ("[::1]:80/", "https://[::1]:80/"),
            ("bücher.example", "https://bücher.example"),
        ] {
            assert_eq!(completed(typed), expected);
        }
        for typed in [
            "https://example.com",
            "ftp://example.com",
            "nonsense",
            "mailto:me@example.com",
            "me:secret@example.com",
            "file:///etc/hosts",
            "data:text/html,a.b",
            "/etc/a.b",
            "a.b c",
            "example.com:port",
            "",
            ".",
        ] {
            assert_eq!(completed(typed), typed);
        }
    }

    #[test]
    fn what_is_wrong_with_an_address_is_said_without_the_words_of_a_library() {
        for (text, said) in [
            ("example.com", "`example.com` is not a full URL\nhint: did you mean `https://example.com/`?"),
            ("localhost:8000/a", "hint: did you mean `https://localhost:8000/a`?"),
            ("nonsense", "`nonsense` is not a full URL\nhint: an address begins with"),
            ("https://example.com:99999/", "is not a valid address: its port is not a number from 0 to 65535\n"),
            ("https://", "is not a valid address: it has no host\n"),
            ("https://[::1/", "is not a valid address: its host is not a valid IPv6 address\n"),
            ("https://exa mple.com/", "is not a valid address: its host is not a valid name\n"),
        ] {
            let error = address(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
