//! What excerpts say, as marked text.

use driftline::compare::Comparer;
use driftline::feed::Feed;
use driftline::feed::compare::compare;
use proptest::prelude::*;

use super::*;

/// `kept [-dropped-] {+added+} {>moved>} …`.
fn written(excerpt: &Excerpt) -> String {
    let write = |piece: &Piece| match piece.mark {
        Mark::Kept | Mark::Gap => piece.text.clone(),
        Mark::Added => format!("{{+{}+}}", piece.text),
        Mark::Dropped => format!("[-{}-]", piece.text),
        Mark::Moved => format!("{{>{}>}}", piece.text),
    };
    excerpt.pieces.iter().map(write).collect()
}

fn of(older: &str, newer: &str) -> Vec<String> {
    let options = ReadOptions::default();
    let [older, newer] = [older, newer].map(|text| Page::read(text, &options));
    let change = Comparer::default().compare(&older, &newer);
    Excerpts::new(Sides { older: &older, newer: &newer }, &change).ranked().iter().map(written).collect()
}

#[test]
fn words_that_went_stand_before_those_that_came() {
    assert_eq!(
        of("<p>Open from nine to five.", "<p>Open from nine to six, also on Sundays."),
        ["Open from nine to [-five-] {+six, also on Sundays+}."]
    );
}

#[test]
fn words_in_place_of_others_follow_them_line_by_line() {
    let concert = "A concert\nSongs of the sea";
    assert_eq!(of(concert, "A party\nDances of the sea"), ["A [-concert-] {+party+}\n[-Songs-] {+Dances+} of the sea"]);
    assert_eq!(of("Above\nold one\nold two\nBelow", "Above\nnew\nBelow"), ["[-old one\nold two-]\n{+new+}"]);
}

#[test]
fn words_dropped_after_a_replaced_one_are_one_run_with_it() {
    assert_eq!(of("<p>Open to six, also on Sundays", "<p>Open to five"), ["Open to [-six, also on Sundays-] {+five+}"]);
}

#[test]
fn what_stands_before_words_that_went_and_came_alike_is_kept() {
    let thing = "<p>Price of the q thing: 100 EUR";
    assert_eq!(of(thing, &thing.replace("100", "200")), ["Price of the q thing: [-100-] {+200+} EUR"]);
    let brackets = "<p>Tea (hot, sweet) for two";
    assert_eq!(of(brackets, &brackets.replace("hot", "cold")), ["Tea ([-hot-] {+cold+}, sweet) for two"]);
    let quoted = "<p>“Yes”, they say";
    assert_eq!(of(quoted, &quoted.replace("Yes", "No")), ["“[-Yes-] {+No+}”, they say"]);
}

#[test]
fn a_comma_goes_with_the_word_that_went() {
    assert_eq!(of("<p>Tea, milk, sugar and more", "<p>Tea, sugar and more"), ["Tea[-, milk-], sugar and more"]);
    assert_eq!(of("<p>Tea, milk and more", "<p>Tea with milk and more"), ["Tea {+with+} milk and more"]);
}

#[test]
fn far_words_are_left_out() {
    let far = "a b c d e f g h i j k l m n o p q r s t u v w x y z".replace(' ', "1 ");
    let older = format!("<p>{far} one two {far}");
    assert_eq!(
        of(&older, &older.replace("two", "three")),
        ["… t1 u1 v1 w1 x1 y1 z one [-two-] {+three+} a1 b1 c1 d1 e1 f1 g1 h1 …"]
    );
}

#[test]
fn two_changes_of_one_part_are_one_excerpt() {
    let older = "<p>x1 one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
                 seventeen eighteen x2";
    let newer = older.replace("x1", "y1").replace("x2", "y2");
    assert_eq!(
        of(older, &newer),
        ["[-x1-] {+y1+} one two three four five six seven eight … eleven twelve thirteen fourteen fifteen sixteen \
         seventeen eighteen [-x2-] {+y2+}"]
    );
}

#[test]
fn context_ends_with_the_line() {
    assert_eq!(of("<p>Above.<p>Old words.<p>Below.", "<p>Above.<p>New words.<p>Below."), ["[-Old-] {+New+} words."]);
}

#[test]
fn a_new_part_is_shown_line_by_line() {
    assert_eq!(
        of("<main><p>Same.</main>", "<main><p>Same.<div><h2>News</h2><p>First line.</div></main>"),
        ["{+News\nFirst line.+}"]
    );
}

