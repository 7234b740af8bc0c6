//! The head of an answer: of a page, of a redirect with where it leads, or why it is neither.

use driftline::novelty::answer;
use driftline::novelty::crawl::SkipReason;
use url::Url;

use crate::Time;

/// The kind of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A page, as far as its head tells.
    Page,
    /// The same as at an earlier request.
    Unchanged,
    /// What was requested is at this address.
    Redirect(String),
    /// Not a page, for this reason.
    Skipped(SkipReason),
}

/// Classifies the answer to a request for `url`; `header` finds a header by its name.
pub(super) fn classify<'a>(url: &str, status: u16, header: impl Fn(&str) -> Option<&'a str>) -> Answer {
    let answer = answer::Answer::of(url, status, header("Content-Type"));
    if let Some(reason) = answer.skip_reason() {
        return Answer::Skipped(reason);
    }
    match answer {
        answer::Answer::Redirect => {
            let to = header("Location").and_then(|to| resolved(url, to));
            to.map_or(Answer::Skipped(SkipReason::NOWHERE), Answer::Redirect)
        }
        answer::Answer::Unchanged => Answer::Unchanged,
        _ => Answer::Page,
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
