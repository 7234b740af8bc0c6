//! What does every metric say? A line each: its name, the degree, a bar, and what it looks at.

use anstyle::{Ansi256Color, Color, Style};
use driftline::change::Change;
use driftline::degree::Metric;

use super::mark::{dim, painted};

/// Columns of a full bar.
const BAR: u32 = 10;
/// A bar's last block: from an eighth to seven eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// The degree by every metric, a line each: name, number, bar, what it looks at.
#[must_use]
pub fn metrics(change: &Change, colour: bool) -> String {
    Metric::ALL.iter().map(|&metric| line(change, metric, colour)).collect()
}

fn line(change: &Change, metric: Metric, colour: bool) -> String {
    let degree = change.measurement.degree.by(metric).get();
    let name = format!("{:<11}", metric.name());
    let name_style = if metric == Metric::Ied { Style::new().bold() } else { Style::new() };
    let bar_style = Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(32))));
    let bar = bar(degree);
    let blanks = " ".repeat(BAR as usize - bar.chars().count());
    let raw = change.measurement.raw.by(metric).filter(|raw| *raw > 1.0);
    let note = raw.map(|raw| format!(" ({raw:.4} before it is held to 1)")).unwrap_or_default();
    format!(
        "{}  {degree:.4}  {}{blanks}  {}\n",
        painted(name_style, &name, colour),
        painted(bar_style, &bar, colour),
        painted(dim(), &format!("{}{note}", metric.looks_at()), colour)
    )
}

/// A bar in eighths of a block: empty only for 0, full only for 1.
fn bar(degree: f64) -> String {
    let all = BAR * 8;
    let reached = (1..all).filter(|&step| f64::from(step) - 0.5 <= degree * f64::from(all)).count();
    let eighths = match degree {
        0.0 => 0,
        1.0 => all as usize,
        _ => reached.max(1),
    };
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Pair;

    #[test]
    fn every_metric_has_a_line() {
        let change = Pair::of("<p>one two three four five six", "<p>one two three four seven").change;
        insta::assert_snapshot!(metrics(&change, false), @"
        bw           1.0000  ██████████  any byte at all
        cos          0.2697  ██▊         which words, in which proportion
        wd           0.2727  ██▊         which words, how often
        ed           0.2727  ██▊         words in order, added or dropped
        shingle      1.0000  ██████████  runs of words
        ied          0.3333  ███▍        words in order, six kinds of change
        ied_refined  0.3333  ███▍        the same, a replacement where it is cheaper
        ied_gap      0.3333  ███▍        the same, replacements between the same common words
        ");
    }

    #[test]
    fn a_degree_held_to_1_tells_what_it_was() {
        let mut change = Pair::of("<p>a b", "<p>x y").change;
        change.measurement.raw.ied = 1.25;
        let lines = metrics(&change, false);
        assert!(lines.contains("six kinds of change (1.2500 before it is held to 1)\n"), "{lines}");
    }

    #[test]
    fn a_bar_is_empty_only_for_0_and_full_only_for_1() {
        let bars = [0.0, 0.0001, 0.05, 0.5, 0.9999, 1.0].map(bar);
        assert_eq!(bars, ["", "▏", "▌", "█████", "█████████▉", "██████████"]);
    }
}
