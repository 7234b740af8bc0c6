//! What do tags of changedetection.io do to their watches?
//!
//! The rules of a tag (which parts and words count) are added to those of each watch that has it, always:
//! `overrides_watch` only says whose rules about prices hold. A watch has the tags that it names, and those whose
//! pattern its address matches. Who is told is asked of the watch, then of its tags, then of the settings of all.

use std::collections::BTreeMap;

use driftline_archive::import::changedetection::Settings;
use regex::Regex;
use serde_json::Value;

use super::{fields, rules, text};
use crate::watches::import::Note;
use crate::watches::import::draft::Draft;
use crate::watches::import::fate::Fate::{self, Kept, Needless, Told};
use crate::watches::pattern;

const MODEL: &str = "no language model is used";
const MESSAGE: &str = "the message: a target may have a template";
const PRICES: &str = "its rules about prices and stock have no counterpart";

/// The fields of a tag that do something for its watches. It has all fields of a watch, and the others do nothing there.
pub(in crate::watches::import) const FIELDS: [(&str, Fate); 23] = [
    ("datastore_path", Needless("where its files are there")),
    ("extract_lines_containing", Kept("counts.only-lines")),
    ("extract_text", Kept("counts.only-text")),
    ("ignore_text", Kept("counts.ignore-lines")),
    ("include_filters", Kept("zone")),
    ("llm_backend_profile", Needless(MODEL)),
    ("llm_change_summary", Told(MODEL)),
    ("llm_change_summary_mode", Needless(MODEL)),
    ("llm_intent", Told(MODEL)),
    ("notification_body", Told(MESSAGE)),
    ("notification_format", Needless("each target has its own form")),
    ("notification_muted", Told("the targets for all watches are notified: name `targets`, or pause them")),
    ("notification_title", Told(MESSAGE)),
    ("notification_urls", Told("who is notified: write them as targets into driftline.toml")),
    ("overrides_watch", Told(PRICES)),
    ("restock_settings", Needless("only of use to `overrides_watch`")),
    ("subtractive_selectors", Kept("ignore")),
    ("tag_colour", Needless("how a list looks there")),
    ("text_should_not_be_present", Kept("counts.not-contains")),
    ("title", Kept("tags")),
    ("trigger_text", Kept("counts.contains")),
    ("url_match_pattern", Kept("tags (of the watches that there are)")),
    ("uuid", Needless("watches have tags by name")),
];

/// Whether a table names a field of a tag.
pub(super) fn is_known(field: &str) -> bool {
    FIELDS.iter().any(|(known, _)| *known == field) || fields::is_known(field)
}

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
        for (field, fate) in FIELDS {
            if let Told(why) = fate
                && fields::is_meant(field, settings)
            {
                draft.tell(format!("`{field}`: {why}"));
            }
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
