//! Sentences for the pages, put together from a seed.

use super::dice::Dice;

const WHO: [&str; 16] = [
    "The harbour master",
    "The school by the dunes",
    "A group of divers",
    "The island council",
    "Marit Halvorsen",
    "The crew of the book boat",
    "The fire brigade",
    "A retired pilot",
    "The choir",
    "The keeper of the lighthouse",
    "The weather station",
    "The new baker",
    "A team from the university",
    "The sailing club",
    "The museum",
    "Our postman",
];
const DID: [&str; 14] = [
    "repaired",
    "photographed",
    "painted",
    "counted",
    "described",
    "found",
    "presented",
    "measured",
    "borrowed",
    "restored",
    "discussed",
    "opened",
    "collected",
    "sold",
];
const WHAT: [&str; 18] = [
    "the old crane",
    "a wooden boat",
    "the seals on the northern skerries",
    "three maps of the fairway",
    "the organ of the chapel",
    "a collection of glass floats",
    "the footbridge over the creek",
    "the nests of the terns",
    "the foghorn",
    "a set of charts",
    "the clock of the town hall",
    "the plans for the breakwater",
    "the herring nets",
    "the stone walls of the upper fields",
    "the records of the tide gauge",
    "the benches along the quay",
    "a letter from the year of the great storm",
    "the windmill",
];
const WHERE: [&str; 12] = [
    "at the long pier",
    "in the upper village",
    "behind the ice house",
    "on the western shore",
    "near the ferry ramp",
    "in the reading room",
    "below the signal hill",
    "at the mouth of the creek",
    "in the boathouse",
    "on the green",
    "by the smokehouse",
    "in the yard of the school",
];
const WHEN: [&str; 10] = [
    "last autumn",
    "before the first frost",
    "during the long weekend",
    "while the ferry was late",
    "after the meeting",
    "on a calm morning",
    "in the rain",
    "as every year",
    "for the first time",
    "between two tides",
];
const THEN: [&str; 12] = [
    "Nobody had asked for it, but nobody objected either.",
    "The report is in the reading room for everyone to see.",
    "More hands are needed, and coffee is provided.",
    "It took longer than planned.",
    "The costs were shared by three neighbours.",
    "Those who know more are asked to write to the office.",
    "A short film of it is shown on request.",
    "The work goes on when the wind allows it.",
    "Children under twelve had the most questions.",
    "The result can be seen from the upper deck of the ferry.",
    "It was the talk of the market.",
    "A second part will follow.",
];

/// A sentence.
pub(super) fn sentence(dice: &mut Dice) -> String {
    if dice.below(4) == 0 {
        return dice.pick(&THEN).to_owned();
    }
    let [who, did, what] = [dice.pick(&WHO), dice.pick(&DID), dice.pick(&WHAT)];
    let [place, when] = [dice.pick(&WHERE), dice.pick(&WHEN)];
    match dice.below(3) {
        0 => format!("{who} {did} {what} {place}."),
        1 => format!("{who} {did} {what} {place} {when}."),
        _ => format!("{}{}, {} {did} {what} {place}.", when[..1].to_uppercase(), &when[1..], lower(who)),
    }
}

/// A paragraph of three to five sentences.
pub(super) fn paragraph(dice: &mut Dice) -> String {
    let count = 3 + dice.below(3);
    (0..count).map(|_| sentence(dice)).collect::<Vec<_>>().join(" ")
}

/// Something that can be in a title.
pub(super) fn subject(dice: &mut Dice) -> String {
    let [what, place] = [dice.pick(&WHAT), dice.pick(&WHERE)];
    format!("{}{} {place}", what[..1].to_uppercase(), &what[1..])
}

/// A person.
pub(super) fn person(dice: &mut Dice) -> String {
    const FIRST: [&str; 14] = [
        "Anna", "Bjarne", "Cecilie", "Dag", "Eline", "Finn", "Greta", "Henrik", "Ida", "Jonas", "Karin", "Lars",
        "Maja", "Nils",
    ];
    const LAST: [&str; 12] =
        ["Aas", "Berg", "Dahl", "Eide", "Foss", "Grimstad", "Haugen", "Iversen", "Knudsen", "Lund", "Moe", "Nygaard"];
    format!("{} {}", dice.pick(&FIRST), dice.pick(&LAST))
}

/// A telephone number of the island.
pub(super) fn phone(dice: &mut Dice) -> String {
    format!("0555 {:02} {:02} {:02}", 10 + dice.below(90), 10 + dice.below(90), 10 + dice.below(60))
}

/// `The` at the start of a sentence is `the` within it; names stay.
fn lower(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    if matches!(first, "The" | "A" | "Our") { text[..1].to_lowercase() + &text[1..] } else { text.to_owned() }
}
