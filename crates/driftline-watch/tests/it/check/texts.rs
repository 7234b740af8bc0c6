//! Watches of other monitors, imported and checked: their text rules mean what they meant there.

use driftline::event::Kind;
use driftline_watch::check::Outcome;
use driftline_watch::watches::Watch;
use driftline_watch::watches::import::Imported;

use super::stage::{Stage, kinds};

const URL: &str = "http://example.org/book";

/// The watch of a folder of changedetection.io in which one has these fields.
fn imported(fields: &str) -> Watch {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("bc4bd629-5213-4131-af89-99b45a19f8cd");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(folder.path().join("changedetection.json"), "{}").unwrap();
    std::fs::write(own.join("watch.json"), format!(r#"{{"url": "{URL}", {fields}}}"#)).unwrap();
    let imported = Imported::read(folder.path(), None).unwrap();
    assert_eq!(imported.notes, []);
    imported.watches[0].clone()
}

fn page(price: &str, stock: &str, visitors: u32) -> String {
    format!("<h1>Library</h1><p>It costs {price}.</p><p>{stock}</p><p>You are visitor {visitors} today</p>")
}

#[test]
fn an_imported_trigger_text_reports_a_price_on_a_page_that_contains_the_text() {
    let mut stage = Stage::new();
    let watch = imported(r#""trigger_text": ["library"]"#);
    stage.serve(&watch, &page("19.50", "In stock", 1));
    assert_eq!(kinds(&stage.serve(&watch, &page("31.50", "In stock", 1)).events), [Kind::Changed]);
}

#[test]
fn a_change_waits_until_the_page_contains_the_text() {
    let mut stage = Stage::new();
    let watch = imported(r#""trigger_text": ["in stock"]"#);
    stage.serve(&watch, &page("19.50", "In stock", 1));
    let then = stage.now;
    assert_eq!(stage.serve(&watch, &page("31.50", "Sold out", 1)).outcome, Outcome::Ignored);
    let checked = stage.serve(&watch, &page("31.50", "In stock", 1));
    let [event] = checked.events.as_slice() else { panic!("{:?}", checked.events) };
    assert_eq!(event.versions.unwrap().older, then);
    stage.serve(&watch, &page("31.50", "Sold out", 1));
    assert_eq!(stage.serve(&watch, &page("31.50", "In stock", 1)).events, [], "it is as it was");
}

#[test]
fn an_imported_ignore_text_keeps_quiet_about_the_counter_in_its_line() {
    let mut stage = Stage::new();
    let watch = imported(r#""ignore_text": ["visitor"]"#);
    stage.serve(&watch, &page("19.50", "In stock", 771_271));
    assert_eq!(stage.serve(&watch, &page("19.50", "In stock", 212_225)).events, []);
    assert_eq!(kinds(&stage.serve(&watch, &page("31.50", "In stock", 5)).events), [Kind::Changed]);
}

#[test]
fn an_imported_text_that_must_be_absent_and_an_extracted_one_decide() {
    let mut stage = Stage::new();
    let watch = imported(r#""text_should_not_be_present": ["sold out"], "extract_text": ["/[\\d.]+\\./"]"#);
    stage.serve(&watch, &page("19.50", "In stock", 1));
    assert_eq!(stage.serve(&watch, &page("31.50", "Sold out", 1)).events, []);
    assert_eq!(stage.serve(&watch, &page("19.50", "In stock again", 1)).events, []);
    assert_eq!(kinds(&stage.serve(&watch, &page("31.50", "In stock again", 1)).events), [Kind::Changed]);
}

#[test]
fn a_summary_names_no_words_that_the_text_rules_exclude() {
    let text = |place: &str, price: &str, visitors: u32| {
        format!(
            "<h1>{place} tickets</h1><p>A ticket costs {price} EUR for a day.</p><p>You are visitor {visitors} today</p>"
        )
    };
    for rules in [r#""extract_lines_containing": ["EUR"]"#, r#""ignore_text": ["tickets", "visitor"]"#] {
        let mut stage = Stage::new();
        let watch = imported(rules);
        stage.serve(&watch, &text("Library", "24.99", 1));
        let checked = stage.serve(&watch, &text("Museum", "21.50", 2));
        let [event] = checked.events.as_slice() else { panic!("{:?}", checked.events) };
        assert_eq!(event.summary, "A ticket costs 24.99 → 21.50 EUR", "{rules}");
    }
}
