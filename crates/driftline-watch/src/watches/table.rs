//! What does an entry say, together with the defaults of its file? Tables with the places of their values, so that a
//! fault is told with its line.

use std::fmt::Write as _;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The key that says how a page is fetched, and the one in it that says by what.
const FETCH: &str = "fetch";
const WITH: &str = "with";

/// `fetch = "browser"` is short for `fetch = { with = "browser" }`.
pub(super) fn lengthen(table: &mut DeTable<'_>) {
    for (key, value) in table.iter_mut() {
        if key.get_ref() == FETCH && value.get_ref().is_str() {
            let span = value.span();
            let with = std::mem::replace(value.get_mut(), DeValue::Boolean(false));
            let mut inner = DeTable::new();
            inner.insert(Spanned::new(key.span(), WITH.into()), Spanned::new(span, with));
            *value.get_mut() = DeValue::Table(inner);
        }
    }
}

/// What `defaults` say and `own` does not. Tables are merged key by key, lists are replaced.
pub(super) fn fill<'i>(own: &mut DeTable<'i>, defaults: &DeTable<'i>) {
    for (key, usual) in defaults {
        let DeValue::Table(usual_inner) = usual.get_ref() else {
            if !own.contains_key(key.get_ref().as_ref()) {
                own.insert(key.clone(), usual.clone());
            }
            continue;
        };
        match own.get_mut(key.get_ref().as_ref()).map(Spanned::get_mut) {
            Some(DeValue::Table(inner)) if !is_choice(key.get_ref()) => fill(inner, usual_inner),
            Some(_) => {}
            None => {
                own.insert(key.clone(), usual.clone());
            }
        }
    }
}

/// Is it one thing of several, so that parts of two would make neither?
fn is_choice(key: &str) -> bool {
    matches!(key, "auth" | "schedule" | "retention")
}

/// A value by its path, such as `["counts", "degree"]`, or the nearest thing around it: where it begins.
pub(super) fn place(table: &DeTable<'_>, path: &[&str]) -> Option<usize> {
    let (first, rest) = path.split_first()?;
    let (key, value) = table.get_key_value(*first)?;
    let inner = value.get_ref().as_table().and_then(|inner| place(inner, rest));
    Some(inner.unwrap_or(key.span().start))
}

/// What a table says, without places: the same for the same.
pub(super) fn plain(table: &DeTable<'_>) -> String {
    let mut out = String::new();
    write_table(table, &mut out);
    out
}

fn write_table(table: &DeTable<'_>, out: &mut String) {
    out.push('{');
    for (key, value) in table {
        let _ = write!(out, "{:?}=", key.get_ref());
        write_value(value.get_ref(), out);
    }
    out.push('}');
}

fn write_value(value: &DeValue<'_>, out: &mut String) {
    let _ = match value {
        DeValue::String(text) => write!(out, "{text:?},"),
        DeValue::Integer(number) => write!(out, "{number},"),
        DeValue::Float(number) => write!(out, "{number},"),
        DeValue::Boolean(truth) => write!(out, "{truth},"),
        DeValue::Datetime(time) => write!(out, "{time},"),
        DeValue::Array(values) => {
            out.push('[');
            for value in values {
                write_value(value.get_ref(), out);
            }
            out.push(']');
            Ok(())
        }
        DeValue::Table(table) => {
            write_table(table, out);
            Ok(())
        }
    };
}

#[cfg(test)]
mod tests {
    use super::{DeTable, fill, lengthen, place, plain};

    fn table(text: &str) -> DeTable<'_> {
        DeTable::parse(text).unwrap().into_inner()
    }

    #[test]
    fn a_default_is_what_an_entry_does_not_say() {
        let mut own = table(
            "tags = ['a']\nfetch = 'browser'\ncounts = { degree = 0.1 }\nschedule = { every = '1h' }\n\
                             retention = { older-than = '1y' }",
        );
        let mut defaults = table(
            "tags = ['b', 'c']\npaused = true\nfetch = { timeout = '5s' }\ncounts = { degree = 0.5, importance = 1 }\n\
             schedule = { cron = '@daily' }\nretention = { keep = 5 }",
        );
        lengthen(&mut own);
        lengthen(&mut defaults);
        fill(&mut own, &defaults);
        let expected = table(
            "tags = ['a']\npaused = true\nfetch = { with = 'browser', timeout = '5s' }\n\
             counts = { degree = 0.1, importance = 1 }\nschedule = { every = '1h' }\n\
             retention = { older-than = '1y' }",
        );
        assert_eq!(plain(&own), plain(&expected));
    }

    #[test]
    fn a_fault_is_told_with_its_place_or_with_what_is_around_it() {
        let text = "a = 1\ncounts = { degree = 2 }\n";
        let table = table(text);
        assert_eq!(place(&table, &["counts", "degree"]), text.find("degree"));
        assert_eq!(place(&table, &["counts", "trigger"]), text.find("counts"));
        assert_eq!(place(&table, &["zone"]), None);
    }
}
