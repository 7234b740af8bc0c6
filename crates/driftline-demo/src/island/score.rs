//! How many planted changes were reported at the first check, and how many other messages there were.

use std::fmt;

use super::content::Content;
use super::{CHANGES, Change, Month};

/// The longest time from the first answer with a change to the one that is reported, in seconds: a watcher may repeat a
/// check at once.
const REPEATED: u64 = 180;
/// Words that fit any change, so that a message must show what was lost or gained too.
const ANY_CHANGE: [&str; 5] = ["added", "removed", "moved", "image", "link"];
/// Words in a row by which a message shows a text.
const SHOWN: usize = 3;

/// A message of a watcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    /// The time of the check that found it, in seconds since the start of the month.
    pub second: u64,
    /// The pages that it is about, by their addresses: `/news/000`.
    pub paths: Vec<String>,
    /// What it says.
    pub text: String,
}

/// What a watcher reported in the month.
#[derive(Debug, Clone)]
pub struct Score {
    /// The planted changes that were reported at the first check.
    pub reported: Vec<&'static Change>,
    /// Those that were reported at a later check.
    pub late: Vec<&'static Change>,
    /// Those that were not reported.
    pub missed: Vec<&'static Change>,
    /// The messages that reported a planted change.
    pub right: usize,
    /// The others.
    pub other: Vec<Alert>,
}

impl Score {
    /// The score of messages. `first` says when each change was served first. A change is reported by a message that is
    /// about its page, was found when the change was served first (or within three minutes), and names it: by whole words,
    /// and where these are words that fit any change (`removed`), by three words in a row of what was lost or gained too.
    #[must_use]
    pub fn of(month: &Month, alerts: &[Alert], first: &[Option<u64>; CHANGES.len()]) -> Self {
        let mut score = Self { reported: vec![], late: vec![], missed: vec![], right: 0, other: vec![] };
        let mut is_right = vec![false; alerts.len()];
        for (change, first) in CHANGES.iter().zip(first) {
            let Some(first) = *first else {
                score.missed.push(change);
                continue;
            };
            let texts = month.find(&change.path()).map(|page| edited(&page.content, change)).unwrap_or_default();
            let names = |at: &usize| alerts[*at].second >= first && change.is_named_by(&alerts[*at], &texts);
            let on_time: Vec<usize> =
                (0..alerts.len()).filter(names).filter(|at| alerts[*at].second <= first + REPEATED).collect();
            let found =
                if on_time.is_empty() { (0..alerts.len()).find(names).into_iter().collect() } else { on_time.clone() };
            match (on_time.is_empty(), found.is_empty()) {
                (false, _) => score.reported.push(change),
                (true, false) => score.late.push(change),
                (true, true) => score.missed.push(change),
            }
            found.into_iter().for_each(|at| is_right[at] = true);
        }
        score.right = is_right.iter().filter(|is_right| **is_right).count();
        score.other =
            alerts.iter().zip(&is_right).filter(|(_, is_right)| !**is_right).map(|(it, _)| it.clone()).collect();
        score
    }

    /// The share of the messages that report a planted change.
    #[must_use]
    pub fn precision(&self) -> f64 {
        share(self.right, self.right + self.other.len())
    }

    /// The share of the planted changes that were reported at the first check.
    #[must_use]
    pub fn recall(&self) -> f64 {
        share(self.reported.len(), CHANGES.len())
    }
}

impl Change {
    /// Whether a message names it; `texts` are those that it edits.
    fn is_named_by(&self, alert: &Alert, texts: &[String]) -> bool {
        if !alert.paths.contains(&self.path()) {
            return false;
        }
        let said = words(&alert.text);
        let has = |sought: &[&str]| said.windows(sought.len()).any(|row| row == sought);
        let is_said = |text: &&str| has(&words(text));
        let is_shown = |text: &String| {
            let words = words(text);
            words.windows(words.len().clamp(1, SHOWN)).any(has)
        };
        let is_any = |text: &str| ANY_CHANGE.contains(&text);
        self.says.iter().any(|text| is_said(text) && (!is_any(text) || texts.iter().any(is_shown)))
    }
}

/// The texts that a change adds or removes; of one that only moves something, those that stand elsewhere.
fn edited(content: &Content, change: &Change) -> Vec<String> {
    let mut newer = content.clone();
    (change.edit)(&mut newer);
    let (older, newer) = (content.all_texts(), newer.all_texts());
    let but = |texts: &[String], others: &[String]| -> Vec<String> {
        texts.iter().filter(|text| !others.contains(text)).cloned().collect()
    };
    let differs = [but(&older, &newer), but(&newer, &older)].concat();
    if !differs.is_empty() {
        return differs;
    }
    older.iter().zip(&newer).filter(|(older, newer)| older != newer).map(|(older, _)| older.clone()).collect()
}

/// The words of a text. `14:05` and `79.40` are one each.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut from = None;
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    for (at, sign) in text.char_indices() {
        let joins = matches!(sign, '.' | ',' | ':') && at > 0 && is_digit(at - 1) && is_digit(at + 1);
        match (sign.is_alphanumeric() || joins, from) {
            (true, None) => from = Some(at),
            (false, Some(start)) => {
                words.push(&text[start..at]);
                from = None;
            }
            _ => {}
        }
    }
    words.extend(from.map(|start| &text[start..]));
    words
}

fn share(some: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { some as f64 / all as f64 }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reported, late, missed, right, other } = self;
        write!(
            out,
            "{} of {} planted changes reported at the first check, {} later, {} missed; {} messages, of which {} report no \
             planted change; precision {:.3}, recall {:.3}",
            reported.len(),
            CHANGES.len(),
            late.len(),
            missed.len(),
            right + other.len(),
            other.len(),
            self.precision(),
            self.recall(),
        )
    }
}
