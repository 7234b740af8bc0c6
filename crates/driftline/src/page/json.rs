//! What does a JSON body say? Its paths and values, one a line, objects in order of their keys.
//!
//! So a re-ordered object is not a change. Paths carry no array positions (`items[].price`): an
//! item inserted at the top is one change, not a change of every item behind it.

use serde_json::Value;

/// Writes the leaves of `value` as lines `path value`.
pub(crate) fn flatten(value: &Value) -> String {
    let mut lines = String::new();
    let mut path = String::new();
    leaves(value, &mut path, &mut lines);
    lines
}

/// Depth is bounded: the JSON parser refuses more than 128 levels.
fn leaves(value: &Value, path: &mut String, lines: &mut String) {
    let length = path.len();
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (key, member) in members {
                if length > 0 {
                    path.push('.');
                }
                path.push_str(key);
                leaves(member, path, lines);
                path.truncate(length);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            path.push_str("[]");
            for item in items {
                leaves(item, path, lines);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reordered_object_is_the_same_text() {
        let one: Value = serde_json::from_str(r#"{"b": [1, {"x": null}], "a": "hi"}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"a": "hi", "b": [1, {"x": null}]}"#).unwrap();
        assert_eq!(flatten(&one), "a hi\nb[] 1\nb[].x null\n");
        assert_eq!(flatten(&one), flatten(&other));
    }

    #[test]
    fn empty_containers_are_values() {
        let value: Value = serde_json::from_str(r#"{"a": [], "b": {}}"#).unwrap();
        assert_eq!(flatten(&value), "a []\nb {}\n");
    }
}
