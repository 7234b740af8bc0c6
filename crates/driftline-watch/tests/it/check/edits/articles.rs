//! Articles of a site, and edits of them.

const TITLES: [&str; 20] = [
    "Ferry to Northport",
    "The old lighthouse",
    "Library hours",
    "School on the hill",
    "Museum of ropes",
    "Market on Saturday",
    "Theatre in the barn",
    "Harbour master",
    "Salt works",
    "Walks along the coast",
    "Bakery and mill",
    "Island doctor",
    "Bird watching",
    "Wind power",
    "The lost chapel",
    "Fishing licences",
    "Camp site",
    "Snow in April",
    "Boat builders",
    "Letters from the war",
];
const AUTHORS: [&str; 6] = ["Anna Berg", "Tom Wick", "Ida Holm", "Per Lund", "Eva Dahl", "Jon Rask"];
const SECTIONS: [&str; 4] = ["Culture", "Transport", "Nature", "Services"];
const SUBJECTS: [&str; 12] = [
    "ferry", "keeper", "council", "teacher", "captain", "baker", "painter", "gardener", "visitor", "engineer", "choir",
    "postman",
];
const VERBS: [&str; 12] = [
    "opened",
    "painted",
    "repaired",
    "described",
    "measured",
    "visited",
    "sold",
    "remembered",
    "counted",
    "built",
    "borrowed",
    "cleaned",
];
const OBJECTS: [&str; 12] = [
    "bridge",
    "archive",
    "harbour wall",
    "garden",
    "clock",
    "boat shed",
    "north pier",
    "reading room",
    "bell",
    "stage",
    "kiln",
    "well",
];
const ENDS: [&str; 12] = [
    "before the winter storms",
    "with help from the school",
    "in less than a week",
    "without any machine",
    "for the first time in years",
    "while the tide was low",
    "at the end of the season",
    "on a rainy Tuesday",
    "as nobody had expected",
    "for a small fee",
    "during the long strike",
    "after a vote of the members",
];

/// An article.
#[derive(Debug, Clone)]
pub(super) struct Article {
    pub(super) title: String,
    pub(super) section: &'static str,
    pub(super) author: &'static str,
    pub(super) paragraphs: Vec<Vec<String>>,
    pub(super) prices: Vec<(String, u32)>,
    pub(super) image: String,
    pub(super) file: String,
    pub(super) link: String,
    /// A list below the text.
    pub(super) tips: Vec<String>,
    /// Where the two words of the last line lead, where they are links.
    pub(super) more_links: [Option<String>; 2],
    pub(super) more_images: [Option<String>; 2],
    pub(super) more_files: [Option<String>; 2],
}

fn sentence(seed: usize) -> String {
    let of = |list: &[&'static str; 12], by: usize| list[(seed / by + seed) % 12];
    format!("The {} {} the {} {}.", of(&SUBJECTS, 1), of(&VERBS, 12), of(&OBJECTS, 5), of(&ENDS, 7))
}

/// All articles of the site.
pub(super) fn articles() -> Vec<Article> {
    (0..TITLES.len())
        .map(|at| Article {
            title: TITLES[at].to_owned(),
            section: SECTIONS[at % 4],
            author: AUTHORS[at % 6],
            paragraphs: (0..3 + at % 3)
                .map(|paragraph| (0..3).map(|line| sentence(at * 37 + paragraph * 11 + line * 3)).collect())
                .collect(),
            prices: (0..2 + at % 2)
                .map(|row| (format!("{} ticket", SUBJECTS[(at + row) % 12]), 7 + (at * 3 + row) as u32))
                .collect(),
            image: format!("/img/photo{at}.jpg"),
            file: format!("/files/plan{at}.pdf"),
            link: format!("https://partner{at}.example/tour"),
            tips: (0..2 + at % 3)
                .map(|row| format!("Ask the {} on day {}", SUBJECTS[(at + row * 5) % 12], at + row))
                .collect(),
            more_links: [Some(format!("https://friend{at}.example/walk")), None],
            more_images: [Some(format!("/img/sketch{at}.png")), None],
            more_files: [Some(format!("/files/form{at}.pdf")), None],
        })
        .collect()
}

/// What is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edit {
    SentenceAdded,
    SentenceDropped,
    SentenceReplaced,
    Number,
    Link,
    Image,
    File,
    Title,
    ParagraphAdded,
    ParagraphDropped,
    ListItemAdded,
    ListItemDropped,
    RowAdded,
    RowDropped,
    LinkAdded,
    LinkDropped,
    ImageAdded,
    ImageDropped,
    FileAdded,
    FileDropped,
    /// Only moved: belongs to the design.
    BlockMoved,
}

