//! How do people say how long ago it was? "3 hours ago", "vor 3 Stunden", "3時間前", "yesterday".

use super::super::lexemes::{Kind, Lexemes, is_glyph};
use super::super::vocabulary::{self, Role};
use super::{joint, with_clock};

/// Behind a time that is told from now.
pub(super) fn relative(lexemes: &Lexemes, at: usize) -> Option<usize> {
    if let Some(end) = lexemes.role(at, Role::Yesterday) {
        return Some(with_clock(lexemes, end));
    }
    let today = || today(lexemes, at);
    phrase(lexemes, at).or_else(today).or_else(|| ago(lexemes, at)).or_else(|| before(lexemes, at))
}

/// `just now`, `à l'instant`
fn phrase(lexemes: &Lexemes, at: usize) -> Option<usize> {
    lexemes.role(at, Role::Phrase)?;
    let follows_space = |word: &usize| *word == at || lexemes.kind(word - 1) == Some(Kind::Space);
    let words = (at..at + 6).step_by(2).take_while(follows_space).map(|word| lexemes.text(word));
    Some(at + 2 * vocabulary::phrase(&words)? - 1)
}

/// `today at 10:45`; without a time the word says nothing about a date.
fn today(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let end = lexemes.role(at, Role::Today)?;
    Some(with_clock(lexemes, end)).filter(|&behind| behind > joint(lexemes, end))
}

/// `3 hours ago`, `2 days and 3 hours ago`, `a few seconds ago`, `3시간 전`
fn ago(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let end = span(lexemes, at)?;
    let ago = lexemes.space(end);
    let end = lexemes.role(ago, Role::Ago)?;
    let runs_on = lexemes.text(ago).starts_with(is_hangul) && lexemes.text(end).starts_with(is_hangul);
    (!runs_on).then_some(end)
}

/// "전" is "ago", "전체" is "all of it".
fn is_hangul(character: char) -> bool {
    is_glyph(character) && ('\u{AC00}'..='\u{D7FF}').contains(&character)
}

/// `vor 3 Stunden`, `il y a 3 heures`, `hace unas 3 horas`
fn before(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let is_there =
        lexemes.text(at).eq_ignore_ascii_case("il") && (lexemes.text(at + 2), lexemes.text(at + 4)) == ("y", "a");
    let end = lexemes.role(at, Role::Before).or_else(|| is_there.then_some(at + 5))?;
    let mut start = lexemes.space(end);
    for _ in 0..2 {
        start = lexemes.role(start, Role::About).map_or(start, |end| lexemes.space(end));
    }
    span(lexemes, start).filter(|_| start > end)
}

/// One or two quantities of time.
fn span(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let end = quantity(lexemes, at)?;
    let next = lexemes.space(lexemes.sign(end, ",").unwrap_or(end));
    let next = lexemes.role(next, Role::And).map_or(next, |end| lexemes.space(end));
    Some(quantity(lexemes, next).unwrap_or(end))
}

/// `3 hours`, `1.5 h`, `a few seconds`, `数秒`
fn quantity(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let mut end = number(lexemes, at).or_else(|| lexemes.role(at, Role::Quantity))?;
    for _ in 0..3 {
        let next = lexemes.space(end);
        if let Some(unit) = lexemes.role(next, Role::Unit) {
            return Some(abbreviated(lexemes, unit));
        }
        end = lexemes.role(next, Role::Quantity).or_else(|| number(lexemes, next))?;
    }
    None
}

fn number(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let end = Some(at + 1).filter(|_| lexemes.kind(at) == Some(Kind::Digits))?;
    let decimals = lexemes.sign(end, ".,").filter(|&at| lexemes.kind(at) == Some(Kind::Digits));
    Some(decimals.map_or(end, |at| at + 1))
}

/// Behind the dot of `3 min. ago`, but not behind the one that ends a sentence.
fn abbreviated(lexemes: &Lexemes, at: usize) -> usize {
    let ago = lexemes.sign(at, ".").filter(|&dot| lexemes.role(lexemes.space(dot), Role::Ago).is_some());
    ago.unwrap_or(at)
}
