//! Which cookies go with a request? Those of the watch to its own origin, and those that servers set on the way to the
//! servers that set them. They live as long as one check: each begins as a browser without a past does.
//!
//! The rules are those of RFC 6265bis: no cookies for public suffixes such as `co.uk`, `__Host-` and `__Secure-` mean what
//! they say, and `Secure` is only for https. Beyond it a cookie goes back to the port that set it; the ports of http and
//! https count as one.

use std::collections::BTreeMap;

use cookie_store::{CookieStore, RawCookie};
use reqwest::header::{HeaderMap, HeaderValue, SET_COOKIE};
use url::Url;

/// A `Cookie` that is longer is not sent in full: servers refuse such heads.
const MOST_BYTES: usize = 8 << 10;

/// The cookies of one check.
#[derive(Debug, Default)]
pub struct Jar {
    /// Those of the watch.
    own: BTreeMap<String, String>,
    /// Those that servers set, by their port; none is that of the scheme.
    set: BTreeMap<Option<u16>, CookieStore>,
}

impl Jar {
    /// Puts a cookie of the watch in.
    pub fn put(&mut self, name: &str, value: &str) {
        self.own.insert(name.to_owned(), value.to_owned());
    }

    /// Whether the watch has cookies.
    #[must_use]
    pub fn has_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// Keeps what an answer sets. What is not a cookie, or may not be set, is left out as in a browser.
    pub fn keep(&mut self, headers: &HeaderMap, url: &Url) {
        for value in headers.get_all(SET_COOKIE) {
            let cookie = value.to_str().ok().and_then(|text| RawCookie::parse(text).ok());
            if let Some(cookie) = cookie.and_then(|cookie| allowed(cookie, url)) {
                // It fails if the domain is not that of the server.
                let _ = self.set.entry(url.port()).or_default().insert_raw(&cookie, url);
            }
        }
    }

