//! The header `Retry-After`: a number of seconds or a date (RFC 9110, 10.2.3).

use driftline::time::Time;
use reqwest::header::{HeaderMap, RETRY_AFTER};

use driftline::span::Span;

/// A server that wants more is asked again after so long all the same: a day.
const MOST_SECONDS: u64 = 86_400;

/// The time that a response, received at `at`, asks to wait; at most a day.
#[must_use]
pub fn after(headers: &HeaderMap, at: Time) -> Option<Span> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let seconds = if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than fit are more than a day.
        text.parse().unwrap_or(u64::MAX)
    } else {
        let until = Time::from_http(text)?;
        until.microseconds().saturating_sub(at.microseconds()).max(0).cast_unsigned().div_ceil(1_000_000)
    };
    Some(Span::from_seconds(seconds.min(MOST_SECONDS)))
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};

    use super::after;

    fn told(value: &'static str) -> Option<String> {
        let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static(value))]);
        after(&headers, "20241106084900".parse().unwrap()).map(|span| span.to_string())
    }

    #[test]
    fn seconds_and_dates_are_read() {
        assert_eq!(told("120").as_deref(), Some("2m"));
        assert_eq!(told("Wed, 06 Nov 2024 08:49:37 GMT").as_deref(), Some("37s"));
        assert_eq!(told("Wednesday, 06-Nov-24 08:49:37 GMT").as_deref(), Some("37s"), "as old servers write it");
        assert_eq!(told("Wed, 06 Nov 2024 08:00:00 GMT").as_deref(), Some("0s"));
    }

    #[test]
    fn nobody_waits_for_ever_and_nonsense_says_nothing() {
        for long in ["99999999", "99999999999999999999999999", "Wed, 06 Nov 2999 08:49:37 GMT"] {
            assert_eq!(told(long).as_deref(), Some("1d"), "{long}");
        }
        for nonsense in ["", "-5", "soon", "1.5", "Thu, 99 Nov 2024 08:49:37 GMT"] {
            assert_eq!(told(nonsense), None, "{nonsense}");
        }
    }
}
