//! Names of the classes of a design: the generator and the fashion of its year decide.

use fastrand::Rng;
use rapidhash::v3::rapidhash_v3;

/// How the classes of a design are named.
#[derive(Debug, Clone)]
pub(super) struct Names {
    style: Style,
    salt: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// No classes, as in the 1990s.
    None,
    /// The part's own name.
    Plain,
    /// With the theme's name before it.
    Prefixed(&'static str),
    /// Made by a build tool.
    Hashed,
    /// Several that say how it looks.
    Utility,
}

const THEMES: [&str; 8] = ["site", "entry", "c", "theme", "md", "post", "wp-block", "layout"];
const UTILITIES: [&str; 16] = [
    "flex",
    "p-2",
    "p-4",
    "mt-2",
    "mt-8",
    "text-sm",
    "text-lg",
    "font-bold",
    "grid",
    "w-full",
    "mx-auto",
    "gap-4",
    "rounded",
    "hidden",
    "border",
    "shadow",
];

impl Names {
    /// No classes at all.
    pub(super) fn none() -> Self {
        Self { style: Style::None, salt: 0 }
    }

    /// Any manner.
    pub(super) fn any(rng: &mut Rng) -> Self {
        let style = match rng.u8(0..10) {
            0 => Style::None,
            1..4 => Style::Plain,
            4..7 => Style::Prefixed(THEMES[rng.usize(0..THEMES.len())]),
            7 => Style::Hashed,
            _ => Style::Utility,
        };
        Self { style, salt: rng.u64(..) }
    }

    /// The class of a part.
    pub(super) fn of(&self, part: &str) -> Option<String> {
        match self.style {
            Style::None => None,
            Style::Plain => Some(part.to_owned()),
            Style::Prefixed(theme) => Some(format!("{theme}-{part}")),
            Style::Hashed => Some(format!("css-{:06x}", self.number(part) & 0x00ff_ffff)),
            Style::Utility => {
                let number = self.number(part);
                let word = |at: u32| UTILITIES[(number >> (4 * at)) as usize % UTILITIES.len()];
                Some((0..2 + (number >> 60) as u32 % 3).map(word).collect::<Vec<_>>().join(" "))
            }
        }
    }

    fn number(&self, part: &str) -> u64 {
        Rng::with_seed(self.salt ^ rapidhash_v3(part.as_bytes())).u64(..)
    }
}
