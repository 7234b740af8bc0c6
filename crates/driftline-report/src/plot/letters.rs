//! How much room does a text take? Measured with the font it is painted in.
//!
//! `DejaVu` Sans travels with the crate, so a figure looks the same on a machine without
//! fonts. It is also one of the widest common faces: an SVG shown in another sans-serif
//! needs less room than was measured, never more.

use std::sync::Once;

use plotters::style::{FontStyle, IntoFont, register_font};

/// The name the font is registered under in plotters.
pub(super) const FAMILY: &str = "sans-serif";
/// plotters' font sizes are 1.24 times the CSS font size (its SVG backend divides by it).
pub(super) const PLOTTERS_SIZE: f64 = 1.24;
/// Height above the baseline, as a share of the size.
pub(super) const ASCENT: f64 = 0.78;
/// Half the height of a digit: what to lower a baseline by to centre a number on a line.
pub(super) const HALF_DIGIT: f64 = 0.365;

/// Makes `DejaVu` Sans known to plotters, which otherwise fails with `FontUnavailable`.
pub(super) fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        register_font(FAMILY, FontStyle::Normal, dejavu::sans::regular()).ok().expect("DejaVu Sans is a valid font");
    });
}

/// The width of a line of text in pixels.
pub(super) fn width(text: &str, size: f64) -> f64 {
    register();
    // plotters answers in whole pixels; at 1,000 the rounding is lost.
    let (width, _) =
        (FAMILY, 1000.0 * PLOTTERS_SIZE).into_font().box_size(text).expect("the font was registered above");
    f64::from(width) * size / 1000.0
}

/// From one baseline to the next.
pub(super) fn leading(size: f64) -> f64 {
    size * 1.25
}

/// The height of a paragraph.
pub(super) fn height(lines: &[String], size: f64) -> f64 {
    lines.len() as f64 * leading(size)
}

/// The text broken at spaces into lines of at most `room` pixels. A word longer than that
/// is cut and ends in an ellipsis.
pub(super) fn wrap(text: &str, room: f64, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match (longer, lines.last_mut()) {
            (Some(longer), Some(line)) if width(&longer, size) <= room => *line = longer,
            _ => lines.push(cut(word, room, size)),
        }
    }
    lines
}

/// The text, or its longest start that fits with an ellipsis.
pub(super) fn cut(text: &str, room: f64, size: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let starts = text.char_indices().map(|(end, _)| format!("{}…", &text[..end]));
    starts.take_while(|start| width(start, size) <= room).last().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_title_is_broken_at_spaces() {
        let lines = wrap("the degree of change of a page", 100.0, 12.0);
        assert!(lines.len() > 1);
        assert_eq!(lines.join(" "), "the degree of change of a page");
        assert!(lines.iter().all(|line| width(line, 12.0) <= 100.0));
    }

    #[test]
    fn a_word_wider_than_the_room_ends_in_an_ellipsis() {
        let cut = cut("incomprehensibilities", 60.0, 12.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 60.0, "{cut}");
    }

    #[test]
    fn text_without_any_room_is_empty() {
        assert_eq!(cut("word", 0.0, 12.0), "");
    }
}
