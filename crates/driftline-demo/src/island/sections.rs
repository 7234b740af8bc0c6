//! The sections of the site, and the content of their pages.

use super::content::{Block, Content, Live};
use super::dice::Dice;
use super::words::{paragraph, person, phone, sentence, subject};

/// A section of the site: pages of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    /// Articles.
    News,
    /// Products with prices.
    Shop,
    /// Guest houses.
    Rooms,
    /// Calendars of events.
    Events,
    /// Places with opening hours.
    Places,
    /// Timetables.
    Boats,
    /// Associations and their people.
    People,
    /// Rules of the council.
    Rules,
}

impl Section {
    /// All sections, with the share of each in 200 pages.
    pub(super) const ALL: [(Self, usize); 8] = [
        (Self::News, 60),
        (Self::Shop, 40),
        (Self::Rooms, 20),
        (Self::Events, 20),
        (Self::Places, 20),
        (Self::Boats, 15),
        (Self::People, 15),
        (Self::Rules, 10),
    ];

    /// The folder of its pages.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::News => "news",
            Self::Shop => "shop",
            Self::Rooms => "rooms",
            Self::Events => "events",
            Self::Places => "places",
            Self::Boats => "boats",
            Self::People => "people",
            Self::Rules => "rules",
        }
    }

    /// The address of a page.
    pub(super) fn path(self, number: usize) -> String {
        format!("/{}/{number:03}", self.folder())
    }

    /// The content of a page at the start of the month.
    pub(super) fn content(self, number: usize, dice: &mut Dice) -> Content {
        match self {
            Self::News => news(dice),
            Self::Shop => shop(number, dice),
            Self::Rooms => rooms(number, dice),
            Self::Events => events(number, dice),
            Self::Places => places(number, dice),
            Self::Boats => boats(number, dice),
            Self::People => people(number, dice),
            Self::Rules => rules(number, dice),
        }
    }
}

fn text(dice: &mut Dice) -> Block {
    Block::Text(paragraph(dice))
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

fn image(name: &str, dice: &mut Dice) -> Block {
    Block::Image(format!("/images/{name}-{}.jpg", dice.below(90)), format!("{} in March", subject(dice)))
}

fn news(dice: &mut Dice) -> Content {
    let mut blocks = vec![Block::Live(Live::Updated), Block::Text(format!("By {}", person(dice))), image("news", dice)];
    blocks.extend((0..4 + dice.below(3)).map(|_| text(dice)));
    blocks.push(Block::Heading("Read more".to_owned()));
    let link = |dice: &mut Dice| (format!("/archive/{}", dice.below(900)), subject(dice));
    blocks.push(Block::Links((0..3).map(|_| link(dice)).collect()));
    Content { title: subject(dice), blocks }
}

fn shop(number: usize, dice: &mut Dice) -> Content {
    const GOODS: [&str; 10] = [
        "Oil lamp",
        "Wool jumper",
        "Sea chart",
        "Rope, ten metres",
        "Tin of mackerel",
        "Storm lantern",
        "Tea towel",
        "Brass compass",
        "Knitting set",
        "Enamel mug",
    ];
    let title = format!("{} no. {}", GOODS[number % GOODS.len()], 100 + number);
    let price = format!("{}.{:02} euros", 5 + dice.below(60), dice.below(100));
    let rows = vec![
        row(&["Price", &price]),
        row(&["Availability", "in stock"]),
        row(&["Weight", &format!("{} g", 100 + dice.below(900))]),
        row(&["Made in", dice.pick(&["Skerry", "Bergen", "Aberdeen", "Esbjerg"])]),
        row(&["Delivery", "two to four days"]),
    ];
    let mut blocks = vec![image("shop", dice), text(dice), Block::Table(rows), Block::Live(Live::Viewers)];
    blocks.extend([Block::Heading("Good to know".to_owned()), text(dice), text(dice)]);
    blocks.push(Block::List((0..4).map(|_| sentence(dice)).collect()));
    Content { title, blocks }
}

fn rooms(number: usize, dice: &mut Dice) -> Content {
    let title =
        format!("Guest house {} {}", dice.pick(&["Fjord View", "Gull", "North Light", "Old Smithy"]), number + 1);
    let rows = vec![
        row(&["Beds", &(4 + dice.below(20)).to_string()]),
        row(&["A night in a double room", &format!("{} euros", 60 + dice.below(50))]),
        row(&["Breakfast", &format!("{} euros", 8 + dice.below(9))]),
        row(&["Telephone", &phone(dice)]),
    ];
    let items =
        ["Bicycles at the door", "A drying room for oilskins", "Bed linen and towels", "A library of sea stories"];
    let mut blocks = vec![image("rooms", dice), text(dice), Block::Live(Live::Viewers), Block::Table(rows)];
    blocks.push(Block::Text(
        "The sauna by the water is open to all guests from five o'clock in the afternoon.".to_owned(),
    ));
    blocks.extend([Block::Heading("What is included".to_owned()), Block::List(row(&items)), text(dice), text(dice)]);
    Content { title, blocks }
}

fn events(number: usize, dice: &mut Dice) -> Content {
    let title = format!("Calendar of the {} hall", dice.pick(&["village", "harbour", "parish", "net"]));
    let mut rows = vec![row(&["Date", "Time", "Event", "Entry"])];
    for place in 0..7 {
        let date = format!("{} {}", 3 + place * 4, dice.pick(&["April", "May", "June"]));
        let time = format!("{}:{}0", 15 + dice.below(6), dice.below(6));
        let entry = format!("{} euros", 2 + dice.below(12));
        rows.push(vec![date, time, subject(dice), entry]);
    }
    let mut blocks = vec![Block::Text(format!("All that happens in hall number {}.", number + 1)), Block::Table(rows)];
    blocks.extend([text(dice), Block::Heading("Tickets".to_owned()), text(dice), text(dice), text(dice)]);
    Content { title, blocks }
}

fn places(number: usize, dice: &mut Dice) -> Content {
    let name = ["The swimming pool", "The museum of pilots", "The tool library", "The post office", "The smokehouse"];
    let mut rows = Vec::new();
    for day in ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] {
        rows.push(row(&[day, &format!("{} to {}", 8 + dice.below(3), 16 + dice.below(4))]));
    }
    rows.push(row(&["Sunday", "closed"]));
    rows.push(row(&["Telephone", &phone(dice)]));
    let mut blocks = vec![Block::Live(Live::Ticket(6 + dice.below(5) as u32)), text(dice)];
    blocks.extend([Block::Heading("Opening hours".to_owned()), Block::Table(rows), text(dice)]);
    blocks.extend([Block::Heading("How to get there".to_owned()), text(dice), image("places", dice), text(dice)]);
    Content { title: format!("{}, house {}", name[number % name.len()], number + 1), blocks }
}

