//! How is a JSON Feed read that a strict reader refuses? Field by field, up to where it breaks off.

use serde_json::{Map, Value};

use super::{Feed, FeedFormat, Item};

/// What is not needed of a feed or an item: the library compares all authors with each other and
/// gives them to every item, and refuses a feed for an attachment without a type.
const UNUSED: [&str; 5] = ["author", "authors", "tags", "attachments", "hubs"];

/// Does this text say near its beginning that it is a JSON Feed?
pub(super) fn is_feed(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let opening = &start[..start.floor_char_boundary(4096)];
    start.starts_with('{') && (opening.contains("jsonfeed.org/version") || opening.contains("jsonfeed.org\\/version"))
}

/// Reads a feed, and gives its JSON for the library if that is whole; nothing if it is no feed.
pub(super) fn read(text: &str) -> Option<(Feed, Option<Vec<u8>>)> {
    let text = text.trim_start_matches('\u{feff}');
    let whole = serde_json::from_str(text).ok();
    let is_whole = whole.is_some();
    let Some(Value::Object(mut feed)) = whole.or_else(|| serde_json::from_str(&mended(text)).ok()) else {
        return None;
    };
    if !feed.get("items").is_some_and(Value::is_array) && !is_feed(text) {
        return None;
    }
    let mut items = match feed.remove("items") {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    };
    items.truncate(Feed::MOST_ITEMS + 1);
    let lenient = Feed {
        format: Some(FeedFormat::Json),
        title: field(&feed, "title"),
        link: Some(field(&feed, "home_page_url")).filter(|link| !link.is_empty()),
        items: items.iter().filter_map(Value::as_object).map(item).collect(),
        is_broken: !is_whole,
        limits: Vec::new(),
    };
    let clean = (is_whole && items.len() <= Feed::MOST_ITEMS).then(|| clean(feed, items));
    Some((lenient, clean.flatten()))
}

fn clean(mut feed: Map<String, Value>, mut items: Vec<Value>) -> Option<Vec<u8>> {
    for object in items.iter_mut().filter_map(Value::as_object_mut).chain([&mut feed]) {
        UNUSED.iter().for_each(|name| drop(object.remove(*name)));
    }
    feed.insert("items".to_owned(), items.into());
    serde_json::to_vec(&feed).ok()
}

fn item(object: &Map<String, Value>) -> Item {
    let given = |name| Some(field(object, name)).filter(|text| !text.is_empty());
    let first = |names: [&'static str; 2]| names.into_iter().find_map(given);
    Item {
        guid: given("id"),
        link: first(["url", "external_url"]),
        title: field(object, "title"),
        summary: field(object, "summary"),
        content: first(["content_html", "content_text"]).unwrap_or_default(),
        published: first(["date_published", "date_modified"]),
    }
}

/// A text, or a number where a text should stand.
fn field(object: &Map<String, Value>, name: &str) -> String {
    match object.get(name) {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// JSON that breaks off, up to the last object or array that is whole, with all that is open closed.
fn mended(text: &str) -> String {
    let (mut open, mut best): (Vec<char>, Option<(usize, usize)>) = (Vec::new(), None);
    let (mut in_string, mut is_escaped) = (false, false);
    for (at, char) in text.char_indices() {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' if in_string => is_escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => {
                if open.last() != Some(&char) {
                    break;
                }
                open.pop();
                best = Some((at + 1, open.len()));
            }
            _ => {}
        }
    }
    let Some((end, depth)) = best else {
        return String::new();
    };
    // What was open at that point was opened before it, and never closed since.
    let closing = open.get(..depth).unwrap_or_default().iter().rev();
    text[..end].chars().chain(closing.copied()).collect()
}
