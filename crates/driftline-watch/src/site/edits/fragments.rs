//! The words of the design within sentences of a page's own: `Island News` behind each title.

use std::collections::HashSet;
use std::ops::Range;

use super::shares::{Scopes, Shares};
use super::{Remains, Rest, SIDES, Side, hash, without_numbers};
use crate::leftover::{Half, Words};

/// The most words at the start or the end of a run which are looked for as a whole run of other pages.
const MOST_WORDS: usize = 6;

/// Drops words that two thirds of the other pages lost or gained too, two of them in a row, or all that they lost or gained
/// in one place.
pub(super) fn drop_shared(remains: &mut [Remains<'_>], scopes: &Scopes) {
    for side in SIDES {
        let all = remains.iter().map(|page| {
            let mut all = couples_of(side, page.half(side));
            all.extend(
                page.side(side).iter().flat_map(|rest| runs(rest).filter_map(|(words, run)| whole(side, words, run))),
            );
            all
        });
        let shares = Shares::of(scopes, all);
        for (at, page) in remains.iter_mut().enumerate() {
            let is_shared = |content: u64| shares.is_shared(scopes, at, content);
            for rest in page.side_mut(side).iter_mut().filter(|rest| !rest.is_elsewhere) {
                let runs: Vec<_> = runs(rest).collect();
                for (words, run) in runs {
                    drop_couples(side, words, &run, &mut rest.left, is_shared);
                }
                let runs: Vec<_> = self::runs(rest).collect();
                for (words, run) in runs {
                    drop_ends(side, words, run, &mut rest.left, is_shared);
                }
            }
        }
    }
}

/// All couples of words in a row that the other version has not, and all runs of them.
fn couples_of(side: Side, half: &Half) -> HashSet<u64> {
    let mut couples = HashSet::new();
    for rest in half.items.iter().map(Rest::of) {
        for (words, run) in runs(&rest) {
            couples.extend((run.start + 1..run.end).map(|at| couple(side, words, at)));
            couples.extend(whole(side, words, run));
        }
    }
    couples
}

/// The runs of words that are left.
fn runs<'a>(rest: &Rest<'a>) -> impl Iterator<Item = (&'a Words, Range<usize>)> + use<'a> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let words = rest.words();
    for at in (0..rest.left.len()).filter(|at| words.is_some() && rest.left[*at]) {
        match runs.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    words.into_iter().flat_map(move |words| runs.clone().into_iter().map(move |run| (words, run)))
}

/// A word and the one before it.
fn couple(side: Side, words: &Words, at: usize) -> u64 {
    hash(side, "couple", [words.form(at - 1), words.form(at)])
}

/// All of a run.
fn whole(side: Side, words: &Words, run: Range<usize>) -> Option<u64> {
    let run: Vec<&str> = run.map(|at| words.form(at)).collect();
    Some(hash(side, "whole", [without_numbers(side, &run)?.to_string().as_str()]))
}

fn drop_couples(side: Side, words: &Words, run: &Range<usize>, left: &mut [bool], is_shared: impl Fn(u64) -> bool) {
    for at in run.start + 1..run.end {
        let says = |at: usize| words.form(at).chars().any(char::is_alphabetic);
        if (says(at - 1) || says(at)) && is_shared(couple(side, words, at)) {
            left[at - 1..=at].fill(false);
        }
    }
}

fn drop_ends(side: Side, words: &Words, run: Range<usize>, left: &mut [bool], is_shared: impl Fn(u64) -> bool) {
    let is_whole = |run: Range<usize>| whole(side, words, run).is_some_and(&is_shared);
    if is_whole(run.clone()) {
        left[run].fill(false);
        return;
    }
    let most = MOST_WORDS.min(run.len());
    if let Some(length) = (1..most).rev().find(|length| is_whole(run.start..run.start + length)) {
        left[run.start..run.start + length].fill(false);
    }
    if let Some(length) = (1..most).rev().find(|length| is_whole(run.end - length..run.end)) {
        left[run.end - length..run.end].fill(false);
    }
}
