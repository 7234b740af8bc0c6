//! What was found, for a terminal: what the main detector found with its reasons, then a line for every other
//! one.

mod strip;

use anstyle::{Ansi256Color, Color, Style};
use driftline::redesign::{Detector, Verdict};
use unicode_width::UnicodeWidthStr;

use super::{Course, Suspected};
use crate::summary::numbers::{counted, grouped};
use crate::summary::percent;
use crate::summary::safe::for_terminal;
use crate::view::mark::{dim, painted};
use crate::view::regions::shortened;

/// How many reports are described; outliers are only counted.
const MOST_FOUND: usize = 20;
/// How many blocks of a template are named.
const MOST_BLOCKS: usize = 6;
/// How many documents are listed for a detector.
const MOST_REPORTS: usize = 12;
/// Columns before what belongs to a document.
const INDENT: &str = "    ";

/// What the stream showed, for a terminal of so many columns.
#[must_use]
pub fn text(course: &Course, width: usize, colour: bool) -> String {
    let mut page = Page { text: String::new(), width: width.max(20), colour };
    page.line(&for_terminal(course.name()), dim());
    page.line(&headline(course), Style::new().bold());
    for note in notes(course) {
        page.line(&note, dim());
    }
    page.text.push('\n');
    page.text.push_str(&strip::strip(course, page.width, colour));
    let (described, outliers): (Vec<_>, Vec<_>) =
        course.suspected().filter(|suspected| suspected.is_told()).partition(|suspected| !suspected.is_outlier());
    for suspected in described.iter().take(MOST_FOUND) {
        describe(&mut page, suspected);
    }
    if described.len() > MOST_FOUND {
        page.line(&format!("… and {} more", grouped(described.len() - MOST_FOUND)), dim());
        page.text.push('\n');
    }
    summarise(&mut page, "reported, then taken back", &outliers, 0);
    let quiet: Vec<_> = course.suspected().filter(|suspected| !suspected.is_told()).collect();
    summarise(&mut page, "not reported", &quiet, course.earlier_suspicions());
    others(&mut page, course);
    page.text.truncate(page.text.trim_end().len());
    page.text.push('\n');
    page.text
}

/// The text so far.
struct Page {
    text: String,
    width: usize,
    colour: bool,
}

impl Page {
    /// Adds a line, cut where the terminal ends; nothing is no line.
    fn line(&mut self, line: &str, style: Style) {
        if line.is_empty() {
            return;
        }
        self.text.push_str(&painted(style, &shortened(line, self.width), self.colour));
        self.text.push('\n');
    }
}

/// `2 redesigns (1 not settled yet), 1 rollback in 225 documents`.
fn headline(course: &Course) -> String {
    let documents = counted(course.documents(), "document");
    if course.main_detector().is_none() {
        return documents;
    }
    let count = |is_kind: fn(&Suspected) -> bool| course.suspected().filter(|suspected| is_kind(suspected)).count();
    let redesigns = count(Suspected::is_redesign);
    let open = count(|suspected| suspected.is_redesign() && suspected.verdict() == Verdict::Open);
    let redesigns = match (redesigns, open) {
        (0, _) => "No redesign".to_owned(),
        (_, 0) => counted(redesigns, "redesign"),
        (1, _) => "1 redesign (not settled yet)".to_owned(),
        _ => format!("{} ({} not settled yet)", counted(redesigns, "redesign"), grouped(open)),
    };
    match count(Suspected::is_rollback) {
        0 => format!("{redesigns} in {documents}"),
        rollbacks => format!("{redesigns}, {} in {documents}", counted(rollbacks, "rollback")),
    }
}

fn notes(course: &Course) -> Vec<String> {
    let mut notes = Vec::new();
    if course.skipped() > 0 {
        notes.push(format!("{} could not be read", counted(course.skipped(), "document")));
    }
    let earlier = course.main_detector().map_or(0, |detector| course.earlier_reports(detector));
    if earlier > 0 {
        notes.push(format!("and {}, which are no longer kept", counted(earlier, "earlier report")));
    }
    let history = course.parameters().history;
    if course.documents() <= history {
        let history = grouped(history);
        notes.push(format!("each is to be compared with {history} before it: there are not enough yet"));
    }
    notes
}

/// A report with its verdict and what changed in the template.
fn describe(page: &mut Page, suspected: &Suspected) {
    let style = if suspected.is_redesign() { orange() } else { Style::new() };
    page.line(&heading(suspected), style.bold());
    page.line(&format!("{INDENT}{}", verdict(suspected)), Style::new());
    if let Some(certainty) = certainty(suspected) {
        page.line(&format!("{INDENT}{certainty}"), dim());
    }
    if let Some(template) = &suspected.template {
        for (fate, blocks) in [("went", &template.went), ("came", &template.came)] {
            if !blocks.is_empty() {
                let blocks: Vec<Item> =
                    blocks.iter().map(|block| Item::one(for_terminal(block).into_owned())).collect();
                let list = listed(&blocks, MOST_BLOCKS, page.width.saturating_sub(INDENT.len() + 6));
                page.line(&format!("{INDENT}{fate}: {list}"), Style::new());
            }
        }
    }
    page.text.push('\n');
}

fn heading(suspected: &Suspected) -> String {
    let number = format!("document {}", grouped(suspected.document));
    match &suspected.name {
        Some(name) => format!("{number}  {}", for_terminal(name)),
        None => number,
    }
}

