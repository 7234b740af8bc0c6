//! The position after the last row of a page: one type for every list.
//!
//! A list is sorted by a text or a number, and then by the number of the row, so its order is total and the next page begins
//! exactly where the last one ended, whatever was added meanwhile.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE64URL_NOPAD;

use crate::{StoredCapture, Time};

/// The most rows of a page.
pub const MOST_ON_A_PAGE: u32 = 10_000;

/// A position in a list. Its text form is opaque: it is passed back as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// The text that the list is sorted by; empty if it is sorted by a number.
    pub text: String,
    /// The number, mostly a time in microseconds, that the list is sorted by, after the text.
    pub number: i64,
    /// The number of the row.
    pub id: i64,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// Its rows.
    pub items: Vec<T>,
    /// Where the next page begins; `None` at the end of the list.
    pub next: Option<Cursor>,
}

/// A text that is not a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is not a position in a list\nhint: pass `next` of the page before as it is, or nothing to begin")]
pub struct NotACursor;

impl Cursor {
    /// The position of a row in a list that is sorted by time.
    #[must_use]
    pub fn at(time: Time, id: i64) -> Self {
        Self { text: String::new(), number: time.microseconds(), id }
    }

    /// The position of a row in a list that is sorted by its number alone.
    #[must_use]
    pub fn row(id: i64) -> Self {
        Self { text: String::new(), number: 0, id }
    }

    /// The position of a capture in a list that is sorted by key and time.
    #[must_use]
    pub fn of(stored: &StoredCapture) -> Self {
        Self { text: stored.capture.key.clone(), number: stored.capture.at.microseconds(), id: stored.id }
    }

    /// The position before all captures of a key.
    #[must_use]
    pub fn before(key: &str) -> Self {
        Self { text: key.to_owned(), number: i64::MIN, id: i64::MIN }
    }
}

impl<T> Page<T> {
    /// The page of these rows, of which one more than `limit` was read if there are more.
    pub(crate) fn new(mut items: Vec<T>, limit: i64, position: impl Fn(&T) -> Cursor) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let is_more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().filter(|_| is_more).map(position);
        Self { items, next }
    }
}

/// All rows of a list, read page by page.
///
/// # Errors
/// If a page cannot be read.
pub fn every<T, E>(mut page: impl FnMut(Option<&Cursor>) -> Result<Page<T>, E>) -> Result<Vec<T>, E> {
    let Page { mut items, mut next } = page(None)?;
    while let Some(cursor) = next {
        let more = page(Some(&cursor))?;
        items.extend(more.items);
        next = more.next;
    }
    Ok(items)
}

/// The number of rows on a page: at least one, and bounded.
pub(crate) fn bounded(limit: u32) -> i64 {
    i64::from(limit.clamp(1, MOST_ON_A_PAGE))
}

impl fmt::Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = [self.number.to_be_bytes(), self.id.to_be_bytes()].concat();
        bytes.extend_from_slice(self.text.as_bytes());
        formatter.write_str(&BASE64URL_NOPAD.encode(&bytes))
    }
}

impl FromStr for Cursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).map_err(|_| NotACursor)?;
        let (number, rest) = bytes.split_first_chunk().ok_or(NotACursor)?;
        let (id, text) = rest.split_first_chunk().ok_or(NotACursor)?;
        let text = String::from_utf8(text.to_vec()).map_err(|_| NotACursor)?;
        Ok(Self { text, number: i64::from_be_bytes(*number), id: i64::from_be_bytes(*id) })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Cursor, NotACursor, Page, every};

    proptest! {
        #[test]
        fn a_cursor_comes_back_from_its_text(text: String, number: i64, id: i64) {
            let cursor = Cursor { text, number, id };
            let opaque = cursor.to_string();
            prop_assert!(opaque.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
            prop_assert_eq!(opaque.parse(), Ok(cursor));
        }
    }

    #[test]
    fn what_is_no_cursor_is_refused() {
        for text in ["", "5", "====", "AAAA", "ä", "AAAAAAAAAAAAAAAAAAAAAP8"] {
            assert_eq!(text.parse::<Cursor>(), Err(NotACursor), "{text}");
        }
    }

    #[test]
    fn every_row_is_read_page_by_page() {
        let list: Vec<i64> = (1..=10).collect();
        let mut asked = 0;
        let all = every(|after| {
            asked += 1;
            let rest = list.iter().copied().filter(|id| after.is_none_or(|after| *id > after.id)).take(4).collect();
            Ok::<_, ()>(Page::new(rest, 3, |id| Cursor::row(*id)))
        });
        assert_eq!((all, asked), (Ok(list.clone()), 4));
    }
}
