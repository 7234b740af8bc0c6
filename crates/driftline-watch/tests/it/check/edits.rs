//! Edits that are made together with a redesign: each is reported, and nothing else is.

mod articles;
mod templates;

use std::collections::BTreeSet;
use std::sync::Arc;

use driftline::event::{Event, Kind};
use driftline_watch::watches::{Counts, Settings, Watch};

use super::stage::{Reply, Stage};
use super::streams::{SITE, watches};
use articles::{Article, Edit, articles};
use templates::Template;

/// What settling reported.
#[derive(Debug, Default)]
struct Report {
    /// The addresses of pages of which an edit was reported, once for each time.
    edited: Vec<String>,
    /// The addresses of pages whose whole change was reported, before the redesign was certain, once for each time.
    whole: Vec<String>,
    /// The messages about edits.
    messages: Vec<Event>,
    /// The messages about whole changes.
    whole_messages: Vec<Event>,
    designs: Vec<Kind>,
}

impl Report {
    fn add(&mut self, told: Vec<Event>) {
        for event in told {
            let pages: Vec<String> = event.pages.iter().map(|page| page.url.clone()).collect();
            let pages = if pages.is_empty() { vec![event.url.clone()] } else { pages };
            match event.kind {
                Kind::Changed if event.summary.ends_with("besides the redesign") => {
                    self.edited.extend(pages);
                    self.messages.push(event);
                }
                Kind::Changed => {
                    self.whole.extend(pages);
                    self.whole_messages.push(event);
                }
                kind => self.designs.push(kind),
            }
        }
    }

    /// All messages but those about designs.
    fn all(&self) -> impl Iterator<Item = &Event> {
        self.messages.iter().chain(&self.whole_messages)
    }
}

/// A site with all its articles.
struct Site {
    stage: Stage,
    watches: Vec<Watch>,
}

impl Site {
    fn new(template: Template, articles: &[Article]) -> Self {
        let mut site = Self { stage: Stage::new(), watches: watches(articles.len()) };
        site.serve(template, articles);
        assert_eq!(site.stage.settle(SITE), [], "there is nothing to compare the first versions with");
        site
    }

    /// All pages in one round of checks.
    fn serve(&mut self, template: Template, articles: &[Article]) {
        for at in 0..articles.len() {
            self.stage.serve(&self.watches[at], &template(at, articles));
        }
    }

    fn serve_and_settle(&mut self, template: Template, articles: &[Article]) -> Report {
        self.serve(template, articles);
        let mut report = Report::default();
        report.add(self.stage.settle(SITE));
        report.add(self.stage.settle(SITE));
        report
    }

    /// One page after the other, each settled by itself.
    fn serve_over_hours(&mut self, template: Template, articles: &[Article]) -> Report {
        let mut report = Report::default();
        for at in 0..articles.len() {
            self.stage.serve(&self.watches[at], &template(at, articles));
            report.add(self.stage.settle(SITE));
        }
        report
    }
}

/// Which pages are edited: far apart, or the first ones.
fn pages(count: usize, from_first: bool) -> Vec<usize> {
    match count {
        _ if from_first => (0..count).collect(),
        1 => vec![7],
        3 => vec![2, 7, 15],
        _ => (0..count).map(|at| at * 2 + 1).collect(),
    }
}

fn edited(all: &[Article], edit: Edit, pages: &[usize], is_same: bool) -> Vec<Article> {
    let mut all = all.to_vec();
    for (what, page) in pages.iter().enumerate() {
        edit.of(&mut all[*page], if is_same { 0 } else { what });
    }
    all
}

fn urls(pages: &[usize]) -> BTreeSet<String> {
    pages.iter().map(|at| format!("http://example.org/page{at}")).collect()
}

/// A pair of templates for each case, so that all are used.
fn pair(case: usize) -> (Template, Template) {
    let all = templates::ALL;
    let step = 1 + case / all.len() % (all.len() - 1);
    (all[case % all.len()], all[(case + step) % all.len()])
}

/// The sum over cases.
#[derive(Debug, Default)]
struct Table {
    /// How many first pages of a redesign may be reported in one case although they were not edited, or as wholes, before it
    /// is certain what the design is.
    most_of_first: usize,
    edited: usize,
    found: usize,
    /// How many reports there were of pages that were not edited.
    falsely: usize,
    /// Whether an edit was missed, or reported more than once.
    is_wrong: bool,
    failures: Vec<String>,
}

