//! Which line of the newer page stands beside which line of the older one? That with which it shares
//! the most words.
//!
//! Common words are in the same order on both pages, so the pairs of lines that share some never
//! cross: they form one chain, in which a pair rules out only its neighbours. The pairs that
//! together share the most words are found along it in linear time. Lines without a partner between
//! two pairs stand beside each other as far as they go, as in `diff -y`, unless nothing changed in them:
//! their words stand elsewhere.

use std::ops::Range;

use driftline::change::Sides;

use super::lines::Line;
use crate::summary::merge::Step;

/// A row of two columns: the number of a line on either page.
pub(super) type Row = Sides<Option<usize>>;

/// Two lines and how many words they share.
#[derive(Debug, Clone, Copy)]
struct Link {
    older: usize,
    newer: usize,
    words: usize,
}

/// The rows of two pages.
pub(super) fn rows(steps: &[Step], lines: &Sides<Vec<Line>>) -> Vec<Row> {
    let mut rows = Vec::new();
    let (mut older, mut newer) = (0, 0);
    for pair in best(&links(steps)) {
        between(&mut rows, lines, older..pair.older, newer..pair.newer);
        rows.push(Sides { older: Some(pair.older), newer: Some(pair.newer) });
        (older, newer) = (pair.older + 1, pair.newer + 1);
    }
    between(&mut rows, lines, older..lines.older.len(), newer..lines.newer.len());
    rows
}

/// Lines without a partner.
fn between(rows: &mut Vec<Row>, lines: &Sides<Vec<Line>>, mut older: Range<usize>, mut newer: Range<usize>) {
    while !older.is_empty() || !newer.is_empty() {
        let next = Sides { older: lines.older[older.clone()].first(), newer: lines.newer[newer.clone()].first() };
        rows.push(match (next.older.filter(|line| !line.is_changed()), next.newer.filter(|line| !line.is_changed())) {
            (Some(one), other) if other.is_none_or(|other| !one.reads_as(other)) => {
                Sides { older: older.next(), newer: None }
            }
            (None, Some(_)) => Sides { older: None, newer: newer.next() },
            _ => Sides { older: older.next(), newer: newer.next() },
        });
    }
}

/// The pairs of lines that share words, in reading order.
fn links(steps: &[Step]) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    let (mut older, mut newer) = (0, 0);
    let ends = |text: &str| text.matches('\n').count();
    for step in steps {
        match step {
            Step::Same { words, .. } if !words.is_empty() => match links.last_mut() {
                Some(last) if (last.older, last.newer) == (older, newer) => last.words += words.len(),
                _ => links.push(Link { older, newer, words: words.len() }),
            },
            Step::Same { text, .. } => (older, newer) = (older + ends(text.older), newer + ends(text.newer)),
            Step::Removed(edited) => older += ends(edited.text),
            Step::Inserted(edited) => newer += ends(edited.text),
            Step::Turn => {}
        }
    }
    links
}

/// The links that share the most words and no line.
fn best(links: &[Link]) -> Vec<Link> {
    // Of the first n links: the most words, and behind which link to go on looking if the last one is taken.
    let mut most = vec![0; links.len() + 1];
    let mut taken = vec![None; links.len() + 1];
    let (mut older_start, mut newer_start) = (0, 0);
    for (at, link) in links.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| links[before]);
        if before.is_none_or(|before| before.older != link.older) {
            older_start = at;
        }
        if before.is_none_or(|before| before.newer != link.newer) {
            newer_start = at;
        }
        let free = older_start.min(newer_start);
        let words = most[free] + link.words;
        taken[at + 1] = (words > most[at]).then_some(free);
        most[at + 1] = words.max(most[at]);
    }
    trace(links, &taken)
}

fn trace(links: &[Link], taken: &[Option<usize>]) -> Vec<Link> {
    let mut chosen = Vec::new();
    let mut at = links.len();
    while at > 0 {
        match taken[at] {
            Some(free) => {
                chosen.push(links[at - 1]);
                at = free;
            }
            None => at -= 1,
        }
    }
    chosen.reverse();
    chosen
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;
    use crate::sample::Pair;
    use crate::summary::merge::steps;

    fn paired(older: &str, newer: &str) -> Vec<(Option<usize>, Option<usize>)> {
        let pair = Pair::of(older, newer);
        let steps = steps(pair.pages(), &pair.change);
        let lines = Sides { older: lines::older(&steps), newer: lines::newer(&steps) };
        rows(&steps, &lines).into_iter().map(|row| (row.older, row.newer)).collect()
    }

    #[test]
    fn a_line_stands_beside_the_one_it_shares_most_words_with() {
        assert_eq!(
            paired("<p>one two three four<p>five", "<p>zero one<p>two three four<p>five"),
            [(None, Some(0)), (Some(0), Some(1)), (Some(1), Some(2))]
        );
    }

    #[test]
    fn lines_without_a_partner_stand_beside_each_other() {
        assert_eq!(
            paired("<p>a<p>b<p>c<p>z", "<p>x<p>y<p>z"),
            [(Some(0), Some(0)), (Some(1), Some(1)), (Some(2), None), (Some(3), Some(2))]
        );
    }

    #[test]
    fn a_line_that_was_only_split_stands_alone() {
        assert_eq!(
            paired("<p>one two three<p>four", "<p>one two<p>three<p>five"),
            [(Some(0), Some(0)), (None, Some(1)), (Some(1), Some(2))]
        );
    }

    #[test]
    fn equal_lines_without_words_stand_beside_each_other() {
        assert_eq!(
            paired("<p>a<p>---<p>b", "<p>a<p>---<p>c"),
            [(Some(0), Some(0)), (Some(1), Some(1)), (Some(2), Some(2))]
        );
    }

    #[test]
    fn every_line_stands_in_one_row() {
        let rows = paired("<p>a b<p>c d e<p>f<p>g h", "<p>b c<p>d<p>e f g<p>h i<p>j");
        let older: Vec<usize> = rows.iter().filter_map(|row| row.0).collect();
        let newer: Vec<usize> = rows.iter().filter_map(|row| row.1).collect();
        assert_eq!((older, newer), ((0..4).collect(), (0..5).collect()));
    }

    #[test]
    fn a_page_beside_nothing_has_a_row_a_line() {
        assert_eq!(paired("", "<p>a<p>b"), [(None, Some(0)), (None, Some(1))]);
    }
}
