//! Sites: the same change everywhere, redesigns, and what they explain.

use driftline::event::{Event, Kind};
use driftline_catalog::EventFilter;
use driftline_watch::watches::Watch;

use super::stage::{Reply, Stage, kinds, plain};

pub(crate) const SITE: &str = "example.org";

pub(crate) fn watches(count: usize) -> Vec<Watch> {
    (0..count).map(|at| plain(&format!("http://example.org/page{at}"))).collect()
}

/// Pages of one design, each with a text of its own.
pub(crate) fn page(at: usize, text: &str, footer: &str) -> String {
    let words = ["ferry", "harbour", "library", "school", "museum", "market", "island", "theatre"];
    let rows: String =
        (0..3 + at % 3).map(|row| format!("<tr><td>{}</td><td>{row}</td></tr>", words[(at + row) % 8])).collect();
    format!(
        "<title>Page {at}</title><div id=top><ul class=menu><li><a href=/>Home</a></li><li><a href=/b>Map</a></li></ul></div>\
         <div id=content><h1>{} {at}</h1><table>{rows}</table><p>{text}</p></div><div id=foot><p>{footer}</p></div>",
        words[at % 8]
    )
}

/// The same in another design.
pub(crate) fn redesigned(at: usize, text: &str) -> String {
    let words = ["ferry", "harbour", "library", "school", "museum", "market", "island", "theatre"];
    let cards: String = (0..3 + at % 3)
        .map(|row| {
            format!(
                "<section class=card><header><h3>{}</h3></header><div><span>{row}</span></div></section>",
                words[(at + row) % 8]
            )
        })
        .collect();
    format!(
        "<title>Page {at}</title><header class=bar><nav><a href=/>Home</a><a href=/b>Map</a></nav></header>\
         <main class=grid><article><h2>{} {at}</h2>{cards}<blockquote>{text}</blockquote></article><aside><em>x</em></aside></main>",
        words[at % 8]
    )
}

#[test]
fn the_same_change_on_many_pages_is_one_event_with_a_list() {
    let mut stage = Stage::new();
    let watches = watches(6);
    for (at, watch) in watches.iter().enumerate() {
        stage.serve(watch, &page(at, "Open daily.", "Call 555 1234 until five"));
    }
    for (at, watch) in watches.iter().enumerate() {
        let text = if at == 3 { "Closed for repairs." } else { "Open daily." };
        stage.serve(watch, &page(at, text, "Call 555 9999 until six"));
    }
    let told = stage.settle(SITE);
    assert_eq!(kinds(&told), [Kind::Changed, Kind::Changed]);
    let shared = told.iter().find(|event| event.watch.is_none()).unwrap();
    assert_eq!(shared.summary, "the same change on 6 pages: Call 555 1234 → 9999, until five → six");
    assert_eq!((shared.pages.len(), shared.explains.len()), (6, 5));
    assert!(!shared.excerpts.is_empty());
    let own = told.iter().find(|event| event.watch.is_some()).unwrap();
    assert_eq!(own.url, "http://example.org/page3");
    assert!(own.summary.contains("(plus a change shared with other pages)"), "{}", own.summary);
    assert!(own.excerpts.iter().all(|excerpt| !excerpt.selector.contains("foot")));
    assert_eq!(stage.settle(SITE).len(), 0);
    let all =
        stage.context.archive.catalog().events(&EventFilter { all: true, ..EventFilter::default() }).unwrap().items;
    assert_eq!(all.iter().filter(|event| event.folded_into.is_some()).count(), 5);
}

