//! What would a message look like? An event of each kind, made up, for previews and tests.

use driftline::change::Sides;
use driftline::event::{Event, Excerpt, FORMAT, Kind, Mark, Mention, Piece};
use driftline::time::Time;

/// 2026-11-16 08:00 UTC.
const NOW: i64 = 1_794_816_000_000_000;
const HOUR: i64 = 3_600_000_000;

/// A made event of a kind.
#[must_use]
pub fn sample(kind: Kind) -> Event {
    let ago = |hours: i64| Time::from_microseconds(NOW - hours * HOUR);
    let (summary, importance) = summary(kind);
    let is_change = matches!(kind, Kind::Changed | Kind::ItemModified);
    let is_site = kind.is_design();
    let is_item = matches!(kind, Kind::ItemAdded | Kind::ItemModified | Kind::ItemRemoved);
    Event {
        format: FORMAT,
        key: format!("{:032x}", kind as u32 + 1),
        at: ago(0),
        kind,
        watch: (!is_site).then(|| "opening-hours".to_owned()),
        name: if is_site {
            "museum.example"
        } else if is_item {
            "News"
        } else {
            "Opening hours"
        }
        .to_owned(),
        tags: vec!["museums".to_owned()],
        url: format!(
            "https://museum.example/{}",
            if is_site {
                ""
            } else if is_item {
                "news.atom"
            } else {
                "visit"
            }
        ),
        site: "museum.example".to_owned(),
        summary: summary.to_owned(),
        importance,
        why: if is_change { vec!["in the main content".to_owned(), "4 words changed".to_owned()] } else { Vec::new() },
        degree: is_change.then_some(0.5),
        versions: is_change.then(|| Sides { older: ago(24), newer: ago(0) }),
        excerpts: excerpts(kind),
        parts: Vec::new(),
        template: None,
        returned_to: (kind == Kind::DesignRestored).then(|| ago(72)),
        since: matches!(kind, Kind::PageGone | Kind::CheckFailing | Kind::ZoneLost).then(|| ago(6)),
        certainty: is_site.then_some(0.9),
        pages: pages(kind),
        explains: if is_site { (0..12).map(|key| format!("{key:032x}")).collect() } else { Vec::new() },
        limits: Vec::new(),
        learned: Vec::new(),
    }
}

fn summary(kind: Kind) -> (&'static str, f64) {
    match kind {
        Kind::Changed => ("50 % changed: 3 words added, 1 replaced", 0.62),
        Kind::Flapping => ("goes back and forth between 2 states", 0.3),
        Kind::Redesigned => ("the site has a new template", 0.9),
        Kind::NewPage => ("2 new pages", 0.5),
        Kind::PageGone => ("the page is gone: 404 Not Found", 0.8),
        Kind::PageBack => ("the page is back", 0.6),
        Kind::ItemAdded => ("2 new items", 0.5),
        Kind::ItemModified => ("an item was altered: 1 word replaced", 0.4),
        Kind::ItemRemoved => ("an item was removed", 0.6),
        Kind::CheckFailing => ("cannot be checked: connection refused", 0.4),
        Kind::CheckRecovered => ("can be checked again", 0.2),
        Kind::ZoneLost => ("the zone `#hours` is not to be found", 0.5),
        Kind::ZoneFound => ("the zone `#hours` is found again", 0.3),
        Kind::DesignRestored => ("the site has an earlier design again", 0.8),
    }
}

fn excerpts(kind: Kind) -> Vec<Excerpt> {
    let piece = |mark, text: &str| Piece { mark, text: text.to_owned() };
    let excerpt = |selector: &str, importance, pieces| Excerpt { selector: selector.to_owned(), importance, pieces };
    match kind {
        Kind::Changed => vec![
            excerpt(
                "main > p:nth-of-type(2)",
                0.62,
                vec![
                    piece(Mark::Kept, "Open from nine to "),
                    piece(Mark::Dropped, "five"),
                    piece(Mark::Kept, " "),
                    piece(Mark::Added, "six, also on Sundays"),
                    piece(Mark::Kept, "."),
                ],
            ),
            excerpt(
                "main > ul",
                0.3,
                vec![
                    piece(Mark::Gap, "… "),
                    piece(Mark::Kept, "ground floor: "),
                    piece(Mark::Moved, "cloakroom"),
                    piece(Mark::Kept, ", shop & café"),
                ],
            ),
        ],
        Kind::ItemAdded => {
            vec![excerpt("", 1.0, vec![piece(Mark::Added, "The moon in ink\nForty prints, from Saturday.")])]
        }
        Kind::ItemModified => vec![excerpt(
            "",
            1.0,
            vec![
                piece(Mark::Kept, "Concert on "),
                piece(Mark::Dropped, "Friday"),
                piece(Mark::Kept, " "),
                piece(Mark::Added, "Saturday"),
            ],
        )],
        Kind::ItemRemoved => vec![excerpt("", 1.0, vec![piece(Mark::Dropped, "Night of the museums")])],
        _ => Vec::new(),
    }
}

fn pages(kind: Kind) -> Vec<Mention> {
    let page =
        |path: &str, title: &str| Mention { url: format!("https://museum.example/{path}"), title: title.to_owned() };
    match kind {
        Kind::NewPage => vec![page("moon", "The moon in ink"), page("jobs/17", "")],
        Kind::ItemAdded => vec![page("moon", "The moon in ink"), page("concert", "Concert on Saturday")],
        _ => Vec::new(),
    }
}
