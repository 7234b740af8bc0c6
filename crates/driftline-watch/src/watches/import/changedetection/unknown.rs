//! Fields of a backup that no table names: those of a version that is newer than this importer, or of a plug-in.
//!
//! A new version gives its new fields to every watch, so each field is one note, however many watches have it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::is_said;
use crate::watches::import::Note;
use crate::watches::import::fate::UNKNOWN;

/// More letters are no name of a field.
const MOST_LETTERS: usize = 100;

/// Fields that are not known, by whose they are and their names, with how many have them and who is the first.
#[derive(Debug, Default)]
pub(super) struct Unknown(BTreeMap<(&'static str, String), (usize, String)>);

impl Unknown {
    /// Looks at the fields of something. One without a value does nothing there.
    pub(super) fn look(
        &mut self,
        whose: &'static str,
        name: &str,
        fields: &Map<String, Value>,
        is_known: impl Fn(&str) -> bool,
    ) {
        let has_value = |value: &Value| is_said(value) && value.as_f64() != Some(0.0);
        for (field, _) in fields.iter().filter(|(field, value)| !is_known(field) && has_value(value)) {
            let field = field.chars().take(MOST_LETTERS).collect();
            self.0.entry((whose, field)).or_insert_with(|| (0, name.to_owned())).0 += 1;
        }
    }

    /// A note on each field.
    pub(super) fn into_notes(self) -> impl Iterator<Item = Note> {
        self.0.into_iter().map(|((whose, field), (count, first))| {
            let who = if count == 1 { format!("of `{first}`") } else { format!("of {count}, such as `{first}`") };
            Note {
                entry: field,
                what: format!("a field of {whose} that is {UNKNOWN}, {who}: what it does there is not done"),
            }
        })
    }
}