impl Table {
    fn of(most_of_first: usize) -> Self {
        Self { most_of_first, ..Self::default() }
    }

    fn add(&mut self, name: &str, pages: &[usize], report: &Report) {
        let expected = urls(pages);
        let all: Vec<&String> = report.edited.iter().chain(&report.whole).collect();
        let reported: BTreeSet<String> = all.iter().copied().cloned().collect();
        let missed: Vec<_> = expected.difference(&reported).collect();
        let falsely: Vec<_> = reported.difference(&expected).collect();
        self.edited += expected.len();
        self.found += expected.len() - missed.len();
        self.falsely += falsely.len();
        let is_repeated = all.len() > reported.len();
        let is_flood =
            report.all().count() > reported.len() || falsely.len().max(report.whole.len()) > self.most_of_first;
        let is_wrong = !missed.is_empty() || is_repeated || is_flood || report.designs.len() != 1;
        self.is_wrong |= is_wrong;
        if is_wrong || !falsely.is_empty() {
            let said: Vec<String> = report.all().map(|event| format!("{}: {}", event.url, event.summary)).collect();
            let (designs, whole) = (&report.designs, &report.whole);
            self.failures.push(format!(
                "{name}: missed {missed:?}, falsely {falsely:?}, repeated {is_repeated}, whole {whole:?}, designs {designs:?}, messages {said:#?}"
            ));
        }
    }

    /// Checks that all edits were found once, and no case had more than its false reports.
    fn check(self) {
        println!("{} of {} edits found, {} false reports", self.found, self.edited, self.falsely);
        assert!(!self.is_wrong, "{}\n{:?}", self.failures.join("\n"), (self.found, self.edited, self.falsely));
    }
}

/// With one or two other pages to compare it with, a page may be reported for what later turns out to be the design.
const MOST_OF_FIRST_PAGES: usize = 3;

/// Pages that list others by their titles: as long as those whose titles were edited were not checked themselves, nobody
/// knows that what is new in the list is a title.
const MOST_OF_LISTING_PAGES: usize = 10;
/// This many kinds of edits are tried in all cases.
const FIRST_KINDS: usize = 8;
/// Cases of one edit: how many pages, whether the edit is the same on all of them.
const CASES: [(usize, bool); 5] = [(1, true), (3, false), (10, true), (3, true), (10, false)];

#[test]
fn a_redesign_without_edits_reports_no_edit() {
    let all = articles();
    let mut table = Table::of(0);
    for older in 0..templates::ALL.len() {
        for newer in (0..templates::ALL.len()).filter(|newer| *newer != older) {
            let mut site = Site::new(templates::ALL[older], &all);
            let report = site.serve_and_settle(templates::ALL[newer], &all);
            table.add(&format!("{older} to {newer}"), &[], &report);
            let report = site.serve_and_settle(templates::ALL[older], &all);
            table.add(&format!("{older} to {newer} and back"), &[], &report);
        }
    }
    table.check();
}

#[test]
fn a_redesign_that_is_seen_page_by_page_reports_at_most_its_first_pages() {
    let all = articles();
    let mut table = Table::of(MOST_OF_FIRST_PAGES);
    for case in 0..20 {
        let (older, newer) = pair(case);
        let report = Site::new(older, &all).serve_over_hours(newer, &all);
        table.add(&format!("pair {case}"), &[], &report);
    }
    table.check();
}

/// Each page has its title in its head, in its breadcrumb and in the lists of the others, in each design in another way.
#[test]
fn a_design_that_returns_page_by_page_reports_at_most_its_first_pages() {
    let all = articles();
    let mut table = Table::of(MOST_OF_FIRST_PAGES);
    for case in 0..20 {
        let (older, newer) = pair(case);
        let mut site = Site::new(older, &all);
        assert_eq!(site.serve_and_settle(newer, &all).designs, [Kind::Redesigned]);
        let report = site.serve_over_hours(older, &all);
        assert_eq!(report.designs, [Kind::DesignRestored]);
        table.add(&format!("pair {case}"), &[], &report);
    }
    table.check();
}

