//! What does a target get? A subject and two bodies; and how its text is to be written, which each kind of target
//! wants otherwise.
//!
//! Who sends knows neither templates nor HTML, and who writes knows no network: these values are all that they share.

use super::Mark;

/// A message, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Letter {
    /// One line.
    pub subject: String,
    /// The whole of it as text, written by a [`Notation`].
    pub text: String,
    /// The whole of it as a web page.
    pub html: String,
}

/// How text is written: what stands around words that came, went or moved, and which characters mean something else.
#[derive(Debug, Clone, Copy)]
pub struct Notation {
    /// Before and after words that came.
    pub added: [&'static str; 2],
    /// Before and after words that went.
    pub dropped: [&'static str; 2],
    /// Before and after words that came from elsewhere on the page.
    pub moved: [&'static str; 2],
    /// Before and after a heading.
    pub heading: [&'static str; 2],
    /// Makes text mean itself.
    pub escape: fn(&str) -> String,
    /// How long the text may be.
    pub room: Room,
}

impl Notation {
    /// Text as it stands in a terminal or a mail, marked as everywhere in driftline.
    pub const PLAIN: Self = Self {
        added: ["{+", "+}"],
        dropped: ["[-", "-]"],
        moved: ["{>", ">}"],
        heading: ["", ""],
        escape: str::to_owned,
        room: Room::Any,
    };

    /// What stands around words.
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

/// How long a text may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// As long as it is.
    Any,
    /// So many characters, counted as JavaScript and most services do: two for an emoji.
    Characters(usize),
    /// So many bytes.
    Bytes(usize),
}

impl Room {
    /// Does a text fit?
    #[must_use]
    pub fn fits(self, text: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Characters(most) => text.len() <= most || text.encode_utf16().count() <= most,
            Self::Bytes(most) => text.len() <= most,
        }
    }

    /// The longest beginning of a text that fits, with `…` behind it if something is left out.
    #[must_use]
    pub fn cut(self, text: &str) -> String {
        if self.fits(text) {
            return text.to_owned();
        }
        let size = |char: char| match self {
            Self::Any => 0,
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
    use super::Room;

    #[test]
    fn a_text_is_cut_where_it_no_longer_fits() {
        assert_eq!(Room::Characters(5).cut("abcde"), "abcde");
        assert_eq!(Room::Characters(5).cut("abcdef"), "abcd…");
        assert_eq!(Room::Characters(5).cut("ab🦀🦀"), "ab🦀…");
        assert_eq!(Room::Bytes(7).cut("漢字です"), "漢…");
        assert_eq!(Room::Bytes(2).cut("漢字"), "");
        assert_eq!(Room::Any.cut("漢字"), "漢字");
    }
}