/// What it is, in plain words. A verdict that takes a report back is said with when it was given.
fn verdict(suspected: &Suspected) -> String {
    let what = match suspected.verdict() {
        Verdict::Open => return "still open: a new design, or something that will pass".to_owned(),
        Verdict::Redesign => return "redesign".to_owned(),
        Verdict::Rollback => {
            let certainty = percent(suspected.latest.certainty);
            return format!("rollback: the design before is back, certainty {certainty}");
        }
        Verdict::Outlier => "outlier, unlike all others",
        Verdict::Section => "section with its own template, beside the others",
        Verdict::Temporary => "temporary layout",
    };
    format!("{what}: withdrawn {}", later(suspected, suspected.latest.at))
}

/// When it was reported, how certain it was then, and is now if it still stands.
fn certainty(suspected: &Suspected) -> Option<String> {
    let reported = suspected.reported?;
    let then = percent(reported.certainty);
    let said = format!("reported {}, certainty {then}", later(suspected, reported.at));
    let has_changed = suspected.is_redesign() && suspected.latest != reported;
    Some(if has_changed { format!("{said} then, {} now", percent(suspected.latest.certainty)) } else { said })
}

/// How long after the document.
fn later(suspected: &Suspected, at: usize) -> String {
    match at.saturating_sub(suspected.document) {
        0 => "at once".to_owned(),
        delay => format!("{} later", counted(delay, "document")),
    }
}

/// Suspicions that came to nothing, in a line: `not reported: 1 section (26), 1 outlier (22)`.
fn summarise(page: &mut Page, what: &str, suspected: &[&Suspected], earlier: usize) {
    let kinds = [
        (Verdict::Open, "open suspicion"),
        (Verdict::Redesign, "redesign"),
        (Verdict::Temporary, "temporary layout"),
        (Verdict::Section, "section"),
        (Verdict::Outlier, "outlier"),
    ];
    let of = |kind: Verdict| -> Vec<Item> {
        let alike = suspected.iter().filter(|suspected| suspected.verdict() == kind);
        alike.map(|suspected| Item::one(grouped(suspected.document))).collect()
    };
    let kinds: Vec<(&str, Vec<Item>)> =
        kinds.into_iter().map(|(kind, noun)| (noun, of(kind))).filter(|(_, numbers)| !numbers.is_empty()).collect();
    if kinds.is_empty() && earlier == 0 {
        return;
    }
    let tell = |most: usize| {
        let kind = |(noun, numbers): &(&str, Vec<Item>)| {
            format!("{} ({})", counted(numbers.len(), noun), listed(numbers, most, usize::MAX))
        };
        let earlier = (earlier > 0).then(|| format!("and {}", counted(earlier, "earlier one")));
        format!("{what}: {}", kinds.iter().map(kind).chain(earlier).collect::<Vec<_>>().join(", "))
    };
    let most = (1..=MOST_REPORTS).rev().find(|&most| tell(most).width() <= page.width);
    page.line(&tell(most.unwrap_or(1)), dim());
    page.text.push('\n');
}

/// A line for every other detector.
fn others(page: &mut Page, course: &Course) {
    for &detector in course.detectors().iter().filter(|&&detector| course.main_detector() != Some(detector)) {
        let mut numbers = reported(course, detector);
        numbers.sort_unstable();
        numbers.dedup();
        let earlier = match course.earlier_reports(detector) {
            0 => String::new(),
            count => format!(" and {}", counted(count, "earlier one")),
        };
        let head = match numbers.len() {
            0 => format!("{:<13} no report", detector.name()),
            count => format!("{:<13} {}{earlier}: ", detector.name(), counted(count, "report")),
        };
        let list = listed(&runs(&numbers), MOST_REPORTS, page.width.saturating_sub(head.chars().count()));
        page.line(&format!("{head}{list}"), Style::new());
    }
}

/// The documents that a detector reported.
fn reported(course: &Course, detector: Detector) -> Vec<usize> {
    let reports = course.reports(detector).map(|reported| reported.report.document);
    reports.chain(course.found_by(detector).map(|(suspected, _)| suspected.document)).collect()
}

/// Words in a list, and how many things they stand for.
#[derive(Debug, PartialEq)]
struct Item {
    words: String,
    count: usize,
}

impl Item {
    fn one(words: String) -> Self {
        Self { words, count: 1 }
    }
}

/// Neighbours as one: `9, 35–38`.
fn runs(numbers: &[usize]) -> Vec<Item> {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let words = |run: &[usize]| match run {
        [first, .., last] => format!("{}–{}", grouped(*first), grouped(*last)),
        _ => run.iter().map(|number| grouped(*number)).collect(),
    };
    runs.map(|run| Item { words: words(run), count: run.len() }).collect()
}

/// As many items as fit, at most so many, then how many more things there are.
fn listed(items: &[Item], most: usize, columns: usize) -> String {
    let list = |shown: usize| {
        let (shown, rest) = items.split_at(shown);
        let words: Vec<&str> = shown.iter().map(|item| item.words.as_str()).collect();
        match rest.iter().map(|item| item.count).sum() {
            0 => words.join(", "),
            more => format!("{} and {} more", words.join(", "), grouped(more)),
        }
    };
    let fits = |shown: &usize| list(*shown).width() <= columns;
    list((1..=items.len().min(most)).rev().find(fits).unwrap_or(items.len().min(1)))
}

fn orange() -> Style {
    Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(166))))
}

#[cfg(test)]
mod tests;
