//! JSON lines: `{"html": "…", "name": "…"}`, one document a line, in the order given.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Map, Value};

use super::{Body, Document};
use crate::lines;

/// The documents of a file of JSON lines.
pub(super) struct JsonLines {
    input: Option<Box<dyn BufRead>>,
    max_line: usize,
    number: u64,
}

impl JsonLines {
    /// What comes through stdin; it has no name that would say what it is, so its beginning has to.
    pub(super) fn stdin(max_bytes: usize) -> Result<Self> {
        let mut input = BufReader::new(io::stdin());
        let start = input.fill_buf().context("cannot read stdin")?;
        let start = String::from_utf8_lossy(start);
        if !start.trim_start_matches(lines::BOM).trim_start().starts_with('{') && !start.trim().is_empty() {
            bail!("stdin does not hold JSON lines{NOT_LINES}");
        }
        Ok(Self::new(Box::new(input), max_bytes))
    }

    pub(super) fn open(path: &Path, max_bytes: usize) -> Result<Self> {
        let file = File::open(path).with_context(|| format!("cannot open `{}`", path.display()))?;
        Ok(Self::new(Box::new(BufReader::new(file)), max_bytes))
    }

    fn new(input: Box<dyn BufRead>, max_bytes: usize) -> Self {
        // A page of which every byte is escaped, `\u00XX`, and what else there is.
        let max_line = max_bytes.saturating_mul(6).saturating_add(1 << 20);
        Self { input: Some(input), max_line, number: 0 }
    }

    fn document(&self, line: Result<String, String>) -> Document {
        let number = format!("line {}", self.number);
        let members = line.map_err(|error| anyhow!(error)).and_then(|line| members(&line));
        let mut members = match members {
            Ok(members) => members,
            Err(error) => return Document::broken(number, error),
        };
        let url = members.get("url").and_then(Value::as_str).map(str::to_owned);
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let named = ["name", "url", "id", "time"].into_iter().filter_map(|name| members.get(name));
        let name = named.filter(|value| !value.is_null()).map(text).next().unwrap_or(number);
        let page = ["html", "body"].into_iter().find_map(|name| match members.remove(name) {
            Some(Value::String(html)) => Some(html),
            _ => None,
        });
        match page {
            Some(html) => Document { name, body: Ok(Body::Text { html, url }) },
            None => Document::broken(name, anyhow!("it has no page: neither `html` nor `body` is a text")),
        }
    }
}

/// The members of the object that a line is.
fn members(line: &str) -> Result<Map<String, Value>> {
    match serde_json::from_str(line) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => bail!("this is no document; it is `{{\"html\": \"…\"}}`"),
        // There is one line only.
        Err(error) => bail!("this is no JSON: {}", error.to_string().replace("line 1 column", "column")),
    }
}

const NOT_LINES: &str = "\nhint: pipe in one `{\"html\": \"…\"}` a line; pages, WARC files and lists have to be files";

impl Iterator for JsonLines {
    type Item = Document;

    fn next(&mut self) -> Option<Document> {
        loop {
            match lines::next(self.input.as_mut()?, self.max_line) {
                Ok(None) => return None,
                Ok(Some(line)) => {
                    self.number += 1;
                    let line = if self.number == 1 { line.map(lines::without_bom) } else { line };
                    if line.as_ref().is_ok_and(|line| line.trim().is_empty()) {
                        continue;
                    }
                    return Some(self.document(line));
                }
                Err(error) => {
                    // What cannot be read now cannot be read later.
                    self.input = None;
                    return Some(Document::broken(format!("line {}", self.number + 1), error));
                }
            }
        }
    }
}
