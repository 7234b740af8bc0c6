//! What do urlwatch and webchanges watch? YAML, a document for each job.

mod depth;
pub(super) mod filters;
pub(super) mod keys;

use driftline::span::Span;
use driftline_fetch::{Auth, With};
use serde::Deserialize;
use serde_norway::{Deserializer, Mapping, Value};

use super::draft::Draft;
use super::ids::Ids;
use super::{Imported, NotAList, Note};
use crate::watches::Only;

/// More jobs are a mistake.
const MOST_JOBS: usize = 1_000_000;

/// Reads jobs. Of a file that breaks off nothing is taken: nobody knows where the next job begins, and whoever mends it
/// reads it again as a whole.
pub(super) fn parse(text: &str) -> Result<Imported, NotAList> {
    if let Some(line) = depth::too_deep(text) {
        return Err(NotAList::Nested { line });
    }
    let (mut imported, mut ids) = (Imported::default(), Ids::default());
    for (number, document) in Deserializer::from_str(text).take(MOST_JOBS).enumerate() {
        let told = |what: String| Note { entry: format!("job {}", number + 1), what };
        match Value::deserialize(document) {
            Err(error) => {
                let place = error.location().map(|at| format!(" at line {}", at.line())).unwrap_or_default();
                return Err(NotAList::Yaml(place));
            }
            Ok(Value::Null) => {}
            Ok(Value::Mapping(job)) => match draft(&job) {
                Ok(draft) => imported.take(&mut ids, draft),
                Err(what) => imported.notes.push(told(what)),
            },
            // Old files had a list of jobs, or an address alone.
            Ok(Value::Sequence(jobs)) => {
                for job in jobs.iter().filter_map(Value::as_mapping) {
                    match draft(job) {
                        Ok(draft) => imported.take(&mut ids, draft),
                        Err(what) => imported.notes.push(told(what)),
                    }
                }
            }
            Ok(_) => imported.notes.push(told("it is no job".to_owned())),
        }
    }
    Ok(imported)
}

fn draft(job: &Mapping) -> Result<Draft, String> {
    let name = text(job, "name").unwrap_or_default();
    if job.contains_key("command") || text(job, "kind").as_deref() == Some("shell") {
        return Err(format!("`{name}` runs a command, which driftline never does"));
    }
    let (url, is_browser) = match (text(job, "url"), text(job, "navigate")) {
        (Some(url), _) => (url, job.get("use_browser").is_some_and(is_on)),
        (None, Some(url)) => (url, true),
        (None, None) if name.is_empty() => return Err("it has neither `url` nor `navigate`".to_owned()),
        (None, None) => return Err(format!("`{name}` has neither `url` nor `navigate`")),
    };
    let mut draft = Draft { name: Some(name).filter(|name| !name.is_empty()), url, ..Draft::default() };
    draft.settings.fetch.with = if is_browser { With::Browser } else { With::Http };
    for (key, value) in job {
        match key.as_str() {
            Some(key) => take(&mut draft, key, value),
            None => draft.tell("a key that is no text"),
        }
    }
    Ok(draft)
}

