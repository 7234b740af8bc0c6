//! A change as JSON, with the texts of its edits.

use std::ops::Range;

use driftline::change::{Change, Sides};
use driftline::degree::edit::Edit;
use driftline::page::{Page, Span, WordRange};
use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::Comparison;
use crate::summary::sentence;

/// A change as JSON. Each edit becomes JSON while it is written: 400,000 of them as values took 900 MB.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Json<'a> {
    #[serde(flatten)]
    names: Sides<&'a str>,
    summary: String,
    #[serde(flatten)]
    change: &'a Change,
    texts: Texts<'a>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// The names `old` and `new`, the `summary` in a sentence, the [`Change`] as it is stored and sent, and the `texts` of its
/// edits.
///
/// There is one of `texts` for each edit, with `old` and `new` for the pages that it stands on: the `span` of its words in
/// bytes of the page's text, and that `text`.
#[must_use]
pub fn json<'a>(comparison: &Comparison<'a>) -> Json<'a> {
    let Comparison { names, pages, change } = *comparison;
    let texts = Texts { pages, edits: &change.edits };
    Json { names, summary: sentence::page(change), change, texts, others: Map::new() }
}

impl Json<'_> {
    /// Adds a member.
    pub fn insert(&mut self, name: &str, value: Value) {
        self.others.insert(name.to_owned(), value);
    }
}

#[derive(Debug, Clone)]
struct Texts<'a> {
    pages: Sides<&'a Page>,
    edits: &'a [Edit],
}

impl Serialize for Texts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let of = |words: Option<Range<u32>>, page| words.map(|words| text(words.into(), page));
        serializer.collect_seq(self.edits.iter().map(|edit| {
            let sides = [("old", of(edit.older(), self.pages.older)), ("new", of(edit.newer(), self.pages.newer))];
            let sides = sides.into_iter().filter_map(|(side, text)| Some((side.to_owned(), text?)));
            sides.collect::<Map<String, Value>>()
        }))
    }
}

/// The words of an edit on one page.
fn text(words: WordRange, page: &Page) -> Value {
    let Span { start, end } = page.span_of(words);
    json!({ "span": [start, end], "text": page.slice(words) })
}

/// An edit of an item with its words and their text.
pub(super) fn describe(edit: &Edit, pages: Sides<&Page>) -> Value {
    let mut object = Map::new();
    object.insert("kind".to_owned(), json!(edit.kind()));
    for (side, words, page) in [("old", edit.older(), pages.older), ("new", edit.newer(), pages.newer)] {
        if let Some(words) = words {
            let mut place = text(words.clone().into(), page);
            place["words"] = json!([words.start, words.end]);
            object.insert(side.to_owned(), place);
        }
    }
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Pair;

    fn json(comparison: &Comparison) -> Value {
        serde_json::to_value(super::json(comparison)).unwrap()
    }

    #[test]
    fn the_change_can_be_read_back_from_it() {
        let pair = Pair::of("<title>a</title><p>one two", "<title>b</title><p>two three");
        let mut answer = super::json(&pair.comparison());
        answer.insert("zones", json!([]));
        let text = serde_json::to_string(&answer).unwrap();
        assert_eq!(&serde_json::from_str::<Change>(&text).unwrap(), pair.comparison().change);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["zones"], json!([]));
    }

    #[test]
    fn an_edit_tells_its_words_and_where_they_stand() {
        let pair = Pair::of("<p>one, two<p>three, four", "<p>three, four<p>one, two<p>more");
        let json = json(&pair.comparison());
        assert_eq!(
            json["edits"],
            json!([{ "kind": "move", "old": [2, 4], "new": [0, 2] }, { "kind": "add", "new": [4, 5] }])
        );
        assert_eq!(
            json["texts"],
            json!([
                { "old": { "span": [9, 20], "text": "three, four" }, "new": { "span": [0, 11], "text": "three, four" } },
                { "new": { "span": [21, 25], "text": "more" } },
            ])
        );
        assert_eq!(json["format"], 4);
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