#[test]
fn edits_in_the_same_check_as_a_redesign_are_reported() {
    let all = articles();
    let mut table = Table::of(0);
    for (kind, edit) in Edit::REPORTED.into_iter().enumerate() {
        let most = if kind < FIRST_KINDS { 5 } else { 3 };
        for (case, (count, is_same)) in CASES.into_iter().enumerate().take(most) {
            let (older, newer) = pair(kind * CASES.len() + case);
            let pages = pages(count, false);
            let report = Site::new(older, &all).serve_and_settle(newer, &edited(&all, edit, &pages, is_same));
            table.add(&format!("{edit:?} on {count}, same {is_same}, pair {}", kind * 5 + case), &pages, &report);
        }
    }
    table.check();
}

#[test]
fn edits_in_the_same_check_as_the_return_of_a_design_are_reported() {
    let all = articles();
    let mut table = Table::of(0);
    for (kind, edit) in Edit::REPORTED.into_iter().enumerate() {
        for (case, (count, is_same)) in [(1, true), (3, false), (10, true)].into_iter().enumerate() {
            let (older, newer) = pair(kind * 3 + case);
            let pages = pages(count, false);
            let mut site = Site::new(older, &all);
            assert_eq!(site.serve_and_settle(newer, &all).designs, [Kind::Redesigned]);
            let report = site.serve_and_settle(older, &edited(&all, edit, &pages, is_same));
            assert_eq!(report.designs, [Kind::DesignRestored]);
            table.add(&format!("{edit:?} on {count}, same {is_same}, pair {}", kind * 3 + case), &pages, &report);
        }
    }
    table.check();
}

#[test]
fn edits_on_pages_that_are_checked_one_after_the_other_are_reported() {
    let all = articles();
    let (mut table, mut of_titles) = (Table::of(MOST_OF_FIRST_PAGES), Table::of(MOST_OF_LISTING_PAGES));
    for (kind, edit) in Edit::REPORTED.into_iter().enumerate() {
        // What is only added or removed costs as many checks again: half of the cases.
        let cases = [(1, true, false), (3, true, true), (10, true, true), (10, false, false)];
        let most = if kind < FIRST_KINDS { 4 } else { 2 };
        for (case, (count, is_same, from_first)) in cases.into_iter().enumerate().take(most) {
            let (older, newer) = pair(kind * 4 + case);
            let pages = pages(count, from_first);
            let report = Site::new(older, &all).serve_over_hours(newer, &edited(&all, edit, &pages, is_same));
            let name = format!("{edit:?} on {count}, same {is_same}, first {from_first}, pair {}", kind * 4 + case);
            let table = if edit == Edit::Title { &mut of_titles } else { &mut table };
            table.add(&name, &pages, &report);
        }
    }
    table.check();
    of_titles.check();
}

#[test]
fn a_block_that_only_moved_belongs_to_the_redesign() {
    let all = articles();
    let moved = edited(&all, Edit::BlockMoved, &[3, 9], true);
    let report = Site::new(templates::ALL[0], &all).serve_and_settle(templates::ALL[1], &moved);
    assert_eq!((report.edited.len(), report.designs.as_slice()), (0, [Kind::Redesigned].as_slice()), "{report:#?}");
}

#[test]
fn six_new_documents_of_one_page_are_an_edit_of_a_redesign() {
    let all = articles();
    let mut site = Site::new(templates::ALL[0], &all);
    let documents: String = (1..=6)
        .map(|at| format!("<li><a href=\"/press/release{at}.pdf\">Release {at} of the harbour</a></li>"))
        .collect();
    let mut report = Report::default();
    for at in 0..all.len() {
        let html = templates::ALL[1](at, &all);
        let html = if at == 7 { html.replace("</body>", &format!("<ul>{documents}</ul></body>")) } else { html };
        site.stage.serve(&site.watches[at], &html);
    }
    report.add(site.stage.settle(SITE));
    report.add(site.stage.settle(SITE));
    assert_eq!(report.edited, ["http://example.org/page7"], "{report:#?}");
    assert_eq!(report.designs, [Kind::Redesigned]);
}

