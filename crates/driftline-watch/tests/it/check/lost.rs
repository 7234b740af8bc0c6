//! Files of the archive that are deleted or damaged: a watch goes on, and so does its site.

use std::fs;

use driftline::event::Kind;
use driftline_archive::Capture;
use driftline_archive::capture::Content;
use driftline_fetch::{Fetch, Request};
use driftline_watch::check::{CheckError, Outcome, check_once};

use super::stage::{Stage, kinds, plain};
use super::streams::{SITE, page, redesigned, watches};

const URL: &str = "http://example.org/news";

/// A stage whose watch was checked, with its version in a closed file.
fn stage() -> Stage {
    let mut stage = Stage::new();
    stage.serve(&plain(URL), "<p>The ferry goes at noon.");
    stage.seal()
}

#[test]
fn a_base_that_is_deleted_or_damaged_costs_one_comparison_and_no_more() {
    for bytes in [None, Some(&b""[..]), Some(&[0x1f; 4_000])] {
        let mut stage = stage();
        for file in stage.files() {
            bytes.map_or_else(|| fs::remove_file(&file), |bytes| fs::write(&file, bytes)).unwrap();
        }
        let watch = plain(URL);
        assert_eq!(stage.serve(&watch, "<p>The ferry goes at one.").outcome, Outcome::First);
        assert_eq!(kinds(&stage.serve(&watch, "<p>The ferry goes at two.").events), [Kind::Changed]);
    }
}

#[test]
fn a_lost_base_is_not_replaced_by_a_text_that_was_imported_before_it() {
    let stage = Stage::new();
    let content = Content::Resource { content_type: "text/plain".to_owned(), body: b"The ferry goes at 11.".to_vec() };
    let text = Capture { url: URL.to_owned(), at: stage.now, content, metadata: Vec::new() };
    stage.context.archive.append(&text).unwrap();
    let mut stage = stage.seal();
    let imported = stage.files();
    assert_eq!(kinds(&stage.serve(&plain(URL), "<p>The ferry goes at 12.").events), [Kind::Changed]);
    let mut stage = stage.seal();
    let captured: Vec<_> = stage.files().into_iter().filter(|file| !imported.contains(file)).collect();
    captured.iter().for_each(|file| fs::remove_file(file).unwrap());
    assert_eq!((imported.len(), captured.len()), (1, 1));
    let checked = stage.serve(&plain(URL), "<p>The ferry goes at 13.");
    assert_eq!((checked.outcome, checked.events), (Outcome::First, Vec::new()));
}

#[test]
fn a_base_that_is_cut_off_is_not_compared_as_if_it_were_whole() {
    let mut stage = Stage::new();
    let words = |last: &str| {
        let noise = |at: u64| format!("{:x} ", at.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        format!("<p>{}{last}", (0..9_000).map(noise).collect::<String>())
    };
    stage.serve(&plain(URL), &words("noon"));
    let mut stage = stage.seal();
    let file = stage.files().remove(0);
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(stage.serve(&plain(URL), &words("one")).outcome, Outcome::First);
}

#[test]
fn a_base_that_a_disk_does_not_give_at_the_moment_is_waited_for() {
    let mut stage = stage();
    let file = stage.files().remove(0);
    let whole = fs::read(&file).unwrap();
    // No system reads a folder as if it were a file.
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let watch = plain(URL);
    stage.page(URL, "<p>The ferry goes at one.");
    stage.pass(10);
    let failed = check_once(&watch, &stage.context, stage.now);
    assert!(matches!(failed, Err(CheckError::Archive(_))), "{failed:?}");
    fs::remove_dir(&file).unwrap();
    fs::write(&file, whole).unwrap();
    stage.check(&watch);
    assert_eq!(kinds(&stage.settle(SITE)), [Kind::Changed], "what was kept then is judged now");
}

#[test]
fn a_version_that_was_not_judged_and_is_lost_does_not_stop_its_watch() {
    let mut stage = stage();
    let (watch, before) = (plain(URL), stage.files());
    // The capture of a check that died before it wrote down what it found.
    stage.pass(10);
    stage.page(URL, "<p>The ferry goes at one.");
    let request = Request { url: URL, home: None, how: &watch.settings.fetch, validators: None, at: stage.now };
    let fetched = stage.script.fetch(&request).unwrap();
    stage.context.archive.append_all(&fetched.captures).unwrap();
    stage.pass(1);
    let mut stage = stage.seal();
    for file in stage.files().into_iter().filter(|file| !before.contains(file)) {
        fs::remove_file(file).unwrap();
    }
    assert_eq!(kinds(&stage.serve(&watch, "<p>The ferry goes at two.").events), [Kind::Changed]);
    assert_eq!(stage.check(&watch).outcome, Outcome::Unchanged);
}

#[test]
fn lost_documents_stop_no_page_of_their_site_and_make_no_redesign() {
    // All of them are lost, or all but two.
    for left in [0, 2] {
        let mut stage = Stage::new();
        let watches = watches(12);
        let serve = |stage: &mut Stage, at: usize| stage.serve(&watches[at], &page(at, "Open daily.", "Call 555 1234"));
        (left..12).for_each(|at| drop(serve(&mut stage, at)));
        let mut stage = stage.seal();
        let lost = stage.files();
        (0..left).for_each(|at| drop(serve(&mut stage, at)));
        lost.into_iter().for_each(|file| fs::remove_file(file).unwrap());
        let mut stage = stage.restart();
        for (at, watch) in watches.iter().enumerate().skip(left) {
            let checked = stage.serve(watch, &page(at + 1, "Open daily.", "Call 555 9999"));
            assert_eq!(checked.outcome, Outcome::First);
        }
        assert_eq!(kinds(&stage.settle(SITE)), [], "nothing is known to have changed");
        for (at, watch) in watches.iter().enumerate().take(9) {
            // The same text as before, so that the redesign is all that happened.
            let text = if at < left { at } else { at + 1 };
            stage.serve(watch, &redesigned(text, "Open daily."));
        }
        assert_eq!(kinds(&stage.settle(SITE)), [Kind::Redesigned], "with {left} of 12");
    }
}