impl Edit {
    pub(super) const REPORTED: [Self; 20] = [
        Self::SentenceAdded,
        Self::SentenceDropped,
        Self::SentenceReplaced,
        Self::Number,
        Self::Link,
        Self::Image,
        Self::File,
        Self::Title,
        Self::ParagraphAdded,
        Self::ParagraphDropped,
        Self::ListItemAdded,
        Self::ListItemDropped,
        Self::RowAdded,
        Self::RowDropped,
        Self::LinkAdded,
        Self::LinkDropped,
        Self::ImageAdded,
        Self::ImageDropped,
        Self::FileAdded,
        Self::FileDropped,
    ];

    /// Edits an article. `what` tells edits apart: the same one is the same edit, as far as pages can have it in common.
    pub(super) fn of(self, article: &mut Article, what: usize) {
        let news = [
            "The mayor resigned on Monday",
            "Swimming is forbidden here",
            "Dogs are welcome again",
            "The roof collapsed",
            "Tickets are sold out",
            "Members pay half",
            "Nobody was hurt",
            "The road is closed",
            "Bring warm clothes",
            "A new owner was found",
        ][what % 10];
        let last = article.paragraphs.len() - 1;
        match self {
            Self::SentenceAdded => article.paragraphs[what % 2].push(format!("{news}.")),
            Self::SentenceDropped => drop(article.paragraphs[1].remove(what % 3)),
            Self::SentenceReplaced => article.paragraphs[0][1] = format!("{news}, says the harbour office."),
            Self::Number => article.prices[0].1 += 50 + what as u32,
            Self::Link => article.link = format!("https://elsewhere{what}.example/offer"),
            Self::Image => article.image = format!("/img/new-view{what}.jpg"),
            Self::File => article.file = format!("/files/timetable{what}.pdf"),
            Self::Title => article.title = format!("{news} at last"),
            Self::ParagraphAdded => {
                let lines = vec![format!("{news}."), format!("This is what notice {} says.", what + 40)];
                article.paragraphs.insert(1 + what % 2, lines);
            }
            Self::ParagraphDropped => drop(article.paragraphs.remove(what % 2)),
            Self::ListItemAdded => article.tips.insert(what % 2, format!("{news}, so come early")),
            Self::ListItemDropped => drop(article.tips.remove(what % 2)),
            Self::RowAdded => article.prices.insert(what % 2, (format!("{news} special"), 90 + what as u32)),
            Self::RowDropped => drop(article.prices.remove(what % 2)),
            Self::LinkAdded => article.more_links[1] = Some(format!("https://elsewhere{what}.example/boats")),
            Self::LinkDropped => article.more_links[0] = None,
            Self::ImageAdded => article.more_images[1] = Some(format!("/img/new-chart{what}.png")),
            Self::ImageDropped => article.more_images[0] = None,
            Self::FileAdded => article.more_files[1] = Some(format!("/files/new-rules{what}.pdf")),
            Self::FileDropped => article.more_files[0] = None,
            Self::BlockMoved => article.paragraphs.swap(0, last),
        }
    }
}
