//! What holds for any text?

use proptest::prelude::*;

use super::*;

fn alphanumeric(text: &str) -> Vec<Span> {
    split(text, |character| !character.is_alphanumeric())
}

/// Pieces of dates and counts, so that random texts often come close to one.
fn scraps() -> impl Strategy<Value = String> {
    let scraps = [
        "2024",
        "31",
        "1",
        "05",
        "10:45",
        "-",
        "/",
        ".",
        ". ",
        ", ",
        ":",
        " ",
        " ",
        "\u{A0}",
        "\u{200B}",
        "\u{AD}",
        "(",
        ")",
        "T",
        "Z",
        "+",
        "%",
        "$",
        "Jan",
        "May",
        "may",
        "Mon",
        "am",
        "pm",
        "h",
        "hours",
        "ago",
        "vor",
        "il y a",
        "de",
        "年",
        "月",
        "日",
        "時間",
        "前",
        "전",
        "시간",
        "views",
        "Comments",
        "コメント",
        "件の",
        "just",
        "now",
        "k",
        "th",
        "'",
        "’",
        "é",
        "İ",
        "Σ",
        "x",
    ];
    prop::collection::vec(prop::sample::select(scraps.to_vec()), 0..40).prop_map(|scraps| scraps.concat())
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "\\PC{0,60}", scraps(), scraps()]
}

fn sets() -> impl Strategy<Value = Normalisers> {
    (0_u8..32).prop_map(Normalisers)
}

fn apply(normalisers: Normalisers, text: &str, words: &[Span]) -> (Vec<Span>, Vec<String>) {
    let mut words = words.to_vec();
    let mut forms = Forms::default();
    forms.extend(normalisers, text, &mut words, 0);
    let forms = (0..forms.len()).map(|index| forms.get(index).to_owned()).collect();
    (words, forms)
}

proptest! {
    #[test]
    fn words_stay_words_of_the_text(text in texts(), normalisers in sets()) {
        for rule in [whitespace, unicode, alphanumeric] {
            let before = rule(&text);
            let (words, forms) = apply(normalisers, &text, &before);
            prop_assert_eq!(words.len(), forms.len());
            prop_assert!(words.len() <= before.len());
            prop_assert!(words.iter().all(|word| word.start < word.end && text.get(word.range()).is_some()));
            prop_assert!(words.is_sorted_by(|left, right| left.end <= right.start));
            prop_assert!(forms.iter().all(|form| !form.is_empty()));
        }
    }

    #[test]
    fn a_second_time_changes_nothing(text in texts(), normalisers in sets()) {
        for rule in [whitespace, unicode, alphanumeric] {
            let (words, forms) = apply(normalisers, &text, &rule(&text));
            prop_assert_eq!(apply(normalisers, &text, &words), (words, forms));
        }
    }

    #[test]
    fn without_normalisers_nothing_changes(text in texts()) {
        let words = whitespace(&text);
        let texts = words.iter().map(|word| word.of(&text).to_owned()).collect();
        prop_assert_eq!(apply(Normalisers::default(), &text, &words), (words, texts));
    }
}

/// A search that is not linear would not come back from these.
#[test]
fn long_texts_take_linear_time() {
    let all: Normalisers = Normaliser::ALL.iter().copied().collect();
    for scrap in
        ["1,", "1", "1\u{A0}234", "a ", "(", "1:", "views ", "3 ", "年", "2024-", "5 May ", "\u{200B}", "-", "Mon, "]
    {
        let text = scrap.repeat(100_000);
        let words = whitespace(&text);
        assert!(apply(all, &text, &words).0.len() <= words.len());
    }
}