/// Carries a key over.
fn take(draft: &mut Draft, key: &str, value: &Value) {
    match key {
        "filter" | "filters" => filters::take(draft, value),
        "headers" => draft.settings.fetch.headers = pairs(value),
        "cookies" => draft.settings.fetch.cookies = pairs(value),
        "proxy" => draft.settings.fetch.proxy = value.as_str().map(Into::into),
        // Each is for addresses of its own scheme.
        "http_proxy" | "https_proxy" if is_of_scheme(&draft.url, key) => {
            draft.settings.fetch.proxy = value.as_str().map(Into::into);
        }
        "http_credentials" => credentials(draft, value),
        "referer" => {
            let page = value.as_str().map(|page| ("Referer".to_owned(), page.into()));
            draft.settings.fetch.headers.extend(page);
        }
        "note" => draft.settings.note = scalar(value).filter(|note| !note.is_empty()),
        "user_agent" | "useragent" => {
            let agent = value.as_str().map(|agent| ("User-Agent".to_owned(), agent.into()));
            draft.settings.fetch.headers.extend(agent);
        }
        "timeout" => draft.settings.fetch.timeout = seconds(value, 1.0),
        "enabled" => draft.settings.paused = value.as_bool() == Some(false),
        "tags" => each(value, |tag| draft.tag(tag)),
        "additions_only" if is_on(value) => {
            draft.settings.counts.only = Some(Only::Added);
            if !value.is_bool() {
                draft.tell("`additions_only`: what is added counts here, however much is removed");
            }
        }
        "deletions_only" if is_on(value) => draft.settings.counts.only = Some(Only::Removed),
        "wait_for" | "wait_for_selector" => wait_for(draft, key, value),
        "wait_for_timeout" => draft.settings.fetch.wait.extra = seconds(value, 1.0),
        "wait_until" => {
            draft.settings.fetch.wait.idle = value.as_str().is_some_and(|text| text.starts_with("networkidle"));
        }
        _ => keys::leave_behind(draft, key, value),
    }
}

/// Whether a value switches something on: most are `true`, some may name what.
fn is_on(value: &Value) -> bool {
    match value {
        Value::Bool(is_on) => *is_on,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.trim().is_empty(),
        _ => false,
    }
}

/// Whether a proxy, `http_proxy` or `https_proxy`, is meant for an address.
fn is_of_scheme(url: &str, key: &str) -> bool {
    url.split_once("://").is_some_and(|(scheme, _)| key.split_once('_').is_some_and(|(own, _)| scheme == own))
}

/// Takes `user:password` over.
fn credentials(draft: &mut Draft, value: &Value) {
    match value.as_str().and_then(|text| text.split_once(':')) {
        Some((user, password)) if !password.starts_with("//") => {
            draft.settings.fetch.auth = Some(Auth::Basic { user: user.to_owned(), password: password.into() });
        }
        _ => draft.tell("`http_credentials`: it is no `user:password`"),
    }
}

/// Takes over the element for which a browser waits: the first, if there are several.
fn wait_for(draft: &mut Draft, key: &str, value: &Value) {
    let (value, is_one) = match value {
        Value::Sequence(values) => (values.first().unwrap_or(value), values.len() < 2),
        value => (value, true),
    };
    match value.as_str().or_else(|| value.get("selector")?.as_str()) {
        Some(selector) if driftline::page::zone::Selector::parse(selector).is_ok() => {
            draft.settings.fetch.wait.selector = Some(selector.to_owned());
            if !is_one {
                draft.tell(format!("`{key}`: the browser waits for the first of the elements"));
            }
        }
        _ => draft.tell(format!("`{key}`: it is no selector")),
    }
}

fn text(job: &Mapping, key: &str) -> Option<String> {
    job.get(key).and_then(scalar)
}

/// A text, or a number as one.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

/// Names and values.
fn pairs<T: From<String>>(value: &Value) -> std::collections::BTreeMap<String, T> {
    let pairs = value.as_mapping().into_iter().flatten();
    pairs.filter_map(|(key, value)| Some((scalar(key)?, scalar(value)?.into()))).collect()
}

/// A text, or each of several.
fn each(value: &Value, mut work: impl FnMut(&str)) {
    match value {
        Value::Sequence(values) => values.iter().filter_map(Value::as_str).for_each(work),
        value => value.as_str().into_iter().flat_map(|text| text.split(',')).for_each(&mut work),
    }
}

#[expect(clippy::cast_sign_loss, reason = "a time to wait is at least a second")]
fn seconds(value: &Value, unit: f64) -> Option<Span> {
    let seconds = value.as_f64()? * unit;
    // Up to a day: anything else is no time to wait. A part of a second is one.
    (f64::MIN_POSITIVE..=86_400.0).contains(&seconds).then(|| Span::from_seconds(seconds.ceil() as u64))
}
