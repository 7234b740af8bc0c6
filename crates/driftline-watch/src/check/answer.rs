//! The answer of a server: a page, "as before", "not found", or a failure.

use driftline::span::Span;
use driftline_fetch::{FetchError, Fetched, How, Request, Validators};
use reqwest::StatusCode;

use super::case::Case;

/// What came of asking.
#[derive(Debug)]
pub(super) enum Answer {
    /// The page.
    Page(Box<Fetched>),
    /// It is as it was.
    Same(Box<Fetched>),
    /// There is no such page: 404 or 410.
    Absent(Box<Fetched>),
    /// Nothing that can be used.
    Failed(Failure),
}

/// Why a check failed.
#[derive(Debug)]
pub(super) struct Failure {
    /// In words.
    pub(super) why: String,
    /// Nothing will help but what people do.
    pub(super) is_lasting: bool,
    /// The host is too busy to answer, or not to be reached: it is left alone for a while.
    pub(super) is_overload: bool,
    /// The server asks to be left alone so long.
    pub(super) retry_after: Option<Span>,
    /// The answer, if one came.
    pub(super) fetched: Option<Box<Fetched>>,
}

/// Why an answer cannot be used.
#[derive(Debug)]
pub(super) struct Unusable {
    /// In words.
    pub(super) why: String,
    /// Nothing will help but what people do.
    pub(super) is_lasting: bool,
}

impl From<String> for Unusable {
    fn from(why: String) -> Self {
        Self { why, is_lasting: false }
    }
}

/// Asks for an address, in the way of the watch.
pub(super) fn ask(case: &Case<'_>, url: &str, validators: Option<&Validators>) -> Answer {
    ask_with(case, url, &case.watch.settings.fetch, validators)
}

/// Asks for an address in another way; secrets of the watch go to the origin of its own address only.
pub(super) fn ask_with(case: &Case<'_>, url: &str, how: &How, validators: Option<&Validators>) -> Answer {
    let request = Request { url, home: Some(&case.watch.url), how, validators, at: case.now };
    match case.context.fetch.fetch(&request) {
        Ok(fetched) => sort(fetched, validators.is_some()),
        Err(error) => Answer::Failed(Failure::from(&error)),
    }
}

fn sort(fetched: Fetched, was_conditional: bool) -> Answer {
    match fetched.status {
        200..=299 => Answer::Page(Box::new(fetched)),
        304 if was_conditional => Answer::Same(Box::new(fetched)),
        404 | 410 => Answer::Absent(Box::new(fetched)),
        status => {
            let why = format!("the server answers {}", reason(status));
            Answer::Failed(Failure::of(why, Box::new(fetched)))
        }
    }
}

impl Failure {
    /// An answer came that cannot be used.
    pub(super) fn of(why: String, fetched: Box<Fetched>) -> Self {
        let (is_overload, retry_after) = (matches!(fetched.status, 429 | 503), fetched.retry_after);
        Self { why, is_lasting: false, is_overload, retry_after, fetched: Some(fetched) }
    }
}

impl From<&FetchError> for Failure {
    fn from(error: &FetchError) -> Self {
        let is_lasting = matches!(
            error,
            FetchError::Refused(_) | FetchError::Robots(_) | FetchError::Secret(_) | FetchError::How(_)
        );
        // One line: a hint belongs on a terminal, not into an event.
        let why = error.to_string().lines().next().unwrap_or_default().to_owned();
        Self { why, is_lasting, is_overload: error.is_overload(), retry_after: error.retry_after(), fetched: None }
    }
}

/// A status with its standard reason.
fn reason(status: u16) -> String {
    match status {
        300..=399 => format!("{status} (a redirect without a target)"),
        _ => match StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()) {
            Some(reason) => format!("{status} ({reason})"),
            None => status.to_string(),
        },
    }
}
