//! What is a number, and what only holds digits?

use super::{both, forms, unicode, whitespace};

#[test]
fn a_number_in_any_writing_is_the_same() {
    let numbers = [
        "7",
        "42",
        "1,234",
        "1.234,56",
        "3,141.5",
        "1’234’567",
        "1'234",
        "16:9",
        "1/2",
        "555-1234",
        "192.168.0.1",
        "½",
        "1st",
        "2nd",
        "3rd",
        "4th",
        "1er",
        "2e",
        "1º",
        "3.2k",
        "1M",
        "2.5bn",
        "12GB",
        "64KiB",
        "٣٤٥",
        "१२३",
        "１２３",
        "1\u{A0}234\u{A0}567",
        "12\u{202F}000",
        "1.2万",
        "10만",
    ];
    for number in numbers {
        assert_eq!(both("numbers", &format!("about {number} of")), "about|#|of", "{number}");
    }
}

#[test]
fn signs_currencies_and_percents_belong_to_the_number() {
    for number in
        ["-5", "+5", "−5", "±5", "5%", "12.5‰", "$5", "-$5.20", "€1.234,56", "5€", "₩1,000", ".5", "20°C", "5°"]
    {
        assert_eq!(forms("numbers", whitespace, &format!("about {number} of")), "about|#|of", "{number}");
    }
    for number in ["-5", "5%", "$5", "-$5.20", "5€", "₩1,000"] {
        assert_eq!(forms("numbers", unicode, &format!("about {number} of")), "about|#|of", "{number}");
    }
}

#[test]
fn words_that_contain_digits_stay() {
    let words = "w3 IPv6 covid19 3D 5x 1a h264 2024s B2B";
    assert_eq!(both("numbers", words), words.replace(' ', "|"));
    let tied = "covid-19 5-year v1.2.3 foo_5 $5/month 2024's a=5 1e5 10:45pm x.5";
    assert_eq!(forms("numbers", whitespace, tied), tied.replace(' ', "|"));
    assert_eq!(forms("numbers", unicode, "covid-19 5-year"), "covid|19|5|year");
}

#[test]
fn punctuation_around_a_number_stays_in_the_form() {
    assert_eq!(forms("numbers", whitespace, "In (2024), 5. \"7\" [8]: 9!"), "In|(#),|#.|\"#\"|[#]:|#!");
    assert_eq!(forms("numbers", unicode, "In (2024), 5. \"7\" [8]: 9!"), "In|#|#|#|#|#");
    assert_eq!(forms("numbers", whitespace, "US$5 5–10 第3回 3冊"), "US$#|#–#|第#回|#冊");
}

#[test]
fn an_ordinary_space_keeps_numbers_apart() {
    assert_eq!(both("numbers", "1 234 5"), "#|#|#");
    assert_eq!(both("numbers", "12\u{A0}34"), "#|#");
}

#[test]
fn a_date_is_a_number_where_dates_are_not_asked_for() {
    assert_eq!(both("numbers", "on 2024-01-31 at 10:45"), "on|#|at|#");
}
