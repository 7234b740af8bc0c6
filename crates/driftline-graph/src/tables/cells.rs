//! What does a row say? The same for every kind of file, once its cells are there.

use driftline::novelty::answer::Answer;
use driftline::novelty::crawl::{Crawled, SkipReason};
pub(super) use driftline::novelty::url::LONGEST;
use driftline::time::Time;
use url::Url;

use super::columns::{FIELDS, Field};
use super::{Kind, Row};
use crate::add::skip_reason;

/// A value in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Cell<'a> {
    /// No value.
    #[default]
    Empty,
    Text(&'a str),
    Number(i64),
    Flag(bool),
    Time(Time),
    /// More bytes than an address may have.
    TooLong,
    /// Bytes that are no text.
    NotText,
}

/// The cells of a row that count, by field.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cells<'a>([Cell<'a>; FIELDS]);

impl<'a> Cells<'a> {
    pub(super) fn set(&mut self, field: Field, cell: Cell<'a>) {
        self.0[field as usize] = cell;
    }

    /// Gives what the row says; a time that cannot be read is told too, but is no reason to pass a page over.
    pub(super) fn read<E>(&self, kind: Kind, each: &mut dyn FnMut(Row<'_>) -> Result<(), E>) -> Result<(), E> {
        match kind {
            Kind::Pages => self.page(each),
            Kind::Links => each(self.pair(|source, target| Row::Link { source, target })),
            Kind::Redirects => each(self.pair(|from, to| Row::Redirect { from, to })),
        }
    }

    fn pair(&self, row: impl Fn(&'a str, &'a str) -> Row<'a>) -> Row<'a> {
        match (self.address(Field::From), self.address(Field::To)) {
            (Ok(from), Ok(to)) => row(from, to),
            (Err(reason), _) | (_, Err(reason)) => Row::Skipped(reason),
        }
    }

    fn page<E>(&self, each: &mut dyn FnMut(Row<'_>) -> Result<(), E>) -> Result<(), E> {
        let url = match self.address(Field::Url) {
            Ok(url) => url,
            Err(reason) => return each(Row::Skipped(reason)),
        };
        match self.crawled() {
            Ok(true) => {}
            Ok(false) => return each(Row::Fringe(url)),
            Err(reason) => return each(Row::Skipped(reason)),
        }
        match (self.answer(url), self.address(Field::Location)) {
            (Answer::Page | Answer::Unchanged, _) => {}
            (Answer::Redirect, Ok(to)) => return elsewhere(url, to, each),
            // A redirect of which is not known where it leads is an answer without a page.
            (answer, _) => return each(Row::Skipped(answer.skip_reason().unwrap_or(SkipReason::ERROR))),
        }
        let mut time = |field| match self.time(field) {
            Ok(time) => Ok(time),
            Err(reason) => each(Row::Skipped(reason)).map(|()| None),
        };
        let (fetched, last_modified) = (time(Field::Fetched)?, time(Field::LastModified)?);
        each(Row::Crawled(Crawled { url, fetched, last_modified, sketch: None }, &[]))
    }

    fn address(&self, field: Field) -> Result<&'a str, SkipReason> {
        match self.0[field as usize] {
            Cell::Text(text) if !text.trim().is_empty() => Ok(text.trim()),
            Cell::TooLong => Err(skip_reason::LONG_ADDRESS),
            Cell::NotText => Err(skip_reason::NOT_TEXT),
            _ => Err(skip_reason::NO_ADDRESS),
        }
    }

    /// A table that does not say so has crawled pages only.
    fn crawled(&self) -> Result<bool, SkipReason> {
        match self.0[Field::Crawled as usize] {
            Cell::Empty | Cell::Flag(true) | Cell::Number(1) => Ok(true),
            Cell::Flag(false) | Cell::Number(0) => Ok(false),
            Cell::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
                "1" | "true" | "t" | "yes" => Ok(true),
                "0" | "false" | "f" | "no" => Ok(false),
                _ => Err(skip_reason::ODD_CRAWLED),
            },
            _ => Err(skip_reason::ODD_CRAWLED),
        }
    }

    /// What came back, where the table tells statuses or types; one that tells neither lists pages, and is believed.
    fn answer(&self, url: &str) -> Answer {
        let status = match self.0[Field::Status as usize] {
            Cell::Number(status) => Some(u16::try_from(status).unwrap_or(0)),
            Cell::Text(text) => match text.trim() {
                "" | "-" => None,
                text => Some(text.parse().unwrap_or(0)),
            },
            Cell::Empty => None,
            _ => Some(0),
        };
        let content_type = match self.0[Field::Mime as usize] {
            Cell::Text(text) => Some(text.trim()).filter(|text| !UNKNOWN.contains(text)),
            _ => None,
        };
        match (status, content_type) {
            (None, None) => Answer::Page,
            (status, content_type) => Answer::of(url, status.unwrap_or(SUCCESS), content_type),
        }
    }

    fn time(&self, field: Field) -> Result<Option<Time>, SkipReason> {
        let read = match self.0[field as usize] {
            Cell::Empty => return Ok(None),
            Cell::Time(time) => Some(time),
            Cell::Number(number) => number.to_string().parse().ok(),
            Cell::Text(text) if text.trim().is_empty() => return Ok(None),
            Cell::Text(text) => text.parse().ok().or_else(|| Time::from_http(text)),
            _ => None,
        };
        read.map(Some).ok_or(skip_reason::ODD_TIME)
    }
}

/// Where an answer led to may be told from where the page is.
fn elsewhere<E>(from: &str, to: &str, each: &mut dyn FnMut(Row<'_>) -> Result<(), E>) -> Result<(), E> {
    match Url::parse(from).and_then(|base| base.join(to)) {
        Ok(to) => each(Row::Redirect { from, to: to.as_str() }),
        Err(_) => each(Row::Skipped(SkipReason::NOWHERE)),
    }
}

/// What an answer is taken for if only its type is told.
const SUCCESS: u16 = 200;
/// How tables and indexes write that a type is not known.
const UNKNOWN: [&str; 3] = ["", "-", "unk"];

#[cfg(test)]
mod tests {
    use super::*;

    /// What a row of pages says, in words.
    fn said(cells: &[(Field, Cell<'_>)]) -> Vec<String> {
        let mut row = Cells::default();
        cells.iter().for_each(|(field, cell)| row.set(*field, *cell));
        let mut said = Vec::new();
        let told = row.read::<()>(Kind::Pages, &mut |row| {
            said.push(format!("{row:?}"));
            Ok(())
        });
        told.unwrap();
        said
    }

    const URL: (Field, Cell<'_>) = (Field::Url, Cell::Text("https://a.org/"));

    #[test]
    fn only_good_answers_are_pages() {
        let answer = |status, mime| said(&[URL, (Field::Status, status), (Field::Mime, Cell::Text(mime))])[0].clone();
        assert!(answer(Cell::Number(200), "text/html; charset=utf-8").starts_with("Crawled"));
        assert!(answer(Cell::Text("203"), "application/xhtml+xml").starts_with("Crawled"));
        assert!(answer(Cell::Empty, "").starts_with("Crawled"));
        assert!(answer(Cell::Number(304), "text/plain").starts_with("Crawled"));
        assert!(answer(Cell::Number(404), "text/html").contains("(status)"));
        assert!(answer(Cell::Text("two hundred"), "text/html").contains("(status)"));
        assert!(answer(Cell::Number(-200), "text/html").contains("(status)"));
        assert!(answer(Cell::Number(200), "image/svg+xml").contains("(type)"));
        assert!(answer(Cell::Empty, "image/png").contains("(type)"));
    }

    #[test]
    fn an_answer_that_leads_elsewhere_is_a_redirect() {
        let row = [URL, (Field::Status, Cell::Number(301)), (Field::Location, Cell::Text("https://b.org/"))];
        assert_eq!(said(&row), ["Redirect { from: \"https://a.org/\", to: \"https://b.org/\" }"]);
        let relative = [row[0], row[1], (Field::Location, Cell::Text("/b?c"))];
        assert_eq!(said(&relative), ["Redirect { from: \"https://a.org/\", to: \"https://a.org/b?c\" }"]);
        let next = [row[0], row[1], (Field::Location, Cell::Text("/login?next=https://x.org/"))];
        let login = "Redirect { from: \"https://a.org/\", to: \"https://a.org/login?next=https://x.org/\" }";
        assert_eq!(said(&next), [login]);
        let nowhere = [row[0], row[1], (Field::Location, Cell::Text("https://:x/"))];
        assert!(said(&nowhere)[0].contains("nowhere"));
        assert!(said(&row[..2])[0].contains("(status)"));
    }

    #[test]
    fn times_are_read_in_every_way_and_a_bad_one_costs_no_page() {
        let same = [
            Cell::Text("20190115103000"),
            Cell::Text("2019-01-15T10:30:00Z"),
            Cell::Text("Tue, 15 Jan 2019 10:30:00 GMT"),
            Cell::Number(20_190_115_103_000),
            Cell::Time("2019-01-15 10:30".parse().unwrap()),
        ];
        let row = |cell| said(&[URL, (Field::LastModified, cell)]);
        assert!(same.iter().all(|cell| row(*cell) == row(same[0]) && row(*cell).len() == 1));
        let bad = row(Cell::Text("yesterday"));
        assert!(bad[0].contains("times that cannot be read") && bad[1].contains("last_modified: None"), "{bad:?}");
    }

    #[test]
    fn a_last_modification_in_1970_or_before_is_one() {
        for (written, time) in [("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("1969-12-31T23:59:59Z", -1_000_000)] {
            let row = said(&[URL, (Field::LastModified, Cell::Text(written))]);
            assert!(row[0].contains(&format!("last_modified: {:?}", Some(Time::from_microseconds(time)))), "{row:?}");
        }
    }

    #[test]
    fn crawled_is_said_in_many_ways() {
        let row = |cell| said(&[URL, (Field::Crawled, cell)])[0].clone();
        assert!(
            [Cell::Flag(true), Cell::Text("True"), Cell::Number(1)].iter().all(|cell| row(*cell).starts_with("Cr"))
        );
        assert!([Cell::Flag(false), Cell::Text("0"), Cell::Number(0)].iter().all(|cell| row(*cell).starts_with("Fri")));
        assert!(
            [Cell::Text("maybe"), Cell::Number(7), Cell::TooLong].iter().all(|cell| row(*cell).contains("neither"))
        );
    }
}
