//! How does a secret stay out of messages about failures? By taking it out of them, however it got there.

use driftline_report::summary::LengthLimit;

use super::way::Way;

/// What stands in its place.
const HIDDEN: &str = "…";
/// Shorter ones are not secrets, and would tear words apart.
const SHORTEST: usize = 4;

/// The most characters of a failure that are told.
const MOST_TOLD: usize = 300;
/// Before a cure, which stands on a line of its own.
const HINT: &str = "\nhint: ";

/// A text without the secrets of a target, cut short only afterwards: half a secret is not to be found.
pub(super) fn scrub(mut text: String, way: &dyn Way) -> String {
    for secret in way.secrets().into_iter().filter_map(|secret| secret.reveal().ok()) {
        text = without(text, &secret);
        // As it stands in an address; and the parts of an address that is a secret as a whole.
        let encoded: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        text = without(text, &encoded);
        if let Ok(url) = url::Url::parse(&secret) {
            for part in [url.path(), url.query().unwrap_or_default(), url.password().unwrap_or_default()] {
                text = without(text, part);
            }
            text = without(text, url.as_str());
        }
    }
    let (what, hint) = text.split_once(HINT).map_or((text.as_str(), None), |(what, hint)| (what, Some(hint)));
    let what = LengthLimit::Characters(MOST_TOLD).cut(what);
    hint.map_or_else(|| what.clone(), |hint| format!("{what}{HINT}{hint}"))
}

fn without(text: String, secret: &str) -> String {
    if secret.len() < SHORTEST { text } else { text.replace(secret, HIDDEN) }
}
