//! Who is let in, and what is every answer sent with?
//!
//! A web page on `evil.example` can point that name at 127.0.0.1 and then read what listens there, as if it were its
//! own (DNS rebinding). So only questions for our own names are answered: `localhost`, an address in digits, which
//! cannot be pointed anywhere, and the host of `[serve] url`.

use std::net::{Ipv4Addr, Ipv6Addr};

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::routes::Shared;

/// What every answer is sent with. `no-cache` means "ask again each time", which a 304 answers.
const HEADERS: [(HeaderName, &str); 4] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'; sandbox"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-cache"),
];

/// Lets a question through if it is for us, and dresses the answer.
pub(crate) async fn gate(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let is_ours = host_of(request.headers()).is_some_and(|host| is_ours(host, shared.host.as_deref()));
    let mut answer = if is_ours {
        next.run(request).await
    } else {
        let told = "this is no name of this server\nhint: `url` under `[serve]` says by which name others know it\n";
        (StatusCode::MISDIRECTED_REQUEST, told).into_response()
    };
    for (name, value) in HEADERS {
        answer.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    answer
}

/// The one header `Host`; with several of them, who knows which was meant.
fn host_of(headers: &HeaderMap) -> Option<&str> {
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next()?.to_str().ok()?;
    hosts.next().is_none().then_some(host)
}

/// Whether this host, with or without a port, is a name of ours; `own` is the host of `[serve] url`.
#[must_use]
pub fn is_ours(host: &str, own: Option<&str>) -> bool {
    if let Some((address, port)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let is_port = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        return is_port && address.parse::<Ipv6Addr>().is_ok();
    }
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    if !is_port(port) {
        return false;
    }
    let name = name.strip_suffix('.').unwrap_or(name);
    name.parse::<Ipv4Addr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || own.is_some_and(|own| name.eq_ignore_ascii_case(own))
}

/// Is this what may be after a colon? The digits may be missing.
fn is_port(text: &str) -> bool {
    text.is_empty() || text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn only_our_own_names_and_addresses_in_digits_are_ours() {
        for host in ["127.0.0.1", "127.0.0.1:8740", "localhost", "LOCALHOST:1", "[::1]:8740", "192.0.2.7", "localhost."]
        {
            assert!(is_ours(host, None), "{host}");
        }
        for host in
            ["evil.example", "evil.example:8740", "127.0.0.1.evil.example", "", "[::1", "localhost.evil.example"]
        {
            assert!(!is_ours(host, None), "{host}");
        }
        for host in [
            "127.0.0.1:80@evil",
            "127.0.0.1:80@evil.example",
            "[::1]evil.example",
            "[::1]:80@evil.example",
            "[::1]@evil.example",
            "[127.0.0.1]",
            "[localhost]",
            "localhost:evil.example",
            "127.0.0.1:+80",
            "127.0.0.1:99999",
            "127.0.0.1:80:80",
        ] {
            assert!(!is_ours(host, None), "{host}");
            assert!(!is_ours(host, Some("evil.example")), "{host}");
        }
        assert!(is_ours("127.0.0.1:", None) && is_ours("[::1]", None));
        assert!(is_ours("Changes.Example:443", Some("changes.example")));
        assert!(!is_ours("other.example", Some("changes.example")));
    }
}
