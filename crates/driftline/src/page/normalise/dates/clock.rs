//! How do people write a time of day? `10:45`, `10:45:30.5 pm GMT+1`, `10h45`, `10 Uhr`, `오후 3시`.

use super::super::lexemes::{Kind, Lexemes};
use super::super::vocabulary::Role;

/// Behind a time of day with its zone, or a span of two (`9:00-17:00`).
pub(super) fn clock(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let end = time(lexemes, at)?;
    let end = lexemes.sign(end, "-~〜").and_then(|start| time(lexemes, start)).unwrap_or(end);
    Some(zone(lexemes, end).unwrap_or(end))
}

fn time(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let hour = lexemes.role(at, Role::NoonAhead).map_or(at, |end| lexemes.space(end));
    let end = lexemes.digits(hour, 1..=2, 0..=24)?;
    let colons = || {
        let end = minutes(lexemes, end, ":：").map(|end| seconds(lexemes, end))?;
        Some(noon(lexemes, end).or_else(|| clock_word(lexemes, end)).unwrap_or(end))
    };
    let letter = || hour_letter(lexemes, end);
    let word = || clock_word(lexemes, end).or_else(|| dotted(lexemes, end));
    let sign = || hour_sign(lexemes, end).or_else(|| lexemes.role(end, Role::HourSign).filter(|_| hour > at));
    colons().or_else(letter).or_else(word).or_else(sign).or_else(|| lone_noon(lexemes, hour))
}

fn minutes(lexemes: &Lexemes, at: usize, signs: &str) -> Option<usize> {
    lexemes.digits(lexemes.sign(at, signs)?, 2..=2, 0..=59)
}

/// Behind the seconds and their decimals, if any.
fn seconds(lexemes: &Lexemes, at: usize) -> usize {
    let Some(end) = lexemes.sign(at, ":：").and_then(|at| lexemes.digits(at, 2..=2, 0..=60)) else {
        return at;
    };
    let decimals = lexemes.sign(end, ".,").filter(|&at| lexemes.kind(at) == Some(Kind::Digits));
    decimals.map_or(end, |at| at + 1)
}

/// `pm`, `p.m.`
fn noon(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let at = lexemes.space(at);
    if let Some(end) = lexemes.role(at, Role::Noon) {
        return Some(end);
    }
    let middle = Some(at + 1).filter(|_| matches!(lexemes.text(at), "a" | "p" | "A" | "P"))?;
    let end = lexemes.sign(middle, ".").filter(|&end| matches!(lexemes.text(end), "m" | "M"))?;
    Some(lexemes.sign(end + 1, ".").unwrap_or(end + 1))
}

/// `3 pm`; but "Haus 5 am See" is no time.
fn lone_noon(lexemes: &Lexemes, hour: usize) -> Option<usize> {
    let end = noon(lexemes, lexemes.digits(hour, 1..=2, 1..=12)?)?;
    let next = lexemes.space(end);
    let has_role = [Role::Weekday, Role::Month, Role::Zone].into_iter().any(|role| lexemes.role(next, role).is_some());
    let is_name = lexemes.text(next).starts_with(char::is_uppercase) && !has_role;
    let is_preposition = lexemes.text(end - 1) == "am" && lexemes.kind(hour + 1) == Some(Kind::Space) && is_name;
    (!is_preposition).then_some(end)
}

/// `10.45 Uhr`, `10.45pm`, `10.45 GMT`: alone it would be a number.
fn dotted(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let end = minutes(lexemes, at, ".")?;
    let zone = || named_zone(lexemes, lexemes.space(end));
    clock_word(lexemes, end).or_else(|| noon(lexemes, end)).or_else(zone)
}

/// `10h45`, `10 h 45`
fn hour_letter(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let minutes = lexemes.role(lexemes.space(at), Role::HourLetter)?;
    lexemes.digits(lexemes.space(minutes), 2..=2, 0..=59)
}

/// `10 Uhr`
fn clock_word(lexemes: &Lexemes, at: usize) -> Option<usize> {
    lexemes.role(lexemes.space(at), Role::Clock)
}

/// `10時45分30秒`; the minutes may be missing only where noon was said.
fn hour_sign(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let part = |at, sign| lexemes.role(lexemes.digits(lexemes.space(at), 1..=2, 0..=60)?, sign);
    let end = part(lexemes.role(at, Role::HourSign)?, Role::MinuteSign)?;
    Some(part(end, Role::SecondSign).unwrap_or(end))
}

/// Behind a time zone: `Z`, ` GMT`, ` UTC+1`, `+01:00`, ` -0500`.
pub(super) fn zone(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let start = lexemes.space(at);
    if let Some(end) = named_zone(lexemes, start) {
        return Some(offset(lexemes, end).unwrap_or(end));
    }
    // Behind a space, `-5` is a number.
    let is_exact = |end: usize| end > start + 2 || lexemes.text(start + 1).len() == 4;
    offset(lexemes, start).filter(|&end| start == at || is_exact(end))
}

fn named_zone(lexemes: &Lexemes, at: usize) -> Option<usize> {
    lexemes.role(at, Role::Zone).filter(|_| lexemes.text(at).chars().all(char::is_uppercase))
}

fn offset(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let hours = lexemes.sign(at, "+-−")?;
    let end = lexemes.digits(hours, 1..=2, 0..=24);
    let with_minutes = end.and_then(|end| minutes(lexemes, end, ":"));
    with_minutes.or_else(|| lexemes.digits(hours, 4..=4, 0..=1400)).or(end)
}
