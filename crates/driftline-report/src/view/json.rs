//! What changed, for programs? The measurement, and every edit with its words, place and text.

use std::ops::Range;

use driftline::change::{Change, FORMAT, Sides};
use driftline::degree::edit::Edit;
use driftline::page::Page;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use super::Comparison;

/// The name of the member that may be long.
const EDITS: &str = "edits";

/// A change as JSON. Each edit becomes JSON while it is written: 400,000 of them as values took 900 MB.
#[derive(Debug, Clone)]
pub struct Json<'a> {
    /// All members but the edits.
    members: Map<String, Value>,
    pages: Sides<&'a Page>,
    change: &'a Change,
}

/// The change as JSON: `format`, the names `old` and `new`, all of the
/// [`Measurement`](driftline::degree::compare::Measurement), the `edits`, and where it changed:
/// which aspects (`changed`), the `regions`, the `resources` lost and gained, the `title` if it
/// differs, the `importance` and `why`.
///
/// An edit has a `kind` and, for the pages that it stands on, `old` and `new`: the `words` from the
/// first to behind the last, counted from 0, their `span` in bytes of the page's text, and that
/// `text`.
#[must_use]
pub fn json<'a>(comparison: &Comparison<'a>) -> Json<'a> {
    let Comparison { names, pages, change } = *comparison;
    // A measurement is a struct, which always becomes an object.
    let mut members = match serde_json::to_value(&change.measurement) {
        Ok(Value::Object(measurement)) => measurement,
        _ => Map::new(),
    };
    members.insert("format".to_owned(), FORMAT.into());
    members.insert("old".to_owned(), names.older.into());
    members.insert("new".to_owned(), names.newer.into());
    members.insert("changed".to_owned(), json!(change.changed));
    members.insert("importance".to_owned(), json!(change.importance.score));
    members.insert("why".to_owned(), json!(change.importance.why()));
    members.insert("regions".to_owned(), json!(change.regions));
    members.insert("resources".to_owned(), json!(change.resources));
    if let Some(title) = &change.title {
        members.insert("title".to_owned(), json!(title));
    }
    Json { members, pages, change }
}

impl Json<'_> {
    /// Adds a member.
    pub fn insert(&mut self, name: &str, value: Value) {
        self.members.insert(name.to_owned(), value);
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.members.len() + 1))?;
        for (name, value) in self.members.iter().filter(|(name, _)| name.as_str() < EDITS) {
            map.serialize_entry(name, value)?;
        }
        map.serialize_entry(EDITS, &Edits { pages: self.pages, edits: &self.change.edits })?;
        for (name, value) in self.members.iter().filter(|(name, _)| name.as_str() > EDITS) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

struct Edits<'a> {
    pages: Sides<&'a Page>,
    edits: &'a [Edit],
}

impl Serialize for Edits<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.edits.iter().map(|edit| describe(edit, self.pages)))
    }
}

/// An edit with its words.
pub(super) fn describe(edit: &Edit, pages: Sides<&Page>) -> Value {
    let mut object = Map::new();
    object.insert("kind".to_owned(), json!(edit.kind));
    for (side, words, page) in [("old", &edit.older, pages.older), ("new", &edit.newer, pages.newer)] {
        if let Some(words) = words {
            object.insert(side.to_owned(), place(words, page));
        }
    }
    Value::Object(object)
}

fn place(words: &Range<u32>, page: &Page) -> Value {
    let spans = page.word_spans().get(words.start as usize..words.end as usize).unwrap_or_default();
    let (start, end) = match spans {
        [] => (0, 0),
        [only] => (only.start, only.end),
        [first, .., last] => (first.start, last.end),
    };
    let text = page.text().get(start as usize..end as usize).unwrap_or_default();
    json!({ "words": [words.start, words.end], "span": [start, end], "text": text })
}

#[cfg(test)]
mod tests {
    use super::super::sample::Pair;
    use super::*;

    fn json(comparison: &Comparison) -> Value {
        serde_json::to_value(super::json(comparison)).unwrap()
    }

    #[test]
    fn members_are_in_the_order_of_their_names() {
        let pair = Pair::of("<p>one", "<p>two");
        let mut answer = super::json(&pair.comparison());
        answer.insert("zones", json!([]));
        let text = serde_json::to_string(&answer).unwrap();
        assert_eq!(text, serde_json::to_value(&answer).unwrap().to_string());
    }

    #[test]
    fn an_edit_tells_its_words_and_where_they_stand() {
        let pair = Pair::of("<p>one, two<p>three, four", "<p>three, four<p>one, two<p>more");
        let json = json(&pair.comparison());
        assert_eq!(
            json["edits"],
            json!([
                { "kind": "move", "old": { "words": [2, 4], "span": [9, 20], "text": "three, four" },
                  "new": { "words": [0, 2], "span": [0, 11], "text": "three, four" } },
                { "kind": "add", "new": { "words": [4, 5], "span": [21, 25], "text": "more" } },
            ])
        );
        assert_eq!(json["format"], 2);
        assert_eq!((&json["old"], &json["new"]), (&json!("old.html"), &json!("new.html")));
        assert_eq!(json["words"], json!({ "old": 4, "new": 5 }));
        assert_eq!(json["operations"]["move"], 2);
        assert!(json["degree"]["ied"].is_number() && json["raw"]["ied"].is_number());
        assert!(json.get("limits").is_none());
    }

    #[test]
    fn regions_tell_where_it_changed() {
        let pair =
            Pair::of("<title>a</title><main><p>one two</p></main>", "<title>b</title><main><p>one three</p></main>");
        let json = json(&pair.comparison());
        assert_eq!(
            json["changed"],
            json!({ "content": true, "structure": false, "attributes": false, "punctuation": false })
        );
        let region = &json["regions"][0];
        assert_eq!((&region["kind"], &region["path"]), (&json!("changed"), &json!("html;body;main;p;")));
        assert_eq!(region["operations"]["replace"], 1);
        assert!(region["severity"].is_number() && region["importance"].is_number() && region["why"].is_array());
        assert_eq!((&region["old"]["words"], &region["new"]["words"]), (&json!([0, 2]), &json!([0, 2])));
        assert_eq!(json["title"], json!({ "old": "a", "new": "b" }));
        assert!(json["importance"].is_number() && json["resources"].is_array());
    }

    #[test]
    fn pages_without_words_have_no_edits() {
        let json = json(&Pair::of("", "<p>!").comparison());
        assert_eq!(json["edits"], json!([]));
        assert_eq!(json["degree"]["ied"], 0);
    }
}
