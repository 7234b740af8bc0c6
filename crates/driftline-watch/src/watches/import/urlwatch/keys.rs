//! The keys of a job of urlwatch and webchanges, and what becomes of each.

use serde_norway::Value;

use crate::watches::import::draft::Draft;
use crate::watches::import::fate::Fate::{self, Kept, Needless, Paused, Told};
use crate::watches::import::fate::UNKNOWN;

const REPORT: Fate = Needless("how a report looks there");
const FAILURES: Fate = Told("a failure is reported after several checks; `[watch] failures` says how many");
const CERTIFICATES: Fate = Told("certificates are always checked; `[fetch] ca` adds an authority");
const METHOD: Fate = Paused("only GET requests are made");
const SCRIPT: Fate = Paused("no script is run in the page");
const BROWSER: Fate = Told("the browser is Chromium, started by driftline with options of its own");
const WAIT: Fate = Told("a browser waits for an element, for a time or until the network is idle: `fetch.wait`");
const CLIENT: Fate = Told("requests are those of driftline, over HTTP/1.1 or HTTP/2");
const CONDITIONAL: Fate = Needless("a page that did not change is not sent again");

/// Every key of urlwatch 2.29 and webchanges 3.37.0, and those of older files.
pub(in crate::watches::import) const KEYS: [(&str, Fate); 84] = [
    ("additions_only", Kept("counts.only")),
    ("block_elements", BROWSER),
    ("browser", BROWSER),
    ("command", Told("no command is run: it is not watched")),
    ("compared_versions", Needless("a page that returns to an earlier state says so by itself")),
    ("connect_over_cdp", BROWSER),
    ("contextlines", REPORT),
    ("cookies", Kept("fetch.cookies")),
    ("data", METHOD),
    ("data_as_json", Needless("only of use to `data`")),
    ("deletions_only", Kept("counts.only")),
    ("diff_filter", Told("what is reported is not filtered once more")),
    ("diff_filters", Told("what is reported is not filtered once more")),
    ("diff_tool", Told("no command is run")),
    ("differ", Told("words, links and elements are compared, and items of feeds")),
    ("empty_as_transient", Told("a page without words is compared like any other")),
    ("enabled", Kept("paused")),
    ("encoding", Told("the charset is found in the page")),
    ("evaluate", SCRIPT),
    ("filter", Kept("what its filters become")),
    ("filters", Kept("what its filters become")),
    ("fingerprints", CLIENT),
    ("guid", REPORT),
    ("headers", Kept("fetch.headers")),
    ("http_client", CLIENT),
    ("http_credentials", Kept("fetch.auth")),
    ("http_proxy", Kept("fetch.proxy (for an address with `http:`)")),
    ("http_version", CLIENT),
    ("https_proxy", Kept("fetch.proxy (for an address with `https:`)")),
    ("ignore_cached", CONDITIONAL),
    ("ignore_connection_errors", FAILURES),
    ("ignore_default_args", BROWSER),
    ("ignore_dh_key_too_small", CERTIFICATES),
    ("ignore_http_error_codes", FAILURES),
    ("ignore_https_errors", CERTIFICATES),
    ("ignore_incomplete_reads", FAILURES),
    ("ignore_timeout_errors", FAILURES),
    ("ignore_too_many_redirects", FAILURES),
    ("impersonate", CLIENT),
    ("index_number", REPORT),
    ("init_script", SCRIPT),
    ("initialization_js", SCRIPT),
    ("initialization_url", Paused("no other page is fetched before it")),
    ("is_markdown", REPORT),
    ("kind", Paused("a kind of job that is not known here")),
    ("loop", REPORT),
    ("markdown_padded_tables", REPORT),
    ("max_tries", Needless("a check that fails is repeated")),
    ("method", METHOD),
    ("monospace", REPORT),
    ("name", Kept("name")),
    ("navigate", Kept("url, fetch.with")),
    ("no_conditional_request", CONDITIONAL),
    ("no_redirects", Paused("redirects are followed")),
    ("note", Kept("note")),
    ("params", Paused("write them into the address, behind a `?`")),
    ("proxy", Kept("fetch.proxy")),
    ("referer", Kept("fetch.headers")),
    ("retries", Needless("a check that fails is repeated")),
    ("same_site_delay", Needless("there is a pause between two requests to one host: `[fetch] delay`")),
    ("ssl_no_verify", CERTIFICATES),
    ("stderr", Told("no command is run")),
    ("stealth", BROWSER),
    ("suppress_error_ended", FAILURES),
    ("suppress_errors", FAILURES),
    ("suppress_repeated_errors", FAILURES),
    ("switches", BROWSER),
    ("tags", Kept("tags")),
    ("timeout", Kept("fetch.timeout")),
    ("treat_new_as_changed", Told("the first version is not a change")),
    ("tz", REPORT),
    ("url", Kept("url")),
    ("use_browser", Kept("fetch.with")),
    ("user_agent", Kept("fetch.headers")),
    ("user_data_dir", Paused("the browser has no profile of its own, so it is not logged in")),
    ("user_visible_url", Told("messages link to the page that is watched")),
    ("useragent", Kept("fetch.headers")),
    ("wait_for", Kept("fetch.wait.selector")),
    ("wait_for_function", WAIT),
    ("wait_for_navigation", WAIT),
    ("wait_for_selector", Kept("fetch.wait.selector")),
    ("wait_for_timeout", Kept("fetch.wait.extra")),
    ("wait_for_url", WAIT),
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
        None => draft.tell(format!("`{key}` is {UNKNOWN}")),
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
