//! A small archive for tests: pages that change and pages that do not, one capture a day.

use std::path::Path;

use crate::Time;
use crate::archive::Archive;
use crate::capture::{Capture, Content, Exchange};
use driftline_catalog::{Address, StoredCapture};

pub(crate) const PAGE: &str = "http://example.org/";
const DAY: i64 = 86_400_000_000;

/// Noon of a day, counted from the beginning of 2024.
pub(crate) fn day(number: i64) -> Time {
    let start: Time = "2024-01-01T12:00:00Z".parse().unwrap();
    Time::from_microseconds(start.microseconds() + number * DAY)
}

/// A page of a day.
pub(crate) fn capture(url: &str, number: i64, text: &str) -> Capture {
    answer(url, number, "200 OK", text)
}

/// An answer of a day, with a status.
pub(crate) fn answer(url: &str, number: i64, status: &str, text: &str) -> Capture {
    let body = format!("<html><body><main><p>{text}</p></main></body></html>").into_bytes();
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\nX-Day: {number}\r\n\r\n").into_bytes();
    let request = Some(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n".to_vec());
    let content = Content::Http(Exchange { request, head, body, ..Exchange::default() });
    Capture { url: url.to_owned(), at: day(number), content, metadata: vec![("fetchTimeMs".into(), "7".into())] }
}

/// An archive with the page's texts, one a day.
pub(crate) fn archive(folder: &Path, texts: &[&str]) -> Archive {
    let archive = Archive::open_at(folder).unwrap();
    append(&archive, PAGE, texts);
    archive.seal().unwrap();
    archive
}

/// Appends texts of a page, one a day, each in the order of time.
pub(crate) fn append(archive: &Archive, url: &str, texts: &[&str]) {
    for (number, text) in (0..).zip(texts) {
        archive.append(&capture(url, number, text)).unwrap();
    }
}

/// All captures of the page: the day, and what it said.
pub(crate) fn texts(archive: &Archive, url: &str) -> Vec<(Time, String)> {
    let text = |stored: StoredCapture| {
        let found = archive.read(&stored, 1 << 20).unwrap();
        let body = String::from_utf8(found.body().to_vec()).unwrap();
        let text = body.split("<p>").nth(1).and_then(|rest| rest.split("</p>").next()).unwrap_or_default();
        (stored.capture.at, text.to_owned())
    };
    archive.captures_of(url).unwrap().into_iter().map(text).collect()
}

/// The capture of a day.
pub(crate) fn of_day(archive: &Archive, number: i64) -> StoredCapture {
    let when = driftline_catalog::address::When::Exactly(day(number));
    archive.find(&Address { url: PAGE.to_owned(), when }).unwrap().unwrap()
}
