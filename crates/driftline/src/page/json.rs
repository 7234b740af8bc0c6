//! What does a JSON body say? Its paths and values, one a line, objects in order of their keys.
//!
//! So a re-ordered object is not a change. Paths carry no array positions (`items[].price`): an
//! item inserted at the top is one change, not a change of every item behind it.

use serde_json::Value;

/// Writes the leaves of `value` as lines `path value`, up to about `most` bytes: a hostile body has
/// a path as long as itself in front of every leaf. Did all fit?
pub(crate) fn flatten(value: &Value, most: usize) -> (String, bool) {
    let mut lines = String::new();
    let mut path = String::new();
    leaves(value, &mut path, &mut lines, most);
    let fit = lines.len() <= most;
    (lines, fit)
}

/// Depth is bounded: the JSON parser refuses more than 128 levels.
fn leaves(value: &Value, path: &mut String, lines: &mut String, most: usize) {
    if lines.len() > most {
        return;
    }
    let length = path.len();
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (key, member) in members {
                if length > 0 {
                    path.push('.');
                }
                push_key(path, key);
                leaves(member, path, lines, most);
                path.truncate(length);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            path.push_str("[]");
            for item in items {
                leaves(item, path, lines, most);
            }
            path.truncate(length);
        }
        leaf => {
            lines.push_str(path);
            lines.push(' ');
            match leaf {
                Value::String(text) => lines.push_str(text),
                other => lines.push_str(&other.to_string()),
            }
            lines.push('\n');
        }
    }
}

/// A key that could be taken for a path is quoted: `{"a.b": 1}` is not `{"a": {"b": 1}}`.
fn push_key(path: &mut String, key: &str) {
    if key.is_empty() || key.contains(|char: char| char.is_whitespace() || ".[]\"".contains(char)) {
        path.push_str(&Value::from(key).to_string());
    } else {
        path.push_str(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reordered_object_is_the_same_text() {
        let one: Value = serde_json::from_str(r#"{"b": [1, {"x": null}], "a": "hi"}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"a": "hi", "b": [1, {"x": null}]}"#).unwrap();
        assert_eq!(flatten(&one, 1_000), ("a hi\nb[] 1\nb[].x null\n".to_owned(), true));
        assert_eq!(flatten(&one, 1_000), flatten(&other, 1_000));
    }

    #[test]
    fn a_key_is_not_taken_for_a_path() {
        let flat = |text: &str| flatten(&serde_json::from_str(text).unwrap(), 1_000).0;
        assert_ne!(flat(r#"{"a.b": 1}"#), flat(r#"{"a": {"b": 1}}"#));
        assert_ne!(flat(r#"{"a[]": 1}"#), flat(r#"{"a": [1]}"#));
    }

    #[test]
    fn empty_containers_are_values() {
        let value: Value = serde_json::from_str(r#"{"a": [], "b": {}}"#).unwrap();
        assert_eq!(flatten(&value, 1_000).0, "a []\nb {}\n");
    }

    #[test]
    fn a_long_path_before_many_leaves_is_cut_short() {
        let value = serde_json::json!({ "k".repeat(10_000): vec![1; 10_000] });
        let (lines, fit) = flatten(&value, 100_000);
        assert!(!fit && lines.len() < 120_000, "{} bytes", lines.len());
    }
}
