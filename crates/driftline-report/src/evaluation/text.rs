//! Paragraphs for a terminal.

/// The columns of the terminals of people who never changed them, less one.
pub(super) const WIDTH: usize = 79;

/// Breaks a paragraph between words.
pub(super) fn wrap(paragraph: &str) -> String {
    broken(paragraph, WIDTH).join("\n")
}

/// Breaks an item of a list, its lines below its first word.
pub(super) fn item(sentence: &str) -> String {
    format!("- {}", broken(sentence, WIDTH - 2).join("\n  "))
}

fn broken(paragraph: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in paragraph.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Lines with columns as wide as they must be, the first flush left.
pub(super) fn table<const N: usize>(heading: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let rows: Vec<[String; N]> = std::iter::once(heading.map(str::to_owned)).chain(rows).collect();
    let widths: [usize; N] =
        std::array::from_fn(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0));
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).enumerate().map(|(at, (cell, width))| match at {
            0 => format!("{cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        });
        cells.collect::<String>()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_broken_between_words() {
        let wrapped = wrap(&"word ".repeat(40));
        assert!(wrapped.lines().count() == 3 && wrapped.lines().all(|line| line.len() <= WIDTH));
        assert_eq!(wrap(&"w".repeat(200)).lines().count(), 1);
        let item = item(&"w ".repeat(60));
        assert!(item.starts_with("- w") && item.contains("\n  w") && item.lines().all(|line| line.len() <= WIDTH));
    }
}
