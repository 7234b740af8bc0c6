//! Which headers go with a request, and which of them are kept? All that a watch sets goes to its own origin; what
//! could be a secret goes to no other, and not to the archive either.

use data_encoding::BASE64;
use driftline_archive::capture::Credentials;
use reqwest::header::{self, AUTHORIZATION, COOKIE, HeaderMap, HeaderName, HeaderValue};
use url::{Origin, Url};

use super::cookies::Jar;
use super::{Auth, FetchError, How, Request, Validators};

/// What can be read of a coding is asked for: what the archive undoes.
const CODINGS: &str = "gzip, br, zstd";

/// As browsers ask for pages.
const KINDS: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// What says how a page is wanted rather than who wants it: it may go anywhere, and be kept.
const OPEN: [&str; 12] = [
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "cache-control",
    "dnt",
    "from",
    "if-modified-since",
    "if-none-match",
    "pragma",
    "upgrade-insecure-requests",
    "user-agent",
];

/// What belongs to the connection rather than to the page.
const OURS: [&str; 8] =
    ["connection", "content-length", "host", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade"];

/// What goes with the requests of one check.
#[derive(Debug)]
pub(super) struct Sent {
    /// To whom all of it goes.
    home: Origin,
    /// What goes to everybody.
    open: HeaderMap,
    /// What goes home only.
    own: HeaderMap,
    /// Cookies.
    pub jar: Jar,
}

impl Sent {
    /// What a watch sends, the secret part of it to the origin of this address only.
    pub(super) fn new(how: &How, agent: &str, home: &Url) -> Result<Self, FetchError> {
        let mut sent = Self::plain(agent, home)?;
        for (name, written) in &how.headers {
            let (name, value) = (name_of(name)?, written.reveal()?);
            if name == COOKIE {
                for (name, value) in value.split(';').filter_map(|cookie| cookie.trim().split_once('=')) {
                    sent.jar.put(name, value);
                }
                continue;
            }
            let mut header = value_of(name.as_str(), &value)?;
            let is_open = is_open(&name) && !written.is_reference();
            header.set_sensitive(!is_open);
            let part = if is_open { &mut sent.open } else { &mut sent.own };
            part.insert(name, header);
        }
        if let Some(auth) = &how.auth {
            sent.own.insert(AUTHORIZATION, authorization(auth)?);
        }
        for (name, value) in &how.cookies {
            sent.jar.put(name, &value.reveal()?);
        }
        Ok(sent)
    }

    /// What goes with a request that no watch has set anything for.
    pub(super) fn plain(agent: &str, url: &Url) -> Result<Self, FetchError> {
        let mut agent = value_of("User-Agent", agent)?;
        agent.set_sensitive(false);
        let open = HeaderMap::from_iter([
            (header::USER_AGENT, agent),
            (header::ACCEPT, HeaderValue::from_static(KINDS)),
            (header::ACCEPT_ENCODING, HeaderValue::from_static(CODINGS)),
        ]);
        Ok(Self { home: url.origin(), open, own: HeaderMap::new(), jar: Jar::default() })
    }

    /// Whether any of it is secret: a password, cookies of the watch, or headers that do not go to everybody.
    pub(super) fn credentials(&self) -> Credentials {
        if self.own.is_empty() && !self.jar.has_own() { Credentials::None } else { Credentials::Sent }
    }

    /// What goes to this address. Values that may be secret are marked as sensitive.
    pub(super) fn to(&self, url: &Url, validators: Option<&Validators>) -> HeaderMap {
        let (mut all, is_home) = (self.open.clone(), is_home(&self.home, url));
        if is_home {
            all.extend(self.own.clone());
        }
        if let Some(cookies) = self.jar.header(url, is_home) {
            all.insert(COOKIE, cookies);
        }
        let known = validators.filter(|known| known.url.as_deref() == Some(url.as_str()));
        let mut ask = |name, value: Option<&String>| {
            if let Some(value) = value.and_then(|value| HeaderValue::from_str(value).ok()) {
                all.insert(name, value);
            }
        };
        ask(header::IF_NONE_MATCH, known.and_then(|known| known.etag.as_ref()));
        ask(header::IF_MODIFIED_SINCE, known.and_then(|known| known.last_modified.as_ref()));
        all
    }
}

/// The address to whose origin the secrets of a request go.
pub(super) fn home(request: &Request<'_>, url: &Url) -> Result<Url, FetchError> {
    let Some(home) = request.home else { return Ok(url.clone()) };
    Url::parse(home).map_err(|_| FetchError::How(format!("`{home}` is not a valid address")))
}

/// Is it who the watch names? The same host over https instead of http is.
pub(super) fn is_home(home: &Origin, url: &Url) -> bool {
    let is_safer = match (home, &url.origin()) {
        (Origin::Tuple(old, host, 80), Origin::Tuple(new, other, 443)) => {
            old == "http" && new == "https" && host == other
        }
        _ => false,
    };
    is_safer || url.origin() == *home
}

/// May a header be kept in the archive with its value?
pub(super) fn is_kept(name: &HeaderName, value: &HeaderValue) -> bool {
    is_open(name) && !value.is_sensitive()
}

fn is_open(name: &HeaderName) -> bool {
    OPEN.contains(&name.as_str())
}

fn name_of(name: &str) -> Result<HeaderName, FetchError> {
    let wrong = |why: &str| FetchError::How(format!("the header `{}` cannot be set: {why}", name.escape_debug()));
    let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong("that is no name of a header"))?;
    if OURS.contains(&name.as_str()) {
        return Err(wrong("it belongs to the connection"));
    }
    Ok(name)
}

