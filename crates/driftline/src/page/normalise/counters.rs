//! What is a count? A number next to a counted noun, in either order, or alone in parentheses.
//!
//! The number becomes `#` and the noun its entry in the [table](super::nouns), so that "1 comment"
//! equals "2,345 comments". A year in parentheses is no count: "Kwon et al. (2024)".

use super::lexemes::{CLOSING, Kind, Lexemes, OPENING};
use super::numbers;
use super::vocabulary::Role;

/// Signs between a noun and its count.
const LABEL_SIGNS: &str = ":：=";

/// Makes `#` of each count and its entry of the noun beside it.
pub(super) fn take(lexemes: &mut Lexemes) {
    let mut at = 0;
    while at < lexemes.len() {
        let end = take_parenthesised(lexemes, at)
            .or_else(|| take_number_and_noun(lexemes, at))
            .or_else(|| take_noun_and_number(lexemes, at));
        at = end.or_else(|| numbers::digits(lexemes, at)).unwrap_or(at + 1);
    }
}

/// `(17)`
fn take_parenthesised(lexemes: &mut Lexemes, at: usize) -> Option<usize> {
    let end = parenthesised(lexemes, at)?;
    lexemes.take(at, end, "(#)");
    Some(end)
}

fn parenthesised(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let first = bracket(lexemes, at, OPENING)?;
    let end = numbers::magnitude(lexemes, numbers::digits(lexemes, first)?);
    let is_year = end == first + 1 && lexemes.digits(first, 4..=4, 1900..=2099).is_some();
    if is_year { None } else { bracket(lexemes, end, CLOSING) }
}

fn bracket(lexemes: &Lexemes, at: usize, brackets: [char; 2]) -> Option<usize> {
    matches!(lexemes.kind(at), Some(Kind::Sign(sign)) if brackets.contains(&sign)).then_some(at + 1)
}

/// `1,234 views`, `17件のコメント`
fn take_number_and_noun(lexemes: &mut Lexemes, at: usize) -> Option<usize> {
    let end = count(lexemes, at).filter(|_| lexemes.opens(at))?;
    let behind = lexemes.space(lexemes.sign(end, "+").unwrap_or(end));
    let noun = behind_classifiers(lexemes, behind);
    let form = lexemes.noun(noun).filter(|_| lexemes.closes(noun + 1))?;
    lexemes.take(at, end, "#");
    lexemes.take(noun, noun + 1, form);
    Some(noun + 1)
}

/// Behind at most two of `new `, `Mio. `, `件の`.
fn behind_classifiers(lexemes: &Lexemes, at: usize) -> usize {
    let mut end = at;
    for _ in 0..2 {
        if let Some(next) = lexemes.role(end, Role::Classifier) {
            end = lexemes.space(lexemes.sign(next, ".").unwrap_or(next));
        }
    }
    end
}

/// `Views: 1,234`, `Comments (17)`, `조회 1,234`
fn take_noun_and_number(lexemes: &mut Lexemes, at: usize) -> Option<usize> {
    let form = lexemes.noun(at).filter(|_| lexemes.opens(at))?;
    let behind = lexemes.space(at + 1);
    if let Some(end) = take_parenthesised(lexemes, behind) {
        lexemes.take(at, at + 1, form);
        return Some(end);
    }
    let number = match lexemes.sign(behind, LABEL_SIGNS) {
        Some(label) => lexemes.space(label),
        None if is_verb(lexemes, at) || counts_next(lexemes, behind) => return None,
        None => behind,
    };
    let end = count(lexemes, number).filter(|&end| lexemes.closes(end))?;
    lexemes.take(at, at + 1, form);
    lexemes.take(number, end, "#");
    Some(end)
}

/// Whether the number counts what follows it, as in "see the comments 5 shares".
fn counts_next(lexemes: &Lexemes, number: usize) -> bool {
    let noun = |end| Some(lexemes.space(end)).filter(|&next| lexemes.noun(next).is_some());
    let Some(next) = count(lexemes, number).and_then(noun) else {
        return false;
    };
    let follower = lexemes.space(lexemes.sign(next + 1, LABEL_SIGNS).unwrap_or(next + 1));
    lexemes.kind(follower) != Some(Kind::Digits)
}

/// Behind a number as counts are written.
fn count(lexemes: &Lexemes, at: usize) -> Option<usize> {
    Some(numbers::magnitude(lexemes, numbers::digits(lexemes, at)?))
}

/// Whether the noun may be a verb ("read 5 books", "like 3 others"): singular, in Latin letters.
fn is_verb(lexemes: &Lexemes, at: usize) -> bool {
    lexemes.kind(at) == Some(Kind::Letters) && lexemes.noun(at) == Some(&lexemes.text(at).to_lowercase())
}
