//! The fields of a watch of changedetection.io, and what becomes of each.

use driftline_archive::import::changedetection::Settings;
use serde_json::Value;

use super::{is_said, text};
use crate::watches::import::draft::Draft;
use crate::watches::import::fate::Fate::{self, Kept, Needless, Paused, Told};

const STATE: Fate = Needless("what happened there");
const PRICES: Fate = Needless("only of use to `processor`");
pub(super) const LENGTH: Fate = Kept("retention.keep (versions that an event shows stay too)");
const MODEL: &str = "no language model is used";

/// Every field of a watch in version 0.60.10, and those of older backups.
pub(in crate::watches::import) const FIELDS: [(&str, Fate); 81] = [
    ("_llm_change_summary", STATE),
    ("_llm_intent", STATE),
    ("_llm_result", STATE),
    ("body", Told("only GET requests are made")),
    ("browser_steps", Paused("the browser only waits; it does not click or type")),
    ("browser_steps_last_error_step", STATE),
    ("check_count", STATE),
    ("check_unique_lines", Told("a page that returns to an earlier state says so by itself")),
    (
        "conditions",
        Paused(
            "changes would be reported whether they hold or not; `counts` has `contains`, `not-contains` and thresholds",
        ),
    ),
    ("conditions_match_logic", Needless("only of use to `conditions`")),
    ("consecutive_filter_failures", STATE),
    ("content-type", STATE),
    ("content_type", STATE),
    ("date_created", STATE),
    ("extract_lines_containing", Kept("counts.only-lines")),
    ("extract_text", Kept("counts.only-text")),
    ("fetch_backend", Kept("fetch.with")),
    ("fetch_time", STATE),
    ("filter_failure_notification_send", Told("a lost zone is always reported")),
    ("filter_text_added", Kept("counts.only, counts.operations")),
    ("filter_text_removed", Kept("counts.only, counts.operations")),
    ("filter_text_replaced", Kept("counts.operations")),
    ("follow_price_changes", PRICES),
    ("has_ldjson_price_data", STATE),
    ("headers", Kept("fetch.headers")),
    ("history_snapshot_max_length", LENGTH),
    ("ignore_status_codes", Told("answers that say \"error\" are never compared")),
    ("ignore_text", Kept("counts.ignore-lines")),
    ("in_stock_only", PRICES),
    ("include_filters", Kept("zone")),
    ("last_check_status", STATE),
    ("last_checked", STATE),
    ("last_error", STATE),
    ("last_filter_config_hash", STATE),
    ("last_notification_error", STATE),
    ("last_viewed", STATE),
    ("link_to_open", Told("messages link to the page that is watched")),
    ("llm_backend_profile", Needless("no language model is used")),
    ("llm_change_summary", Told(MODEL)),
    ("llm_change_summary_mode", Needless(MODEL)),
    ("llm_evaluation_cache", STATE),
    ("llm_intent", Told(MODEL)),
    ("llm_last_tokens_used", STATE),
    ("llm_prefilter", Needless(MODEL)),
    ("llm_tokens_used_cumulative", STATE),
    ("method", Paused("only GET requests are made")),
    ("notification_alert_count", STATE),
    ("notification_body", Told("the message: a target may have a template")),
    ("notification_format", Needless("each target has its own form")),
    ("notification_muted", Told("the targets for all watches are notified: name `targets`, or pause it")),
    ("notification_screenshot", Told("messages have no screenshot; the archive keeps it")),
    ("notification_title", Told("the message: a target may have a template")),
    ("notification_urls", Told("who is notified: write them as targets into driftline.toml")),
    ("page_title", Kept("name (without a `title`)")),
    ("paused", Kept("paused")),
    ("previous_md5", STATE),
    ("previous_md5_before_filters", STATE),
    ("price_change_threshold_percent", PRICES),
    ("processor", Paused("the text of the page would be compared, not a price, a stock or a picture")),
    ("proxy", Told("it names a proxy of that installation; `fetch = { proxy = \"…\" }` names one here")),
    ("remote_server_reply", STATE),
    ("remove_duplicate_lines", Told("a line that appears again is reported as copied")),
    ("restock", STATE),
    ("sort_text_alphabetically", Kept("counts.operations (all but `move`)")),
    ("strip_ignored_lines", Needless("how a version is shown there")),
    ("subtractive_selectors", Kept("ignore")),
    ("tag", Kept("tags")),
    ("tags", Kept("tags")),
    ("text_should_not_be_present", Kept("counts.not-contains")),
    ("time_between_check", Kept("schedule")),
    ("time_between_check_use_default", Kept("schedule")),
    ("time_schedule_limit", Kept("schedule.windows, schedule.zone")),
    ("title", Kept("name")),
    ("track_ldjson_price_data", Paused("the price in the page's data cannot be chosen")),
    ("trigger_text", Kept("counts.contains")),
    ("trim_text_whitespace", Needless("white space never counts")),
    ("url", Kept("url")),
    ("use_page_title_in_list", Needless("how a list looks there")),
    ("uuid", Needless("the name of its folder is the id")),
    ("webdriver_delay", Kept("fetch.wait.extra")),
    ("webdriver_js_execute_code", Paused("no script is run in the page")),
];

/// Whether a table names a field of a watch. Settings of processors are files of their own in later versions.
pub(super) fn is_known(field: &str) -> bool {
    field.starts_with("processor_config_") || FIELDS.iter().any(|(known, _)| *known == field)
}

/// Tells what a watch cannot bring along, and pauses it if it would be of something else.
pub(super) fn leave_behind(draft: &mut Draft, settings: &Settings) {
    for (field, fate) in FIELDS.into_iter().filter(|(field, _)| is_meant(field, settings)) {
        match fate {
            Told(why) => draft.tell(format!("`{field}`: {why}")),
            Paused(why) => draft.pause(format!("`{field}`: {why}")),
            Kept(_) | Needless(_) => {}
        }
    }
}

/// Whether a field says something else than what every watch says.
pub(super) fn is_meant(field: &str, settings: &Settings) -> bool {
    let Some(value) = settings.get(field) else { return false };
    match field {
        "method" => text(settings, field).is_some_and(|method| !method.eq_ignore_ascii_case("GET")),
        "processor" => text(settings, field).is_some_and(|processor| processor != "text_json_diff"),
        "track_ldjson_price_data" => value == "accepted",
        "filter_failure_notification_send" => value == false,
        "browser_steps" => value.as_array().into_iter().flatten().any(is_step),
        _ => is_said(value),
    }
}

/// Whether a step of a browser does something.
fn is_step(step: &Value) -> bool {
    let name = step.get("operation").and_then(Value::as_str);
    name.is_some_and(|name| !matches!(name, "" | "Choose one" | "Goto site"))
}
