//! How is a watch written? As little as possible: what is usual is not said.

use std::sync::LazyLock;

use toml::{Table, Value};

use super::{Settings, Watch};

/// What is usual, as a table.
static USUAL: LazyLock<Table> = LazyLock::new(|| Table::try_from(Settings::default()).unwrap_or_default());

/// An entry that says what the watch says. An id that is made of the address is not said.
#[must_use]
pub fn written(watch: &Watch) -> Table {
    let mut entry = Table::new();
    let mut say = |key: &str, value: &str| entry.insert(key.to_owned(), Value::String(value.to_owned()));
    say("url", &watch.url);
    if *watch.id != *super::made_of(watch.settings.kind, &watch.url) {
        say("id", &watch.id);
    }
    if let Some(name) = &watch.name {
        say("name", name);
    }
    let mut settings = Table::try_from(watch.settings.as_ref()).unwrap_or_default();
    leave_out(&mut settings, &USUAL);
    shorten(&mut settings);
    entry.extend(settings);
    entry
}

/// `fetch = "browser"` says the same as a table with nothing else in it.
fn shorten(settings: &mut Table) {
    let Some(Value::Table(fetch)) = settings.get("fetch") else { return };
    if let (1, Some(with)) = (fetch.len(), fetch.get("with").cloned()) {
        settings.insert("fetch".to_owned(), with);
    }
}

/// Leaves out what is as usual.
fn leave_out(table: &mut Table, usual: &Table) {
    table.retain(|key, value| match (value, usual.get(key)) {
        (Value::Table(inner), Some(Value::Table(usual))) => {
            leave_out(inner, usual);
            !inner.is_empty()
        }
        (value, usual) => Some(&*value) != usual,
    });
}

#[cfg(test)]
mod tests;
