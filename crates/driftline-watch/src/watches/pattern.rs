//! Does a text match? Regular expressions as people write them in watches, in linear time and little memory.

use regex::{Regex, RegexBuilder};

/// The most bytes that a compiled expression may take.
const MOST_BYTES: usize = 1 << 20;
/// The longest expression.
const MOST_LENGTH: usize = 4_096;

/// Why an expression cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot use the regular expression `{text}`: {why}")]
pub struct NotAPattern {
    text: String,
    why: String,
}

/// Compiles a regular expression of a watch, within limits. `(?i)` in front of it: upper and lower case are the same.
///
/// # Errors
/// If it is none, or asks for too much.
pub fn pattern(text: &str) -> Result<Regex, NotAPattern> {
    let not = |why: String| NotAPattern { text: text.chars().take(80).collect(), why };
    if text.len() > MOST_LENGTH {
        return Err(not(format!("it is longer than {MOST_LENGTH} bytes")));
    }
    let built = RegexBuilder::new(text).size_limit(MOST_BYTES).dfa_size_limit(MOST_BYTES).nest_limit(50).build();
    built.map_err(|error| not(why(&error)))
}

/// The last line says what is wrong; those before it draw where.
fn why(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "it is too large; are there large counts in braces?".to_owned(),
        error => error.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn what_is_no_pattern_is_told_with_why() {
        for (text, told) in [
            ("a(", "unclosed group"),
            (r"\w{1000}{1000}", "too large"),
            (r"(?=a)b", "look-around"),
            (&"a".repeat(5_000), "longer than 4096"),
            (&"(".repeat(100), "`((("),
        ] {
            let error = pattern(text).unwrap_err().to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }

    #[test]
    fn case_counts_unless_it_is_said_otherwise() {
        assert!(pattern("(?i)sold out").unwrap().is_match("Sold Out"));
        assert!(!pattern("sold out").unwrap().is_match("Sold Out"));
    }
}
