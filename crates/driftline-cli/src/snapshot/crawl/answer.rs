//! What does the head of an answer say? A page, a redirect with where it leads, or why it is neither.

use driftline::novelty::answer;
use driftline::time::Time;
use url::Url;

use super::reason;

/// What an answer is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A page, as far as its head tells.
    Page,
    /// As it was when it was asked for before.
    Unchanged,
    /// Elsewhere.
    Redirect(String),
    /// No page, for this reason.
    None(&'static str),
}

/// Judges the answer to a request for `url`; `header` finds a header by its name.
pub(super) fn judge<'a>(url: &str, status: u16, header: impl Fn(&str) -> Option<&'a str>) -> Answer {
    match answer::Answer::of(url, status, header("Content-Type")) {
        answer::Answer::Page => Answer::Page,
        answer::Answer::Unchanged => Answer::Unchanged,
        answer::Answer::Redirect => {
            let to = header("Location").and_then(|to| resolved(url, to));
            to.map_or(Answer::None(reason::NOWHERE), Answer::Redirect)
        }
        answer::Answer::Error => Answer::None(reason::ERROR),
        answer::Answer::NoPage => Answer::None(reason::NOT_A_PAGE),
        answer::Answer::Other => Answer::None(reason::OTHER),
    }
}

/// The address that a browser would go to.
fn resolved(url: &str, to: &str) -> Option<String> {
    Some(Url::parse(url).ok()?.join(to).ok()?.into())
}

/// When a page says that it was modified.
pub(super) fn last_modified(header: Option<&str>) -> Option<Time> {
    header.and_then(Time::from_http)
}
