//! What changes on pages by itself: clocks, counters, advertisements, variants at random and random identifiers.

use super::content::Live;
use super::dice::{Dice, number};
use super::{DAY, HOUR};

/// A visit to a page.
#[derive(Debug, Clone)]
pub(super) struct Visit {
    /// Seconds since the start of the month.
    pub(super) second: u64,
    /// The number of earlier visits to the page.
    count: u64,
    /// Numbers that are the same at each visit to the page.
    page: Dice,
    /// Numbers of this visit.
    random: Dice,
}

/// An experiment of the site: half of the visits get another variant of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Experiment {
    None,
    /// The call has other words.
    Words,
    /// There is one box more.
    Box,
    /// Two boxes change places.
    Order,
}

const ADVERTISEMENTS: [(&str, &str); 6] = [
    ("oilskins", "Olsen's oilskins: wet outside, dry inside, since 1911."),
    ("bakery", "Have you tried the harbour bakery? The harbour bakery has tried everything."),
    ("glove", "Lost: one grey glove, left. Found: one grey glove, left. Ask at the pier."),
    ("paint", "Boats do not paint themselves. We do it before the season, and not after it."),
    ("radio", "Skerry Radio plays what the wind leaves over. On every evening."),
    ("rowing", "Row yourself healthy: six oars, one cox, no experience needed."),
];
const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/// The hour at which the month starts.
const FIRST_HOUR: u64 = 6;

impl Visit {
    pub(super) fn new(seed: u64, path: &str, second: u64, count: u64) -> Self {
        let page = number(path);
        Self { second, count, page: Dice::new(seed, &[page, 1]), random: Dice::new(seed, &[page, 2, count]) }
    }

    /// The day and the time: `Monday 2 March, 14:32`.
    pub(super) fn now(&self) -> String {
        let days = (self.second + FIRST_HOUR * HOUR) / DAY;
        let (day, month) = if days < 30 { (days + 2, "March") } else { (days - 29, "April") };
        format!("{} {day} {month}, {}", WEEKDAYS[(days % 7) as usize], time(self.second / 60))
    }

    /// The number of visitors so far: `48,213`.
    pub(super) fn visitors(&self) -> String {
        let all = 20_000 + self.page.clone().below(70_000) + self.second / 37 + self.count;
        format!("{},{:03}", all / 1_000, all % 1_000)
    }

    /// An identifier that is another one at each visit.
    pub(super) fn token(&self, name: &str) -> String {
        let mut dice = self.random.clone();
        format!("{:016x}", dice.next() ^ number(name).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The advertisement, on half of the pages: its name and its text.
    pub(super) fn advertisement(&self) -> Option<(&'static str, &'static str)> {
        let has_one = self.page.clone().next().is_multiple_of(2);
        has_one.then(|| self.random.clone().pick(&ADVERTISEMENTS))
    }

    /// The experiment of the page, on one page of eight, and whether this visit gets its other variant.
    pub(super) fn experiment(&self) -> (Experiment, bool) {
        let mut page = self.page.clone();
        page.next();
        let kind = match page.below(24) {
            0 => Experiment::Words,
            1 => Experiment::Box,
            2 => Experiment::Order,
            _ => Experiment::None,
        };
        let mut random = self.random.clone();
        random.next();
        (kind, kind != Experiment::None && random.below(2) == 1)
    }

    /// A line that changes by itself.
    pub(super) fn live(&self, live: Live) -> String {
        let minutes = self.second / 60 + self.page.clone().below(60);
        let viewers = 2 + self.random.clone().below(30);
        match live {
            Live::Updated => format!("Last updated {} minutes ago", 1 + minutes % 59),
            Live::Viewers => format!("{viewers} people are looking at this page"),
            Live::Position => format!("Positions of the boats at {}", time(self.second / 60)),
            Live::Ticket(price) => format!("It is {}. A ticket costs {price} euros today.", time(self.second / 60)),
        }
    }
}

/// The time of day at a minute of the month: `14:32`.
fn time(minute: u64) -> String {
    let minutes = (minute + FIRST_HOUR * 60) % (24 * 60);
    format!("{}:{:02}", minutes / 60, minutes % 60)
}
