//! A message as a target gets it, a subject and two bodies; and how its text is written, which differs by kind of target.
//!
//! Who sends knows neither templates nor HTML, and who writes knows no network: these values are all that they share.

use driftline::event::Mark;

/// A message, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Message {
    /// One line.
    pub subject: String,
    /// The whole of it as text, written by a [`Markup`].
    pub text: String,
    /// The whole of it as a web page.
    pub html: String,
}

/// The signs around words that were added, dropped or moved, and the escapes of a kind of text.
#[derive(Debug, Clone, Copy)]
pub struct Markup {
    /// Before and after words that were added.
    pub added: [&'static str; 2],
    /// Before and after words that were dropped.
    pub dropped: [&'static str; 2],
    /// Before and after words that were elsewhere on the page.
    pub moved: [&'static str; 2],
    /// Before and after a heading.
    pub heading: [&'static str; 2],
    /// Escapes text.
    pub escape: fn(&str) -> String,
    /// The longest text.
    pub limit: LengthLimit,
}

impl Markup {
    /// Text of a terminal or a mail, marked as everywhere in driftline.
    pub const PLAIN: Self = Self {
        added: ["{+", "+}"],
        dropped: ["[-", "-]"],
        moved: ["{>", ">}"],
        heading: ["", ""],
        escape: str::to_owned,
        limit: LengthLimit::Unlimited,
    };

    /// The signs around words.
    #[must_use]
    pub fn around(&self, mark: Mark) -> [&'static str; 2] {
        match mark {
            Mark::Added => self.added,
            Mark::Dropped => self.dropped,
            Mark::Moved => self.moved,
            Mark::Kept | Mark::Gap => ["", ""],
        }
    }
}

/// The length of a text that a target takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LengthLimit {
    /// None.
    Unlimited,
    /// Characters, counted as JavaScript and most services do: two for an emoji.
    Characters(usize),
    /// Bytes.
    Bytes(usize),
}

impl LengthLimit {
    /// Whether a text fits.
    #[must_use]
    pub fn fits(self, text: &str) -> bool {
        match self {
            Self::Unlimited => true,
            Self::Characters(most) => text.len() <= most || text.encode_utf16().count() <= most,
            Self::Bytes(most) => text.len() <= most,
        }
    }

    /// The longest beginning of a text that fits, and `…` after it if something is left out.
    #[must_use]
    pub fn cut(self, text: &str) -> String {
        if self.fits(text) {
            return text.to_owned();
        }
        let size = |char: char| match self {
            Self::Unlimited => 0,
            Self::Characters(_) => char.len_utf16(),
            Self::Bytes(_) => char.len_utf8(),
        };
        let (Self::Characters(most) | Self::Bytes(most)) = self else { return text.to_owned() };
        let Some(mut left) = most.checked_sub(size('…')) else { return String::new() };
        let fitting = text.chars().take_while(|&char| {
            let fits = size(char) <= left;
            left = left.saturating_sub(size(char));
            fits
        });
        fitting.chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::LengthLimit;

    #[test]
    fn a_text_is_cut_where_it_no_longer_fits() {
        assert_eq!(LengthLimit::Characters(5).cut("abcde"), "abcde");
        assert_eq!(LengthLimit::Characters(5).cut("abcdef"), "abcd…");
        assert_eq!(LengthLimit::Characters(5).cut("ab🦀🦀"), "ab🦀…");
        assert_eq!(LengthLimit::Bytes(7).cut("漢字です"), "漢…");
        assert_eq!(LengthLimit::Bytes(2).cut("漢字"), "");
        assert_eq!(LengthLimit::Unlimited.cut("漢字"), "漢字");
    }
}
