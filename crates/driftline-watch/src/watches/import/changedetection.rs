//! What does changedetection.io watch? Its backup, or its folder.
//!
//! What a watch does there is not only what is set for it: tags add rules to their watches, and the settings of all say
//! how often those are checked that do not say it themselves. So both are read too, and what of them cannot be carried
//! over is told once, not for each watch.

mod general;
mod schedule;
mod tags;

use std::path::Path;

use driftline::span::Span;
use driftline_archive::import::changedetection::{Backup, INDEXES, Settings};
use driftline_fetch::With;
use serde_json::Value;

use super::draft::{Draft, is_template};
use super::{ImportError, Imported, Note};
use crate::watches::Only;
use general::General;
use tags::Tags;

/// Is it the file in its folder that names its watches?
pub(super) fn is_index(path: &Path) -> bool {
    path.file_name().is_some_and(|own| INDEXES.iter().any(|name| own == *name)) && path.is_file()
}

/// Reads what is watched. Ids stay, so that an imported history belongs to its watch.
pub(super) fn read(path: &Path) -> Result<Imported, ImportError> {
    // Whoever names the index means what it is the index of.
    let folder = path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let path = folder.filter(|_| is_index(path)).unwrap_or(path);
    let inventory = Backup::open(path)?.inventory();
    let (mut imported, mut seen) = (Imported::default(), std::collections::HashSet::new());
    let skips = inventory.skips.iter();
    imported.notes.extend(skips.map(|skip| Note { entry: skip.file.clone(), what: skip.detail.clone() }));
    let (general, mut tags) = (General::of(&inventory.general), Tags::of(&inventory.tags));
    imported.notes.extend(general.left_behind());
    for (watch, settings) in &inventory.watches {
        let url = text(settings, "url").unwrap_or(&watch.url);
        let page = url.strip_prefix("source:").unwrap_or(url);
        let (name, id) = (watch.title.clone(), Some(watch.id.clone()));
        let mut draft = Draft { name, url: page.to_owned(), id, ..Draft::default() };
        if page != url {
            draft.tell("`source:` before its address: there its source is compared, here the page");
        }
        watch.tags.iter().for_each(|tag| draft.tag(tag));
        draft_of(&mut draft, settings, &general);
        tags.add(&mut draft, url, settings);
        imported.take(&mut seen, draft);
    }
    imported.notes.extend(tags.left_behind());
    Ok(imported)
}

fn draft_of(draft: &mut Draft, settings: &Settings, general: &General<'_>) {
    let backend = text(settings, "fetch_backend").unwrap_or("system");
    let uses_browser = if backend == "system" { general.is_browser } else { is_browser(backend) };
    draft.settings.fetch.with = if uses_browser { With::Browser } else { With::Http };
    draft.settings.paused = settings.get("paused").and_then(Value::as_bool) == Some(true);
    rules(draft, settings);
    general.ignores.iter().for_each(|selector| draft.ignore(selector));
    general.ignore_texts.iter().for_each(|phrase| draft.ignore_text(&expression(phrase)));
    headers(draft, settings.get("headers"));
    headers(draft, general.headers);
    let delay = settings.get("webdriver_delay").and_then(Value::as_u64).or(general.delay);
    draft.settings.fetch.wait.extra = delay.filter(|delay| (1..=600).contains(delay)).map(Span::from_seconds);
    schedule::take(draft, settings, general);
    only(draft, settings);
    left_behind(draft, settings);
}

/// What counts and what does not: of a watch, or of a tag for all its watches.
fn rules(draft: &mut Draft, settings: &Settings) {
    texts(settings.get("include_filters")).into_iter().for_each(|filter| zone(draft, filter));
    texts(settings.get("subtractive_selectors")).into_iter().for_each(|selector| draft.ignore(selector));
    texts(settings.get("trigger_text")).into_iter().for_each(|phrase| draft.trigger(&expression(phrase)));
    texts(settings.get("ignore_text")).into_iter().for_each(|phrase| draft.ignore_text(&expression(phrase)));
}

/// What is sent; those of all watches take the place of a watch's own, as they do there.
fn headers(draft: &mut Draft, headers: Option<&Value>) {
    let headers = headers.and_then(Value::as_object).into_iter().flatten();
    for (name, value) in headers.filter_map(|(name, value)| Some((name, value.as_str()?))) {
        if is_template(value) {
            draft.tell(format!("the header `{name}`: templates (`{{{{ … }}}}`, `{{% … %}}`) are not filled in"));
        } else {
            draft.settings.fetch.headers.insert(name.clone(), value.into());
        }
    }
}

