//! What does a file of watches say? Its `[[watch]]` entries, each together with the `[defaults]` of the file.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use driftline_archive::settings::plain;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::address::address;
use super::error::{Fault, line, place};
use super::{Kind, Settings, Watch, id, table, validate};

/// The keys of a watch that are no settings.
const OWN: [&str; 3] = ["url", "id", "name"];

/// The watches of a text, without targets and without members of lists beside it: what a file says by itself.
///
/// # Errors
/// What is wrong, and in which line.
pub fn parse(text: &str) -> Result<Vec<Watch>, String> {
    let entries = Reader::new(&BTreeSet::new()).read(text);
    let entries = entries.map_err(|fault| format!("line {}: {}", line(text, fault.at), fault.what))?;
    Ok(entries.into_iter().map(|entry| entry.watch).collect())
}

/// A watch and where in the text it begins.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) watch: Watch,
    pub(super) at: usize,
}

/// Reads files, one after the other: settings that are the same are kept once.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    targets: &'a BTreeSet<String>,
    known: HashMap<String, Arc<Settings>>,
}

impl<'a> Reader<'a> {
    /// `targets`: who may be told.
    pub(super) fn new(targets: &'a BTreeSet<String>) -> Self {
        Self { targets, known: HashMap::new() }
    }

    /// The watches of a file.
    pub(super) fn read(&mut self, text: &str) -> Result<Vec<Entry>, Fault> {
        let mut root = DeTable::parse(text)?.into_inner();
        let mut defaults = match root.remove("defaults") {
            None => DeTable::new(),
            Some(value) => into_table(value)?.1,
        };
        self.check_defaults(&mut defaults)?;
        let entries = match root.remove("watch").map(|value| (value.span().start, value.into_inner())) {
            None => Vec::new(),
            Some((_, DeValue::Array(entries))) => entries.into_iter().collect(),
            Some((at, _)) => return Err(Fault::new(at, "a watch begins with `[[watch]]`, in two pairs of brackets")),
        };
        if let Some((key, _)) = root.iter().next() {
            let what = format!("a file of watches has `[defaults]` and `[[watch]]`, not `{}`", key.get_ref());
            return Err(Fault::new(key.span().start, what));
        }
        entries.into_iter().map(|entry| self.entry(entry, &defaults)).collect()
    }

    /// Defaults are refused where they stand, even if no watch uses them.
    fn check_defaults(&mut self, defaults: &mut DeTable<'_>) -> Result<(), Fault> {
        table::lengthen(defaults);
        for own in OWN {
            if let Some(at) = table::place(defaults, &[own]) {
                return Err(Fault::new(at, format!("`{own}` is a watch's own, not a default of all")));
            }
        }
        self.settings(0, defaults, &[]).map(|_| ())
    }

    fn entry(&mut self, entry: Spanned<DeValue<'_>>, defaults: &DeTable<'_>) -> Result<Entry, Fault> {
        let (at, mut entry) = into_table(entry)?;
        let url = take(&mut entry, "url")?.ok_or_else(|| {
            Fault::new(at, "a watch has no `url`\nhint: write `url = \"https://example.org/\"` below `[[watch]]`")
        })?;
        let given = take(&mut entry, "id")?;
        let name = take(&mut entry, "name")?.filter(|(_, name)| !name.is_empty());
        table::lengthen(&mut entry);
        table::fill(&mut entry, defaults);
        let settings = self.settings(at, &entry, &OWN)?;
        let address = match settings.kind {
            Kind::List => list_file(&url.1),
            _ => address(&url.1),
        };
        let address = address.map_err(|what| Fault::new(url.0, what))?;
        let id = match given {
            Some((_, id)) if id::is_id(&id) => id,
            Some((at, _)) => {
                return Err(Fault::new(
                    at,
                    "an `id` is 1 to 64 letters, digits, `-` or `_`, and does not begin with `-`",
                ));
            }
            None => id::made_of(settings.kind, &address),
        };
        let name = name.map(|(_, name)| name.into());
        Ok(Entry { watch: Watch { id: id.into(), url: address.into(), name, settings }, at })
    }

    /// The settings of a table at a place; `own` are keys of it that are read elsewhere.
    fn settings(&mut self, at: usize, table: &DeTable<'_>, own: &[&str]) -> Result<Arc<Settings>, Fault> {
        let plain = table::plain(table);
        if let Some(known) = self.known.get(&plain) {
            return Ok(Arc::clone(known));
        }
        let settings = Settings::deserialize(Spanned::new(at..at, table.clone()).into_deserializer())
            .map_err(|error| told(&error, table, own))?;
        validate::check(&settings, self.targets).map_err(|wrong| {
            let at = table::place(table, &wrong.path()).unwrap_or(at);
            Fault::new(at, format!("`{}`: {}", wrong.key, wrong.what))
        })?;
        let settings = Arc::new(settings);
        self.known.insert(plain, Arc::clone(&settings));
        Ok(settings)
    }
}

/// A fault with the key that it is about, if one of the table begins there.
fn told(error: &toml::de::Error, table: &DeTable<'_>, own: &[&str]) -> Fault {
    let at = place(error);
    let is_outermost = table.iter().any(|(key, _)| key.span().start == at);
    let fault = Fault::new(at, plain(error.message(), if is_outermost { own } else { &[] }));
    let key = table.iter().find(|(key, value)| key.span().start <= fault.at && fault.at < value.span().end.max(1));
    match key {
        Some((key, _)) if !fault.what.contains('`') => {
            Fault { what: format!("`{}`: {}", key.get_ref(), fault.what), ..fault }
        }
        _ => fault,
    }
}

fn into_table(value: Spanned<DeValue<'_>>) -> Result<(usize, DeTable<'_>), Fault> {
    let at = value.span().start;
    match value.into_inner() {
        DeValue::Table(table) => Ok((at, table)),
        _ => Err(Fault::new(at, "expected a table")),
    }
}

/// Takes a text out of a table, with its place.
fn take(table: &mut DeTable<'_>, key: &str) -> Result<Option<(usize, String)>, Fault> {
    let Some(value) = table.remove(key) else { return Ok(None) };
    let at = value.span().start;
    match value.into_inner() {
        DeValue::String(text) => Ok(Some((at, text.into_owned()))),
        _ => Err(Fault::new(at, format!("`{key}`: expected a string"))),
    }
}

/// The name of a list beside the watches: plain, so that it cannot lead elsewhere.
fn list_file(text: &str) -> Result<String, String> {
    let is_plain = !text.starts_with('.') && !text.contains(['/', '\\', '\0', ':']) && !text.is_empty();
    if is_plain {
        return Ok(text.to_owned());
    }
    Err("the `url` of a list is the name of a file in the folder of watches\nhint: write `url = \"pages.txt\"`"
        .to_owned())
}
