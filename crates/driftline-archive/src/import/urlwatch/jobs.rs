//! Which page is a job of urlwatch or webchanges about? The addresses in `urls.yaml` or `jobs.yaml`.
//!
//! The databases name a job by the SHA-1 of its location only. Of the job file nothing else is needed than a few
//! plain lines at the left margin, so it is read line by line: `url:`, `navigate:`, `user_visible_url:`, `name:`,
//! and `---` between jobs. Everything that is indented belongs to filters and the like.

use std::collections::HashMap;

use data_encoding::HEXLOWER;
use sha1::{Digest, Sha1};

/// Jobs by their ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Jobs(HashMap<String, Job>);

/// What a job is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Job {
    /// The address that is fetched, or the command that is run.
    pub location: String,
    /// What people call it.
    pub name: Option<String>,
    /// What people see instead of the address. Then it is this that the id is made of.
    visible: Option<String>,
}

impl Jobs {
    /// Reads a job file.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (mut jobs, mut job) = (Self::default(), Job::default());
        for line in text.lines() {
            if line.trim_end() == "---" {
                jobs.add(std::mem::take(&mut job));
            } else if let Some((key, value)) = line.split_once(':') {
                let value = scalar(value);
                match key {
                    "url" | "navigate" | "command" => job.location = value,
                    "name" => job.name = Some(value).filter(|name| !name.is_empty()),
                    "user_visible_url" => job.visible = Some(value).filter(|visible| !visible.is_empty()),
                    _ => {}
                }
            }
        }
        jobs.add(job);
        jobs
    }

    /// The job with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Job> {
        self.0.get(id)
    }

    fn add(&mut self, job: Job) {
        let location = job.visible.as_ref().unwrap_or(&job.location);
        if !location.is_empty() {
            self.0.insert(HEXLOWER.encode(&Sha1::digest(location)), job);
        }
    }
}

/// A value on one line: plain, or in quotation marks; without a comment.
fn scalar(text: &str) -> String {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('\'') {
        let end = rest.replace("''", "\0\0").find('\'').unwrap_or(rest.len());
        return rest[..end].replace("''", "'");
    }
    if let Some(rest) = text.strip_prefix('"') {
        return unescaped(rest);
    }
    let comment = text.find(" #").unwrap_or(text.len());
    text[..comment].trim_end().to_owned()
}

/// Up to the closing quotation mark, with whatever a backslash stands before.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => out.extend(characters.next()),
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_found_by_the_hash_of_their_location() {
        let text = "name: \"The \\\"news\\\"\" # daily\nurl: http://example.org/a # one\nfilter:\n  - url: no\n---\n\
                    url: 'http://example.org/it''s'\nuser_visible_url: http://example.org/shown\n---\n---\ncommand: date\n";
        let jobs = Jobs::parse(text);
        assert_eq!(jobs.0.len(), 3);
        // By `printf http://example.org/a | sha1sum`.
        let job = jobs.get("a08896bcf126c65e967fd209b47862d681912d66");
        assert_eq!(job.unwrap().name.as_deref(), Some("The \"news\""));
        let shown = HEXLOWER.encode(&Sha1::digest("http://example.org/shown"));
        assert_eq!(jobs.get(&shown).unwrap().location, "http://example.org/it's");
    }

    #[test]
    fn odd_lines_do_no_harm() {
        for text in ["", "---", "url:", "url: '", "url: \"\\", "url: ''''", ":", "\u{feff}url: x", "url: é''é'"] {
            let _ = Jobs::parse(text);
        }
    }
}
