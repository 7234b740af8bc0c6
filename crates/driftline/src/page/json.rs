//! What does a JSON body say? Its paths and values, one a line, objects in order of their keys.
//!
//! So a re-ordered object is not a change. Paths carry no array positions (`items[].price`): an
//! item inserted at the top is one change, not a change of every item behind it.
//!
//! A hostile body has a path as long as itself in front of every leaf. Beyond a limit leaves have only the last part of
//! their path, so that none is lost.

use std::fmt::Write;

use serde_json::Value;

use crate::limit::Limit;

mod tree;

pub(crate) use tree::Tree;

/// Whole paths are written up to this many bytes of lines, and [`LINES_PER_BYTE`] more for each byte of the body: 127
/// arrays in each other put 254 bytes in front of each number, and 0.8 MB became 64 MB.
const WHOLE_PATHS: usize = 8 << 20;
/// Coordinates of maps (`features[].geometry.coordinates[][] 12.5`) have seven.
const LINES_PER_BYTE: usize = 8;

/// The leaves of a JSON body as lines.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Flat {
    pub(crate) lines: String,
    pub(crate) limit: Option<Limit>,
}

/// Writes the leaves of `value`, which was read from `body` bytes, as lines `path value`, up to about `most` bytes.
pub(crate) fn flatten(value: &Tree, body: usize, most: usize) -> Flat {
    flatten_within(value, body.saturating_mul(LINES_PER_BYTE).saturating_add(WHOLE_PATHS), most)
}

/// [`flatten`], with whole paths up to `whole` bytes of lines.
fn flatten_within(value: &Tree, whole: usize, most: usize) -> Flat {
    let mut writer = Writer { lines: String::new(), path: String::new(), whole, most };
    writer.leaves(value, 0);
    let limit = match writer.lines.len() {
        length if length > most => Some(Limit::Bytes),
        length if length > whole => Some(Limit::Paths),
        _ => None,
    };
    Flat { lines: writer.lines, limit }
}

struct Writer {
    lines: String,
    path: String,
    whole: usize,
    most: usize,
}

impl Writer {
    /// Writes the leaves below the path; its last part begins at `last`.
    ///
    /// Depth is bounded: the JSON parser refuses more than 128 levels.
    fn leaves(&mut self, value: &Tree, last: usize) {
        if self.lines.len() > self.most {
            return;
        }
        let length = self.path.len();
        match value {
            Tree::Object(members) if !members.is_empty() => {
                for (key, member) in members {
                    if length > 0 {
                        self.path.push('.');
                    }
                    let last = self.path.len();
                    push_key(&mut self.path, key);
                    self.leaves(member, last);
                    self.path.truncate(length);
                }
            }
            Tree::Array(items) if !items.is_empty() => {
                self.path.push_str("[]");
                for item in items {
                    self.leaves(item, length);
                }
                self.path.truncate(length);
            }
            leaf => {
                let start = if self.lines.len() > self.whole { last } else { 0 };
                self.lines.push_str(&self.path[start..]);
                self.lines.push(' ');
                let text: &str = match leaf {
                    Tree::Text(text) => text,
                    Tree::Constant(name) => name,
                    Tree::Array(_) => "[]",
                    Tree::Object(_) => "{}",
                    Tree::Number(number) => {
                        let written = write!(self.lines, "{number}");
                        debug_assert!(written.is_ok(), "a string takes any text");
                        ""
                    }
                };
                self.lines.push_str(text);
                self.lines.push('\n');
            }
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

    fn flat(text: &str) -> String {
        let Flat { lines, limit } = flatten(&serde_json::from_str(text).unwrap(), text.len(), 1_000);
        assert_eq!(limit, None);
        lines
    }

    #[test]
    fn a_reordered_object_is_the_same_text() {
        let one = flat(r#"{"b": [1, {"x": null}], "a": "hi"}"#);
        assert_eq!(one, "a hi\nb[] 1\nb[].x null\n");
        assert_eq!(one, flat(r#"{"a": "hi", "b": [1, {"x": null}]}"#));
    }

    #[test]
    fn a_key_is_not_taken_for_a_path() {
        assert_ne!(flat(r#"{"a.b": 1}"#), flat(r#"{"a": {"b": 1}}"#));
        assert_ne!(flat(r#"{"a[]": 1}"#), flat(r#"{"a": [1]}"#));
    }

    #[test]
    fn empty_containers_are_values() {
        assert_eq!(flat(r#"{"a": [], "b": {}}"#), "a []\nb {}\n");
    }

    fn tree(value: Value) -> Tree {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_long_path_before_many_leaves_is_cut_short() {
        let value = tree(serde_json::json!({ "k".repeat(10_000): vec![1; 10_000] }));
        let Flat { lines, limit } = flatten(&value, 30_000, 100_000);
        assert_eq!(limit, Some(Limit::Bytes));
        assert!(lines.len() < 120_000, "{} bytes", lines.len());
    }

    #[test]
    fn beyond_the_limit_leaves_have_the_last_part_of_their_path_and_none_is_lost() {
        let value = tree(serde_json::json!({ "a": { "b": [1, 2, [3]], "c d": 4, "e": {} } }));
        let Flat { lines, limit } = flatten_within(&value, 12, 1_000);
        assert_eq!(lines, "a.b[] 1\na.b[] 2\n[] 3\n\"c d\" 4\ne {}\n");
        assert_eq!(limit, Some(Limit::Paths));
        assert_eq!(flatten_within(&value, 100, 1_000).limit, None);
    }

    #[test]
    fn arrays_127_deep_do_not_repeat_their_path_without_end() {
        let text = "[".repeat(127) + &vec!["1"; 400_000].join(",") + &"]".repeat(127);
        let Flat { lines, limit } = flatten(&serde_json::from_str(&text).unwrap(), text.len(), usize::MAX);
        assert_eq!((lines.lines().count(), limit), (400_000, Some(Limit::Paths)));
        assert!(lines.len() < 24 * text.len(), "{} bytes", lines.len());
    }

    proptest::proptest! {
        #[test]
        fn lines_are_bounded_by_the_body(
            keys in proptest::collection::vec("[a-c.\"\u{1}é ]{0,6}", 1..40), width in 1_usize..50, whole in 0_usize..300
        ) {
            let leaves = serde_json::json!(vec![1; width]);
            let value = keys.iter().fold(leaves, |value, key| serde_json::json!({ key: value, "z": [key] }));
            let body = value.to_string().len();
            let lines = flatten_within(&tree(value), whole, usize::MAX).lines.len();
            let longest = body + 64;
            proptest::prop_assert!(lines <= whole + longest + 3 * body, "{} of {}", lines, body);
        }
    }
}