fn boats(number: usize, dice: &mut Dice) -> Content {
    const PORTS: [&str; 8] =
        ["Long Pier", "North Skerry", "Gull Rock", "Mainland", "Ice House", "Bay", "Lighthouse", "Quarry"];
    let mut rows = vec![row(&["Boat", "Leaves", "Arrives"])];
    for (place, port) in PORTS.iter().enumerate() {
        let hour = 6 + 2 * place as u64;
        let (leaves, arrives) = (dice.below(60), dice.below(60));
        rows.push(row(&[port, &format!("{hour}:{leaves:02}"), &format!("{}:{arrives:02}", hour + 1)]));
    }
    let mut blocks = vec![Block::Live(Live::Position), Block::Table(rows), text(dice)];
    blocks.extend([
        Block::Heading("On board".to_owned()),
        text(dice),
        Block::List(row(&["Bicycles", "Dogs", "Freight"])),
        text(dice),
    ]);
    Content { title: format!("Line {}: timetable", number + 1), blocks }
}

fn people(number: usize, dice: &mut Dice) -> Content {
    const DUTIES: [&str; 6] = ["Chair", "Deputy", "Treasurer", "Secretary", "Youth", "Boats"];
    let mut rows = vec![row(&["Duty", "Name"])];
    rows.extend(DUTIES.map(|duty| vec![duty.to_owned(), person(dice)]));
    let items = (0..6).map(|_| person(dice)).collect();
    let mut blocks = vec![text(dice), Block::Heading("The board".to_owned()), Block::Table(rows), text(dice)];
    blocks.extend([
        Block::Heading("Members of honour".to_owned()),
        Block::List(items),
        image("people", dice),
        text(dice),
    ]);
    Content { title: format!("Association {}: {}", number + 1, subject(dice)), blocks }
}

fn rules(number: usize, dice: &mut Dice) -> Content {
    let mut blocks = Vec::new();
    for clause in 1..=7 {
        blocks.push(Block::Heading(format!("§ {clause}")));
        let text = paragraph(dice);
        let fixed = if clause == 3 { " Dogs may run free on the western shore from October to March." } else { "" };
        blocks.push(Block::Text(text + fixed));
    }
    blocks.push(Block::Links(vec![(format!("/files/rules-{number}.pdf"), "All rules as a file".to_owned())]));
    Content { title: format!("Rules of the council, part {}", number + 1), blocks }
}
