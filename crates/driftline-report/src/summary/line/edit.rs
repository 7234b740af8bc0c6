//! The summary of an edit that was made together with a redesign: of its excerpt, as there is no comparison of what is left
//! of the page.

use driftline::event::{Excerpt, Mark};

use super::words::{self, clean};
use crate::summary::numbers::listed;
use crate::summary::replaced::{ARROW, MOST_CHARACTERS};

/// A link, an image or the like.
#[derive(Debug, Clone)]
pub struct Resource {
    /// Its kind: `link`, `image`.
    pub what: String,
    /// Its address.
    pub url: String,
    /// Its text.
    pub text: String,
}

/// Words that were lost or gained, in one line: themselves if they fit, otherwise how many.
#[must_use]
pub fn words(excerpt: &Excerpt, is_title: bool) -> String {
    let count = |mark| excerpt.words(mark).split_whitespace().count();
    let counted = || listed(["word", "words"], [(count(Mark::Added), "added"), (count(Mark::Dropped), "removed")]);
    let said = words::words(excerpt, None).or_else(counted).unwrap_or_else(|| "words changed".to_owned());
    if is_title { format!("title: {said}") } else { said }
}

/// A link that leads elsewhere, or one that was lost or gained, in one line.
#[must_use]
pub fn resources(older: Option<&Resource>, newer: Option<&Resource>) -> String {
    match (older, newer) {
        (Some(older), Some(newer)) => {
            let names =
                |of: fn(&Resource) -> &str| format!("{}: {}{ARROW}{}", newer.what, clean(of(older)), clean(of(newer)));
            let name = [names(|it| it.name()), names(|it| &it.url)].into_iter().find(|said| {
                let parts = said.split_once(": ").and_then(|(_, said)| said.split_once(ARROW));
                parts.is_some_and(|(older, newer)| older != newer) && said.chars().count() <= MOST_CHARACTERS
            });
            name.unwrap_or_else(|| format!("1 {} added, 1 removed", newer.what))
        }
        (Some(only), None) | (None, Some(only)) => {
            let happened = if newer.is_some() { "added" } else { "removed" };
            let named = [only.text.trim(), only.name()].map(clean).into_iter().find(|name| !name.is_empty());
            let said = named.map(|name| format!("{} “{name}” {happened}", only.what));
            said.filter(|said| said.chars().count() <= MOST_CHARACTERS)
                .unwrap_or_else(|| format!("1 {} {happened}", only.what))
        }
        (None, None) => String::new(),
    }
}

impl Resource {
    /// The last part of its address: `prices.pdf`.
    fn name(&self) -> &str {
        let path = self.url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        path.rsplit('/').next().unwrap_or_default()
    }
}
