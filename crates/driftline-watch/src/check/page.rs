//! What happened to a page? Asked for, kept if it differs, judged.

use driftline::event::key::Cause;
use driftline::event::{Event, Kind};
use driftline::span::Span;
use driftline_fetch::Fetched;

use super::answer::{Answer, Failure, Unusable, ask};
use super::case::Case;
use super::failures::{Absence, Failures};
use super::flicker::{self, Finding, Later};
use super::versions::{Version, digest};
use super::{CheckError, Outcome, State, earlier, feeds, judge, unjudged, zones};
use crate::watches::Keep;

/// Checks a page.
pub(super) fn check(case: &mut Case<'_>) -> Result<(), CheckError> {
    let watch = case.watch;
    let had_elements = case.state.seen.is_some();
    let check_page = |case: &mut Case<'_>| {
        let accept = |fetched: &Fetched| zones::check_answer(watch, fetched, had_elements);
        check_with(case, accept, flicker::examine, judge::judge)
    };
    if case.watch.settings.feeds { feeds::check_announced(case, check_page) } else { check_page(case) }
}

/// Checks whatever one address answers: `accept` says why an answer cannot be used, `examine` whether it differs only
/// by what flickers and is not kept, `judge` what a version means that differs from the one before.
pub(super) fn check_with(
    case: &mut Case<'_>,
    accept: impl Fn(&Fetched) -> Result<(), Unusable>,
    examine: impl Fn(&mut Case<'_>, &Fetched) -> Result<Finding, CheckError>,
    judge: impl Fn(&mut Case<'_>, Version) -> Result<Outcome, CheckError>,
) -> Result<(), CheckError> {
    for version in unjudged::versions(case)? {
        if case.state.seen.as_ref().is_none_or(|seen| seen.digest != version.seen.digest) {
            // This check may bring a version too, and die: its time is not over.
            let at = version.seen.at;
            judge(case, version)?;
            case.commit(at)?;
        }
    }
    let validators = case.state.validators.clone();
    let standing = case.standing();
    let is_settled = case.state.unkept.is_none() || case.state.unkept_under == Some(standing);
    let asked_before = case.state.seen.is_some() && validators.is_usable() && is_settled;
    match ask(case, &case.watch.url, asked_before.then_some(&validators)) {
        Answer::Failed(failure) => fail(case, failure),
        Answer::Absent(fetched) => miss(case, *fetched),
        Answer::Same(fetched) => {
            recover(case);
            rest(case, *fetched)
        }
        Answer::Page(fetched) => {
            if let Err(Unusable { why, is_lasting }) = accept(&fetched) {
                return fail(case, Failure { is_lasting, ..Failure::of(why, fetched) });
            }
            recover(case);
            case.bytes = fetched.body.len() as u64;
            earlier::adopt(case, fetched.content_type.as_deref())?;
            let validators = fetched.validators.clone();
            let digest = digest(&fetched.body);
            if is_known(case, &digest, is_settled) {
                rest(case, *fetched)?;
                case.state.validators = validators;
                return Ok(());
            }
            match examine(case, &fetched)? {
                Finding::Flicker => {
                    case.state.unkept = Some(digest);
                    case.state.unkept_under = Some(case.standing());
                    case.outcome = Outcome::Ignored;
                    case.state.history.rest();
                    learn(case);
                }
                Finding::Later(Later { retry, is_kept }) => {
                    case.outcome = Outcome::Ignored;
                    case.retry = retry;
                    if is_kept || case.watch.settings.keep != Keep::Changes {
                        case.keep(*fetched)?;
                    }
                    return Ok(());
                }
                Finding::News => {
                    let Some(version) = case.keep(*fetched)? else { return Ok(()) };
                    case.context.memory.keep_version(&version);
                    (case.state.unkept, case.state.unkept_under) = (None, None);
                    case.outcome = judge(case, version)?;
                    learn(case);
                }
            }
            case.state.validators = validators;
            Ok(())
        }
    }
}

/// Whether an answer is the one that was kept last, or the one after it that was not kept, which is compared again once
/// something else counts.
fn is_known(case: &Case<'_>, digest: &str, is_settled: bool) -> bool {
    let State { seen, unkept, .. } = &case.state;
    seen.as_ref().is_some_and(|seen| seen.digest == digest || is_settled && unkept.as_deref() == Some(digest))
}

/// The page is as it was.
pub(super) fn rest(case: &mut Case<'_>, fetched: Fetched) -> Result<(), CheckError> {
    case.outcome = Outcome::Unchanged;
    case.state.learned.end();
    case.state.history.rest();
    if fetched.is_not_modified() {
        case.state.learned.rest();
    } else {
        // One of two variants that are both known.
        let ignore = case.ignored()?;
        case.state.learned.begin(case.now);
        case.state.learned.observe(flicker::source(&fetched), &ignore, case.now, false, &mut case.work);
    }
    if case.watch.settings.keep == Keep::Checks {
        case.keep(fetched)?;
    }
    learn(case);
    Ok(())
}

/// How often does the page change?
pub(super) fn learn(case: &mut Case<'_>) {
    if let Some(before) = case.state.answered.replace(case.now) {
        let interval = Span::from_milliseconds(before.distance(case.now) / 1_000);
        case.state.rate.update(interval, case.outcome == Outcome::Changed);
    }
}

/// There is no such page.
pub(super) fn miss(case: &mut Case<'_>, fetched: Fetched) -> Result<(), CheckError> {
    case.outcome = Outcome::Absent;
    case.bytes = fetched.body.len() as u64;
    case.state.failures.take_if(|failures| !failures.told);
    let status = fetched.status;
    case.absence = Some(status);
    let is_first = case.state.absence.is_none();
    let mut absence = Absence::add(case.state.absence.take(), case.now);
    if is_first || case.watch.settings.keep == Keep::Checks {
        case.keep(fetched)?;
    }
    if absence.is_due(case.now, &case.context.patience) {
        absence.told = true;
        let event = case.event(Kind::PageGone, &Cause::new(Kind::PageGone, &case.watch.id).at(absence.since));
        let summary = format!("the page is gone: the server answers {status}");
        case.find(Event { summary, since: Some(absence.since), importance: 0.9, ..event }, None);
    }
    case.state.absence = Some(absence);
    Ok(())
}

/// No page came.
pub(super) fn fail(case: &mut Case<'_>, failure: Failure) -> Result<(), CheckError> {
    case.outcome = Outcome::Failed;
    // A look that failed is not one that nobody made.
    case.state.learned.end();
    case.heed(&failure);
    let Failure { why, is_lasting, fetched, .. } = failure;
    let is_first = case.state.failures.is_none();
    let mut failures = Failures::add(case.state.failures.take(), case.now, why);
    if let Some(fetched) = fetched.filter(|_| is_first) {
        case.keep(*fetched)?;
    }
    if failures.is_due(case.now, is_lasting, &case.context.patience) {
        failures.told = true;
        let cause = Cause::new(Kind::CheckFailing, &case.watch.id).at(failures.since);
        let event = case.event(Kind::CheckFailing, &cause);
        let summary = format!("checks fail: {}", failures.why);
        case.find(Event { summary, since: Some(failures.since), importance: 0.6, ..event }, None);
    }
    case.retry = failures.retry(case.now).filter(|_| !is_lasting);
    case.state.failures = Some(failures);
    Ok(())
}

/// A page came: whatever was told to be wrong is over.
pub(super) fn recover(case: &mut Case<'_>) {
    let failures = case.state.failures.take().filter(|failures| failures.told);
    if let Some(absence) = case.state.absence.take().filter(|absence| absence.told) {
        let event = case.event(Kind::PageBack, &Cause::new(Kind::PageBack, &case.watch.id).at(absence.since));
        let summary = "the page is there again".to_owned();
        case.find(Event { summary, since: Some(absence.since), importance: 0.7, ..event }, None);
    } else if let Some(failures) = failures {
        let cause = Cause::new(Kind::CheckRecovered, &case.watch.id).at(failures.since);
        let event = case.event(Kind::CheckRecovered, &cause);
        let summary = format!("checks work again; they failed before: {}", failures.why);
        case.find(Event { summary, since: Some(failures.since), importance: 0.4, ..event }, None);
    }
}
