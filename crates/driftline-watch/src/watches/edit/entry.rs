//! How is one entry changed? Key by key; the rest of it stays as it was written.

use toml::Value;
use toml_edit::{InlineTable, Item, RawString, Table, TableLike};

use super::Assignment;
use crate::watches::WatchesError;

/// An entry that says this; tables in it stand on one line.
pub(in crate::watches) fn of(said: &toml::Table) -> Result<Table, WatchesError> {
    let mut table = Table::new();
    // The address first, then the rest in the order of the alphabet.
    let first = ["url", "id", "name", "kind"];
    let firsts = first.iter().filter_map(|&key| said.get_key_value(key));
    let rest = said.iter().filter(|(key, _)| !first.contains(&key.as_str()));
    for (key, value) in firsts.chain(rest) {
        table.insert(key, item(value)?);
    }
    Ok(table)
}

/// Sets a key, or takes it out.
pub(super) fn assign(table: &mut Table, assignment: &Assignment) -> Result<(), WatchesError> {
    let Assignment { key, value } = assignment;
    let mut parts: Vec<&str> = key.split('.').collect();
    let last = parts.pop().unwrap_or_default();
    let mut current: &mut dyn TableLike = table;
    for part in parts {
        if value.is_none() && !current.contains_key(part) {
            return Ok(());
        }
        lengthen(current, part);
        let inner = current.entry(part).or_insert_with(|| toml_edit::value(InlineTable::new()));
        current = inner
            .as_table_like_mut()
            .ok_or_else(|| WatchesError::Change(format!("cannot set `{key}`: `{part}` is no table")))?;
    }
    match value {
        None => {
            current.remove(last);
        }
        Some(value) => {
            let mut new = item(value)?;
            // What stands around a value, such as a comment behind it, stays.
            if let (Some(old), Some(new)) = (current.get(last).and_then(Item::as_value), new.as_value_mut()) {
                *new.decor_mut() = old.decor().clone();
            }
            current.insert(last, new);
        }
    }
    Ok(())
}

/// What stands before an entry and is not about it: what an empty line parts from it.
pub(super) fn before(entry: &Table) -> String {
    let prefix = entry.decor().prefix().and_then(RawString::as_str).unwrap_or_default();
    let kept = prefix.rfind("\n\n").map_or("", |end| &prefix[..end + 2]);
    if kept.trim().is_empty() { String::new() } else { kept.to_owned() }
}

/// Does an empty line stand before an entry?
pub(super) fn has_gap(entry: &Table) -> bool {
    entry.decor().prefix().and_then(RawString::as_str).is_some_and(|prefix| prefix.starts_with('\n'))
}

/// Puts a text before an entry.
pub(super) fn put_before(entry: &mut Table, text: &str) {
    if !text.is_empty() {
        let prefix = entry.decor().prefix().and_then(RawString::as_str).unwrap_or_default();
        let prefix = format!("{text}{}", prefix.trim_start_matches('\n'));
        entry.decor_mut().set_prefix(prefix);
    }
}

/// `fetch = "browser"` and `schedule = "10m"` become tables before something is put into them.
fn lengthen(table: &mut dyn TableLike, key: &str) {
    let short = table.get(key).and_then(Item::as_str).map(str::to_owned);
    let inner_key = match key {
        "fetch" => "with",
        "schedule" => "every",
        _ => return,
    };
    if let Some(short) = short {
        let mut inner = InlineTable::new();
        inner.insert(inner_key, short.into());
        table.insert(key, toml_edit::value(inner));
    }
}

fn item(value: &Value) -> Result<Item, WatchesError> {
    let value: toml_edit::Value =
        value.to_string().parse().map_err(|error| WatchesError::Change(format!("cannot write a value: {error}")))?;
    Ok(Item::Value(value))
}
