//! What do tags of changedetection.io do to their watches?
//!
//! The rules of a tag (which parts and words count) are added to those of each watch that has it, always:
//! `overrides_watch` only says whose rules about prices hold. A watch has the tags that it names, and those whose
//! pattern its address matches. Who is told is asked of the watch, then of its tags, then of the settings of all.

use std::collections::BTreeMap;

use driftline_archive::import::changedetection::Settings;
use regex::Regex;
use serde_json::Value;

use super::{fields, is_said, rules, text};
use crate::watches::import::Note;
use crate::watches::import::draft::Draft;
use crate::watches::pattern;

/// All tags.
pub(super) struct Tags(Vec<Tag>);

struct Tag {
    id: String,
    title: String,
    /// Watches with such an address have the tag without naming it.
    addresses: Option<Regex>,
    /// What it adds to its watches, and what it cannot.
    rules: Draft,
    is_used: bool,
}

impl Tags {
    /// Tags by their ids.
    pub(super) fn of(tags: &BTreeMap<String, Settings>) -> Self {
        Self(tags.iter().map(|(id, settings)| Tag::of(id, settings)).collect())
    }

    /// Adds the rules of all tags that a watch with this address and these settings has.
    pub(super) fn add(&mut self, draft: &mut Draft, url: &str, settings: &Settings) {
        let named = settings.get("tags").and_then(Value::as_array);
        for tag in &mut self.0 {
            let is_named = named.into_iter().flatten().any(|id| id.as_str() == Some(&tag.id));
            let is_meant = tag.addresses.as_ref().is_some_and(|addresses| addresses.is_match(url));
            if is_named || is_meant {
                draft.tag(&tag.title);
                draft.inherit(&tag.rules, &tag.title);
                tag.is_used = true;
            }
        }
    }

    /// What tags that are used do there and cannot do here, once for each.
    pub(super) fn left_behind(self) -> impl Iterator<Item = Note> {
        self.0.into_iter().filter(|tag| tag.is_used).flat_map(|tag| {
            let entry = format!("tag {}", tag.title);
            let Draft { notes, pauses, .. } = tag.rules;
            pauses.into_iter().chain(notes).map(move |what| Note { entry: entry.clone(), what })
        })
    }
}

impl Tag {
    fn of(id: &str, settings: &Settings) -> Self {
        let mut draft = Draft::default();
        rules::take(&mut draft, settings);
        fields::leave_behind_of_tag(&mut draft, settings);
        if settings.get("overrides_watch").is_some_and(is_said) {
            draft.tell("`overrides_watch`: its rules about prices and stock have no counterpart");
        }
        let addresses = text(settings, "url_match_pattern").map(|text| pattern(&expression(text)));
        match &addresses {
            Some(Ok(_)) => draft.tell("`url_match_pattern`: the watches of now have the tag, those added later do not"),
            Some(Err(_)) => draft.tell("`url_match_pattern`: it cannot be read"),
            None => {}
        }
        let title = text(settings, "title").unwrap_or(id).to_owned();
        Self { id: id.to_owned(), title, addresses: addresses.and_then(Result::ok), rules: draft, is_used: false }
    }
}

/// A pattern of addresses, in any case: a part of one, or with `*`, `?` and `[…]` all of it, as shells know them.
fn expression(text: &str) -> String {
    if !text.contains(['*', '?', '[']) {
        return format!("(?i){}", regex::escape(text));
    }
    let (mut expression, mut rest) = ("(?is)^".to_owned(), text);
    while let Some(sign) = rest.chars().next() {
        rest = &rest[sign.len_utf8()..];
        match sign {
            '*' => expression += ".*",
            '?' => expression.push('.'),
            '[' => match class(rest) {
                Some((class, behind)) => {
                    expression += &class;
                    rest = behind;
                }
                None => expression += r"\[",
            },
            _ => expression += &regex::escape(sign.encode_utf8(&mut [0; 4])),
        }
    }
    expression + "$"
}

/// `abc]…` and `!abc]…` behind a bracket: some signs, or all but them, and what stands behind. A `]` may come first.
fn class(text: &str) -> Option<(String, &str)> {
    let (not, inner) = text.strip_prefix('!').map_or(("", text), |inner| ("^", inner));
    let first = inner.chars().next()?.len_utf8();
    let end = first + inner.get(first..)?.find(']')?;
    let escaped = |sign: char| if sign == '-' { "-".to_owned() } else { regex::escape(sign.encode_utf8(&mut [0; 4])) };
    Some((format!("[{not}{}]", inner[..end].chars().map(escaped).collect::<String>()), &inner[end + 1..]))
}
