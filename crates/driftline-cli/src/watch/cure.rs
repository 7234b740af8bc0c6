//! Hints for failures. Events and states keep one line of a failure, without its hint.

/// What to use instead of a zone.
pub(super) const JSON: &str = "leave the zone out: JSON is compared by its paths, such as `product.price`; \
    `--ignore-text REGEX` leaves out words that do not count";

/// Where a proxy is named.
const PROXY: &str = "`proxy` in the watch, or under `[fetch]` in driftline.toml, names it";

/// The hint for a failure that only people can end.
pub(super) fn of(why: &str) -> Option<&'static str> {
    if why.starts_with("robots.txt of ") {
        return Some("`ignore-robots = true` in the watch asks all the same");
    }
    if why.starts_with("cannot reach the proxy `") {
        return Some(PROXY);
    }
    if why.starts_with("the zone `") && why.ends_with(" and the answer is JSON") {
        return Some(JSON);
    }
    let is_refused = why.contains(" is not fetched: ") && !why.contains(" is not fetched: only http and https are");
    let is_port = why.starts_with("port ");
    is_refused.then_some(if is_port {
        "the operator may allow it: `allow = [\"HOST:PORT\"]` under `[fetch]` in driftline.toml"
    } else {
        "the operator may allow it: `allow = [\"HOST\"]` under `[fetch]` in driftline.toml"
    })
}

#[cfg(test)]
mod tests {
    use driftline_fetch::FetchError;
    use driftline_fetch::guard::Guard;

    /// The hint that stands below a message is the hint for its first line.
    #[track_caller]
    fn assert_kept(message: &str, part: &str) {
        let (why, hint) = message.split_once("\nhint: ").unwrap_or((message, ""));
        assert_eq!(super::of(why).is_some(), !hint.is_empty(), "{message}");
        assert!(hint.contains(part) && super::of(why).unwrap_or_default().contains(part), "{message}");
    }

    #[test]
    fn a_refusal_of_an_address_inside_has_its_hint() {
        let guard = Guard::new::<&str>(&[]).unwrap();
        for url in ["http://127.0.0.1/", "http://localhost/", "https://example.org:22/", "http://[fd00::1]/"] {
            assert_kept(&guard.check_url(url).unwrap_err().to_string(), "under `[fetch]` in driftline.toml");
        }
        assert_kept(&guard.check_url("ftp://example.org/").unwrap_err().to_string(), "");
        assert_kept("the server answers 500 (Internal Server Error)", "");
    }

    #[test]
    fn a_refusal_by_robots_has_its_hint() {
        let host = || "example.org".to_owned();
        for error in [
            FetchError::Robots(host()),
            FetchError::RobotsUnknown { origin: host(), why: "503".to_owned(), retry_after: None },
        ] {
            assert_kept(&error.to_string(), "ignore-robots = true");
        }
    }
}
