//! Where did it change, read in a terminal? The regions that matter most, a bar and a few lines each.

use anstyle::{Ansi256Color, Color, Style};
use driftline::region::{Region, RegionKind, ResourceChange, ResourceFate};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::mark::{dim, painted};
use super::{Comparison, TextOptions};
use crate::summary::numbers::counted;
use crate::summary::safe::for_terminal;
use crate::summary::{line, percent, sentence};

/// Segments of a severity bar.
const SEGMENTS: usize = 10;
/// Columns before the second line of a region: the bar and a blank.
const INDENT: usize = SEGMENTS + 1;

/// The changed regions, the most important first, at most `most`; then the resources lost and
/// gained, and the title if it changed. Nothing for pages without a change.
#[must_use]
pub fn regions(comparison: &Comparison, most: usize, options: &TextOptions) -> String {
    let change = comparison.change;
    let mut ranked: Vec<&Region> = change.regions.iter().collect();
    let rank = |region: &Region| (region.importance.score, region.severity);
    // Stable: equals stay in the order of the page.
    ranked.sort_by(|one, other| rank(other).partial_cmp(&rank(one)).unwrap_or(std::cmp::Ordering::Equal));
    let mut out = String::new();
    if !change.is_empty() {
        for line in filled(&head(comparison), options.width) {
            push_line(&mut out, &line, options.width, Style::new(), options.colour);
        }
    }
    ranked.iter().take(most).for_each(|region| push_region(&mut out, region, options));
    let more = |count: usize| format!("… and {} (--regions all)", counted(count, "more region"));
    if ranked.len() > most {
        push_line(&mut out, &more(ranked.len() - most), options.width, dim(), options.colour);
    }
    if let Some(title) = &change.title {
        let line = for_terminal(&line::title(title)).into_owned();
        push_line(&mut out, &line, options.width, Style::new(), options.colour);
    }
    push_resources(&mut out, &change.resources, most, options);
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn head(comparison: &Comparison) -> Vec<String> {
    let change = comparison.change;
    let count = counted(change.regions.len(), "region");
    let mut why = change.importance.why().into_iter().map(|why| for_terminal(&why).into_owned());
    let first = why.next().map_or_else(String::new, |why| format!(": {why}"));
    [format!("{count}, importance {}{first}", percent(change.importance.score))].into_iter().chain(why).collect()
}

fn push_region(out: &mut String, region: &Region, options: &TextOptions) {
    let style = paint(region.kind());
    out.push_str(&painted(style, &bar(region.severity), options.colour));
    out.push(' ');
    let kind = format!("{:<9} ", region.kind().name());
    out.push_str(&painted(style.bold(), &kind, options.colour));
    let left = options.width.saturating_sub(INDENT + kind.len()).max(8);
    let selector = &region.shown().selector;
    let place = if selector.is_empty() { "the whole text" } else { selector };
    out.push_str(&shortened(&for_terminal(place), left));
    out.push('\n');
    let mut parts = vec![sentence::region(region)];
    parts.extend(region.importance.why().iter().map(|why| for_terminal(why).into_owned()));
    for line in filled(&parts, options.width.saturating_sub(INDENT).max(8)) {
        out.push_str(&" ".repeat(INDENT));
        out.push_str(&painted(dim(), &line, options.colour));
        out.push('\n');
    }
}

/// Phrases on as few lines of so many columns as hold them; a phrase is cut only if it fits no line.
fn filled(phrases: &[String], columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for phrase in phrases {
        match lines.last_mut() {
            Some(line) if line.width() + 2 + phrase.width() <= columns => line.extend(["; ", phrase]),
            _ => lines.push(shortened(phrase, columns)),
        }
    }
    lines
}

fn push_resources(out: &mut String, resources: &[ResourceChange], most: usize, options: &TextOptions) {
    for resource in resources.iter().take(most) {
        let (fate, style) = match resource.kind {
            ResourceFate::Lost => ("lost", paint(RegionKind::Removed)),
            ResourceFate::Gained => ("gained", paint(RegionKind::Added)),
        };
        let mut line = format!("{fate} {}  {}", resource.what.name(), for_terminal(&resource.url));
        if !resource.text.is_empty() {
            let text = resource.text.split_whitespace().collect::<Vec<_>>().join(" ");
            line = format!("{line} \"{}\"", for_terminal(&text));
        }
        push_line(out, &line, options.width, style, options.colour);
    }
    if resources.len() > most {
        let more = format!("… and {} (--regions all)", counted(resources.len() - most, "more resource"));
        push_line(out, &more, options.width, dim(), options.colour);
    }
}

fn push_line(out: &mut String, line: &str, width: usize, style: Style, colour: bool) {
    out.push_str(&painted(style, &shortened(line, width), colour));
    out.push('\n');
}

/// Severity as a bar that is never empty.
fn bar(severity: f64) -> String {
    #[expect(clippy::cast_sign_loss, reason = "a severity is from 0 to 1")]
    let full = ((severity * SEGMENTS as f64).round() as usize).clamp(1, SEGMENTS);
    "▰".repeat(full) + &"▱".repeat(SEGMENTS - full)
}

fn paint(kind: RegionKind) -> Style {
    let colour = match kind {
        RegionKind::Changed => 132,
        RegionKind::Added => 29,
        RegionKind::Removed => 166,
        RegionKind::Moved => 97,
        RegionKind::Copied => 32,
        RegionKind::Reordered => 136,
        _ => 245,
    };
    Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(colour))))
}