#[test]
fn an_edit_beside_a_redesign_is_a_message_of_its_own_that_says_what_was_edited() {
    let all = articles();
    let report = Site::new(templates::ALL[0], &all)
        .serve_and_settle(templates::ALL[1], &edited(&all, Edit::SentenceAdded, &[7], true));
    let [event] = report.messages.as_slice() else { panic!("{report:#?}") };
    assert_eq!(event.summary, "“The mayor resigned on Monday.” added; besides the redesign");
    assert_eq!((event.watch.as_deref(), event.url.as_str()), (Some("page7"), "http://example.org/page7"));
    assert_eq!((event.excerpts.len(), event.parts.len()), (1, 1), "{event:#?}");
    assert!(event.versions.is_some() && event.template_similarity.is_none() && event.importance > 0.4, "{event:#?}");
}

#[test]
fn the_same_edit_on_three_pages_is_one_message_with_a_list() {
    let all = articles();
    let report = Site::new(templates::ALL[0], &all)
        .serve_and_settle(templates::ALL[2], &edited(&all, Edit::SentenceAdded, &[2, 7, 15], true));
    let [event] = report.messages.as_slice() else { panic!("{report:#?}") };
    let said = "the same edit on 3 pages: “The mayor resigned on Monday.” added; besides the redesign";
    assert_eq!((event.summary.as_str(), event.pages.len()), (said, 3));
}

#[test]
fn many_edited_pages_are_one_message_that_says_what_was_edited_on_each() {
    let all = articles();
    let pages = pages(10, false);
    let report = Site::new(templates::ALL[0], &all)
        .serve_and_settle(templates::ALL[1], &edited(&all, Edit::SentenceReplaced, &pages, false));
    let [event] = report.messages.as_slice() else { panic!("{report:#?}") };
    assert_eq!(event.summary, "10 pages were edited besides the redesign");
    assert_eq!(event.pages.len(), 10);
    assert!(event.pages.iter().all(|page| !page.summary.is_empty()), "{event:#?}");
    let message = driftline_report::message::compose(
        std::slice::from_ref(event),
        &driftline_report::summary::Markup::PLAIN,
        &driftline_report::message::Templates::default(),
    );
    assert!(message.text.contains(&format!("/page1\n  {}", event.pages[0].summary)), "{}", message.text);
}

#[test]
fn an_edit_of_a_redesign_is_reported_once_although_the_process_was_restarted() {
    let all = articles();
    let mut site = Site::new(templates::ALL[0], &all);
    let news = edited(&all, Edit::Number, &[7, 18], false);
    let mut report = Report::default();
    for at in 0..all.len() {
        let stage = site.stage.restart();
        site = Site { stage, watches: site.watches };
        site.stage.serve(&site.watches[at], &templates::ALL[1](at, &news));
        report.add(site.stage.settle(SITE));
        report.add(site.stage.settle(SITE));
    }
    let mut table = Table::of(MOST_OF_FIRST_PAGES);
    table.add("restarted", &[7, 18], &report);
    table.check();
    let keys = site.stage.keys();
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
}

/// A site whose page 7 is watched in a way of its own.
fn with(settings: Settings) -> Site {
    let all = articles();
    let mut site = Site { stage: Stage::new(), watches: watches(all.len()) };
    let own = &mut site.watches[7];
    own.settings = Arc::new(Settings { schedule: own.settings.schedule.clone(), ..settings });
    site.serve(templates::ALL[0], &all);
    site.stage.settle(SITE);
    site
}

#[test]
fn a_line_that_a_watch_ignores_is_no_edit_of_a_redesign() {
    let counts = Counts { ignore_lines: vec!["mayor".to_owned()], ..Counts::default() };
    let mut site = with(Settings { counts, ..Settings::default() });
    let news = edited(&articles(), Edit::SentenceAdded, &[7, 9], false);
    let mut of_mayor = news.clone();
    of_mayor[9] = articles()[9].clone();
    let report = site.serve_and_settle(templates::ALL[1], &of_mayor);
    assert_eq!((report.edited.len(), report.whole.len()), (0, 0), "{report:#?}");
}