/// A part that counts. Only selectors of CSS can be used.
fn zone(draft: &mut Draft, filter: &str) {
    let others = ["xpath:", "xpath1:", "json:", "jq:", "jqraw:", "//", "/"];
    match others.iter().find(|other| filter.starts_with(**other)) {
        Some(other) => draft
            .tell(format!("a filter `{other}…`: only CSS selectors are known here, so it is as if it were not there")),
        None => draft.zone(filter.strip_prefix("css:").unwrap_or(filter).trim()),
    }
}

/// Which sides of a change count there: added, removed and replaced lines.
fn only(draft: &mut Draft, settings: &Settings) {
    let is_on = |key: &str| settings.get(key).and_then(Value::as_bool).unwrap_or(true);
    draft.settings.counts.only = match (is_on("filter_text_added"), is_on("filter_text_removed")) {
        (true, false) => Some(Only::Added),
        (false, true) => Some(Only::Removed),
        _ => None,
    };
}

/// What has no counterpart, and why.
const LEFT: [(&str, &str); 16] = [
    ("notification_urls", "who is told: write them as targets into driftline.toml"),
    ("notification_muted", "whoever is a target for all is told of it: name `targets`, or pause it"),
    ("notification_title", "the message: a target may have a template"),
    ("notification_body", "the message: a target may have a template"),
    ("proxy", "it names a proxy of that installation; `fetch = { proxy = \"…\" }` names one here"),
    ("body", "only GET is asked"),
    ("extract_text", "it has no counterpart; `trigger` chooses by what came or went"),
    ("extract_lines_containing", "it has no counterpart; `trigger` chooses by what came or went"),
    ("text_should_not_be_present", "it has no counterpart"),
    ("conditions", "they have no counterpart; `counts` has thresholds"),
    ("webdriver_js_execute_code", "nothing is run in the page"),
    ("llm_intent", "nothing is asked of a language model"),
    ("check_unique_lines", "a page that returns to an earlier state says so by itself"),
    ("sort_text_alphabetically", "moved words are told as such"),
    ("ignore_status_codes", "answers that say \"error\" are never compared"),
    ("llm_change_summary", "nothing is asked of a language model"),
];

/// What has no counterpart is told by its name.
fn left_behind(draft: &mut Draft, settings: &Settings) {
    for (key, why) in LEFT {
        if settings.get(key).is_some_and(is_said) {
            draft.tell(format!("`{key}`: {why}"));
        }
    }
    if text(settings, "method").is_some_and(|method| !method.eq_ignore_ascii_case("GET")) {
        draft.tell("`method`: only GET is asked");
    }
    if let Some(processor) = text(settings, "processor").filter(|processor| *processor != "text_json_diff") {
        draft.tell(format!("`processor`: there is no `{processor}` here; the text of the page is compared"));
    }
    let steps = settings.get("browser_steps").and_then(Value::as_array).into_iter().flatten();
    let is_step = |step: &Value| {
        step.get("operation")
            .and_then(Value::as_str)
            .is_some_and(|name| !matches!(name, "" | "Choose one" | "Goto site"))
    };
    if steps.into_iter().any(is_step) {
        draft.tell("`browser_steps`: the browser only waits; it does not click or type");
    }
}

/// Is a value more than nothing?
fn is_said(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) | Value::Number(_) => true,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(values) => values.iter().any(is_said),
        Value::Object(values) => values.values().any(is_said),
    }
}

fn is_browser(backend: &str) -> bool {
    backend == "html_webdriver" || backend.starts_with("extra_browser_")
}

/// A phrase in any case, or `/expression/` with its flags.
fn expression(phrase: &str) -> String {
    let inner = phrase.strip_prefix('/').and_then(|rest| rest.rsplit_once('/'));
    match inner.filter(|(_, flags)| flags.chars().all(|flag| "imsx".contains(flag))) {
        Some((inner, "")) => inner.to_owned(),
        Some((inner, flags)) => format!("(?{flags}){inner}"),
        None => format!("(?i){}", regex::escape(phrase)),
    }
}

fn text<'a>(settings: &'a Settings, key: &str) -> Option<&'a str> {
    settings.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

fn texts(value: Option<&Value>) -> Vec<&str> {
    let texts = value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(str::trim);
    texts.filter(|text| !text.is_empty()).collect()
}
