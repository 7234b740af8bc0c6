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
    columns(&std::iter::once(heading.map(str::to_owned)).chain(rows).map(Vec::from).collect::<Vec<_>>())
}

/// The same for rows of any length, the heading first.
pub(super) fn columns(rows: &[Vec<String>]) -> String {
    let most = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..most).map(|at| width(at).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, width))| match at {
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