#[test]
fn text_outside_of_a_zone_is_never_reported_as_an_edit() {
    let mut site = with(Settings { zone: vec!["h1".to_owned()], ..Settings::default() });
    let report = site.serve_and_settle(templates::ALL[1], &edited(&articles(), Edit::SentenceAdded, &[7], true));
    assert_eq!((report.edited.len(), report.whole.len()), (0, 0), "{report:#?}");
}

/// Rounds of checks until clocks are learned.
const ROUNDS: usize = 8;

/// Checks all pages with a template. Every third page has a clock, a counter of readers, and the price that is given.
fn serve_with_clocks(site: &mut Site, template: Template, round: usize, price: impl Fn(usize) -> usize) {
    let all = articles();
    let (tag, class) = if round < ROUNDS { ("p", "line") } else { ("div", "row") };
    for (at, watch) in site.watches.iter().enumerate() {
        let (minute, readers) = (10 + 5 * round, 100 + 7 * round + at);
        let lines =
            [format!("It is 14:{minute}."), format!("Read {readers} times."), format!("It costs {} euros.", price(at))];
        let lines = lines.iter().enumerate().map(|(line, text)| format!("<{tag} class={class}{line}>{text}</{tag}>"));
        let lines: String = lines.filter(|_| at % 3 == 0).collect();
        site.stage.page(&watch.url, &(template(at, &all) + "<div class=lines>" + &lines + "</div>"));
        site.stage.check_now(watch);
    }
    site.stage.pass(10);
}

/// Learns the clocks and counters of a site, and serves it in another design with these prices.
fn redesign_with_clocks(price: impl Fn(usize) -> usize) -> Report {
    let mut site = Site { stage: Stage::new(), watches: watches(articles().len()) };
    (0..ROUNDS).for_each(|round| serve_with_clocks(&mut site, templates::ALL[0], round, |_| 20));
    site.stage.settle(SITE);
    serve_with_clocks(&mut site, templates::ALL[1], ROUNDS, price);
    let mut report = Report::default();
    report.add(site.stage.settle(SITE));
    report.add(site.stage.settle(SITE));
    assert_eq!(report.designs, [Kind::Redesigned], "{report:#?}");
    report
}

#[test]
fn clocks_and_counters_of_some_pages_are_no_edits_of_a_redesign() {
    let report = redesign_with_clocks(|_| 20);
    assert_eq!((report.edited.len(), report.whole.len()), (0, 0), "{report:#?}");
}

#[test]
fn a_price_beside_a_clock_and_a_counter_is_an_edit_of_a_redesign() {
    let report = redesign_with_clocks(|at| if at == 3 { 31 } else { 20 });
    assert_eq!((report.edited, report.whole.len()), (vec!["http://example.org/page3".to_owned()], 0));
    assert!(report.messages[0].summary.contains("31"), "{}", report.messages[0].summary);
}

/// Checks all pages of a site in their present design until what flickers is learned, and then in another one: a page is a
/// template with what `foot` makes of its number and of the number of the fetch. What settling reports.
fn redesign_with_foot(older: impl Fn(usize, usize) -> String, newer: impl Fn(usize, usize) -> String) -> Report {
    let all = articles();
    let mut site = Site { stage: Stage::new(), watches: watches(all.len()) };
    let serve = |site: &mut Site, round: usize, html: &dyn Fn(usize, usize) -> String| {
        for (at, watch) in site.watches.iter().enumerate() {
            let pages = (0..4).map(|fetch| html(at, 4 * round + fetch)).collect();
            site.stage.script.set(&watch.url, Reply::InTurn(pages));
            site.stage.check_now(watch);
        }
        site.stage.pass(40);
    };
    for round in 0..ROUNDS {
        serve(&mut site, round, &|at, fetch| templates::ALL[0](at, &all) + &older(at, fetch));
    }
    site.stage.settle(SITE);
    serve(&mut site, ROUNDS, &|at, fetch| templates::ALL[1](at, &all) + &newer(at, fetch));
    let mut report = Report::default();
    report.add(site.stage.settle(SITE));
    report.add(site.stage.settle(SITE));
    assert_eq!(report.designs, [Kind::Redesigned], "{report:#?}");
    report
}

fn advertisement(fetch: usize) -> &'static str {
    ["Buy our boots.", "Rent a car today.", "Fly to Rome.", "Learn to sing.", "Eat more fish."][fetch * 7 % 5]
}

