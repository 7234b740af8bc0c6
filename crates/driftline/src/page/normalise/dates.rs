//! What is a date or a time? Numbers, names of months and weekdays, and words like "ago", in the
//! orders in which people write them.
//!
//! A small grammar by hand: each function says where the thing it is named after ends, if it stands
//! at `at`. None looks further ahead than the longest date. A lone year or number is no date, nor is
//! a month without a number.

use super::lexemes::{Kind, Lexemes};
use super::vocabulary::Role;

mod clock;
mod relative;

/// Hyphens and slashes between the numbers of a date.
const SEPARATORS: [&str; 3] = ["-‐‑", "/／", ".．"];

/// What every date and time is equal to.
pub(super) const FORM: &str = "#date";

/// Makes one `#date` of each date, time, or date with a time.
pub(super) fn take(lexemes: &mut Lexemes) {
    let mut at = 0;
    while at < lexemes.len() {
        if let Some(end) = moment(lexemes, at) {
            lexemes.take(at, end, FORM);
            at = end;
        } else {
            at += 1;
        }
    }
}

fn moment(lexemes: &Lexemes, at: usize) -> Option<usize> {
    if !lexemes.opens(at) {
        return None;
    }
    let start = weekday_ahead(lexemes, at).unwrap_or(at);
    let day_first = || closed(lexemes, with_clock(lexemes, day(lexemes, start)?));
    let clock_first = || closed(lexemes, with_day(lexemes, clock::clock(lexemes, start)?));
    day_first().or_else(clock_first).or_else(|| closed(lexemes, relative::relative(lexemes, at)?))
}

fn closed(lexemes: &Lexemes, end: usize) -> Option<usize> {
    lexemes.closes(end).then_some(end)
}

/// Behind the time that follows a date, if one does: `T10:45`, `, 10:45`, ` at 10:45`.
fn with_clock(lexemes: &Lexemes, end: usize) -> usize {
    let start = if matches!(lexemes.text(end), "T" | "t") { end + 1 } else { joint(lexemes, end) };
    clock::clock(lexemes, start).and_then(|end| closed(lexemes, end)).unwrap_or(end)
}

/// Behind the date that follows a time, if one does: `, 31 January`, ` on Monday, 31 January`.
fn with_day(lexemes: &Lexemes, end: usize) -> usize {
    let start = joint(lexemes, end);
    let start = weekday_ahead(lexemes, start).unwrap_or(start);
    if start == end {
        return end;
    }
    day(lexemes, start).and_then(|end| closed(lexemes, end)).unwrap_or(end)
}

/// Behind what can stand between a date and a time, which may be nothing.
fn joint(lexemes: &Lexemes, at: usize) -> usize {
    let mut end = lexemes.space(at);
    end = lexemes.sign(end, ",、·•|–—-@").unwrap_or(end);
    end = lexemes.space(end);
    for _ in 0..2 {
        end = lexemes.role(end, Role::At).map_or(end, |behind| lexemes.space(behind));
    }
    end
}

/// Behind a weekday and what ties it to a date or time: `Wed, `, `Montag, den `.
fn weekday_ahead(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let mut end = lexemes.role(at, Role::Weekday)?;
    if lexemes.sign(end, "-").is_some() && lexemes.text(end + 1) == "feira" {
        end += 2;
    }
    let dotted = lexemes.sign(end, ".").unwrap_or(end);
    let shortest = if lexemes.kind(at) == Some(Kind::Letters) { 3 } else { 2 };
    let is_short = lexemes.text(at).chars().count() < shortest;
    if is_short && dotted == end && lexemes.sign(end, ",").is_none() {
        return None;
    }
    Some(joint(lexemes, dotted)).filter(|&behind| behind > end)
}

/// Behind a day with the weekday that follows it: `2024-01-31 (Wed)`, `1月31日 水曜日`.
fn day(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let end = numeric(lexemes, at).or_else(|| compact(lexemes, at)).or_else(|| signed(lexemes, at));
    let end = end.or_else(|| day_and_month(lexemes, at)).or_else(|| month_and_day(lexemes, at));
    let end = end.or_else(|| year_month_day(lexemes, at))?;
    Some(weekday_behind(lexemes, lexemes.space(end)).unwrap_or(end))
}

fn weekday_behind(lexemes: &Lexemes, at: usize) -> Option<usize> {
    if let Some(name) = lexemes.sign(at, "(（") {
        let end = lexemes.role(name, Role::Weekday)?;
        return lexemes.sign(lexemes.sign(end, ".").unwrap_or(end), ")）");
    }
    let end = lexemes.role(at, Role::Weekday)?;
    let is_name = lexemes.kind(at) == Some(Kind::Glyphs) && lexemes.text(at).chars().count() > 1;
    is_name.then_some(end)
}

/// `2024-01-31`, `31/01/2024`, `1/31/24`, `31.01.2024`, `2024. 1. 31.`
fn numeric(lexemes: &Lexemes, at: usize) -> Option<usize> {
    SEPARATORS.into_iter().find_map(|signs| numeric_with(lexemes, at, signs))
}

