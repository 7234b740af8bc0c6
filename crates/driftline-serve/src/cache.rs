//! Has the reader got it already? Feed readers ask all day, and mostly nothing happened: that costs a 304.

use axum::http::header::{CONTENT_TYPE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use driftline::time::Time;
use driftline_archive::digest::Digest;

/// An answer that a reader may have already.
pub(crate) fn answer(asked: &HeaderMap, content_type: &'static str, body: String, modified: Time) -> Response {
    let tag = format!("\"{}\"", Digest::sha1(body.as_bytes()).hex());
    let validators = [(ETAG, tag.clone()), (LAST_MODIFIED, modified.to_http())];
    if has_already(asked, &tag, modified) {
        return (StatusCode::NOT_MODIFIED, validators).into_response();
    }
    (validators, [(CONTENT_TYPE, content_type)], body).into_response()
}

/// RFC 9110, 13.2.2: a tag goes before a date.
fn has_already(asked: &HeaderMap, tag: &str, modified: Time) -> bool {
    let tags = asked.get_all(IF_NONE_MATCH);
    if tags.iter().next().is_some() {
        let mut named = tags.iter().filter_map(|tags| tags.to_str().ok()).flat_map(|tags| tags.split(','));
        return named.any(|named| matches!(named.trim(), "*") || named.trim().trim_start_matches("W/") == tag);
    }
    let since = asked.get(IF_MODIFIED_SINCE).and_then(|since| Time::from_http(since.to_str().ok()?));
    let second = |time: Time| time.microseconds().div_euclid(1_000_000);
    since.is_some_and(|since| second(modified) <= second(since))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderMap;
    use axum::http::header::{IF_MODIFIED_SINCE, IF_NONE_MATCH};

    use super::has_already;

    #[test]
    fn a_reader_has_it_by_its_tag_or_by_its_date_and_the_tag_goes_first() {
        let modified = "2026-11-16T12:00:00.5Z".parse().unwrap();
        let asked = |tag: Option<&str>, date: Option<&str>| {
            let mut headers = HeaderMap::new();
            tag.map(|tag| headers.insert(IF_NONE_MATCH, tag.parse().unwrap()));
            date.map(|date| headers.insert(IF_MODIFIED_SINCE, date.parse().unwrap()));
            has_already(&headers, "\"1\"", modified)
        };
        let (same, before) = ("Mon, 16 Nov 2026 12:00:00 GMT", "Mon, 16 Nov 2026 11:59:59 GMT");
        assert!(asked(Some("\"0\", W/\"1\""), None) && asked(Some("*"), None) && asked(None, Some(same)));
        assert!(!asked(None, None) && !asked(None, Some(before)) && !asked(None, Some("soon")));
        assert!(!asked(Some("\"0\""), Some(same)), "the tag goes first");
    }
}
