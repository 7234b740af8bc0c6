//! Where on the page did it change? Every line of both pages in one, numbered changes to go through.

use driftline::change::Sides;
use driftline::degree::edit::EditKind;
use maud::{Markup, html as markup};

use super::super::fold::{self, Passage};
use super::super::lines::{Extent, Line, Piece};
use super::super::mark::Mark;
use crate::summary::numbers::counted;
use crate::summary::safe;

/// Lines shown before and after a change; the others are folded, but there.
const CONTEXT: usize = 2;

/// The text with its changes, and the keys to go through them.
pub(super) fn body(lines: &[Line], edits: usize, language: &str) -> Markup {
    let changed: Vec<bool> = lines.iter().map(Line::is_changed).collect();
    let passages = fold::fold(&changed, Some(CONTEXT));
    let total =
        passages.iter().flat_map(|passage| blocks(lines, passage)).filter(|block| block[0].is_changed()).count();
    let mut writer =
        Writer { total, written: 0, has_anchor: Sides { older: vec![false; edits], newer: vec![false; edits] } };
    markup! {
        @if total > 0 { (walk(total)) }
        main lang=(language) {
            @for passage in &passages {
                @match passage {
                    Passage::Shown(_) => { @for block in blocks(lines, passage) { (writer.block(block)) } },
                    Passage::Folded(range) => (writer.folded(&lines[range.clone()])),
                }
            }
            @if lines.is_empty() { p.nothing lang="en" { "Neither page has text." } }
        }
    }
}

/// Buttons to go from change to change; the script shows them.
pub(in super::super) fn walk(total: usize) -> Markup {
    markup! {
        nav #walk aria-label="Changes" hidden {
            button #previous type="button" aria-keyshortcuts="p k" { "↑ Previous " kbd { "p" } }
            button #next type="button" aria-keyshortcuts="n j" { "↓ Next " kbd { "n" } }
            output #at aria-live="polite" { (counted(total, "change")) }
        }
    }
}

/// The blocks of shown lines: unchanged ones, whole lines that came or went, single lines of which
/// a part changed.
fn blocks<'a, 'b>(lines: &'b [Line<'a>], passage: &Passage) -> impl Iterator<Item = &'b [Line<'a>]> {
    let shown = match passage {
        Passage::Shown(range) => &lines[range.clone()],
        Passage::Folded(_) => &[],
    };
    shown.chunk_by(|one, next| match (one.extent(), next.extent()) {
        (Extent::Part, _) | (_, Extent::Part) => false,
        (one, next) => (one == Extent::Nothing) == (next == Extent::Nothing),
    })
}

/// What a reader is told who points at words that came.
fn came(kind: EditKind) -> &'static str {
    match kind {
        EditKind::Replace => "put in the place of others",
        kind => kind.participle(),
    }
}

struct Writer {
    /// How many changes there are.
    total: usize,
    written: usize,
    /// Was the place of a moved passage given its name?
    has_anchor: Sides<Vec<bool>>,
}

impl Writer {
    fn block(&mut self, lines: &[Line]) -> Markup {
        if !lines[0].is_changed() {
            return markup! { @for line in lines { (self.line(line)) } };
        }
        self.written += 1;
        let name = format!("change-{}", self.written);
        markup! {
            div.change id=(name) tabindex="-1" role="group" aria-label=(format!("change {} of {}", self.written, self.total)) {
                a.number href=(format!("#{name}")) aria-label="link to this change" { (self.written) }
                @for line in lines { (self.line(line)) }
            }
        }
    }

    fn folded(&mut self, lines: &[Line]) -> Markup {
        markup! {
            details.folded {
                summary lang="en" { (fold::describe(lines.len())) }
                @for line in lines { (self.line(line)) }
            }
        }
    }

    fn line(&mut self, line: &Line) -> Markup {
        let class = match line.extent() {
            Extent::Nothing => None,
            Extent::Part => Some("part"),
            Extent::Gone => Some("gone"),
            Extent::New => Some("new"),
        };
        markup! { p dir="auto" class=[class] { @for piece in &line.pieces { (self.piece(piece)) } } }
    }

    fn piece(&mut self, piece: &Piece) -> Markup {
        let text = safe::for_html(piece.text);
        match (piece.mark, piece.edit) {
            (Mark::Same, _) => markup! { (text) },
            (mark, Some(edit)) if mark.kind() == Some(EditKind::Move) => self.moved(mark, edit, &text),
            (Mark::Removed(kind), _) => markup! { del class=(kind.name()) title=(kind.participle()) { (text) } },
            (Mark::Inserted(kind), _) => markup! { ins class=(kind.name()) title=(came(kind)) { (text) } },
        }
    }

    /// A moved passage leads to its other place.
    fn moved(&mut self, mark: Mark, edit: usize, text: &str) -> Markup {
        let (from, to) = (format!("from-{edit}"), format!("to-{edit}"));
        let is_removed = matches!(mark, Mark::Removed(_));
        let seen = if is_removed { &mut self.has_anchor.older } else { &mut self.has_anchor.newer };
        let is_first = seen.get_mut(edit).is_some_and(|seen| !std::mem::replace(seen, true));
        let (own, other) = if is_removed { (&from, &to) } else { (&to, &from) };
        let name = is_first.then_some(own);
        let link = format!("#{other}");
        markup! {
            @if is_removed {
                del.move id=[name] { a href=(link) title="moved: go to where it is now" { (text) } }
            } @else {
                ins.move id=[name] { a href=(link) title="moved: go to where it was" { (text) } }
            }
        }
    }
}
