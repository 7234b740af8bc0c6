//! A large site and a month of it: 200 pages that change by themselves, and thirty real changes among them.
//!
//! Articles, products, guest houses, calendars, opening hours, timetables, associations and rules. Every page has a clock,
//! a counter of visitors and random identifiers; half of them have advertisements, one of eight is part of an experiment
//! that shows half of its visits another variant. There is an outage each week, a redesign, and five days later the
//! earlier design again. The [planted changes](CHANGES) are what a watcher should report, [`Score::of`] says how many of
//! them it did, and how much else.
//!
//! The site has no clock and no chance of its own: its time and the seed are given, and pages are the same for the same
//! time, seed and number of visits.
//!
//! ```
//! use driftline_demo::island::{Island, Month};
//!
//! let island = Island::start(Month::new(200, 7), || 0)?;
//! assert_eq!(island.month().paths().count(), 200);
//! # Ok::<(), std::io::Error>(())
//! ```

mod changes;
mod content;
mod design;
mod dice;
mod flicker;
mod score;
mod sections;
mod words;

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};

use httparse::Request;

use crate::server::{Reply, Server, hold};
pub use changes::{CHANGES, Change};
use content::Content;
use dice::{Dice, number};
use flicker::Visit;
pub use score::{Alert, Score};
use sections::Section;

/// The seconds of an hour.
pub const HOUR: u64 = 3_600;
/// The seconds of a day.
pub const DAY: u64 = 24 * HOUR;
/// The seconds of the month.
pub const LENGTH: u64 = 30 * DAY;
/// The time of the redesign, in seconds since the start of the month.
pub const REDESIGNED: u64 = 12 * DAY + 4 * HOUR;
/// The time at which the earlier design is back.
pub const RESTORED: u64 = 17 * DAY + 9 * HOUR;
/// The seconds for which a busy server wants to be left alone.
const RETRY_AFTER: u64 = 1_800;

/// An outage of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outage {
    /// Its start, in seconds since the start of the month.
    pub from: u64,
    /// Its end.
    pub to: u64,
    /// How requests fail.
    pub failure: Failure,
}

/// How requests fail during an outage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// 503, with or without a `Retry-After`.
    Busy {
        /// Whether there is one.
        says_when: bool,
    },
    /// Connections are refused.
    Refused,
    /// Nothing is answered.
    TimeOut,
}

/// The outages of the month, one each week.
pub const OUTAGES: [Outage; 4] = [
    outage(4 * DAY + 20 * HOUR, 3 * HOUR, Failure::Busy { says_when: false }),
    outage(11 * DAY + 7 * HOUR, 4 * HOUR, Failure::Refused),
    outage(19 * DAY + 14 * HOUR, 2 * HOUR + HOUR / 2, Failure::TimeOut),
    outage(25 * DAY + 3 * HOUR, 4 * HOUR, Failure::Busy { says_when: true }),
];

const fn outage(from: u64, length: u64, failure: Failure) -> Outage {
    Outage { from, to: from + length, failure }
}

/// The failure of requests at a time.
fn failure(second: u64) -> Option<Failure> {
    OUTAGES.into_iter().find(|outage| (outage.from..outage.to).contains(&second)).map(|outage| outage.failure)
}

/// The pages of the month.
#[derive(Debug, Clone)]
pub struct Month {
    seed: u64,
    pages: Vec<Page>,
}

#[derive(Debug, Clone)]
struct Page {
    path: String,
    content: Content,
    /// The planted changes of the page, by their places in [`CHANGES`].
    changes: Vec<usize>,
}

impl Month {
    /// The month of a site of about this many pages, at least 60: all sections have their share of them.
    #[must_use]
    pub fn new(pages: usize, seed: u64) -> Self {
        let all = Section::ALL.iter().flat_map(|(section, share)| {
            let count = (share * pages.max(60)).div_ceil(200);
            (0..count).map(|number| page(*section, number, seed))
        });
        Self { seed, pages: all.collect() }
    }

    /// The addresses of all pages.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.pages.iter().map(|page| page.path.as_str())
    }

    fn find(&self, path: &str) -> Option<&Page> {
        self.pages.iter().find(|page| page.path == path)
    }
}

