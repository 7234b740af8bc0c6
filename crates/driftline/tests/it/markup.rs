//! The markup of real pages with marks in it is still that of the same page.

use driftline::page::markup::{MarkedWords, Marking, Markup, markup};
use driftline::page::{BodyKind, Page, ReadOptions, Tag};
use driftline_testkit::data;
use driftline_testkit::pages::{RealPair, real_pairs};

/// A whole document again, in the mode that it had.
fn document(markup: &Markup) -> String {
    let doctype = if markup.quirks { "" } else { "<!DOCTYPE html>" };
    format!("{doctype}<head></head><body>{}</body>", markup.content)
}

/// The tags below `body`, without marks.
fn tags(page: &Page) -> Vec<String> {
    let spelled = page.tags().map(|tag| match tag {
        Tag::Start(name) => format!("<{}>", page.name(name)),
        Tag::End(name) => format!("</{}>", page.name(name)),
    });
    spelled.skip_while(|tag| tag != "<body>").filter(|tag| !tag.contains("driftline-mark")).collect()
}

fn options() -> ReadOptions {
    ReadOptions { kind: Some(BodyKind::Html), ..ReadOptions::default() }
}

#[test]
fn a_real_page_written_again_has_the_same_tags_and_words() {
    assert_written_again_alike(&real_pairs(&data::subset()));
}

#[test]
#[ignore = "needs the shared data"]
fn a_real_page_written_again_has_the_same_tags_and_words_on_the_shared_data() {
    assert_written_again_alike(real_pairs(&data::shared()).iter().step_by(3));
}

fn assert_written_again_alike<'a>(pairs: impl IntoIterator<Item = &'a RealPair>) {
    let mut failed = Vec::new();
    for pair in pairs {
        let page = Page::read(pair.newer.as_slice(), &options());
        let plain = markup(pair.newer.as_slice(), &options(), &Marking::default()).unwrap();
        let again = Page::read(document(&plain).as_str(), &options());
        if !page.words().eq(again.words()) || tags(&page) != tags(&again) {
            failed.push(pair.name.clone());
        }
    }
    assert!(failed.is_empty(), "{} pages differ: {failed:?}", failed.len());
}

#[test]
fn marks_on_a_real_page_change_neither_its_text_nor_its_tags() {
    assert_marks_change_nothing(&real_pairs(&data::subset()));
}

#[test]
#[ignore = "needs the shared data"]
fn marks_on_a_real_page_change_neither_its_text_nor_its_tags_on_the_shared_data() {
    assert_marks_change_nothing(real_pairs(&data::shared()).iter().step_by(5));
}

fn assert_marks_change_nothing<'a>(pairs: impl IntoIterator<Item = &'a RealPair>) {
    for pair in pairs {
        let page = Page::read(pair.newer.as_slice(), &options());
        let runs = (0..page.word_count() as u32).step_by(7).map(|word| word..(word + 3).min(page.word_count() as u32));
        let words =
            runs.map(|words| MarkedWords { words, tag: "driftline-mark", attributes: Vec::new() }).collect::<Vec<_>>();
        let attribute = vec![("data-driftline".to_owned(), "1".to_owned())];
        let elements = page.node_ids().step_by(11).map(|node| (node, attribute.clone())).collect();
        let marking = Marking { words, elements, ..Marking::default() };
        let marked = markup(pair.newer.as_slice(), &options(), &marking).unwrap();
        let again = Page::read(document(&marked).as_str(), &options());
        let letters = |page: &Page| page.text().split_whitespace().collect::<String>();
        assert_eq!(letters(&again), letters(&page), "{}", pair.name);
        assert_eq!(tags(&again), tags(&page), "{}", pair.name);
        if page.word_count() > 100 {
            assert!(marked.content.matches("<driftline-mark>").count() > 10, "{}", pair.name);
        }
    }
}