/// A value; what cannot be sent is not told, because it may be a secret.
fn value_of(name: &str, value: &str) -> Result<HeaderValue, FetchError> {
    let wrong = |_| FetchError::How(format!("the value of the header `{name}` has characters that cannot be sent"));
    let mut value = HeaderValue::from_str(value).map_err(wrong)?;
    value.set_sensitive(true);
    Ok(value)
}

fn authorization(auth: &Auth) -> Result<HeaderValue, FetchError> {
    let value = match auth {
        Auth::Basic { user, password } => {
            format!("Basic {}", BASE64.encode(format!("{user}:{}", password.reveal()?).as_bytes()))
        }
        Auth::Bearer { token } => format!("Bearer {}", token.reveal()?),
    };
    value_of("Authorization", &value)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use reqwest::header::HeaderMap;
    use url::Url;

    use super::{Auth, Credentials, How, Sent, Validators, is_kept};

    fn how() -> How {
        let headers = [("X-Key", "hush"), ("Accept-Language", "de"), ("cookie", "a=1; b=2")];
        How {
            headers: headers.map(|(name, value)| (name.to_owned(), value.into())).into(),
            cookies: BTreeMap::from([("c".to_owned(), "3".into())]),
            auth: Some(Auth::Basic { user: "me".to_owned(), password: "hush".into() }),
            ..How::default()
        }
    }

    fn to(how: &How, first: &str, next: &str, validators: Option<&Validators>) -> HeaderMap {
        let sent = Sent::new(how, "driftline/1", &Url::parse(first).unwrap()).unwrap();
        sent.to(&Url::parse(next).unwrap(), validators)
    }

    #[test]
    fn what_could_be_a_secret_goes_to_its_own_origin_only() {
        let home = to(&how(), "https://a.example/", "https://a.example/other", None);
        assert_eq!(
            (&home["x-key"], &home["authorization"]),
            (&"hush".parse().unwrap(), &"Basic bWU6aHVzaA==".parse().unwrap())
        );
        assert_eq!(home["cookie"], "a=1; b=2; c=3");
        let safer = to(&how(), "http://a.example/", "https://a.example/", None);
        assert!(safer.contains_key("authorization") && safer.contains_key("cookie"));
        for other in ["https://b.example/", "http://a.example/", "https://a.example:444/"] {
            let away = to(&how(), "https://a.example/", other, None);
            assert!(["x-key", "authorization", "cookie"].iter().all(|name| !away.contains_key(*name)), "{other}");
            assert_eq!(
                (&away["accept-language"], &away["user-agent"]),
                (&"de".parse().unwrap(), &"driftline/1".parse().unwrap())
            );
        }
    }

    #[test]
    fn where_a_watch_says_it_comes_from_and_what_is_written_elsewhere_goes_home_only() {
        let headers = [("Referer", "https://intranet.example/?key=hush"), ("Accept-Language", "env:CARGO_PKG_NAME")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.into())).into();
        let how = How { headers, ..How::default() };
        let home = to(&how, "https://a.example/", "https://a.example/other", None);
        assert_eq!(home["referer"], "https://intranet.example/?key=hush");
        assert_eq!(home["accept-language"], "driftline-fetch");
        let is_kept = |name: &str| is_kept(&name.parse().unwrap(), &home[name]);
        assert_eq!(["referer", "accept-language", "user-agent"].map(is_kept), [false, false, true]);
        let away = to(&how, "https://a.example/", "https://b.example/", None);
        assert!(!away.contains_key("referer") && !away.contains_key("accept-language"));
    }

    #[test]
    fn what_is_secret_is_known_before_it_is_sent() {
        let credentials = |how: &How| {
            let url = Url::parse("https://a.example/").unwrap();
            Sent::new(how, "driftline/1", &url).unwrap().credentials()
        };
        assert_eq!(credentials(&How::default()), Credentials::None);
        let language = BTreeMap::from([("Accept-Language".to_owned(), "de".into())]);
        assert_eq!(credentials(&How { headers: language, ..How::default() }), Credentials::None);
        let key = BTreeMap::from([("X-Key".to_owned(), "hush".into())]);
        assert_eq!(credentials(&How { headers: key.clone(), ..How::default() }), Credentials::Sent);
        assert_eq!(credentials(&How { cookies: key, ..How::default() }), Credentials::Sent);
        let auth = Some(Auth::Bearer { token: "hush".into() });
        assert_eq!(credentials(&How { auth, ..How::default() }), Credentials::Sent);
    }

    #[test]
    fn validators_go_to_the_address_that_gave_them() {
        let known = Validators {
            url: Some("https://a.example/page".to_owned()),
            etag: Some("W/\"1\"".to_owned()),
            last_modified: Some("Wed, 06 Nov 2024 08:49:37 GMT".to_owned()),
        };
        let asked = to(&How::default(), "https://a.example/page", "https://a.example/page", Some(&known));
        assert_eq!(asked["if-none-match"], "W/\"1\"");
        assert!(asked.contains_key("if-modified-since"));
        let other = to(&How::default(), "https://a.example/", "https://a.example/", Some(&known));
        assert!(!other.contains_key("if-none-match") && !other.contains_key("if-modified-since"));
    }

    #[test]
    fn headers_that_cannot_be_sent_are_told_without_their_values() {
        let url = Url::parse("https://a.example/").unwrap();
        for (name, value) in [("a b", "x"), ("Host", "hush"), ("Transfer-Encoding", "hush"), ("X-A", "hush\r\nX: y")] {
            let headers = BTreeMap::from([(name.to_owned(), value.into())]);
            let error = Sent::new(&How { headers, ..How::default() }, "driftline/1", &url).unwrap_err().to_string();
            assert!(error.to_lowercase().contains(&name.to_lowercase()) && !error.contains("hush"), "{error}");
        }
    }
}
