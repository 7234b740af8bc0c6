//! The planted changes: thirty edits of the content of pages, ten of which change only a number.

use super::content::{Block, Content, Live};
use super::sections::Section;
use super::{DAY, HOUR, REDESIGNED, RESTORED};

/// A planted change.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    section: Section,
    number: usize,
    /// When it happens, in seconds since the start of the month.
    pub at: u64,
    /// What happens, for people.
    pub what: &'static str,
    /// Words of which a message must contain one.
    pub says: &'static [&'static str],
    /// Whether nothing changes but a number.
    pub is_number: bool,
    pub(super) edit: fn(&mut Content),
}

impl Change {
    /// The address of its page: `/shop/000`.
    #[must_use]
    pub fn path(&self) -> String {
        self.section.path(self.number)
    }

    /// Whether it happens at the same time as the redesign, or as the return of the earlier design.
    #[must_use]
    pub fn is_with_design(&self) -> bool {
        [REDESIGNED, RESTORED].contains(&self.at)
    }

    pub(super) fn is_of(&self, section: Section, number: usize) -> bool {
        self.section == section && self.number == number
    }

    const fn number(
        section: Section,
        number: usize,
        at: u64,
        what: &'static str,
        says: &'static [&'static str],
        edit: fn(&mut Content),
    ) -> Self {
        Self { section, number, at, what, says, is_number: true, edit }
    }

    const fn words(
        section: Section,
        number: usize,
        at: u64,
        what: &'static str,
        says: &'static [&'static str],
        edit: fn(&mut Content),
    ) -> Self {
        Self { section, number, at, what, says, is_number: false, edit }
    }
}

/// A time, by days and hours since the start of the month.
const fn at(day: u64, hour: u64) -> u64 {
    day * DAY + hour * HOUR
}

