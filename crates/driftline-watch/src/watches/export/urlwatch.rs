//! How does urlwatch say what is watched? A document of YAML for each page.

use std::io;

use driftline_fetch::{How, With};
use serde_norway::{Mapping, Value};

use crate::watches::import::Note;
use crate::watches::{Counts, Kind, Only, Settings, Watch};

/// The job of a watch; empty if there is none for its kind.
pub(super) fn job(watch: &Watch, notes: &mut Vec<Note>) -> io::Result<String> {
    let Settings { kind, zone, ignore, fetch, counts, tags, paused, .. } = watch.settings.as_ref();
    if !matches!(kind, Kind::Page | Kind::Feed) {
        return Ok(String::new());
    }
    let mut job = Mapping::new();
    let mut say = |key: &str, value: Value| job.insert(key.into(), value);
    say("name", watch.title().into());
    say(if fetch.with == With::Browser { "navigate" } else { "url" }, (&*watch.url).into());
    let filters = filters(zone, ignore, counts);
    if !filters.is_empty() {
        say("filter", Value::Sequence(filters));
    }
    for (key, pairs) in [("headers", &fetch.headers), ("cookies", &fetch.cookies)] {
        if !pairs.is_empty() {
            let pairs = pairs.iter().map(|(name, value)| (Value::from(name.as_str()), Value::from(value.written())));
            say(key, Value::Mapping(pairs.collect()));
        }
    }
    if let Some(proxy) = &fetch.proxy {
        say("http_proxy", proxy.written().into());
    }
    if !tags.is_empty() {
        say("tags", tags.iter().map(|tag| Value::from(tag.as_str())).collect::<Vec<_>>().into());
    }
    if *paused {
        say("enabled", false.into());
    }
    match counts.only {
        Some(Only::Added) => say("additions_only", true.into()),
        Some(Only::Removed) => say("deletions_only", true.into()),
        None => None,
    };
    left_out(watch, notes);
    Ok(format!("---\n{}", serde_norway::to_string(&job).map_err(io::Error::other)?))
}

fn filters(zone: &[String], ignore: &[String], counts: &Counts) -> Vec<Value> {
    let one = |name: &str, value: Value| Value::Mapping(Mapping::from_iter([(name.into(), value)]));
    let mut filters = Vec::new();
    if !zone.is_empty() || !ignore.is_empty() {
        let selector = if zone.is_empty() { "body".to_owned() } else { zone.join(", ") };
        let mut css = Mapping::from_iter([("selector".into(), selector.into())]);
        if !ignore.is_empty() {
            css.insert("exclude".into(), ignore.join(", ").into());
        }
        filters.push(one("css", Value::Mapping(css)));
    }
    filters.push(Value::from("html2text"));
    // Expressions are alternatives here, and steps one after the other there.
    let any = |name: &str, texts: &[String]| (!texts.is_empty()).then(|| one(name, texts.join("|").into()));
    filters.extend(any("grep", &counts.only_lines));
    filters.extend(counts.ignore_lines.iter().map(|text| one("grepi", text.as_str().into())));
    filters.extend(counts.ignore_text.iter().map(|text| one("re.sub", text.as_str().into())));
    filters.extend(any("re.findall", &counts.only_text));
    filters
}

/// What a job cannot say.
fn left_out(watch: &Watch, notes: &mut Vec<Note>) {
    let (settings, usual) = (watch.settings.as_ref(), Settings::default());
    let How { with, headers, cookies, proxy, auth, .. } = settings.fetch.clone();
    let told_of_fetch = How { with, headers, cookies, proxy, auth, ..How::default() };
    let differs = [
        ("schedule", settings.schedule != usual.schedule),
        ("normalise", !settings.normalise.is_empty()),
        ("targets", !settings.targets.is_empty()),
        ("counts.degree", settings.counts.degree.is_some()),
        ("counts.importance", settings.counts.importance.is_some()),
        ("counts.operations", !settings.counts.operations.is_empty()),
        ("counts.trigger", !settings.counts.trigger.is_empty()),
        ("counts.contains", !settings.counts.contains.is_empty()),
        ("counts.not-contains", !settings.counts.not_contains.is_empty()),
        ("fetch.auth", settings.fetch.auth.is_some()),
        ("more of fetch", settings.fetch != told_of_fetch),
        ("follow", settings.follow),
        ("hold", settings.hold.is_some()),
        ("keep", settings.keep != usual.keep),
        ("learn", settings.learn.is_some()),
        ("note", settings.note.is_some()),
        ("kind", settings.kind == Kind::Feed),
    ];
    let left: Vec<&str> = differs.iter().filter(|(_, differs)| *differs).map(|(key, _)| *key).collect();
    if !left.is_empty() {
        notes.push(Note { entry: watch.title().to_owned(), what: format!("a job cannot say: {}", left.join(", ")) });
    }
}