/// With the usual five minutes of `hold`, pages of a site that are checked hours apart.
#[test]
fn a_footer_that_is_found_on_more_pages_later_is_not_told_again() {
    let mut stage = Stage::new();
    let watches = watches(5);
    let page = |at, text: &str, footer: &str| {
        page(at, text, "").replace("<div id=foot><p></p></div>", &format!("<footer><p>{footer}</p></footer>"))
    };
    for (at, watch) in watches.iter().enumerate() {
        stage.serve(watch, &page(at, "Open daily.", "© 2025 The library"));
    }
    stage.serve(&watches[0], &page(0, "Open daily.", "© 2026 The library"));
    let told = stage.settle(SITE);
    assert_eq!(kinds(&told), [Kind::Changed]);
    assert!(told[0].importance < 0.2, "{told:?}");
    for (at, watch) in watches.iter().enumerate().take(4).skip(1) {
        stage.serve(watch, &page(at, "Open daily.", "© 2026 The library"));
        assert_eq!(kinds(&stage.settle(SITE)), []);
    }
    stage.serve(&watches[4], &page(4, "Closed for repairs.", "© 2026 The library"));
    assert_eq!(kinds(&stage.settle(SITE)), [Kind::Changed], "a change of its own is told");
    let catalog = stage.context.archive.catalog();
    let listed = catalog.events(&EventFilter::default()).unwrap().items;
    let first: driftline::event::Event = serde_json::from_value(listed.last().unwrap().body.clone()).unwrap();
    assert_eq!((first.pages.len(), first.explains.len()), (4, 3), "{first:?}");
    stage.pass(25 * 60);
    stage.serve(&watches[1], &page(1, "Open daily.", "© 2025 The library"));
    stage.settle(SITE);
    stage.serve(&watches[1], &page(1, "Open daily.", "© 2026 The library"));
    assert_eq!(kinds(&stage.settle(SITE)), [Kind::Changed], "a day later it is news again");
}

#[test]
fn what_matters_is_told_for_each_page_even_if_it_is_the_same() {
    let mut stage = Stage::new();
    let watches = watches(3);
    for (at, watch) in watches.iter().enumerate() {
        stage.serve(watch, &page(at, "In stock, order today.", "2026"));
    }
    for (at, watch) in watches.iter().enumerate() {
        stage.serve(watch, &page(at, "Sold out, come back later.", "2026"));
        assert_eq!(kinds(&stage.settle(SITE)), [Kind::Changed], "page {at}");
    }
}

#[test]
fn a_page_that_flaps_is_told_together_with_the_changes_before() {
    let mut stage = Stage::new();
    let watch = plain("http://example.org/page0");
    let page = |at: usize| page(0, ["Soup with fish.", "Soup with leek."][at % 2], "f");
    (0..5).for_each(|at| drop(stage.serve(&watch, &page(at))));
    let told = stage.settle(SITE);
    let mut told = kinds(&told);
    told.sort_unstable();
    assert_eq!(told, [Kind::Changed, Kind::Changed, Kind::Changed, Kind::Flapping]);
    stage.serve(&watch, &page(5));
    assert_eq!(kinds(&stage.settle(SITE)), []);
}

/// A bare page that changes all the time filled the stream of its site, so that the other pages looked like a new design.
#[test]
fn a_page_that_changes_all_the_time_makes_no_redesign_of_the_others() {
    let mut stage = Stage::new();
    let watches = watches(4);
    let flip = plain("http://example.org/flip");
    for (at, watch) in watches.iter().enumerate() {
        stage.serve(watch, &page(at, "Open daily.", "2025"));
    }
    for number in 0..60 {
        stage.serve(&flip, &format!("<title>Now</title><p>It is {number} degrees in the harbour, and {}.", number % 7));
    }
    stage.settle(SITE);
    for (at, watch) in watches.iter().enumerate() {
        stage.serve(watch, &page(at, "Open daily.", &format!("2026 {}", "and on ".repeat(at))));
    }
    let told = stage.settle(SITE);
    assert!(!told.is_empty() && told.iter().all(|event| event.kind != Kind::Redesigned), "{:?}", kinds(&told));
}

