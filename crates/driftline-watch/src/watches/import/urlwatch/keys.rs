//! The keys of a job of urlwatch and webchanges, and what becomes of each.

use serde_norway::Value;

use crate::watches::import::draft::Draft;
use crate::watches::import::fate::Fate::{self, Kept, Needless, Paused, Told};

const REPORT: Fate = Needless("how a report looks there");
const FAILURES: Fate = Told("a failure is reported after several checks; `[watch] failures` says how many");

/// Every key of urlwatch 2.29, and those of webchanges that are known here.
pub(super) const KEYS: [(&str, Fate); 48] = [
    ("additions_only", Kept("counts.only")),
    ("browser", Told("the browser is Chromium")),
    ("command", Told("no command is run: it is not watched")),
    ("compared_versions", Needless("a page that returns to an earlier state says so by itself")),
    ("contextlines", REPORT),
    ("cookies", Kept("fetch.cookies")),
    ("data", Paused("only GET requests are made")),
    ("deletions_only", Kept("counts.only")),
    ("diff_filter", Told("what is reported is not filtered once more")),
    ("diff_tool", Told("no command is run")),
    ("enabled", Kept("paused")),
    ("encoding", Told("the charset is found in the page")),
    ("filter", Kept("see the filters")),
    ("filters", Kept("see the filters")),
    ("guid", REPORT),
    ("headers", Kept("fetch.headers")),
    ("http_proxy", Kept("fetch.proxy")),
    ("https_proxy", Kept("fetch.proxy")),
    ("ignore_cached", Needless("a page that did not change is not sent again")),
    ("ignore_connection_errors", FAILURES),
    ("ignore_http_error_codes", FAILURES),
    ("ignore_incomplete_reads", FAILURES),
    ("ignore_timeout_errors", FAILURES),
    ("ignore_too_many_redirects", FAILURES),
    ("index_number", REPORT),
    ("is_markdown", REPORT),
    ("kind", Paused("a kind of job that is not known here")),
    ("loop", REPORT),
    ("markdown_padded_tables", REPORT),
    ("max_tries", Needless("a check that fails is repeated")),
    ("method", Paused("only GET requests are made")),
    ("monospace", REPORT),
    ("name", Kept("name")),
    ("navigate", Kept("url, fetch.with")),
    ("ssl_no_verify", Told("certificates are always checked; `[fetch] ca` adds an authority")),
    ("stderr", Told("no command is run")),
    ("tags", Kept("tags")),
    ("timeout", Kept("fetch.timeout")),
    ("treat_new_as_changed", Told("the first version is not a change")),
    ("url", Kept("url")),
    ("use_browser", Kept("fetch.with")),
    ("user_agent", Kept("fetch.headers")),
    ("user_visible_url", Told("messages link to the page that is watched")),
    ("useragent", Kept("fetch.headers")),
    ("wait_for", Kept("fetch.wait.selector")),
    ("wait_for_selector", Kept("fetch.wait.selector")),
    ("wait_for_timeout", Kept("fetch.wait.extra")),
    ("wait_until", Kept("fetch.wait.idle")),
];

/// Tells of a key that has no counterpart, and pauses the watch if it would be of something else.
pub(super) fn leave_behind(draft: &mut Draft, key: &str, value: &Value) {
    if is_usual(key, value) {
        return;
    }
    match KEYS.iter().find(|(known, _)| *known == key).map(|(_, fate)| *fate) {
        Some(Kept(_) | Needless(_)) => {}
        Some(Told(why)) => draft.tell(format!("`{key}`: {why}")),
        Some(Paused(why)) => draft.pause(format!("`{key}`: {why}")),
        None => draft.tell(format!("`{key}` has no counterpart")),
    }
}

/// Whether a key says what every job says.
fn is_usual(key: &str, value: &Value) -> bool {
    match key {
        "method" => value.as_str().is_some_and(|method| method.eq_ignore_ascii_case("GET")),
        "kind" => matches!(value.as_str(), Some("url" | "browser")),
        _ => value.as_bool() == Some(false) || value.is_null(),
    }
}
