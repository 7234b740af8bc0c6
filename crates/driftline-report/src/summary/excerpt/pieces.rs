//! How do words become pieces? Neighbours of one kind are joined, blanks around what went and came stay outside of it,
//! as does what stands before both of them, and what is too long is cut.
//!
//! The texts of all pieces, one after the other, read as both pages in one; a line end in them is one of the page.

use super::{MOST_CHARACTERS, Mark, Piece};

/// The most characters of one run of words: what came must not hide behind what went.
const MOST_OF_A_RUN: usize = 200;
/// What stands for words that are left out.
const OMITTED: char = '…';

/// Pieces in the making.
///
/// ```
/// use driftline::event::Mark;
/// use driftline_report::summary::excerpt::Pieces;
///
/// let mut pieces = Pieces::default();
/// pieces.push(Mark::Dropped, "", "five");
/// pieces.push(Mark::Added, "", "six");
/// assert_eq!(pieces.finish().len(), 3, "with a blank between them");
/// ```
#[derive(Debug)]
pub struct Pieces {
    done: Vec<Piece>,
    /// Characters that may still come, of all pieces and of the last one.
    left: usize,
    left_of_run: usize,
}

impl Default for Pieces {
    fn default() -> Self {
        Self { done: Vec::new(), left: MOST_CHARACTERS, left_of_run: 0 }
    }
}

impl Pieces {
    /// Adds a word and what stands before it.
    pub fn push(&mut self, mark: Mark, gap: &str, word: &str) {
        let touching = || gap.rsplit(char::is_whitespace).next().unwrap_or_default();
        let Some((last, text)) = self.done.last().map(|last| (last.mark, &last.text)) else {
            return self.append(mark, &[touching(), word].concat());
        };
        let gap = match (last, mark) {
            (Mark::Gap, _) => touching().to_owned(),
            // Both follow the same word, and what stands behind it is there already.
            (Mark::Dropped, Mark::Added | Mark::Moved) => {
                let is_parted = gap.is_empty() && text.is_ascii() || gap.contains(char::is_whitespace);
                [if is_parted { blank(text, gap) } else { "" }, touching()].concat()
            }
            _ => collapsed(gap),
        };
        let rest = gap.trim_start();
        let blank = &gap[..gap.len() - rest.len()];
        if last == mark || mark == Mark::Kept {
            return self.append(mark, &[&gap, word].concat());
        }
        self.append(Mark::Kept, blank);
        self.append(mark, &[rest, word].concat());
    }

    /// Adds the first word that went, or the first that came for it, where the same stands before both.
    pub(super) fn push_behind_same(&mut self, mark: Mark, gap: &str, word: &str) {
        match self.done.last() {
            _ if mark == Mark::Dropped => self.push(Mark::Kept, gap, ""),
            Some(Piece { mark: Mark::Dropped, text }) => {
                let is_parted = text.is_ascii() || gap.contains(char::is_whitespace);
                let blank = if is_parted { blank(text, gap) } else { "" };
                self.append(Mark::Kept, blank);
            }
            _ => return self.push(mark, gap, word),
        }
        self.append(mark, word);
    }

    /// Adds what stands behind the last word of a line: new with a line that is all new.
    pub fn push_stop(&mut self, stop: &str) {
        let mark = match self.done.as_slice() {
            [only] => only.mark,
            _ => Mark::Kept,
        };
        self.append(mark, stop);
    }

    /// Says that words are left out.
    pub(super) fn gap(&mut self) {
        match self.done.last() {
            None => self.append(Mark::Gap, "… "),
            Some(last) if last.mark == Mark::Gap => {}
            Some(_) => self.append(Mark::Gap, " … "),
        }
    }

    /// Does no more fit?
    pub(super) fn is_full(&self) -> bool {
        self.left == 0
    }

    /// The pieces, without a blank at the end.
    #[must_use]
    pub fn finish(mut self) -> Vec<Piece> {
        while let Some(last) = self.done.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            self.done.pop();
        }
        self.done
    }

    fn append(&mut self, mark: Mark, text: &str) {
        if text.is_empty() || self.left == 0 {
            return;
        }
        if self.done.last().is_none_or(|last| last.mark != mark) {
            self.done.push(Piece { mark, text: String::new() });
            self.left_of_run = MOST_OF_A_RUN;
        }
        let most = self.left.min(self.left_of_run);
        let Some(last) = self.done.last_mut().filter(|_| most > 0) else { return };
        let length = text.chars().take(most + 1).count();
        if length < most {
            last.text.push_str(text);
        } else {
            last.text.extend(text.chars().take(most - 1));
            last.text.truncate(last.text.trim_end().len());
            last.text.push(OMITTED);
        }
        let used = length.min(most);
        (self.left, self.left_of_run) = (self.left - used, self.left_of_run - used);
    }
}

/// What parts words that went from those that came: a line end if both have one.
fn blank(went: &str, gap: &str) -> &'static str {
    if went.contains('\n') && gap.contains('\n') { "\n" } else { " " }
}

/// White space as one blank, or as one line end if there is one in it.
pub(super) fn collapsed(gap: &str) -> String {
    let mut text = String::new();
    let mut rest = gap;
    while let Some(at) = rest.find(char::is_whitespace) {
        let behind = rest[at..].trim_start();
        let blank = &rest[at..rest.len() - behind.len()];
        text.push_str(&rest[..at]);
        text.push(if blank.contains('\n') { '\n' } else { ' ' });
        rest = behind;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::{MOST_CHARACTERS, Mark, Pieces};

    fn written(pieces: Pieces) -> Vec<(Mark, String)> {
        pieces.finish().into_iter().map(|piece| (piece.mark, piece.text)).collect()
    }

    #[test]
    fn blanks_around_what_changed_are_kept() {
        let mut pieces = Pieces::default();
        pieces.push(Mark::Kept, ". ", "at");
        pieces.push(Mark::Dropped, " \t", "five");
        pieces.push(Mark::Dropped, " ", "sharp");
        pieces.push(Mark::Added, "  ", "six");
        pieces.push(Mark::Kept, ".\n \n", "Bye");
        let expected = [(Mark::Kept, "at "), (Mark::Dropped, "five sharp"), (Mark::Kept, " "), (Mark::Added, "six")];
        let mut expected: Vec<_> = expected.map(|(mark, text)| (mark, text.to_owned())).to_vec();
        expected.push((Mark::Kept, ".\nBye".to_owned()));
        assert_eq!(written(pieces), expected);
    }

    #[test]
    fn a_long_run_leaves_room_for_the_next() {
        let mut pieces = Pieces::default();
        (0..1000).for_each(|_| pieces.push(Mark::Dropped, " ", "gone"));
        pieces.push(Mark::Added, " ", "come");
        let pieces = written(pieces);
        assert!(pieces[0].1.ends_with("gone…") || pieces[0].1.ends_with('…'), "{pieces:?}");
        assert_eq!(pieces[2], (Mark::Added, "come".to_owned()));
    }

    #[test]
    fn all_of_it_is_never_longer_than_it_may_be() {
        let mut pieces = Pieces::default();
        for at in 0..100 {
            pieces.push(if at % 2 == 0 { Mark::Dropped } else { Mark::Added }, " ", &"漢".repeat(at * 7));
            pieces.gap();
        }
        assert!(pieces.is_full());
        let characters: usize = written(pieces).iter().map(|(_, text)| text.chars().count()).sum();
        assert!(characters <= MOST_CHARACTERS, "{characters}");
    }
}
