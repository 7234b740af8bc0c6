//! Does one changed word need its whole paragraph? No: where far lines are folded, long unchanged
//! text within a line is cut short too.

use super::lines::{Line, Piece};
use super::mark::Mark;

/// Unchanged text of more bytes is cut short: about six rows of a terminal.
const LONGEST: usize = 480;
/// About how many bytes of it are kept on either side.
const KEPT: usize = 160;

/// Takes the middle out of long unchanged text.
pub(super) fn shorten(line: &mut Line) {
    if line.pieces.iter().any(is_long) {
        let pieces = std::mem::take(&mut line.pieces);
        line.pieces = pieces.into_iter().flat_map(cut).collect();
    }
}

fn is_long(piece: &Piece) -> bool {
    piece.mark == Mark::Same && piece.text.len() > LONGEST
}

fn cut(piece: Piece<'_>) -> Vec<Piece<'_>> {
    if !is_long(&piece) {
        return vec![piece];
    }
    let text = piece.text;
    let (head, tail) = (text.floor_char_boundary(KEPT), text.ceil_char_boundary(text.len() - KEPT));
    // Between words, where there are blanks between words.
    let head = text[..head].rfind(char::is_whitespace).unwrap_or(head);
    let tail = text[tail..].find(char::is_whitespace).map_or(tail, |blank| tail + blank);
    [&text[..head], " ⋯ ", text[tail..].trim_start()].map(|text| Piece { text, ..piece }).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortened(text: &str) -> String {
        let mut line = Line::plain(text);
        shorten(&mut line);
        line.pieces.iter().map(|piece| piece.text).collect()
    }

    #[test]
    fn long_unchanged_text_loses_its_middle_between_words() {
        let words: Vec<String> = (1000..1400).map(|number| number.to_string()).collect();
        let text = shortened(&words.join(" "));
        assert!(
            text.starts_with("1000 1001 ") && text.ends_with(" 1398 1399") && text.contains("1031 ⋯ 136"),
            "{text}"
        );
    }

    #[test]
    fn text_without_blanks_is_cut_between_characters() {
        assert!(shortened(&"漢".repeat(1000)).contains("漢 ⋯ 漢"));
    }

    #[test]
    fn short_text_stays() {
        assert_eq!(shortened("a b c"), "a b c");
    }
}
