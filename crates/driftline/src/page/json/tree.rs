//! A JSON body in memory: a tenth of what the library's own values take, of which an object with one member has 700 bytes.

use std::fmt::{Formatter, Result as Written};

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

/// A value with all that is in it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tree {
    /// `null`, `true`, `false`.
    Constant(&'static str),
    Number(Number),
    Text(Box<str>),
    Array(Box<[Self]>),
    /// Members in the order of their keys; of equal keys the last one.
    Object(Box<[(Box<str>, Self)]>),
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Tree;

    fn expecting(&self, out: &mut Formatter<'_>) -> Written {
        out.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Constant("null"))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Constant(if value { "true" } else { "false" }))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Number::from_f64(value).map_or(Tree::Constant("null"), Tree::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Tree, E> {
        Ok(Tree::Text(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Tree::Array(array.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Tree, A::Error> {
        let mut members: Vec<(Box<str>, Tree)> = Vec::new();
        while let Some(member) = entries.next_entry()? {
            members.push(member);
        }
        // The sort is stable, so that the last of equal keys comes first once they are reversed.
        members.reverse();
        members.sort_by(|(one, _), (other, _)| one.cmp(other));
        members.dedup_by(|(later, _), (kept, _)| later == kept);
        Ok(Tree::Object(members.into()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The library's value as a tree.
    fn tree(value: &Value) -> Tree {
        match value {
            Value::Null => Tree::Constant("null"),
            Value::Bool(value) => Tree::Constant(if *value { "true" } else { "false" }),
            Value::Number(number) => Tree::Number(number.clone()),
            Value::String(text) => Tree::Text(text.as_str().into()),
            Value::Array(items) => Tree::Array(items.iter().map(tree).collect()),
            Value::Object(members) => {
                Tree::Object(members.iter().map(|(key, value)| (key.as_str().into(), tree(value))).collect())
            }
        }
    }

    #[test]
    fn of_equal_keys_the_last_one_counts_and_keys_are_in_order() {
        let text = r#"{"b": 1, "a": [null, true, -5, 1e400, 2.50, 18446744073709551616], "b": {"": "x\u0000"}}"#;
        let parsed = serde_json::from_str::<Value>(text).map(|value| tree(&value)).ok();
        assert_eq!(serde_json::from_str::<Tree>(text).ok(), parsed);
        let text = text.replace("1e400, ", "");
        assert_eq!(serde_json::from_str::<Tree>(&text).unwrap(), tree(&serde_json::from_str(&text).unwrap()));
    }

    #[test]
    fn what_nests_too_deep_is_refused_as_by_the_library() {
        for depth in [126, 127, 128, 129, 10_000] {
            let text = "[".repeat(depth) + &"]".repeat(depth);
            let is_read = serde_json::from_str::<Value>(&text).is_ok();
            assert_eq!(serde_json::from_str::<Tree>(&text).is_ok(), is_read, "{depth}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_json_is_what_the_library_reads(
            text in "(\\{|\\}|\\[|\\]|,|:|\"[ab\\\\]{0,2}\"|[0-9.eE+-]{1,4}|null|true| ){0,14}|\\{(\"[a-c]\":(1|\\[2,\"x\"\\]|\\{\"a\":null\\}),){0,6}\"a\":0\\}"
        ) {
            let expected = serde_json::from_str::<Value>(&text).map(|value| tree(&value)).ok();
            proptest::prop_assert_eq!(serde_json::from_str::<Tree>(&text).ok(), expected);
        }
    }
}
