//! Which lines need not be shown? Those far from any change.

use std::ops::Range;

use crate::summary::numbers::counted;

/// Lines that follow each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Passage {
    /// To be shown.
    Shown(Range<usize>),
    /// Unchanged and far from a change.
    Folded(Range<usize>),
}

/// Fewer lines than this are not worth a fold, which takes a line itself.
const LEAST_FOLD: usize = 2;

/// Folds what is more than `context` lines from a changed line; nothing, if no context is given.
pub(super) fn fold(changed: &[bool], context: Option<usize>) -> Vec<Passage> {
    let lines = changed.len();
    let Some(context) = context else {
        return if lines == 0 { Vec::new() } else { vec![Passage::Shown(0..lines)] };
    };
    let mut passages = Vec::new();
    let mut shown = 0..0;
    for at in (0..lines).filter(|&at| changed[at]) {
        let near = at.saturating_sub(context)..at.saturating_add(context + 1).min(lines);
        if near.start < shown.end + LEAST_FOLD {
            shown.end = near.end;
        } else {
            close(&mut passages, shown, near.start);
            shown = near;
        }
    }
    if lines < shown.end + LEAST_FOLD && !shown.is_empty() {
        shown.end = lines;
    }
    close(&mut passages, shown, lines);
    passages
}

fn close(passages: &mut Vec<Passage>, shown: Range<usize>, next: usize) {
    let end = shown.end;
    if !shown.is_empty() {
        passages.push(Passage::Shown(shown));
    }
    if end < next {
        passages.push(Passage::Folded(end..next));
    }
}

/// `1 line unchanged`.
pub(super) fn describe(lines: usize) -> String {
    format!("{} unchanged", counted(lines, "line"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(picture: &str, context: usize) -> Vec<Passage> {
        let changed: Vec<bool> = picture.chars().map(|mark| mark == '*').collect();
        fold(&changed, Some(context))
    }

    #[test]
    fn lines_near_a_change_are_shown() {
        assert_eq!(folded("....*....", 1), [Passage::Folded(0..3), Passage::Shown(3..6), Passage::Folded(6..9)]);
    }

    #[test]
    fn one_line_alone_is_never_folded() {
        assert_eq!(folded(".*.*.", 0), [Passage::Shown(0..5)]);
        assert_eq!(folded("..*..", 1), [Passage::Shown(0..5)]);
        assert_eq!(folded("*..*", 0), [Passage::Shown(0..1), Passage::Folded(1..3), Passage::Shown(3..4)]);
    }

    #[test]
    fn without_a_change_all_is_folded_and_without_lines_there_is_nothing() {
        assert_eq!(folded("...", 2), [Passage::Folded(0..3)]);
        assert_eq!(folded("", 2), []);
        assert_eq!(fold(&[], None), []);
    }

    #[test]
    fn an_endless_context_shows_all() {
        assert_eq!(folded("...*...", usize::MAX - 1), [Passage::Shown(0..7)]);
        assert_eq!(fold(&[false, true], None), [Passage::Shown(0..2)]);
    }
}
