//! Has the reader got it already? Feed readers ask all day, and mostly nothing happened: that costs a 304.
//!
//! By its tag alone. There is no date: an event is told when it is released, which may be long after it was found, so that
//! a feed alters without any time in it being later than those that a reader has seen.

use axum::http::header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use driftline_catalog::digest::Digest;

/// An answer that a reader may have already.
pub(crate) fn answer(asked: &HeaderMap, content_type: &'static str, body: String) -> Response {
    let tag = format!("\"{}\"", Digest::sha1(body.as_bytes()).hex());
    let has_it = has_already(asked, &tag);
    let validators = [(ETAG, tag)];
    if has_it {
        return (StatusCode::NOT_MODIFIED, validators).into_response();
    }
    (validators, [(CONTENT_TYPE, content_type)], body).into_response()
}

/// Does the reader name this tag (RFC 9110, 13.1.2)?
fn has_already(asked: &HeaderMap, tag: &str) -> bool {
    let tags = asked.get_all(IF_NONE_MATCH);
    let mut named = tags.iter().filter_map(|tags| tags.to_str().ok()).flat_map(|tags| tags.split(','));
    named.any(|named| matches!(named.trim(), "*") || named.trim().trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderMap;
    use axum::http::header::IF_NONE_MATCH;

    use super::has_already;

    #[test]
    fn a_reader_has_it_by_its_tag() {
        let asked = |tag: &str| has_already(&HeaderMap::from_iter([(IF_NONE_MATCH, tag.parse().unwrap())]), "\"1\"");
        assert!(asked("\"0\", W/\"1\"") && asked("\"1\"") && asked("*"));
        assert!(!asked("\"0\"") && !has_already(&HeaderMap::new(), "\"1\""));
    }
}
