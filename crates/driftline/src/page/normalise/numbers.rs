//! What is a number? Digits with their separators, and the signs, suffixes and currencies around them.
//!
//! `w3`, `IPv6`, `covid-19` and `5-year` contain digits and are none: nothing may be tied to a number.

use super::lexemes::{Kind, Lexemes};
use super::vocabulary::Role;

/// Signs between the digits of one number.
const SEPARATORS: &str = ".,:/-‐‑−’'٫٬⁄";
/// Signs before a number.
const SIGNS: &str = "+-−±";
/// Signs behind a number; a temperature may have a letter behind its degree.
const UNITS: &str = "%‰°℃℉٪％";

/// Makes `#` of each number.
pub(super) fn take(lexemes: &mut Lexemes) {
    let mut at = 0;
    while at < lexemes.len() {
        let first = digits_behind_signs(lexemes, at);
        let Some(end) = digits(lexemes, first) else {
            at += 1;
            continue;
        };
        let behind = suffix(lexemes, end);
        if lexemes.opens(at) && lexemes.closes(behind) {
            lexemes.take(at, behind, "#");
        } else if lexemes.opens(first) && lexemes.closes(behind) {
            lexemes.take(first, behind, "#");
        }
        at = behind;
    }
}

/// Behind the digits of one number with the separators between them.
pub(super) fn digits(lexemes: &Lexemes, at: usize) -> Option<usize> {
    if lexemes.kind(at)? != Kind::Digits {
        return None;
    }
    let mut end = at + 1;
    while let Some(next) = next_digits(lexemes, end) {
        end = next;
    }
    Some(end)
}

fn next_digits(lexemes: &Lexemes, at: usize) -> Option<usize> {
    if let Some(next) = lexemes.fixed_space(at) {
        return lexemes.digits(next, 3..=3, 0..=999);
    }
    let next = lexemes.sign(at, SEPARATORS)?;
    (lexemes.kind(next)? == Kind::Digits).then_some(next + 1)
}

/// Behind a magnitude: `3.2k`, `12GB`, `1.2万`.
pub(super) fn magnitude(lexemes: &Lexemes, at: usize) -> usize {
    lexemes.role(at, Role::Magnitude).unwrap_or(at)
}

/// The digits that follow the signs and currencies at `at`, at most three of them: `-$.5`.
fn digits_behind_signs(lexemes: &Lexemes, at: usize) -> usize {
    let belongs = |sign| sign == '.' || SIGNS.contains(sign) || is_currency(sign);
    let is_sign = |at: &usize| matches!(lexemes.kind(*at), Some(Kind::Sign(sign)) if belongs(sign));
    at + (at..at + 3).take_while(is_sign).count()
}

/// Behind everything that belongs to the number whose digits end before `at`.
fn suffix(lexemes: &Lexemes, at: usize) -> usize {
    if let Some(degree) = lexemes.sign(at, "°") {
        return degree + usize::from(matches!(lexemes.text(degree), "C" | "F"));
    }
    let at = lexemes.role(at, Role::Ordinal).unwrap_or_else(|| magnitude(lexemes, at));
    let at = lexemes.sign(at, UNITS).unwrap_or(at);
    at + usize::from(matches!(lexemes.kind(at), Some(Kind::Sign(sign)) if is_currency(sign)))
}

/// Whether a character is a currency sign (general category Sc).
fn is_currency(sign: char) -> bool {
    matches!(sign, '$' | '\u{A2}'..='\u{A5}' | '\u{58F}' | '\u{60B}' | '\u{9F2}' | '\u{9F3}' | '\u{AF1}' | '\u{BF9}'
        | '\u{E3F}' | '\u{17DB}' | '\u{20A0}'..='\u{20CF}' | '\u{A838}' | '\u{FDFC}' | '\u{FE69}' | '\u{FF04}'
        | '\u{FFE0}' | '\u{FFE1}' | '\u{FFE5}' | '\u{FFE6}')
}
