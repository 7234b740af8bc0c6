//! Is `the` in a new sentence a word of its own kind? Not to a reader: where brackets are the only
//! marks, a copied word that touches an added one is shown as part of it.
//!
//! In natural text every other word of a new sentence stands elsewhere on the page too and counts as
//! copied. Shown word by word, `{+either registered+} {=trademarks or=}` is hard to read; colours,
//! the web page and JSON keep the kinds apart.

use driftline::degree::edit::EditKind;

use super::lines::{Line, Piece};
use super::mark::Mark;

/// Gives copied words next to added ones the mark of these, and shrunk words that of dropped ones.
pub(super) fn absorb(line: &mut Line) {
    let pieces = &mut line.pieces;
    let mut start = 0;
    while start < pieces.len() {
        let end = end_of_group(pieces, start);
        if let Some(strong) = pieces[start..end].iter().map(|piece| piece.mark).find(|&mark| is_strong(mark)) {
            let changed = pieces[start..end].iter_mut().filter(|piece| piece.mark.is_change());
            changed.for_each(|piece| piece.mark = strong);
        }
        start = end;
    }
}

fn is_strong(mark: Mark) -> bool {
    matches!(mark, Mark::Inserted(EditKind::Add) | Mark::Removed(EditKind::Drop))
}

/// Behind the pieces that touch the one at `start` and are of its family, with the blanks among them.
fn end_of_group(pieces: &[Piece], start: usize) -> usize {
    let family = strength(pieces[start].mark);
    let same = |piece: &&Piece| is_blank(piece) || strength(piece.mark) == family;
    match family {
        Some(_) => start + pieces[start..].iter().take_while(same).count(),
        None => start + 1,
    }
}

fn is_blank(piece: &Piece) -> bool {
    !piece.mark.is_change() && piece.text.trim().is_empty()
}

/// The stronger mark of the mark's family, if it has one.
fn strength(mark: Mark) -> Option<Mark> {
    match mark {
        Mark::Inserted(EditKind::Add | EditKind::Copy) => Some(Mark::Inserted(EditKind::Add)),
        Mark::Removed(EditKind::Drop | EditKind::Shrink) => Some(Mark::Removed(EditKind::Drop)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn absorbed(pieces: &[(Mark, &str)]) -> Vec<Mark> {
        let piece = |&(mark, text)| Piece { mark, edit: None, text };
        let mut line = Line { pieces: pieces.iter().map(piece).collect() };
        absorb(&mut line);
        line.pieces.iter().map(|piece| piece.mark).collect()
    }

    const ADD: Mark = Mark::Inserted(EditKind::Add);
    const COPY: Mark = Mark::Inserted(EditKind::Copy);
    const SHRINK: Mark = Mark::Removed(EditKind::Shrink);

    #[test]
    fn a_copied_word_in_an_added_sentence_is_part_of_it() {
        assert_eq!(absorbed(&[(COPY, "x"), (Mark::Same, " "), (ADD, "x"), (COPY, "x")]), [ADD, Mark::Same, ADD, ADD]);
    }

    #[test]
    fn a_copied_word_that_stands_alone_or_beside_removed_ones_is_copied() {
        let marks = [(COPY, "x"), (Mark::Same, "x"), (ADD, "x"), (SHRINK, "x"), (COPY, "x")];
        assert_eq!(absorbed(&marks), marks.map(|(mark, _)| mark));
    }
}