/// As much of a text as fits into so many columns.
pub(crate) fn shortened(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let fits = |char: &char| {
        let width = char.width().unwrap_or(0);
        let does = width <= left;
        left -= if does { width } else { left };
        does
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::sample::Pair;

    fn shown(older: &str, newer: &str, most: usize, options: &TextOptions) -> String {
        regions(&Pair::of(older, newer).comparison(), most, options)
    }

    /// The regions of a change with other grades, so that the list can be told apart from the detector.
    fn graded(older: &str, newer: &str, grades: &[(f64, f64)]) -> String {
        let mut pair = Pair::of(older, newer);
        for (region, (severity, score)) in pair.change.regions.iter_mut().zip(grades) {
            region.severity = *severity;
            (region.importance.score, region.importance.reasons) = (*score, Vec::new());
        }
        (pair.change.importance.score, pair.change.importance.reasons) = (0.5, Vec::new());
        regions(&pair.comparison(), 20, &TextOptions::default())
    }

    #[test]
    fn the_most_important_region_comes_first() {
        let page =
            |hours: &str, year: &str| format!("<main><p>Open to {hours}.</p></main><footer><p>© {year}</p></footer>");
        let grades = [(0.25, 0.9), (0.5, 0.1)];
        insta::assert_snapshot!(graded(&page("five", "2016"), &page("six", "2019"), &grades), @"
        2 regions, importance 50 %
        ▰▰▰▱▱▱▱▱▱▱ changed   main > p
                   content: 1 word replaced
        ▰▰▰▰▰▱▱▱▱▱ changed   footer > p
                   content: 1 word replaced
        ");
    }

    #[test]
    fn lost_links_and_a_new_title_are_told() {
        let older =
            "<title>Data</title><p>All of it: <a href='https://example.org/data.csv'>Download the dataset</a></p>";
        let newer = "<title>News</title><p>All of it: gone</p>";
        insta::assert_snapshot!(graded(older, newer, &[(0.6, 1.0)]), @r#"
        1 region, importance 50 %
        ▰▰▰▰▰▰▱▱▱▱ changed   body > p
                   content, structure, attributes: 2 words dropped, 1 replaced
        title: Data → News
        lost link  https://example.org/data.csv "Download the dataset"
        "#);
    }

    #[test]
    fn the_least_important_are_counted_only() {
        let block = |word: &str, number: usize| format!("<p id=p{number}>{word}{number} of {number}</p>");
        let page = |word: &str| (0..30).flat_map(|number| [block(word, number)]).collect::<String>();
        let text = shown(&page("a"), &page("b"), 2, &TextOptions::default());
        assert_eq!(text.lines().filter(|line| line.starts_with('▰')).count(), 2);
        assert!(text.contains("… and 28 more regions (--regions all)"), "{text}");
    }

    #[test]
    fn no_line_is_wider_than_the_screen_and_no_text_commands_it() {
        let older = "<p id='漢字漢字漢字漢字漢字漢字漢字漢字'>a</p><a href='http://x/\u{1b}[2J'>\u{1b}[2J</a>";
        let text = shown(
            older,
            "<p id='漢字漢字漢字漢字漢字漢字漢字漢字'>b</p>",
            20,
            &TextOptions { width: 30, ..TextOptions::default() },
        );
        assert!(text.lines().all(|line| line.width() <= 30), "{text}");
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn nothing_is_said_of_equal_pages() {
        assert_eq!(shown("<p>a", "<p>a", 20, &TextOptions::default()), "");
    }
}
