//! Which names are there, and what do they stand for? The same list serves who reads templates and who reads documents.

/// A name.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) name: &'static str,
    about: &'static str,
    /// If it is a list: the names in each of its entries.
    pub(crate) entries: Option<&'static [Known]>,
}

const fn field(name: &'static str, about: &'static str) -> Known {
    Known { name, about, entries: None }
}

const fn list(name: &'static str, about: &'static str, entries: &'static [Known]) -> Known {
    Known { name, about, entries: Some(entries) }
}

/// The names of a message.
pub(crate) const KNOWN: &[Known] = &[
    field("count", "how many events there are"),
    field("several", "is there more than one entry in `events`?"),
    field("names", "what they are about: `Prices, News and 3 more`"),
    field("more", "how many of them are left out for want of room; empty if none is"),
    field("heading-open", "what stands before a heading where the message goes"),
    field("heading-close", "and behind it"),
    list("events", "the events, the weightiest first; several changes of one watch are one entry", EVENT),
];

const EVENT: &[Known] = &[
    field("key", "its name for ever, 32 hexadecimal digits"),
    field("kind", "what happened, as in files: `page-gone`"),
    field("what", "the same for people: `page gone`"),
    field("at", "when it was found: `2026-11-16 08:00 UTC`"),
    field("watch", "the id of the watch; empty if it is about a site"),
    field("name", "what people call it"),
    list("tags", "the tags of the watch", &[field("tag", "a tag")]),
    field("url", "the address"),
    field("link", "the address if it is one of the web; else empty"),
    field("site", "the host, without `www.`"),
    field("summary", "what happened, in one line"),
    field("importance", "how much it matters: `62 %`"),
    field("why", "why it matters that much"),
    field("degree", "how much of the page changed: `3.2 %`"),
    field("older", "when the older version was captured"),
    field("newer", "when the newer version was captured"),
    field("returned-to", "since when it was so once before"),
    field("since", "since when it is so"),
    field("certainty", "how sure it is, if it is not certain"),
    list("excerpts", "the parts that changed, the weightiest first", EXCERPT),
    list("pages", "the pages or items that it is about, at most 20", PAGE),
    field("more-pages", "how many of them are left out"),
    field("explains", "how many other events it explains: `12 events`"),
    field("limits", "what an answer lacks, by the names of limits"),
    field("learned", "selectors of elements that flicker, the first time that a message leaves them out"),
];

const EXCERPT: &[Known] =
    &[field("selector", "where on the page it stands"), list("pieces", "its text, piece by piece", PIECE)];

const PIECE: &[Known] = &[
    field("text", "some words"),
    field("open", "what stands before words like these: `{+`, `[-`"),
    field("close", "and behind them"),
    field("kept", "did they stay?"),
    field("added", "did they come?"),
    field("dropped", "did they go?"),
    field("moved", "did they come from elsewhere on the page?"),
    field("gap", "do they stand for words that are left out?"),
];

const PAGE: &[Known] = &[
    field("title", "its title, if it has one"),
    field("url", "its address"),
    field("link", "its address if it is one of the web; else empty"),
    field("summary", "what happened to it, if that differs from page to page"),
];

/// All names as a table for documents, inner ones behind the list that they are in.
#[must_use]
pub fn documented() -> String {
    let mut table = "| field | in | stands for |\n|---|---|---|\n".to_owned();
    rows(&mut table, "", KNOWN);
    table
}

fn rows(table: &mut String, within: &str, known: &[Known]) {
    for Known { name, about, .. } in known {
        let within = if within.is_empty() { String::new() } else { format!("`{within}`") };
        table.extend([format!("| `{name}` | {within} | {about} |\n")]);
    }
    for Known { name, entries, .. } in known {
        entries.iter().for_each(|entries| rows(table, name, entries));
    }
}
