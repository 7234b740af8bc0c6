//! How do other programs learn what is watched? Files of watches, OPML, plain lists, jobs of urlwatch, JSON.
//!
//! What a format cannot say is told for each watch, as it is for imports.

mod secrets;
mod urlwatch;

use std::io::{self, Write};

use quick_xml::escape::escape;

use super::edit::entry_of;
use super::import::Note;
use super::{Kind, Watch, written};
pub use secrets::{has_secrets, with_hidden_secrets, without_secrets};
pub(super) use secrets::{is_reference, kept};

/// As what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A file of watches; it says everything.
    Toml,
    /// Feeds and nothing else, each with its title and tags, as feed readers write them.
    Opml,
    /// Pages and feeds, an address a line, with tags and title.
    List,
    /// `urls.yaml` of urlwatch and webchanges.
    Urlwatch,
    /// A JSON object a line; it says everything.
    Json,
}

/// Writes watches, and says what could not be said.
///
/// # Errors
/// If nothing can be written.
pub fn export<'a>(
    watches: impl Iterator<Item = &'a Watch>,
    format: Format,
    mut output: impl Write,
) -> io::Result<Vec<Note>> {
    let mut notes = Vec::new();
    if format == Format::Opml {
        output.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n<head><title>driftline</title></head>\n<body>\n")?;
    }
    for watch in watches.filter(|watch| is_meant(watch, format)) {
        let text = match format {
            Format::Toml => entry(watch)?,
            Format::Json => json(watch)?,
            Format::List => line(watch),
            Format::Opml => outline(watch),
            Format::Urlwatch => urlwatch::job(watch, &mut notes)?,
        };
        notes.extend(untold(watch, format, text.is_empty()));
        output.write_all(text.as_bytes())?;
    }
    if format == Format::Opml {
        output.write_all(b"</body>\n</opml>\n")?;
    }
    output.flush()?;
    Ok(notes)
}

/// A file of watches names lists, other formats their members.
fn is_meant(watch: &Watch, format: Format) -> bool {
    match format {
        Format::Toml => !watch.id.contains('/'),
        _ => watch.settings.kind != Kind::List,
    }
}

/// What of a watch is not in a file: all of it, or some of what is set.
fn untold(watch: &Watch, format: Format, is_all: bool) -> Option<Note> {
    // An id is no setting: whoever reads the file makes one.
    let (name, has, can_say): (_, _, &[&str]) = match format {
        Format::Opml => ("OPML", "has feeds only", &["url", "id", "name", "kind", "tags"]),
        Format::List => ("a list", "has pages and feeds only", &["url", "id", "name", "tags"]),
        Format::Urlwatch => ("urlwatch", "has pages and feeds only", &[]),
        Format::Toml | Format::Json => return None,
    };
    let kind = match watch.settings.kind {
        Kind::Page => "a page",
        Kind::Feed => "a feed",
        Kind::Sitemap => "a sitemap",
        Kind::Opml => "a list of feeds on the net",
        Kind::List => "a list",
    };
    let note = |what: String| Some(Note { entry: watch.title().to_owned(), what });
    if is_all {
        return note(format!("it is {kind} and left out: {name} {has}"));
    }
    let said = written(watch);
    let left: Vec<&str> = said.keys().map(String::as_str).filter(|key| !can_say.contains(key)).collect();
    if can_say.is_empty() || left.is_empty() {
        return None;
    }
    note(format!("{name} cannot say: {}", left.join(", ")))
}

fn entry(watch: &Watch) -> io::Result<String> {
    let entry = entry_of(&written(watch)).map_err(io::Error::other)?;
    Ok(format!("[[watch]]\n{entry}\n"))
}

fn json(watch: &Watch) -> io::Result<String> {
    let mut said = written(watch);
    said.insert("id".to_owned(), watch.id.to_string().into());
    Ok(serde_json::to_string(&said)? + "\n")
}

/// `URL #tag Title`; blanks of a tag become `-`.
fn line(watch: &Watch) -> String {
    if !matches!(watch.settings.kind, Kind::Page | Kind::Feed) {
        return String::new();
    }
    let tags =
        watch.settings.tags.iter().map(|tag| format!(" #{}", tag.split_whitespace().collect::<Vec<_>>().join("-")));
    let name = watch.name.iter().flat_map(|name| name.split_whitespace()).filter(|word| !word.starts_with('#'));
    let name: String = name.map(|word| format!(" {word}")).collect();
    format!("{}{}{name}\n", watch.url, tags.collect::<String>())
}

fn outline(watch: &Watch) -> String {
    if watch.settings.kind != Kind::Feed {
        return String::new();
    }
    let tags: Vec<String> = watch.settings.tags.iter().map(|tag| format!("/{tag}")).collect();
    let category = if tags.is_empty() { String::new() } else { format!(" category=\"{}\"", escape(tags.join(","))) };
    format!("<outline type=\"rss\" text=\"{}\" xmlUrl=\"{}\"{category}/>\n", escape(watch.title()), escape(&*watch.url))
}

#[cfg(test)]
mod tests;
