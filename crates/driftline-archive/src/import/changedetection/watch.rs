//! What is known about a watch of changedetection.io, without its secrets?
//!
//! A watch may hold passwords: in headers, in the body of a request, in the steps of a browser, in addresses of
//! notifications and of proxies. So only settings that are known to be harmless are kept.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::import::kept::{Watched, address, moment};

/// A watch, as changedetection.io writes it.
pub type Settings = Map<String, Value>;

/// What may be kept.
const HARMLESS: [&str; 29] = [
    "check_unique_lines",
    "conditions",
    "conditions_match_logic",
    "extract_lines_containing",
    "extract_text",
    "fetch_backend",
    "filter_text_added",
    "filter_text_removed",
    "filter_text_replaced",
    "history_snapshot_max_length",
    "ignore_status_codes",
    "ignore_text",
    "include_filters",
    "method",
    "notification_muted",
    "page_title",
    "paused",
    "processor",
    "remove_duplicate_lines",
    "sort_text_alphabetically",
    "strip_ignored_lines",
    "subtractive_selectors",
    "text_should_not_be_present",
    "time_between_check",
    "time_between_check_use_default",
    "time_schedule_limit",
    "trigger_text",
    "trim_text_whitespace",
    "webdriver_delay",
];

/// A watch; none if it has no address of the web, or no id. `tags` are the names of tags by their ids.
pub(super) fn watched(id: &str, settings: &Settings, tags: &HashMap<String, String>) -> Option<Watched> {
    let text = |name: &str| settings.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let harmless = HARMLESS.iter().filter_map(|&name| Some((name.to_owned(), settings.get(name)?.clone())));
    Some(Watched {
        id: uuid::Uuid::try_parse(id).ok()?.to_string(),
        url: address(text("url")?)?,
        title: text("title").or_else(|| text("page_title")).map(str::to_owned),
        tags: own_tags(settings, tags),
        since: settings.get("date_created").and_then(Value::as_f64).and_then(moment).unwrap_or_default(),
        settings: Value::Object(harmless.collect()),
    })
}

/// Tags are ids of tags; in old backups, words with commas between them.
fn own_tags(settings: &Settings, names: &HashMap<String, String>) -> Vec<String> {
    let ids = settings.get("tags").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let by_id = ids.map(|id| names.get(id).map_or(id, String::as_str));
    let words = settings.get("tag").and_then(Value::as_str).unwrap_or_default().split(',').map(str::trim);
    let mut tags: Vec<String> = by_id.chain(words.filter(|word| !word.is_empty())).map(str::to_owned).collect();
    tags.sort();
    tags.dedup();
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "bc4bd629-5213-4131-af89-99b45a19f8cd";

    #[test]
    fn secrets_stay_behind() {
        let json = r#"{"url": "https://me:pw@example.org/", "title": "T", "tags": ["1", "2"], "tag": "old, older",
            "headers": {"Cookie": "pw"}, "body": "pw", "notification_urls": ["json://pw@x/"], "proxy": "pw",
            "browser_steps": [{"optional_value": "pw"}], "webdriver_js_execute_code": "pw", "new_token": "pw",
            "include_filters": ["td"], "date_created": 1794812487}"#;
        let names = HashMap::from([("1".to_owned(), "daily".to_owned())]);
        let watch = watched(ID, &serde_json::from_str(json).unwrap(), &names).unwrap();
        assert!(!format!("{watch:?}").contains("pw"), "{watch:?}");
        assert_eq!(watch.tags, ["2", "daily", "old", "older"]);
        assert_eq!(watch.settings["include_filters"][0], "td");
        assert_eq!(watch.since.digits(), "20261116070127");
    }

    #[test]
    fn a_watch_of_no_web_page_is_none() {
        for url in ["null", "\"\"", "\"file:///etc/passwd\"", "7"] {
            let settings = serde_json::from_str(&format!("{{\"url\": {url}}}")).unwrap();
            assert_eq!(watched(ID, &settings, &HashMap::new()), None, "{url}");
        }
        let settings = serde_json::from_str("{\"url\": \"http://example.org/\"}").unwrap();
        assert_eq!(watched("../..", &settings, &HashMap::new()), None);
    }
}
