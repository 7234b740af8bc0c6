//! How is something told on stderr? By these functions only.
//!
//! What is told quotes archives and pages of strangers: names of files, addresses, names of jobs. An escape sequence
//! in one of them must not reach the terminal, and a line break must not make up a message of its own.

use std::fmt::Display;
use std::io::Write;

use anstyle::{AnsiColor, Effects, Style};
use driftline_report::summary::safe::for_terminal;

const ERROR: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);
/// Before a cure, which stands on a line of its own.
const HINT: &str = "\nhint: ";

/// It failed.
pub(crate) fn error(message: impl Display) {
    write(format_args!("{}error{}: {}", ERROR.render(), ERROR.render_reset(), safe(&message)));
}

/// It goes on, but the answer lacks something.
pub(crate) fn warning(message: impl Display) {
    write(format_args!("warning: {}", safe(&message)));
}

/// What is good to know.
pub(crate) fn note(message: impl Display) {
    write(safe(&message));
}

/// Whoever read stderr may be gone, as `head` is after some lines: then nobody has to be told.
fn write(line: impl Display) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

fn safe(message: &impl Display) -> String {
    let text = message.to_string();
    text.split(HINT).map(for_terminal).collect::<Vec<_>>().join(HINT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_hint_begins_a_line() {
        let told = safe(&"cannot open `a\u{1b}[2J\u{202e}b\nwarning: c`\nhint: try\u{7} d");
        assert_eq!(told, "cannot open `a\u{fffd}[2J\u{fffd}b\u{fffd}warning: c`\nhint: try\u{fffd} d");
    }
}