#[test]
fn an_event_of_the_only_watch_of_its_site_does_not_wait() {
    let mut stage = Stage::new();
    stage.context.has_company = std::sync::Arc::new(|_| false);
    let watch = plain("http://example.org/page0");
    stage.serve(&watch, &page(0, "a", "f"));
    let checked = stage.serve(&watch, &page(0, "b", "f"));
    assert_eq!(checked.release, Some(stage.now));
}

#[test]
fn a_redesign_is_one_event_and_explains_the_pages() {
    let mut stage = Stage::new();
    let watches = watches(12);
    for (at, watch) in watches.iter().enumerate() {
        stage.serve(watch, &page(at, "Open daily.", "Call 555 1234"));
    }
    for (at, watch) in watches.iter().enumerate().take(9) {
        stage.serve(watch, &redesigned(at, "Open daily."));
    }
    let told = stage.settle(SITE);
    assert_eq!(kinds(&told), [Kind::Redesigned], "{told:#?}");
    let redesign = &told[0];
    assert_eq!((redesign.explains.len(), redesign.pages.len()), (9, 9));
    assert!(redesign.certainty.unwrap() >= 0.5 && !redesign.why.is_empty(), "{redesign:?}");
    // Pages that are looked at later are explained too; what changes after it is news.
    let late: Vec<_> =
        (9..12).flat_map(|at| stage.serve(&watches[at], &redesigned(at, "Open daily.")).events).collect();
    assert_eq!(late.len(), 3);
    assert_eq!(stage.settle(SITE).len(), 0);
    stage.serve(&watches[0], &redesigned(0, "Closed for repairs since Monday."));
    assert_eq!(kinds(&stage.settle(SITE)), [Kind::Changed]);
}

#[test]
fn the_message_of_a_redesign_has_the_certainty_after_its_last_page() {
    let mut stage = Stage::new();
    let watches = watches(20);
    serve_all(&mut stage, &watches, |at| page(at, "Open daily.", "Call 555 1234"));
    let found =
        watches.iter().enumerate().flat_map(|(at, watch)| stage.serve(watch, &redesigned(at, "Open daily.")).events);
    let found: Vec<Event> = found.filter(|event| event.kind == Kind::Redesigned).collect();
    let told = stage.settle(SITE);
    let [before, after] = [&found, &told].map(|events| events[0].certainty.unwrap());
    assert!(before < after && after > 0.9, "{before} {after}");
}

/// Serves every page, one after the other, and settles.
pub(super) fn serve_all(stage: &mut Stage, watches: &[Watch], html: impl Fn(usize) -> String) -> Vec<Event> {
    for (at, watch) in watches.iter().enumerate() {
        stage.serve(watch, &html(at));
    }
    stage.settle(SITE)
}

/// Twenty pages whose redesign was reported.
fn redesigned_site() -> (Stage, Vec<Watch>) {
    let (mut stage, watches) = (Stage::new(), watches(20));
    serve_all(&mut stage, &watches, |at| page(at, "Open daily.", "Call 555 1234"));
    let told = serve_all(&mut stage, &watches, |at| redesigned(at, "Open daily."));
    assert_eq!(kinds(&told), [Kind::Redesigned], "{told:#?}");
    (stage, watches)
}

#[test]
fn going_back_to_an_earlier_design_is_one_message() {
    let (mut stage, watches) = redesigned_site();
    let told = serve_all(&mut stage, &watches, |at| page(at, "Open daily.", "Call 555 1234"));
    assert_eq!(kinds(&told), [Kind::DesignRestored], "{told:#?}");
    assert_eq!((told[0].explains.len(), told[0].pages.len()), (20, 20));
    assert!(told[0].returned_to.is_some() && told[0].certainty.unwrap() > 0.7, "{told:?}");
}

#[test]
fn a_redesign_that_is_tried_again_after_its_rollback_is_one_message() {
    let (mut stage, watches) = redesigned_site();
    serve_all(&mut stage, &watches, |at| page(at, "Open daily.", "Call 555 1234"));
    let told = serve_all(&mut stage, &watches, |at| redesigned(at, "Open daily."));
    assert_eq!(kinds(&told), [Kind::DesignRestored], "{told:#?}");
    assert_eq!(told[0].pages.len(), 20);
}

