//! What happens on the site, step by step, and what should a watcher find?

/// A step of the story.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Its name, for tests.
    pub name: &'static str,
    /// What happens, for people.
    pub happens: &'static str,
    /// What a watcher should find, and nothing else.
    pub finds: &'static [Found],
    /// For how many hours nothing else happens.
    pub hours: u32,
    change: fn(&mut State),
}

/// Something that a watcher should find: what kind of event, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// As events name it: `changed`, `page-gone`.
    pub kind: &'static str,
    /// The page; `*` if it is about the site, about several pages, or about whichever was seen first.
    pub path: &'static str,
}

/// How the site is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) price: u32,
    pub(crate) club_is_first: bool,
    pub(crate) soup: Soup,
    pub(crate) items: usize,
    pub(crate) item_is_corrected: bool,
    pub(crate) has_notice: bool,
    pub(crate) has_bay: bool,
    pub(crate) has_people: bool,
    pub(crate) trouble: Trouble,
    pub(crate) hours_have_moved: bool,
    pub(crate) is_redesigned: bool,
}

/// What the café serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Soup {
    Fish,
    /// Now the one, now the other: each visitor sees another page.
    FishOrLeek,
}

/// Whether visitors are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    None,
    /// The first visit to each page fails.
    Once,
    /// The server has too much to do.
    Busy,
    /// Connections are closed at once.
    Silent,
}

/// The beginning.
const OPENING: State = State {
    price: 24,
    club_is_first: false,
    soup: Soup::Fish,
    items: 3,
    item_is_corrected: false,
    has_notice: false,
    has_bay: false,
    has_people: true,
    trouble: Trouble::None,
    hours_have_moved: false,
    is_redesigned: false,
};

const fn found(kind: &'static str, path: &'static str) -> Found {
    Found { kind, path }
}

/// The story, from the beginning to the end.
pub const STEPS: [Step; 19] = [
    Step { name: "opening", happens: "every page is seen for the first time", finds: &[], hours: 6, change: |_| {} },
    Step { name: "quiet", happens: "nothing happens", finds: &[], hours: 6, change: |_| {} },
    Step {
        name: "price",
        happens: "a library card costs 26 euros instead of 24",
        finds: &[found("changed", "/prices")],
        hours: 4,
        change: |state| state.price = 26,
    },
    Step {
        name: "move",
        happens: "the reading club goes to the top of the events",
        finds: &[found("changed", "/events")],
        hours: 4,
        change: |state| state.club_is_first = true,
    },
    Step {
        name: "return",
        happens: "a library card costs 24 euros, as it did before",
        finds: &[found("changed", "/prices")],
        hours: 4,
        change: |state| state.price = 24,
    },
    Step {
        name: "hiccup",
        happens: "every page fails once",
        finds: &[],
        hours: 4,
        change: |state| state.trouble = Trouble::Once,
    },
    Step {
        name: "feed",
        happens: "the news have two new items, and an old one is corrected",
        finds: &[
            found("item-added", "/news/workshop"),
            found("item-added", "/news/piano"),
            found("item-modified", "/news/regatta"),
        ],
        hours: 4,
        change: |state| {
            state.trouble = Trouble::None;
            state.items = 5;
            state.item_is_corrected = true;
        },
    },
    Step {
        name: "flapping",
        happens: "the café page shows each visitor another soup",
        finds: &[
            found("changed", "/cafe"),
            found("changed", "/cafe"),
            found("changed", "/cafe"),
            found("flapping", "/cafe"),
        ],
        hours: 12,
        change: |state| state.soup = Soup::FishOrLeek,
    },
    Step {
        name: "calm",
        happens: "there is fish soup again, for everybody",
        finds: &[],
        hours: 6,
        change: |state| state.soup = Soup::Fish,
    },
    Step {
        name: "footer",
        happens: "a notice about the holidays stands at the foot of every page",
        finds: &[found("changed", "*")],
        hours: 4,
        change: |state| state.has_notice = true,
    },
    Step {
        name: "new page",
        happens: "the sitemap lists a new branch at the bay",
        finds: &[found("new-page", "/branch/bay")],
        hours: 4,
        change: |state| state.has_bay = true,
    },
    Step {
        name: "gone",
        happens: "the page about the people is deleted",
        finds: &[found("page-gone", "/people")],
        hours: 30,
        change: |state| state.has_people = false,
    },
    Step {
        name: "busy",
        happens: "the server answers 503 for a day",
        finds: &[found("check-failing", "*")],
        hours: 24,
        change: |state| state.trouble = Trouble::Busy,
    },
    Step {
        name: "recovery",
        happens: "the server works again",
        finds: &[found("check-recovered", "*")],
        hours: 6,
        change: |state| state.trouble = Trouble::None,
    },
    Step {
        name: "silence",
        happens: "the server closes every connection",
        finds: &[found("check-failing", "*")],
        hours: 24,
        change: |state| state.trouble = Trouble::Silent,
    },
    Step {
        name: "zone",
        happens: "the server works again, and the opening hours stand in another place under another name",
        finds: &[found("check-recovered", "*"), found("zone-found", "/hours")],
        hours: 6,
        change: |state| {
            state.trouble = Trouble::None;
            state.hours_have_moved = true;
        },
    },
    Step {
        name: "back",
        happens: "the page about the people is there again",
        finds: &[found("page-back", "/people")],
        hours: 6,
        change: |state| state.has_people = true,
    },
    Step {
        name: "redesign",
        happens: "the whole site gets a new design",
        finds: &[found("redesigned", "*")],
        hours: 12,
        change: |state| state.is_redesigned = true,
    },
    Step {
        name: "after",
        happens: "the news have one more item, in the new design",
        finds: &[found("item-added", "/news/tides")],
        hours: 6,
        change: |state| state.items = 6,
    },
];

/// The number of a step.
#[must_use]
pub fn step(name: &str) -> Option<usize> {
    STEPS.iter().position(|step| step.name == name)
}

/// How the site is at a step; after the last one it stays as it is.
pub(crate) fn state(step: usize) -> State {
    let mut state = OPENING;
    STEPS.iter().take(step + 1).for_each(|step| (step.change)(&mut state));
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_its_own_name_and_lasts() {
        for (number, told) in STEPS.iter().enumerate() {
            assert_eq!(step(told.name), Some(number));
            assert!(told.hours > 0 && !told.happens.is_empty());
        }
        assert_eq!(step("nosuch"), None);
    }

    #[test]
    fn the_story_ends_well() {
        let end = state(usize::MAX - 1);
        assert_eq!((end.price, end.has_people, end.trouble), (24, true, Trouble::None));
        assert!(end.is_redesigned);
        assert_eq!(state(0), OPENING);
    }
}
