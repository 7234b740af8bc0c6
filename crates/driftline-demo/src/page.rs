//! What stands on the pages?
//!
//! The texts lie in `pages/`; what the story changes has a name in braces there.

use crate::story::{Soup, State};
use crate::template::{self, Kind};

/// A page of the site.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// Where it is.
    pub path: &'static str,
    /// What it is called.
    pub title: &'static str,
    text: &'static str,
    kind: Kind,
}

/// A text of the folder.
macro_rules! text {
    ($name:literal) => {
        include_str!(concat!("../pages/", $name, ".html"))
    };
}

/// The pages that stay, and two that come or go with the story.
pub const PAGES: [Page; 10] = [
    page("/", "Welcome", text!("home")),
    page("/hours", "Opening hours", text!("hours")),
    page("/prices", "Cards and prices", text!("prices")),
    page("/cafe", "Café", text!("cafe")),
    page("/events", "Events", text!("events")),
    page("/ferry", "The ferry", text!("ferry")),
    page(PEOPLE, "Who we are", text!("people")),
    page("/branch/harbour", "The house at the harbour", text!("harbour")),
    page("/branch/hill", "The branch on the hill", text!("hill")),
    page(BAY, "The branch at the bay", text!("bay")),
];

/// The news, the oldest first.
pub const POSTS: [Page; 6] = [
    post("/news/map-room", "The map room is open again", text!("map-room")),
    post("/news/regatta", "A hundred years of the regatta", text!("regatta")),
    post("/news/book-boat", "The book boat in spring", text!("boat")),
    post("/news/workshop", "Thursdays in the workshop", text!("workshop")),
    post("/news/piano", "A piano comes ashore", text!("piano")),
    post("/news/tides", "The tides, twice", text!("tides")),
];

const PEOPLE: &str = "/people";
const BAY: &str = "/branch/bay";
const CLUB: &str = text!("reading-club");

const ADVERTS: [&str; 3] = [
    "Olsen's oilskins: wet outside, dry inside, since 1911.",
    "Have you tried the harbour bakery? The harbour bakery has tried everything.",
    "Lost: one grey glove, left. Found: one grey glove, left. Ask at the pier.",
];

const fn page(path: &'static str, title: &'static str, text: &'static str) -> Page {
    Page { path, title, text, kind: Kind::Page }
}

const fn post(path: &'static str, title: &'static str, text: &'static str) -> Page {
    Page { path, title, text, kind: Kind::Post }
}

/// The pages that are there now, the newest news last.
pub(crate) fn pages(state: State) -> impl Iterator<Item = Page> {
    let is_there = move |page: &Page| (state.has_people || page.path != PEOPLE) && (state.has_bay || page.path != BAY);
    PAGES.into_iter().filter(is_there).chain(posts(state))
}

/// The news that are out now, the newest last.
pub(crate) fn posts(state: State) -> impl DoubleEndedIterator<Item = Page> {
    POSTS.into_iter().take(state.items)
}

impl Page {
    /// The page, as the visitor of this number sees it.
    pub(crate) fn html(&self, state: State, visit: usize) -> String {
        template::html(self.kind, self.title, &self.text(state, visit), state)
    }

    /// Does every visitor see another page?
    pub(crate) fn is_restless(&self, state: State) -> bool {
        self.path == "/ferry" || (self.path == "/cafe" && state.soup == Soup::FishOrLeek)
    }

    /// What stands on it, without the template.
    pub(crate) fn text(&self, state: State, visit: usize) -> String {
        let hours = "<table><tr><td>Monday to Friday</td><td>9 to 18</td></tr><tr><td>Saturday</td><td>10 to 16</td></tr>\
             <tr><td>Sunday</td><td>when the bell rings</td></tr></table>";
        let hours = if state.hours_have_moved {
            format!("<div class=\"box yellow\"><div class=\"when\">{hours}</div></div>")
        } else {
            format!("<div id=\"hours\">{hours}</div>")
        };
        let leek = state.soup == Soup::FishOrLeek && visit % 2 == 1;
        let soup = if leek { "leek soup with nutmeg and a little cream" } else { "fish soup with dill and potatoes" };
        let (first, last) = if state.club_is_first { (CLUB, "") } else { ("", CLUB) };
        self.text
            .replace("{hours}", &hours)
            .replace("{price}", &state.price.to_string())
            .replace("{soup}", soup)
            .replace("{club first}", first)
            .replace("{club last}", last)
            .replace("{clock}", &(1 + visit % 12).to_string())
            .replace("{made}", &format!("0.{:03}", 7 + visit % 90))
            .replace("{advert}", ADVERTS[visit % ADVERTS.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::{STEPS, state};

    #[test]
    fn no_name_in_braces_is_left() {
        for step in 0..STEPS.len() {
            let state = state(step);
            for page in pages(state) {
                let html = page.html(state, step);
                assert!(!html.contains(['{', '}']) && html.len() > 1_000, "{}: {html}", page.path);
            }
        }
    }

    #[test]
    fn only_restless_pages_differ_between_visits() {
        for step in 0..STEPS.len() {
            let state = state(step);
            for page in pages(state) {
                assert_eq!(page.html(state, 1) != page.html(state, 2), page.is_restless(state), "{}", page.path);
            }
        }
    }
}
