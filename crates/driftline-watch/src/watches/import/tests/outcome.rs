//! What an import made of one setting, compared with what its table says.

use std::collections::BTreeMap;
use std::path::PathBuf;

use toml::Value;

use crate::watches::import::Imported;
use crate::watches::import::fate::Fate::{self, Kept, Needless, Paused, Told};
use crate::watches::written;

/// A file that another program wrote (`scripts/peers/import_fields.py`).
pub(super) fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/monitors").join(name)
}

/// How the import of something differs from that of the same without one setting.
#[derive(Debug, PartialEq)]
pub(super) struct Outcome {
    /// Settings of the watch that are new or have another value, by their paths.
    changed: BTreeMap<String, String>,
    /// Notes that are new.
    pub(super) notes: Vec<String>,
}

impl Outcome {
    pub(super) fn of(without: &Imported, with: &Imported) -> Self {
        let (old, mut changed) = (said(without), said(with));
        let lost = old.keys().filter(|key| !changed.contains_key(*key)).map(|key| (key.clone(), "not set".to_owned()));
        let lost: Vec<_> = lost.collect();
        changed.retain(|key, value| old.get(key) != Some(value));
        changed.extend(lost);
        let is_new = |what: &String| !without.notes.iter().any(|note| note.what == *what);
        let notes = with.notes.iter().map(|note| note.what.clone()).filter(is_new).collect();
        Self { changed, notes }
    }

    /// What is wrong if a table says that this is what becomes of a setting.
    pub(super) fn contradiction(&self, name: &str, fate: Fate) -> Option<String> {
        let keys: Vec<&str> = self.changed.keys().map(String::as_str).collect();
        let tells = |why: &str| self.notes.iter().any(|note| note.contains(name) && note.ends_with(why));
        let is_right = match fate {
            Kept(_) => !keys.is_empty() && keys.iter().all(|key| is_covered(key, fate)),
            Told(why) => keys.is_empty() && tells(why),
            Paused(why) => keys == ["note", "paused"] && tells(why),
            Needless(_) => keys.is_empty() && self.notes.is_empty(),
        };
        (!is_right).then(|| format!("{name}: {fate:?}, but {self:?}"))
    }

    /// One line for people.
    pub(super) fn line(&self, name: &str, value: &str) -> String {
        let changed = self.changed.iter().map(|(key, value)| format!("{key} = {value}"));
        let notes = self.notes.iter().map(|note| format!("note: {note}"));
        let all: Vec<String> = changed.chain(notes).collect();
        let all = if all.is_empty() { "-".to_owned() } else { all.join("\n    ") };
        format!("{name}: {}\n    {all}\n", value.chars().take(100).collect::<String>())
    }
}

/// Whether a setting is one of those, or in one of those, that a table names.
fn is_covered(key: &str, fate: Fate) -> bool {
    let Kept(names) = fate else { return false };
    let mut names = names.split(" (").next().unwrap_or_default().split(", ");
    let is_in = |inner: &str, outer: &str| inner == outer || inner.starts_with(&format!("{outer}."));
    names.any(|name| is_in(key, name) || is_in(name, key))
}

/// All that is set for the only watch, by its path.
fn said(imported: &Imported) -> BTreeMap<String, String> {
    let mut said = BTreeMap::new();
    for watch in &imported.watches {
        flatten("", &Value::Table(written(watch)), &mut said);
    }
    said
}

fn flatten(path: &str, value: &Value, said: &mut BTreeMap<String, String>) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flatten(&path, value, said);
            }
        }
        // `fetch = "browser"` and `schedule = "1h"` are short for tables.
        value if path == "fetch" => drop(said.insert("fetch.with".to_owned(), value.to_string())),
        value if path == "schedule" => drop(said.insert("schedule.every".to_owned(), value.to_string())),
        value => drop(said.insert(path.to_owned(), value.to_string())),
    }
}