#[test]
fn pages_that_follow_to_the_earlier_design_later_send_no_message() {
    let (stage, watches) = redesigned_site();
    let mut stage = stage.restart();
    let back = |at| page(at, "Open daily.", "Call 555 1234");
    assert_eq!(kinds(&serve_all(&mut stage, &watches[..6], back)), [Kind::DesignRestored]);
    let mut stage = stage.restart();
    for (at, watch) in watches.iter().enumerate().skip(6) {
        stage.serve(watch, &back(at));
    }
    assert_eq!(kinds(&stage.settle(SITE)), []);
    stage.serve(&watches[0], &page(0, "Closed for repairs since Monday.", "Call 555 1234"));
    assert_eq!(kinds(&stage.settle(SITE)), [Kind::Changed]);
}

#[test]
fn one_page_that_goes_back_is_a_change_of_that_page() {
    let (mut stage, watches) = redesigned_site();
    stage.serve(&watches[3], &page(3, "Open daily.", "Call 555 1234"));
    assert_eq!(kinds(&stage.settle(SITE)), [Kind::Changed]);
}

#[test]
fn a_redesign_is_found_although_the_process_was_restarted() {
    let mut stage = Stage::new();
    let watches = watches(12);
    for (at, watch) in watches.iter().enumerate() {
        stage.serve(watch, &page(at, "Open daily.", "Call 555 1234"));
    }
    for (at, watch) in watches.iter().enumerate().take(9) {
        stage = stage.restart();
        stage.serve(watch, &redesigned(at, "Open daily."));
    }
    assert_eq!(kinds(&stage.settle(SITE)), [Kind::Redesigned]);
}

/// A site with four pages that has not answered for a while.
fn silent() -> (Stage, Vec<Watch>) {
    let mut stage = Stage::new();
    let watches = watches(4);
    for (at, watch) in watches.iter().enumerate() {
        stage.serve(watch, &page(at, "a", "f"));
        stage.script.set(&watch.url, Reply::Timeout);
    }
    for _ in 0..4 {
        watches.iter().for_each(|watch| drop(stage.check(watch)));
    }
    (stage, watches)
}

#[test]
fn an_outage_of_a_site_is_one_event() {
    let (mut stage, watches) = silent();
    let told = stage.settle(SITE);
    assert_eq!(kinds(&told), [Kind::CheckFailing]);
    assert!(told[0].summary.starts_with("4 pages of the site cannot be checked"), "{}", told[0].summary);
    for (at, watch) in watches.iter().enumerate() {
        stage.serve(watch, &page(at, "a", "f"));
    }
    assert_eq!(kinds(&stage.settle(SITE)), [Kind::CheckRecovered]);
}

#[test]
fn pages_that_work_again_one_after_the_other_are_told_once() {
    let (mut stage, watches) = silent();
    assert_eq!(kinds(&stage.settle(SITE)), [Kind::CheckFailing]);
    let told: Vec<_> = (0..4)
        .flat_map(|at| {
            stage.serve(&watches[at], &page(at, "a", "f"));
            kinds(&stage.settle(SITE))
        })
        .collect();
    assert_eq!(told, [Kind::CheckRecovered]);
    // Whoever fails after that is another matter.
    stage.script.set(&watches[0].url, Reply::Timeout);
    let failing: Vec<_> = (0..4).flat_map(|_| stage.check(&watches[0]).events).collect();
    assert_eq!((kinds(&failing), kinds(&stage.settle(SITE))), (vec![Kind::CheckFailing], vec![Kind::CheckFailing]));
    stage.serve(&watches[0], &page(0, "a", "f"));
    assert_eq!(kinds(&stage.settle(SITE)), [Kind::CheckRecovered]);
}
