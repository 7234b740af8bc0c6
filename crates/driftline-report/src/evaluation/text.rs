//! Paragraphs for a terminal.

/// The columns of the terminals of people who never changed them, less one.
pub(super) const WIDTH: usize = 79;

/// Breaks a paragraph between words.
pub(super) fn wrap(paragraph: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in paragraph.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_broken_between_words() {
        let wrapped = wrap(&"word ".repeat(40));
        assert!(wrapped.lines().count() == 3 && wrapped.lines().all(|line| line.len() <= WIDTH));
        assert_eq!(wrap(&"w".repeat(200)).lines().count(), 1);
    }
}
