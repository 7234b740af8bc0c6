//! How much does a change of an attribute matter? A link's target more than a border's width.
//!
//! The table is a text file that people can edit; `attribute-weights.txt` beside this file is the
//! one used unless another is given, and explains the format.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The weights of attributes, from 0 to 100.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeWeights {
    named: BTreeMap<Box<str>, u32>,
    others: u32,
}

/// Why a table of attribute weights cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AttributeWeightsError {
    /// A line is not a name and a number.
    #[error("line {line}: `{text}` is not the name of an attribute and its weight, as in `href 100`")]
    Form {
        /// Counted from 1.
        line: usize,
        /// What stands there.
        text: Box<str>,
    },
    /// A weight is not a whole number from 0 to 100.
    #[error("line {line}: a weight is a whole number from 0 to 100, not `{text}`")]
    Weight {
        /// Counted from 1.
        line: usize,
        /// What stands there.
        text: Box<str>,
    },
    /// An attribute has two weights.
    #[error("line {line}: `{name}` already has a weight")]
    Twice {
        /// Counted from 1.
        line: usize,
        /// The attribute.
        name: Box<str>,
    },
}

impl AttributeWeights {
    /// The largest weight.
    pub const MOST: u32 = 100;

    /// The weight of attributes that a table does not name, unless it has a line `*`.
    pub const OTHERS: u32 = 10;

    /// The table used unless another is given, as text.
    pub const DEFAULT_TABLE: &str = include_str!("attribute-weights.txt");

    /// Reads a table: a name and a weight a line, `*` for all other names, `#` for comments.
    ///
    /// # Errors
    /// If a line is something else, or names an attribute again.
    pub fn parse(text: &str) -> Result<Self, AttributeWeightsError> {
        let mut named = BTreeMap::new();
        for (index, text) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = index + 1;
            let text = text.split('#').next().unwrap_or_default().trim();
            if text.is_empty() {
                continue;
            }
            let (name, weight) = entry(line, text)?;
            if named.insert(name.clone(), weight).is_some() {
                return Err(AttributeWeightsError::Twice { line, name });
            }
        }
        let others = named.remove("*").unwrap_or(Self::OTHERS);
        Ok(Self { named, others })
    }

    /// The weight of an attribute; case does not matter.
    #[must_use]
    pub fn of(&self, name: &str) -> u32 {
        let found = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            self.named.get(name.to_ascii_lowercase().as_str())
        } else {
            self.named.get(name)
        };
        found.copied().unwrap_or(self.others)
    }
}

impl Serialize for AttributeWeights {
    /// An object with a number for each name, and `*` for all others.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let named = self.named.iter().map(|(name, weight)| (&**name, *weight));
        serializer.collect_map([("*", self.others)].into_iter().chain(named))
    }
}

impl<'de> Deserialize<'de> for AttributeWeights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut named = BTreeMap::<Box<str>, u32>::deserialize(deserializer)?;
        if let Some((name, weight)) = named.iter().find(|(_, weight)| **weight > Self::MOST) {
            return Err(D::Error::custom(format_args!("the weight of `{name}` is from 0 to 100, not {weight}")));
        }
        let others = named.remove("*").unwrap_or(Self::OTHERS);
        Ok(Self { named, others })
    }
}

impl Default for AttributeWeights {
    fn default() -> Self {
        Self::parse(Self::DEFAULT_TABLE).expect("the table in the crate is read by a test")
    }
}

fn entry(line: usize, text: &str) -> Result<(Box<str>, u32), AttributeWeightsError> {
    let mut fields = text.split_whitespace();
    let (Some(name), Some(weight), None) = (fields.next(), fields.next(), fields.next()) else {
        return Err(AttributeWeightsError::Form { line, text: text.into() });
    };
    match weight.parse() {
        Ok(weight) if weight <= AttributeWeights::MOST => Ok((name.to_ascii_lowercase().into(), weight)),
        _ => Err(AttributeWeightsError::Weight { line, text: weight.into() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_table_puts_links_above_borders() {
        let weights = AttributeWeights::default();
        assert_eq!((weights.of("href"), weights.of("HREF"), weights.of("cellpadding")), (100, 100, 5));
        assert_eq!(weights.of("data-x"), 10);
    }

    #[test]
    fn a_table_of_ones_own_is_taken_whole() {
        let weights = AttributeWeights::parse("\u{feff}# mine\nhref 7 # low\r\n\n* 0\nClass 100").unwrap();
        assert_eq!((weights.of("href"), weights.of("class"), weights.of("src")), (7, 100, 0));
        assert_eq!(AttributeWeights::parse("").unwrap().of("href"), AttributeWeights::OTHERS);
    }

    #[test]
    fn a_broken_table_is_refused_with_its_line() {
        let message = |text| AttributeWeights::parse(text).unwrap_err().to_string();
        assert_eq!(message("href"), "line 1: `href` is not the name of an attribute and its weight, as in `href 100`");
        assert_eq!(message("\na 101"), "line 2: a weight is a whole number from 0 to 100, not `101`");
        assert_eq!(message("a -1"), "line 1: a weight is a whole number from 0 to 100, not `-1`");
        assert_eq!(message("a 1\nA 2"), "line 2: `a` already has a weight");
    }
}