#[test]
fn an_edit_where_an_advertisement_was_in_the_older_design_is_reported() {
    let older = |_, fetch| format!("<div id=box>{}</div>", advertisement(fetch));
    let newer = |at, _| {
        let notice = if at == 3 { "The library closes on the first of May." } else { "There are no notices." };
        format!("<div id=box>{notice}</div>")
    };
    let report = redesign_with_foot(older, newer);
    assert_eq!((report.edited, report.whole.len()), (vec!["http://example.org/page3".to_owned()], 0));
}

#[test]
fn an_edit_that_reaches_the_servers_of_a_site_during_a_redesign_is_reported() {
    let newer = |at, fetch| {
        let recall = if at == 3 && fetch % 2 == 0 { " Lot 7 of the lamps is recalled." } else { "" };
        format!("<div id=box>Open from nine to five.{recall}</div>")
    };
    let report = redesign_with_foot(|_, _| "<div id=box>Open from nine to five.</div>".to_owned(), newer);
    assert_eq!((report.edited, report.whole.len()), (vec!["http://example.org/page3".to_owned()], 0));
}

#[test]
fn an_advertisement_that_is_another_one_in_each_fetch_of_the_newer_design_is_no_edit() {
    let advert = |class: &str, at: usize, fetch| {
        if at.is_multiple_of(3) { format!("<div class={class}>{}</div>", advertisement(fetch)) } else { String::new() }
    };
    let report = redesign_with_foot(|at, fetch| advert("old", at, fetch), |at, fetch| advert("new", at, fetch));
    assert_eq!((report.edited.len(), report.whole.len()), (0, 0), "{report:#?}");
}

#[test]
fn an_advertisement_of_the_older_design_is_no_edit_although_each_fetch_of_the_newer_one_shows_the_same() {
    let older = |at: usize, fetch: usize| {
        let picture = fetch * 7 % 5;
        let advert = || format!("<div class=old><img src=/ads/{picture}.png alt=''><p>{}</div>", advertisement(fetch));
        if at.is_multiple_of(3) { advert() } else { String::new() }
    };
    let newer = |at: usize, _| {
        let picture = at * 7 % 5;
        let text = advertisement(at);
        let advert = format!("<aside class=new><a><img src=/ads/{picture}.png alt=''></a><b>{text}</b></aside>");
        if at.is_multiple_of(3) { advert } else { String::new() }
    };
    let report = redesign_with_foot(older, newer);
    assert_eq!((report.edited.len(), report.whole.len()), (0, 0), "{report:#?}");
}

#[test]
fn the_link_and_the_picture_of_an_advertisement_are_no_edit_of_a_redesign() {
    let advert = |class: &str, tag: &str, at: usize, fetch: usize| {
        let picture = fetch * 7 % 5;
        let link = format!("<a href='/out?to={picture}&amp;click={fetch}'><img src=/ads/{picture}.png alt=''></a>");
        let text = advertisement(fetch);
        if at == 3 { format!("<{tag} class={class}>{link}<p>{text}</p></{tag}>") } else { String::new() }
    };
    let older = |at, fetch| advert("old", "div", at, fetch);
    let report = redesign_with_foot(older, |at, _| advert("new", "aside", at, 3));
    assert_eq!((report.edited.len(), report.whole.len()), (0, 0), "{report:#?}");
}

#[test]
fn opening_hours_in_the_sentence_of_a_clock_are_an_edit_of_a_redesign() {
    let line = |tag: &str, at: usize, fetch: usize, hours: &str| {
        let minute = 10 + fetch;
        if at.is_multiple_of(3) {
            format!("<p class=now{tag}>It is <{tag}>14:{minute}</{tag}>, open until {hours}.</p>")
        } else {
            String::new()
        }
    };
    let newer = |at, fetch| line("i", at, fetch, if at == 3 { "18:00" } else { "17:00" });
    let report = redesign_with_foot(|at, fetch| line("b", at, fetch, "17:00"), newer);
    assert_eq!((report.edited, report.whole.len()), (vec!["http://example.org/page3".to_owned()], 0));
    assert!(report.messages[0].summary.contains("17:00 → 18:00"), "{}", report.messages[0].summary);
}
