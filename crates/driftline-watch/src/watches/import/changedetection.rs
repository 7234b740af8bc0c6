//! What does changedetection.io watch? Its backup, or its folder.
//!
//! What a watch does there is not only what is set for it: tags add rules to their watches, and the settings of all say
//! how often those are checked that do not say it themselves. So both are read too, and what of them cannot be carried
//! over is told once, not for each watch.

pub(super) mod fields;
pub(super) mod general;
mod rules;
mod schedule;
pub(super) mod tags;
mod unknown;

use std::path::Path;

use driftline::span::Span;
use driftline_archive::import::changedetection::{Backup, INDEXES, Settings};
use driftline_fetch::With;
use serde_json::Value;

use super::draft::{Draft, is_template};
use super::{ImportError, Imported, Note};
use crate::watches::password::without_password;
use general::General;
use tags::Tags;
use unknown::Unknown;

const HEADERS: &str = "files of headers are not read: write what they say into `fetch.headers`";

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
    let (mut imported, mut ids) = (Imported::default(), super::ids::Ids::default());
    let skips = inventory.skips.iter();
    imported.notes.extend(skips.map(|skip| Note { entry: skip.file.clone(), what: skip.detail.clone() }));
    let (general, mut tags) = (General::of(&inventory.general), Tags::of(&inventory.tags));
    imported.notes.extend(general.left_behind());
    imported.notes.extend(inventory.headers.iter().map(|file| Note { entry: file.clone(), what: HEADERS.to_owned() }));
    let mut unknown = Unknown::default();
    general.find_unknown(&mut unknown);
    for (id, settings) in &inventory.tags {
        unknown.look("a tag", text(settings, "title").unwrap_or(id), settings, tags::is_known);
    }
    for (watch, settings) in &inventory.watches {
        let entry = watch.title.clone().unwrap_or_else(|| without_password(&watch.url));
        unknown.look("a watch", &entry, settings, fields::is_known);
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
        imported.take(&mut ids, draft);
    }
    imported.notes.extend(tags.left_behind());
    imported.notes.extend(unknown.into_notes());
    Ok(imported)
}

fn draft_of(draft: &mut Draft, settings: &Settings, general: &General<'_>) {
    let backend = text(settings, "fetch_backend").unwrap_or("system");
    let uses_browser = if backend == "system" { general.is_browser } else { is_browser(backend) };
    draft.settings.fetch.with = if uses_browser { With::Browser } else { With::Http };
    draft.settings.paused = settings.get("paused").and_then(Value::as_bool) == Some(true);
    rules::take(draft, settings);
    general.ignores.iter().for_each(|selector| draft.ignore(selector));
    rules::ignore(draft, &general.ignore_texts);
    headers(draft, settings.get("headers"));
    headers(draft, general.headers);
    // As there, 0 is no delay of its own.
    let own = settings.get("webdriver_delay").and_then(Value::as_u64).filter(|delay| *delay > 0);
    let delay = own.or(general.delay).filter(|delay| (1..=600).contains(delay));
    draft.settings.fetch.wait.extra = delay.map(Span::from_seconds);
    // As there, 0 and what is no number are no limit.
    let length = |value: Option<&Value>| value.and_then(Value::as_u64).filter(|length| *length > 0);
    draft.settings.retention.keep = length(settings.get("history_snapshot_max_length")).or(length(general.length));
    schedule::take(draft, settings, general);
    rules::operations(draft, settings);
    fields::leave_behind(draft, settings);
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

fn text<'a>(settings: &'a Settings, key: &str) -> Option<&'a str> {
    settings.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

fn texts(value: Option<&Value>) -> Vec<&str> {
    let texts = value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(str::trim);
    texts.filter(|text| !text.is_empty()).collect()
}
