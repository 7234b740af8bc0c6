//! What is wrong with the file? Where, at which key, and what may stand there, but never what stands there: a line of
//! it may hold a password, and messages get into logs.

use super::words;

/// All keys: whatever else stands before a `=` may be a part of a value.
const KEYS: [&str; 10] = [
    "catalog",
    "warc",
    "segment-size",
    "compression",
    "prefix",
    "endpoint",
    "region",
    "access-key-id",
    "secret-access-key",
    "body",
];

/// Such as: line 2, column 21, at `secret-access-key`: expected a string.
pub(super) fn told(text: &str, error: &toml::de::Error) -> String {
    let why = words::plain(error.message(), &[]);
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else { return why };
    let (line, start) = (before.matches('\n').count() + 1, before.rfind('\n').map_or(0, |end| end + 1));
    let column = before[start..].chars().count() + 1;
    let key = text[start..].lines().next().and_then(|line| line.split_once('=')).map(|(key, _)| key.trim());
    let key = key.map(|key| key.rsplit('.').next().unwrap_or(key)).filter(|key| KEYS.contains(key));
    let key = key.map_or_else(String::new, |key| format!(", at `{key}`"));
    format!("line {line}, column {column}{key}: {why}")
}

#[cfg(test)]
mod tests {
    use super::super::{Secrets, Settings};

    /// A message and all its causes, and what a log would have.
    fn shown(text: &str) -> String {
        let error = Settings::parse(text, std::path::Path::new("/data"), &Secrets::default()).unwrap_err();
        let mut shown = format!("{error:?}");
        let mut cause: Option<&dyn std::error::Error> = Some(&error);
        while let Some(error) = cause {
            shown += &error.to_string();
            cause = error.source();
        }
        shown
    }

    #[test]
    fn no_value_is_ever_shown() {
        for (text, told) in [
            ("catalog = \"postgres://dl:s3cr3tPW@h/x\n", "line 1, column"),
            ("catalog = postgres://dl:s3cr3tPW@h/x\n", "at `catalog`"),
            ("catalog = 'postgres://dl:s3cr3tPW@h/x' y", "line 1"),
            ("catalog = \"postgres://dl:s3cr3tPW\\q@h/x\"", "line 1"),
            ("catalog = 'a'\ncatalog = 's3cr3tPW'", "line 2"),
            (
                "[s3]\nsecret-access-key = [\"s3cr3tPW\"]",
                "line 2, column 21, at `secret-access-key`: expected a string",
            ),
            ("[s3]\nsecret-acess-key = \"s3cr3tPW\"", "unknown key `secret-acess-key`"),
            ("s3.secret-access-key = 3123\n", "at `secret-access-key`: expected a string"),
            ("segment-size = \"s3cr3tPW, expected s3cr3tPW\"", "expected a whole number, 0 or more"),
            ("compression = 's3cr3tPW'", "expected `gzip` or `zstd`"),
            ("prefix = 's3cr3tPW/'", "`prefix` is 1 to 64 letters"),
            ("warc = 's3cr3tPW://x'", "`warc` is a folder"),
            ("catalog = '''\nab\n s3cr3tPW=\n", "line"),
            ("s3 = 's3cr3tPW'", "line 1"),
            ("catalog = 's3cr3tPW://x:y@z/'", "no place for a catalog"),
        ] {
            let shown = shown(text);
            assert!(!shown.contains("s3cr3tPW") && !shown.contains("3123"), "{text}: {shown}");
            assert!(shown.contains(told), "{text}: {shown}");
        }
    }
}
