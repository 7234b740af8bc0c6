//! What do the pages of new items look like? They are fetched a few at each check, kept, and added to the documents of
//! their site.
//!
//! A host that is too busy, or not to be reached, ends it for this check: what was not asked for waits. If it is the
//! host of the feed, the daemon leaves it alone; whatever host it is, no item is asked for before its `Retry-After`.

use driftline::page::ReadOptions;
use driftline::redesign::template::Template;
use driftline_fetch::Fetched;

use super::is_address;
use crate::check::CheckError;
use crate::check::answer::{Answer, Failure, ask};
use crate::check::case::Case;
use crate::check::failures::Refusals;
use crate::check::versions::Version;
use crate::site::Document;
use crate::watches::site;

/// So many items are fetched in one check, and so many wait for the next ones.
const MOST_FOLLOWED: usize = 3;
const MOST_WAITING: usize = 60;
/// After so many refusals in a row the last item that was asked for is given up.
const MOST_REFUSALS: u32 = 3;

/// Items that are to be fetched. Of more than there is room for, those that have waited longest are given up, or a host
/// that is dead for good would keep the others out.
pub(super) fn wait_for<'a>(case: &mut Case<'_>, links: impl Iterator<Item = &'a str>) {
    if case.watch.settings.follow {
        let waiting = &mut case.state.waiting;
        waiting.extend(links.filter(|link| is_address(link)).take(MOST_WAITING).map(str::to_owned));
        waiting.drain(..waiting.len().saturating_sub(MOST_WAITING));
    }
}

/// Fetches items that wait.
pub(super) fn follow(case: &mut Case<'_>) -> Result<(), CheckError> {
    if case.state.refusals.as_ref().is_some_and(|refusals| refusals.holds(case.now)) {
        return Ok(());
    }
    for _ in 0..MOST_FOLLOWED {
        let Some(link) = case.state.waiting.pop_front() else { break };
        match ask(case, &link, None) {
            Answer::Failed(failure) if failure.is_overload => {
                put_off(case, link, &failure);
                break;
            }
            Answer::Page(fetched) => {
                case.state.refusals = None;
                take(case, *fetched)?;
            }
            // One that does not come is not missed: the feed has told what it says.
            _ => case.state.refusals = None,
        }
    }
    Ok(())
}

/// It gets its turn again behind the others.
fn put_off(case: &mut Case<'_>, link: String, failure: &Failure) {
    if site(&link) == case.site {
        case.heed(failure);
    }
    let mut refusals = Refusals::add(case.state.refusals.take(), case.now, failure.retry_after);
    if refusals.count < MOST_REFUSALS {
        case.state.waiting.push_back(link);
    } else {
        refusals.count = 0;
    }
    case.state.refusals = Some(refusals);
}

fn take(case: &mut Case<'_>, fetched: Fetched) -> Result<(), CheckError> {
    if let Some(version) = case.keep(fetched)?.filter(Version::is_readable) {
        let template = Template::read(version.source(), &ReadOptions::default(), Template::SHINGLE_LENGTH);
        case.documents.extend(Document::of(&version, template, &case.site));
    }
    Ok(())
}
