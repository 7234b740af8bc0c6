//! JSON in ASCII, as Python writes it.

use std::fmt;

use serde_json::Value;

/// A string in quotes, in which everything but printable ASCII is escaped.
pub(super) struct Text<'a>(pub(super) &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("\"")?;
        let mut rest = self.0;
        while let Some(at) =
            rest.find(|character: char| !matches!(character, ' '..='~') || matches!(character, '"' | '\\'))
        {
            formatter.write_str(&rest[..at])?;
            let Some(character) = rest[at..].chars().next() else { break };
            escape(character, formatter)?;
            rest = &rest[at + character.len_utf8()..];
        }
        formatter.write_str(rest)?;
        formatter.write_str("\"")
    }
}

fn escape(character: char, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    match character {
        '"' => formatter.write_str("\\\""),
        '\\' => formatter.write_str("\\\\"),
        '\n' => formatter.write_str("\\n"),
        '\r' => formatter.write_str("\\r"),
        '\t' => formatter.write_str("\\t"),
        '\u{8}' => formatter.write_str("\\b"),
        '\u{c}' => formatter.write_str("\\f"),
        _ => character.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(formatter, "\\u{unit:04x}")),
    }
}

/// Any value.
pub(super) fn ascii(value: &Value) -> String {
    let list = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::String(text) => Text(text).to_string(),
        Value::Array(values) => format!("[{}]", list(values.iter().map(ascii).collect())),
        Value::Object(fields) => {
            format!(
                "{{{}}}",
                list(fields.iter().map(|(name, own)| format!("{}: {}", Text(name), ascii(own))).collect())
            )
        }
        other => other.to_string(),
    }
}
