//! What was kept and never judged? A crash between the archive and the catalog leaves a capture that nobody compared.
//!
//! All captures of a check bear the time of the check. So whatever the archive has of the watch's address since its
//! last check, and before [`Doubt`](super::Doubt) ends, is such a capture; its redirects lead to the page, at the same time.
//! If the address has other watches, it is left alone: one of them may have captured it, with headers, a login or a proxy
//! of its own, and have seen another page.

use driftline::page::RENDERED;
use driftline::time::Time;
use driftline_catalog::StoredCapture;
use driftline_catalog::address::is_page;
use driftline_fetch::With;
use url::Url;

use super::CheckError;
use super::case::Case;
use super::versions::Version;

/// So many hops lead from an address to its page at most.
const MOST_HOPS: usize = 20;
/// A crash leaves one; an import may leave more, of which the last ones matter.
const MOST_VERSIONS: usize = 16;
/// So many captures are looked at for them: other spellings of an address share its key.
const MOST_CAPTURES: u32 = 256;

/// The versions that were kept since the last check and never judged, in the order of time, without those that are lost.
pub(super) fn versions(case: &Case<'_>) -> Result<Vec<Version>, CheckError> {
    let doubt = case.context.doubt.get();
    let Some(checked) = case.checked.filter(|checked| *checked < doubt) else {
        return Ok(Vec::new());
    };
    let captures = case.context.archive.catalog().captures_between(&case.watch.url, checked, doubt, MOST_CAPTURES)?;
    let mut times: Vec<Time> = captures.iter().map(|stored| stored.capture.at).collect();
    times.dedup();
    if times.is_empty() || case.context.archive.catalog().watches_of(&case.watch.url)?.len() > 1 {
        return Ok(Vec::new());
    }
    let mut versions = Vec::new();
    for at in &times[times.len().saturating_sub(MOST_VERSIONS)..] {
        if let Some(stored) = page_at(case, *at)? {
            versions.extend(case.version(&stored)?);
        }
    }
    Ok(versions)
}

/// The page that the watch's address led to at a time; none if it led to an error.
fn page_at(case: &Case<'_>, at: Time) -> Result<Option<StoredCapture>, CheckError> {
    let mut url = case.watch.url.to_string();
    for _ in 0..MOST_HOPS {
        let Some(stored) = capture_at(case, &url, at)? else { return Ok(None) };
        let Some(redirect) = &stored.capture.redirect else {
            let is_page = is_page(stored.capture.status, false);
            return match case.watch.settings.fetch.with {
                With::Http => Ok(is_page.then_some(stored)),
                With::Browser => capture_at(case, &format!("{RENDERED}{url}"), at),
            };
        };
        let Some(next) = Url::parse(&url).ok().and_then(|base| base.join(redirect).ok()) else { return Ok(None) };
        url = next.to_string();
    }
    Ok(None)
}

fn capture_at(case: &Case<'_>, url: &str, at: Time) -> Result<Option<StoredCapture>, CheckError> {
    let before = Time::from_microseconds(at.microseconds().saturating_sub(1));
    let mut captures = case.context.archive.catalog().captures_between(url, before, at, MOST_CAPTURES)?;
    let own = captures.iter().position(|stored| stored.capture.url == url).unwrap_or_default();
    Ok((own < captures.len()).then(|| captures.swap_remove(own)))
}