#[test]
fn the_weightiest_part_comes_first() {
    let older = "<nav>one two</nav><main><p>The dataset is here to download.</main><footer>made at 10:02</footer>";
    let newer = "<nav>one six</nav><main><p>The dataset was withdrawn by us.</main><footer>made at 10:05</footer>";
    let found = of(older, newer);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("The dataset [-is here to download-]"), "{found:?}");
}

#[test]
fn text_without_blanks_stays_without() {
    assert_eq!(of("<p>営業時間は九時です。", "<p>営業時間は十時です。"), ["営業時間は[-九時-]{+十時+}です。"]);
}

#[test]
fn a_link_that_leads_elsewhere_is_shown() {
    let older = r#"<main><p>Get the <a href="https://example.org/a.pdf">report</a>.</main>"#;
    let found = of(older, &older.replace("a.pdf", "b.pdf"));
    assert_eq!(found, ["[-report (link https://example.org/a.pdf)-] {+report (link https://example.org/b.pdf)+}"]);
}

#[test]
fn another_title_is_shown() {
    assert_eq!(of("<title>Old</title><p>Same", "<title>New</title><p>Same"), ["[-Old-] {+New+}"]);
}

#[test]
fn of_many_parts_the_first_ten_are_shown() {
    let page =
        |word: &str| (0..40).map(|at| format!("<section><p>Part {at} says {word}{at}.</section>")).collect::<String>();
    assert_eq!(of(&page("x"), &page("y")).len(), MOST_EXCERPTS);
}

#[test]
fn items_of_a_feed_say_what_they_say() {
    let feed = |items: &str| {
        let text = format!(r#"<rss version="2.0"><channel><title>News</title>{items}</channel></rss>"#);
        Feed::read(text.as_str(), &ReadOptions::default())
    };
    let item = |guid: &str, title: &str, text: &str| {
        format!("<item><guid>{guid}</guid><title>{title}</title><description>{text}</description></item>")
    };
    let older = feed(&[item("a", "One", "the first one"), item("b", "Two", "goes")].concat());
    let newer = feed(&[item("c", "Three", "&lt;p&gt;comes&lt;/p&gt;"), item("a", "One", "the best one")].concat());
    let change = compare(&older, &newer, &ReadOptions::default(), &mut Comparer::default());
    let texts: Vec<String> = change
        .items
        .iter()
        .flat_map(|item| {
            let of = item.newer.map(|at| &newer.items[at]).or(item.older.map(|at| &older.items[at]));
            of_item(item, of).iter().map(written).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(texts, ["{+Three\ncomes+}", "the [-first-] {+best+} one", "[-Two\ngoes-]"]);
}

#[test]
fn a_change_of_other_pages_shows_nonsense_but_does_not_panic() {
    let options = ReadOptions::default();
    let [older, newer, other] = ["<p>a b c d e f<p>g", "<p>x b y d z<p>h", "q"].map(|text| Page::read(text, &options));
    let change = Comparer::default().compare(&older, &newer);
    assert!(Excerpts::new(Sides { older: &other, newer: &other }, &change).ranked().len() <= MOST_EXCERPTS);
}

proptest! {
    #[test]
    fn excerpts_are_few_and_short(older in "(<p>|<div>|</div>|[a-f]{1,3}|[ .,\n]){0,80}", newer in "(<p>|<b>|</b>|[a-f]{1,3}|[ .,\n]){0,80}") {
        let options = ReadOptions::default();
        let [older, newer] = [older, newer].map(|text| Page::read(text.as_str(), &options));
        let change = Comparer::default().compare(&older, &newer);
        let excerpts = Excerpts::new(Sides { older: &older, newer: &newer }, &change).ranked();
        prop_assert!(excerpts.len() <= MOST_EXCERPTS);
        for excerpt in &excerpts {
            let length: usize = excerpt.pieces.iter().map(|piece| piece.text.chars().count()).sum();
            prop_assert!(length <= MOST_CHARACTERS);
            prop_assert!(excerpt.pieces.iter().any(|piece| matches!(piece.mark, Mark::Added | Mark::Dropped | Mark::Moved)));
            prop_assert!(excerpt.pieces.iter().all(|piece| !piece.text.is_empty()));
        }
    }
}