/// The planted changes.
pub const CHANGES: [Change; 30] = [
    Change::number(Section::Shop, 0, at(1, 8), "a price", &["79.40"], |page| set(page, "Price", "79.40 euros")),
    Change::number(Section::Shop, 1, REDESIGNED, "a price, with the redesign", &["81.25"], |page| {
        set(page, "Price", "81.25 euros");
    }),
    Change::number(Section::Rooms, 0, at(3, 5), "a count of beds", &["31"], |page| set(page, "Beds", "31")),
    Change::number(Section::Rooms, 1, RESTORED, "a price, with the earlier design", &["124"], |page| {
        set(page, "A night in a double room", "124 euros");
    }),
    Change::number(Section::Events, 0, at(6, 2), "the date of an event", &["12"], |page| {
        let date = &mut page.rows()[3][0];
        *date = date.replace("11 ", "12 ");
    }),
    Change::number(Section::Events, 1, at(22, 10), "the time of an event", &["14:05"], |page| {
        "14:05".clone_into(&mut page.rows()[2][1]);
    }),
    Change::number(Section::Places, 0, at(8, 3), "opening hours", &["22"], |page| set(page, "Monday", "10 to 22")),
    Change::number(Section::Places, 1, at(14, 20), "a telephone number", &["99"], |page| {
        set(page, "Telephone", "0555 99 61 62");
    }),
    Change::number(Section::Places, 2, at(10, 1), "a price in one line with a clock", &["17"], |page| {
        let ticket = page.blocks.iter_mut().find(|block| matches!(block, Block::Live(Live::Ticket(_))));
        ticket.into_iter().for_each(|block| *block = Block::Live(Live::Ticket(17)));
    }),
    Change::number(Section::Boats, 0, at(25, 6), "a departure, during an outage", &["11:05"], |page| {
        let rows = page.rows();
        "11:05".clone_into(&mut rows[4][1]);
    }),
    Change::words(Section::News, 0, at(2, 4), "a sentence added", &["closed to lorries"], |page| {
        page.text(2).push_str(" The bridge over the creek is closed to lorries from now on.");
    }),
    Change::words(
        Section::News,
        1,
        REDESIGNED,
        "a sentence replaced, with the redesign",
        &["mayor has resigned"],
        |page| {
            let text = page.text(1);
            let end = text.find(". ").map_or(text.len(), |end| end + 2);
            text.replace_range(..end, "The mayor has resigned. ");
        },
    ),
    Change::words(Section::News, 2, at(4, 21), "a paragraph removed, during an outage", &["removed"], |page| {
        let place = page.place(3);
        page.blocks.remove(place);
    }),
    Change::words(Section::News, 3, at(7, 11), "a paragraph added", &["number plate"], |page| {
        let place = page.place(2);
        let text = "From the first of April dogs need a number plate. The office hands them out on Tuesdays.";
        page.blocks.insert(place, Block::Text(text.to_owned()));
    }),
    Change::words(Section::News, 4, at(9, 6), "a paragraph moved", &["moved", "added"], |page| {
        let (to, from) = (page.place(1), page.place(4));
        let block = page.blocks.remove(from);
        page.blocks.insert(to, block);
    }),
    Change::words(Section::News, 5, at(16, 2), "the target of a link", &["notice-of-sale", "link"], |page| {
        "/archive/notice-of-sale".clone_into(&mut page.links()[1].0);
    }),
    Change::words(Section::News, 6, at(13, 2), "an image replaced", &["wreck", "image"], |page| {
        let place = page.image();
        if let Block::Image(file, _) = &mut page.blocks[place] {
            "/images/wreck.jpg".clone_into(file);
        }
    }),
    Change::words(Section::News, 7, at(21, 7), "a title", &["gets a bridge"], |page| {
        "The island gets a bridge".clone_into(&mut page.title);
    }),
    Change::words(Section::Shop, 2, at(11, 9), "a product sold out, during an outage", &["sold out"], |page| {
        set(page, "Availability", "sold out");
    }),
    Change::words(Section::Shop, 3, at(15, 5), "a row of a table added", &["five years"], |page| {
        page.rows().push(["Guarantee", "five years"].map(str::to_owned).to_vec());
    }),
    Change::words(Section::Shop, 4, at(23, 9), "an image removed", &["image"], |page| {
        let place = page.image();
        page.blocks.remove(place);
    }),
    Change::words(Section::Rooms, 2, at(18, 4), "an item of a list added", &["boat for guests"], |page| {
        page.items().insert(2, "A boat for guests, with oars".to_owned());
    }),
    Change::words(Section::Rooms, 3, at(20, 8), "the word \"not\"", &["not"], |page| {
        let text = page.texts().find(|text| text.contains("is open to all guests"));
        text.into_iter().for_each(|text| *text = text.replace("is open", "is not open"));
    }),
    Change::words(
        Section::Events,
        2,
        RESTORED,
        "an event added, with the earlier design",
        &["Auction of found oars"],
        |page| {
            let row = ["13 May", "18:00", "Auction of found oars", "free"].map(str::to_owned).to_vec();
            page.rows().insert(4, row);
        },
    ),
    Change::words(Section::Events, 3, at(24, 3), "an event removed", &["removed"], |page| {
        page.rows().remove(2);
    }),
    Change::words(Section::Places, 3, at(26, 1), "a notice added", &["burst pipe"], |page| {
        let place = page.place(0);
        page.blocks.insert(place, Block::Text("Closed until further notice because of a burst pipe.".to_owned()));
    }),
    Change::words(Section::Boats, 1, at(27, 5), "a row of a table moved", &["moved", "added"], |page| {
        let row = page.rows().remove(6);
        page.rows().insert(2, row);
    }),
    Change::words(Section::People, 0, at(12, 20), "a name, after the redesign", &["Solveig Brandt"], |page| {
        set(page, "Chair", "Solveig Brandt");
    }),
    Change::words(Section::People, 1, at(28, 6), "an item of a list removed", &["removed"], |page| {
        page.items().remove(3);
    }),
    Change::words(Section::Rules, 0, at(17, 20), "some words, after the earlier design", &["November"], |page| {
        let text = page.texts().find(|text| text.contains("from October to March"));
        text.into_iter().for_each(|text| *text = text.replace("from October to March", "from November to January"));
    }),
];

fn set(page: &mut Content, label: &str, value: &str) {
    value.clone_into(page.cell(label));
}