fn numeric_with(lexemes: &Lexemes, first: usize, signs: &str) -> Option<usize> {
    let number_behind = |at| {
        let end = lexemes.sign(at, signs)?;
        Some(if signs.contains('.') { lexemes.space(end) } else { end })
    };
    let second = number_behind(first + 1)?;
    let third = number_behind(second + 1)?;
    let is_spaced = third > first + 4;
    if year(lexemes, first).is_some() && month_number(lexemes, second).is_some() {
        let end = day_number(lexemes, third)?;
        return Some(if is_spaced { lexemes.sign(end, signs).unwrap_or(end) } else { end });
    }
    let is_day = month_number(lexemes, first).and(day_number(lexemes, second)).is_some()
        || day_number(lexemes, first).and(month_number(lexemes, second)).is_some();
    let short_year = || {
        let is_exact = |at| lexemes.digits(at, 2..=2, 1..=31).is_some();
        let is_version = is_spaced || !(signs.contains('/') || (is_exact(first) && is_exact(second)));
        lexemes.digits(third, 2..=2, 0..=99).filter(|_| !is_version)
    };
    year(lexemes, third).or_else(short_year).filter(|_| is_day)
}

/// `20240131`, but only with a time behind it.
fn compact(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let end = lexemes.digits(at, 8..=8, 10_000_101..=29_991_231)?;
    let time = Some(end + 1).filter(|_| lexemes.text(end).eq_ignore_ascii_case("t"))?;
    let behind = lexemes.digits(time, 6..=6, 0..=235_960).or_else(|| lexemes.digits(time, 4..=4, 0..=2359))?;
    Some(clock::zone(lexemes, behind).unwrap_or(behind))
}

/// `2024年1月31日`, `1월 31일`, `2024年1月`
fn signed(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let part = |number: Option<usize>, sign| lexemes.role(lexemes.space(number?), sign).map(|end| lexemes.space(end));
    let month = part(lexemes.digits(at, 1..=4, 1..=2999), Role::YearSign).unwrap_or(at);
    let behind_month = part(month_number(lexemes, month), Role::MonthSign)?;
    let has_year = month > at && year(lexemes, at).is_some();
    let day = day_number(lexemes, behind_month).and_then(|end| lexemes.role(end, Role::DaySign));
    day.or_else(|| has_year.then(|| behind_month - usize::from(lexemes.kind(behind_month - 1) == Some(Kind::Space))))
}

/// `31 January 2024`, `31. Januar`, `1er janvier 2024`, `31 de enero de 2024`, `31-Jan-2024`
fn day_and_month(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let end = days(lexemes, at)?;
    let dotted = lexemes.sign(end, ".").map(|dot| lexemes.space(dot));
    let month = of(lexemes, dotted.or_else(|| gap(lexemes, end))?);
    let end = month_name(lexemes, month)?;
    let with_year = year_behind(lexemes, end).or_else(|| {
        let year = lexemes.sign(end, "-").filter(|_| lexemes.text(month - 1) == "-")?;
        lexemes.digits(year, 2..=2, 0..=99)
    });
    with_year.or_else(|| is_month_without_year(lexemes, month).then(|| undotted(lexemes, end)))
}

/// `January 31, 2024`, `Jan 31st`, `January 2024`
fn month_and_day(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let end = month_name(lexemes, at)?;
    let number = gap(lexemes, end);
    let Some(day) = number.and_then(|number| days(lexemes, number)) else {
        return year_behind(lexemes, end).filter(|_| is_month_without_year(lexemes, at));
    };
    year_behind(lexemes, day).or_else(|| is_month_without_year(lexemes, at).then_some(day))
}

/// `2024 January 31`, `2024-Jan-31`
fn year_month_day(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let month = gap(lexemes, year(lexemes, at)?)?;
    let day = gap(lexemes, month_name(lexemes, month)?)?;
    days(lexemes, day)
}

/// Behind a month with the dot of its abbreviation.
fn month_name(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let end = lexemes.role(at, Role::Month)?;
    Some(lexemes.sign(end, ".").unwrap_or(end))
}

/// A full stop behind the last word of a date ends the sentence.
fn undotted(lexemes: &Lexemes, end: usize) -> usize {
    end - usize::from(lexemes.text(end - 1) == ".")
}

/// "5 may be" and "5 out of 10" are no dates.
fn is_month_without_year(lexemes: &Lexemes, at: usize) -> bool {
    let has_capital = lexemes.text(at).starts_with(char::is_uppercase);
    lexemes.role(at, Role::Doubtful).is_none() && (has_capital || lexemes.role(at, Role::Prose).is_none())
}

fn year_behind(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let end = lexemes.sign(at, ",").unwrap_or(at);
    year(lexemes, of(lexemes, gap(lexemes, end)?))
}

/// Behind a space or hyphen.
fn gap(lexemes: &Lexemes, at: usize) -> Option<usize> {
    lexemes.sign(at, SEPARATORS[0]).or_else(|| Some(lexemes.space(at)).filter(|&end| end > at))
}

/// Behind "of " or "de ".
fn of(lexemes: &Lexemes, at: usize) -> usize {
    lexemes.role(at, Role::Of).and_then(|end| gap(lexemes, end)).unwrap_or(at)
}

/// `31`, `1st`, `1-5`, `1st–5th`
fn days(lexemes: &Lexemes, at: usize) -> Option<usize> {
    let end = ordinal(lexemes, day_number(lexemes, at)?);
    let last = lexemes.sign(end, "-–—").and_then(|last| day_number(lexemes, last));
    Some(last.map_or(end, |last| ordinal(lexemes, last)))
}

fn ordinal(lexemes: &Lexemes, at: usize) -> usize {
    lexemes.role(at, Role::Ordinal).unwrap_or(at)
}

fn year(lexemes: &Lexemes, at: usize) -> Option<usize> {
    lexemes.digits(at, 4..=4, 1000..=2999)
}

fn month_number(lexemes: &Lexemes, at: usize) -> Option<usize> {
    lexemes.digits(at, 1..=2, 1..=12)
}

fn day_number(lexemes: &Lexemes, at: usize) -> Option<usize> {
    lexemes.digits(at, 1..=2, 1..=31)
}