    /// What goes to this address, which is that of the watch or is not. What a server set goes before what the watch
    /// did.
    #[must_use]
    pub fn header(&self, url: &Url, is_home: bool) -> Option<HeaderValue> {
        let mut all: BTreeMap<&str, &str> = BTreeMap::new();
        if is_home {
            all.extend(self.own.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        }
        if let Some(set) = self.set.get(&url.port()) {
            all.extend(set.get_request_values(url));
        }
        let mut text = String::new();
        for (name, value) in all {
            if text.len() + name.len() + value.len() + 3 > MOST_BYTES {
                break;
            }
            let blank = if text.is_empty() { "" } else { "; " };
            text.extend([blank, name, "=", value]);
        }
        let mut value = HeaderValue::from_str(&text).ok().filter(|_| !text.is_empty())?;
        value.set_sensitive(true);
        Some(value)
    }
}

/// The cookie, if this address may set it.
fn allowed<'a>(mut cookie: RawCookie<'a>, url: &Url) -> Option<RawCookie<'a>> {
    let is_https = url.scheme() == "https";
    let is_secure = cookie.secure() == Some(true);
    let begins =
        |prefix: &str| cookie.name().get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    let is_whole_host = cookie.domain().is_none() && cookie.path() == Some("/");
    let breaks_prefix = begins("__Secure-") && !is_secure || begins("__Host-") && !(is_secure && is_whole_host);
    if breaks_prefix || is_secure && !is_https {
        return None;
    }
    let domain = cookie.domain().map(|domain| domain.trim_end_matches('.').to_ascii_lowercase());
    let is_suffix = |domain: &str| psl::domain_str(domain).is_none() && domain.parse::<std::net::IpAddr>().is_err();
    if let Some(domain) = domain.filter(|domain| is_suffix(domain)) {
        if url.host_str() != Some(domain.as_str()) {
            return None;
        }
        // The host itself is a public suffix: the cookie is for it alone.
        cookie.unset_domain();
    }
    Some(cookie)
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderMap, HeaderValue, SET_COOKIE};
    use url::Url;

    use super::Jar;

    fn sent(jar: &Jar, url: &str, is_home: bool) -> Option<String> {
        jar.header(&Url::parse(url).unwrap(), is_home).map(|value| value.to_str().unwrap().to_owned())
    }

    #[test]
    fn what_an_answer_sets_goes_back_to_it() {
        let (mut jar, url) = (Jar::default(), Url::parse("https://a.example/").unwrap());
        let mut headers = HeaderMap::new();
        headers.append(SET_COOKIE, HeaderValue::from_static("s=1; Path=/in"));
        headers.append(SET_COOKIE, HeaderValue::from_static("evil=1; Domain=b.example"));
        headers.append(SET_COOKIE, HeaderValue::from_bytes(b"\xff=1").unwrap());
        jar.keep(&headers, &url);
        assert_eq!(sent(&jar, "https://a.example/in/page", false).as_deref(), Some("s=1"));
        assert_eq!(sent(&jar, "https://a.example/", false), None);
        assert_eq!(sent(&jar, "https://b.example/in", false), None);
    }

    #[test]
    fn what_a_server_sets_goes_before_what_the_watch_sets() {
        let (mut jar, url) = (Jar::default(), Url::parse("https://a.example/").unwrap());
        jar.put("a", "watch");
        jar.put("b", "watch");
        jar.keep(&HeaderMap::from_iter([(SET_COOKIE, HeaderValue::from_static("a=server"))]), &url);
        assert_eq!(sent(&jar, "https://a.example/", true).as_deref(), Some("a=server; b=watch"));
        assert_eq!(sent(&jar, "https://b.example/", false), None);
    }

    /// What goes to `to` after `from` has set these.
    fn after(from: &str, set: &[&str], to: &str) -> Option<String> {
        let (mut jar, from) = (Jar::default(), Url::parse(from).unwrap());
        let mut headers = HeaderMap::new();
        set.iter().for_each(|text| _ = headers.append(SET_COOKIE, HeaderValue::from_str(text).unwrap()));
        jar.keep(&headers, &from);
        sent(&jar, to, false)
    }

    #[test]
    fn no_server_sets_cookies_for_a_public_suffix() {
        for suffix in ["co.uk", "uk", ".co.uk", "CO.UK", "co.uk."] {
            let set = format!("evil=1; Domain={suffix}");
            assert_eq!(after("https://a.co.uk/", &[&set], "https://b.co.uk/"), None, "{suffix}");
            assert_eq!(after("https://a.co.uk/", &[&set], "https://a.co.uk/"), None, "{suffix}");
        }
        // Names that nobody has registered, and hosts that belong to their users.
        assert_eq!(after("https://a.test/", &["evil=1; Domain=test"], "https://b.test/"), None);
        assert_eq!(after("https://a.github.io/", &["evil=1; Domain=github.io"], "https://b.github.io/"), None);
        assert_eq!(
            after("https://a.example.co.uk/", &["s=1; Domain=example.co.uk"], "https://b.example.co.uk/").as_deref(),
            Some("s=1")
        );
        // A host that is a public suffix sets cookies for itself.
        let own = ["s=1; Domain=github.io"];
        assert_eq!(after("https://github.io/", &own, "https://github.io/").as_deref(), Some("s=1"));
        assert_eq!(after("https://github.io/", &own, "https://a.github.io/"), None);
        assert_eq!(after("http://127.0.0.1/", &["s=1; Domain=127.0.0.1"], "http://127.0.0.1/").as_deref(), Some("s=1"));
    }

    #[test]
    fn cookies_go_back_to_the_port_that_set_them() {
        let set = ["s=1"];
        assert_eq!(after("http://a.example:8080/", &set, "http://a.example:8080/in").as_deref(), Some("s=1"));
        for other in ["http://a.example:8081/", "http://a.example/", "https://a.example/"] {
            assert_eq!(after("http://a.example:8080/", &set, other), None, "{other}");
        }
        assert_eq!(after("http://a.example/", &set, "https://a.example/").as_deref(), Some("s=1"));
        assert_eq!(after("https://a.example/", &set, "https://a.example:8443/"), None);
    }

    #[test]
    fn prefixes_of_cookies_mean_what_they_say() {
        let https = "https://a.example.org/";
        let kept = |from: &str, set: &str| after(from, &[set], from).is_some();
        assert!(kept(https, "__Host-s=1; Secure; Path=/") && kept(https, "__Secure-s=1; Secure; Domain=example.org"));
        for set in [
            "__Host-s=1; Secure",
            "__Host-s=1; Path=/",
            "__Host-s=1; Secure; Path=/; Domain=a.example.org",
            "__host-s=1; Path=/",
            "__Secure-s=1",
            "__secure-s=1",
        ] {
            assert!(!kept(https, set), "{set}");
        }
        // Over http nothing is secure, be it on this machine.
        for from in ["http://a.example.org/", "http://localhost/", "http://127.0.0.1/"] {
            for set in ["__Host-s=1; Secure; Path=/", "__Secure-s=1; Secure", "s=1; Secure"] {
                assert!(!kept(from, set), "{from} {set}");
            }
            assert!(kept(from, "s=1"));
        }
    }

    #[test]
    fn a_flood_of_cookies_is_cut() {
        let mut jar = Jar::default();
        for number in 0..100 {
            jar.put(&format!("c{number}"), &"x".repeat(1000));
        }
        assert!(sent(&jar, "https://a.example/", true).unwrap().len() <= super::MOST_BYTES);
    }
}