fn page(section: Section, place: usize, seed: u64) -> Page {
    let path = section.path(place);
    let content = section.content(place, &mut Dice::new(seed, &[number(&path)]));
    let changes = (0..CHANGES.len()).filter(|at| CHANGES[*at].is_of(section, place)).collect();
    Page { path, content, changes }
}

impl Page {
    /// The page at a time, as this visit gets it.
    fn html(&self, visit: &Visit) -> String {
        let mut content = self.content.clone();
        for at in &self.changes {
            if CHANGES[*at].at <= visit.second {
                (CHANGES[*at].edit)(&mut content);
            }
        }
        design::html(&content, (REDESIGNED..RESTORED).contains(&visit.second), &self.path, visit)
    }
}

/// The site of the month, which ends when it is dropped.
#[derive(Debug)]
pub struct Island {
    server: Server,
    month: Arc<Month>,
    seen: Arc<Mutex<Seen>>,
}

/// What visitors got.
#[derive(Debug, Default)]
struct Seen {
    /// The number of visits, by address.
    visits: HashMap<String, u64>,
    /// When each planted change was served first.
    changes: [Option<u64>; CHANGES.len()],
}

impl Island {
    /// Starts the site. `now` is the time, in seconds since the start of the month.
    ///
    /// # Errors
    /// If there is no free port on loopback.
    pub fn start(month: Month, now: impl Fn() -> u64 + Send + Sync + 'static) -> io::Result<Self> {
        let (month, seen) = (Arc::new(month), Arc::<Mutex<Seen>>::default());
        let (served, noted) = (Arc::clone(&month), Arc::clone(&seen));
        let server = Server::start(|_| move |request: &Request<'_, '_>| reply(request, &served, &noted, now()))?;
        Ok(Self { server, month, seen })
    }

    /// The address of a page: `/news/000`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.server.address())
    }

    /// Its pages.
    #[must_use]
    pub fn month(&self) -> &Month {
        &self.month
    }

    /// Refuses connections from now on if it does so at this time, and accepts them otherwise.
    ///
    /// # Errors
    /// If another program has taken the port meanwhile.
    pub fn go_to(&self, second: u64) -> io::Result<()> {
        if failure(second) == Some(Failure::Refused) {
            self.server.close();
            return Ok(());
        }
        self.server.open()
    }

    /// When each of the [`CHANGES`] was served first, in seconds since the start of the month.
    #[must_use]
    pub fn first_served(&self) -> [Option<u64>; CHANGES.len()] {
        hold(&self.seen).changes
    }

    /// The number of pages that were served.
    #[must_use]
    pub fn visits(&self) -> u64 {
        hold(&self.seen).visits.values().sum()
    }
}

fn reply(request: &Request<'_, '_>, month: &Month, seen: &Mutex<Seen>, second: u64) -> Reply {
    match failure(second) {
        Some(Failure::Busy { says_when }) => {
            let header = if says_when { format!("Retry-After: {RETRY_AFTER}\r\n") } else { String::new() };
            return Reply::Bytes(answer("503 Service Unavailable", &header, "<h1>The server is too busy.</h1>"));
        }
        Some(Failure::Refused) => return Reply::Close,
        Some(Failure::TimeOut) => return Reply::Wait,
        None => {}
    }
    let path = request.path.and_then(|path| path.split('?').next()).unwrap_or_default();
    let Some(page) = month.find(path) else {
        return Reply::Bytes(answer("404 Not Found", "", "<h1>There is no such page on this island.</h1>"));
    };
    let count = {
        let mut seen = hold(seen);
        for at in page.changes.iter().filter(|at| CHANGES[**at].at <= second) {
            seen.changes[*at].get_or_insert(second);
        }
        let count = seen.visits.entry(path.to_owned()).or_default();
        *count += 1;
        *count
    };
    Reply::Bytes(answer("200 OK", "", &page.html(&Visit::new(month.seed, path, second, count))))
}

fn answer(status: &str, header: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n{header}\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

#[cfg(test)]
mod tests;
