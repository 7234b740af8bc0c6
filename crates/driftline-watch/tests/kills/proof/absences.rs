//! Is a page that was gone for long told to be gone, and to be back, once each?

use driftline::event::Kind;
use driftline::time::Time;

use super::Evidence;
use crate::daemon::ABSENT;
use crate::scene::pages::PAGES;

/// So many checks must have found no page.
const LEAST: usize = 3;

pub(super) fn prove(evidence: &Evidence<'_>) {
    for path in (0..PAGES).map(|page| format!("/page/{page}")) {
        let (gone, back) = (evidence.of(Kind::PageGone, &path), evidence.of(Kind::PageBack, &path));
        let since = |events: &[&driftline::event::Event]| -> Vec<Time> {
            events.iter().map(|event| event.since.expect("since when it is so")).collect()
        };
        let (since, ended) = (since(&gone), since(&back));
        assert_eq!(since, ended, "{path} was told to be gone, and to be back");
        for (gone, back) in gone.iter().zip(&back) {
            let since = gone.since.expect("since when it is so");
            let absent = evidence.log.served.iter().filter(|served| served.path == path && served.version.is_none());
            let absences = absent.filter(|served| (since..=back.at).contains(&served.at)).count();
            let is_long = since.distance(gone.at) >= ABSENT.microseconds().unsigned_abs();
            assert!(gone.at < back.at && absences >= LEAST && is_long, "{path}: {absences} absences are no end");
        }
        every_long_absence_was_told(evidence, &path, &since);
    }
}

/// An absence begins after the last answer that was certainly seen, and with the first "not found" of those that are
/// certainly without an answer in between.
fn every_long_absence_was_told(evidence: &Evidence<'_>, path: &str, told: &[Time]) {
    let (mut before, mut absences) = (Time::from_microseconds(i64::MIN), Vec::new());
    let answers = evidence.log.served.iter().zip(&evidence.acknowledged).filter(|(served, _)| served.path == path);
    for (served, is_acknowledged) in answers {
        match (served.version, is_acknowledged) {
            (Some(_), _) => {
                absences.clear();
                before = if *is_acknowledged { served.at } else { before };
            }
            (None, true) => absences.push(served.at),
            (None, false) => {}
        }
        // A check begins after the answer to the one before.
        if let [first, .., last, _] = absences[..]
            && first.distance(last) >= ABSENT.microseconds().unsigned_abs()
        {
            let is_told = told.iter().any(|since| before < *since && *since <= first);
            assert!(is_told, "nobody was told that {path} is gone since {first}: {told:?}");
        }
    }
}
