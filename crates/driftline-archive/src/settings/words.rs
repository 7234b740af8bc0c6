//! Messages of the libraries that read TOML, in plain words and without any value, which may be a password.

/// The messages that quote a value before they say what was expected.
const QUOTING: [&str; 4] = ["invalid type", "invalid value", "invalid length", "unknown variant"];

/// What a type is called in the libraries, and what it is called here.
const TYPES: [(&str, &str); 6] = [
    ("a boolean", "true or false"),
    ("a sequence", "a list"),
    ("a map", "a table"),
    ("struct ", "a table"),
    ("f32", "a number"),
    ("f64", "a number"),
];

/// A message of serde or of the TOML parser in plain words: an unknown key with all known ones and the nearest of them,
/// and never a value. `also` are keys of the same table that are read elsewhere.
#[must_use]
pub fn plain(message: &str, also: &[&str]) -> String {
    let message = message.trim_end();
    if let Some((key, expected)) = message.strip_prefix("unknown field `").and_then(|rest| rest.split_once('`')) {
        let known: Vec<&str> = also.iter().copied().chain(expected.split('`').skip(1).step_by(2)).collect();
        return unknown_key(key, &known);
    }
    if let Some(key) = message.strip_prefix("missing field `") {
        return format!("`{key} is missing");
    }
    if QUOTING.iter().any(|quoting| message.starts_with(quoting)) {
        let expected = message.rsplit_once(", expected ");
        return expected
            .map_or_else(|| "that is no value for it".to_owned(), |(_, may)| format!("expected {}", of(may)));
    }
    let (what, hint) = message.split_once("\nhint: ").unwrap_or((message, ""));
    let hint = if hint.is_empty() { String::new() } else { format!("\nhint: {hint}") };
    what.lines().next().unwrap_or_default().to_owned() + &hint
}

/// A message of the JSON parser in one line of plain words, with the line of the file.
#[must_use]
pub fn plain_json(error: &serde_json::Error) -> String {
    use serde_json::error::Category;
    let why = match error.classify() {
        Category::Io => return error.to_string(),
        Category::Eof => "it ends too early".to_owned(),
        Category::Syntax => "it is not valid JSON".to_owned(),
        Category::Data => {
            let message = error.to_string();
            let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
            plain(message, &[]).lines().next().unwrap_or_default().to_owned()
        }
    };
    // Values that were read before have no line.
    if error.line() == 0 { why } else { format!("line {}: {why}", error.line()) }
}

/// A key that is not known, with all that are, and the nearest as a hint.
fn unknown_key(key: &str, known: &[&str]) -> String {
    let all: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
    let told = format!("unknown key `{key}`; known keys: {}", all.join(", "));
    nearest(key, known).map_or(told.clone(), |nearest| format!("{told}\nhint: did you mean `{nearest}`?"))
}

/// A type in plain words.
fn of(library: &str) -> &str {
    let is_unsigned = matches!(library, "u8" | "u16" | "u32" | "u64" | "usize" | "a nonzero u32" | "a nonzero usize");
    if is_unsigned {
        return "a whole number, 0 or more";
    }
    TYPES.iter().find(|(theirs, _)| library.starts_with(theirs)).map_or(library, |(_, ours)| ours)
}

/// The known key that a misspelt one is most like, if at most a third of it differs.
fn nearest<'a>(key: &str, known: &[&'a str]) -> Option<&'a str> {
    let distance = |known: &str| edits(&key.to_lowercase().replace('_', "-"), known);
    let (best, most) = known.iter().map(|known| (distance(known), *known)).min()?;
    (best <= (key.chars().count() / 3).max(1)).then_some(most)
}

/// The least number of characters to insert, remove or replace, or of neighbours to swap.
fn edits(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::{plain, plain_json};

    #[test]
    fn an_unknown_key_is_answered_with_all_known_keys_and_the_nearest() {
        for (message, told) in [
            (
                "unknown field `nname`, expected one of `kind`, `zone`\n",
                "unknown key `nname`; known keys: `url`, `name`, `kind`, `zone`\nhint: did you mean `name`?",
            ),
            ("unknown field `zoen`, expected `kind` or `zone`", "hint: did you mean `zone`?"),
            ("unknown field `KIND`, expected `kind`", "hint: did you mean `kind`?"),
            ("unknown field `colour`, expected `kind`", "unknown key `colour`; known keys: `url`, `name`, `kind`"),
            ("unknown field `x`, there are no fields", "unknown key `x`; known keys: `url`, `name`"),
        ] {
            assert!(
                plain(message, &["url", "name"]).ends_with(told),
                "{message}: {}",
                plain(message, &["url", "name"])
            );
        }
    }

    #[test]
    fn faults_of_json_are_told_in_plain_words_with_their_line() {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "only read")]
        struct Saved {
            format: u32,
            cut: bool,
        }
        for (text, told) in [
            ("{", "line 1: it ends too early"),
            ("{\n]", "line 2: it is not valid JSON"),
            ("{\"more\": 1}", "line 1: unknown key `more`; known keys: `format`, `cut`"),
            ("{\"format\": \"s3cr3t\"}", "line 1: expected a whole number, 0 or more"),
        ] {
            assert_eq!(plain_json(&serde_json::from_str::<Saved>(text).map(drop).unwrap_err()), told, "{text}");
        }
    }

    #[test]
    fn types_have_the_words_of_people_and_values_are_not_told() {
        for (message, told) in [
            ("invalid type: string \"s3cr3t, expected s3cr3t\", expected a boolean\n", "expected true or false"),
            ("invalid type: integer `7`, expected a sequence", "expected a list"),
            ("invalid type: string \"x\", expected struct Counts", "expected a table"),
            ("invalid value: integer `-1`, expected u64", "expected a whole number, 0 or more"),
            ("invalid type: string \"x\", expected f64", "expected a number"),
            ("unknown variant `s3cr3t`, expected `gzip` or `zstd`", "expected `gzip` or `zstd`"),
            ("missing field `url`", "`url` is missing"),
            ("`long` is no span\nhint: write 30s\n", "`long` is no span\nhint: write 30s"),
        ] {
            assert_eq!(plain(message, &[]), told);
        }
    }
}
