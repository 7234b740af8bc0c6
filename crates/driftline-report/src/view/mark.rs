//! How is a changed word told from an unchanged one, with colours and without?
//!
//! Without colours by brackets, after `wdiff`: square ones hold what went, curly ones what came,
//! and the sign inside says how. With colours what went is struck through and what came underlined,
//! so that colour is never the only sign. The colours stand for the six kinds; they are near Okabe
//! and Ito's, which colour-blind readers can tell apart, and as dark as allows reading them on black
//! as well as on white (4:1 or more on either).

use anstyle::{Ansi256Color, Color, Style};
use driftline::degree::edit::EditKind;

/// What happened to a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Nothing.
    Same,
    /// It went.
    Removed(EditKind),
    /// It came.
    Inserted(EditKind),
}

impl Mark {
    pub(super) fn is_change(self) -> bool {
        self != Self::Same
    }

    pub(super) fn kind(self) -> Option<EditKind> {
        match self {
            Self::Same => None,
            Self::Removed(kind) | Self::Inserted(kind) => Some(kind),
        }
    }

    /// What stands before and after the text where there are no colours.
    pub(super) fn brackets(self) -> (&'static str, &'static str) {
        match self {
            Self::Same => ("", ""),
            Self::Removed(kind) => match kind {
                EditKind::Add | EditKind::Drop => ("[-", "-]"),
                EditKind::Copy | EditKind::Shrink => ("[=", "=]"),
                EditKind::Replace => ("[~", "~]"),
                EditKind::Move => ("[<", "<]"),
            },
            Self::Inserted(kind) => match kind {
                EditKind::Add | EditKind::Drop => ("{+", "+}"),
                EditKind::Copy | EditKind::Shrink => ("{=", "=}"),
                EditKind::Replace => ("{~", "~}"),
                EditKind::Move => ("{>", ">}"),
            },
        }
    }

    /// How the text is painted where there are colours.
    pub(super) fn style(self) -> Style {
        match self {
            Self::Same => Style::new(),
            Self::Removed(kind) => paint(kind).strikethrough(),
            Self::Inserted(kind) => paint(kind).underline(),
        }
    }
}

fn paint(kind: EditKind) -> Style {
    let (colour, style) = match kind {
        EditKind::Add => (29, Style::new().bold()),
        EditKind::Drop => (166, Style::new().bold()),
        EditKind::Copy => (32, Style::new()),
        EditKind::Shrink => (136, Style::new()),
        EditKind::Replace => (132, Style::new().bold()),
        EditKind::Move => (97, Style::new().italic()),
    };
    style.fg_color(Some(Color::Ansi256(Ansi256Color(colour))))
}

/// What is less important than the text.
pub(crate) fn dim() -> Style {
    Style::new().dimmed()
}

/// Text in a style, if there are colours.
pub(crate) fn painted(style: Style, text: &str, colour: bool) -> String {
    if colour && style != Style::new() && !text.is_empty() {
        format!("{}{text}{}", style.render(), style.render_reset())
    } else {
        text.to_owned()
    }
}

/// A line that explains the marks of these kinds, 80 columns at most, and an empty one; nothing
/// without kinds.
pub(super) fn legend(kinds: &[EditKind], colour: bool) -> String {
    let entries: Vec<String> = kinds.iter().map(|&kind| entry(kind, colour)).collect();
    match entries.join(" ").trim_end() {
        "" => String::new(),
        line => format!("{line}\n\n"),
    }
}

fn entry(kind: EditKind, colour: bool) -> String {
    let removed = |text: &str| sample(Mark::Removed(kind), text, colour);
    let inserted = |text: &str| sample(Mark::Inserted(kind), text, colour);
    match kind {
        EditKind::Add | EditKind::Copy => inserted(kind.participle()),
        EditKind::Drop | EditKind::Shrink => removed(kind.participle()),
        EditKind::Replace => format!("{}{}", removed("replaced"), inserted("by")),
        EditKind::Move => format!("{}{}", removed("moved"), inserted("here")),
    }
}

fn sample(mark: Mark, text: &str, colour: bool) -> String {
    if colour {
        return painted(mark.style(), text, colour) + " ";
    }
    let (open, close) = mark.brackets();
    format!("{open}{text}{close}")
}
