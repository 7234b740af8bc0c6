//! Which cookies go with a request? Those of the watch to its own origin, and those that servers set on the way to the
//! servers that set them. They live as long as one check: each begins as a browser without a past does.

use std::collections::BTreeMap;

use cookie_store::CookieStore;
use reqwest::header::{HeaderMap, HeaderValue, SET_COOKIE};
use url::Url;

/// A `Cookie` that is longer is not sent in full: servers refuse such heads.
const MOST_BYTES: usize = 8 << 10;

/// The cookies of one check.
#[derive(Debug, Default)]
pub(super) struct Jar {
    /// Those of the watch.
    own: BTreeMap<String, String>,
    /// Those that servers set.
    set: CookieStore,
}

impl Jar {
    /// Puts a cookie of the watch in.
    pub(super) fn put(&mut self, name: &str, value: &str) {
        self.own.insert(name.to_owned(), value.to_owned());
    }

    /// Whether the watch has cookies.
    pub(super) fn has_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// Keeps what an answer sets.
    pub(super) fn keep(&mut self, headers: &HeaderMap, url: &Url) {
        for value in headers.get_all(SET_COOKIE) {
            if let Ok(text) = value.to_str() {
                // What is no cookie is not kept, as in a browser.
                let _ = self.set.parse(text, url);
            }
        }
    }

    /// What goes to this address, which is that of the watch or is not. What a server set goes before what the watch
    /// did.
    pub(super) fn header(&self, url: &Url, is_home: bool) -> Option<HeaderValue> {
        let mut all: BTreeMap<&str, &str> = BTreeMap::new();
        if is_home {
            all.extend(self.own.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        }
        all.extend(self.set.get_request_values(url));
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

    #[test]
    fn a_flood_of_cookies_is_cut() {
        let mut jar = Jar::default();
        for number in 0..100 {
            jar.put(&format!("c{number}"), &"x".repeat(1000));
        }
        assert!(sent(&jar, "https://a.example/", true).unwrap().len() <= super::MOST_BYTES);
    }
}
