//! Text that the rules of a watch leave out: it is in no message, neither alone nor beside what counts.

use driftline::event::{Event, Mark};
use driftline_watch::watches::{Counts, Settings, Watch};

use super::stage::{Stage, kinds, watch};

const SITE: &str = "example.org";

/// The rules that leave out the line of the counter, by their names.
fn rules() -> [(&'static str, Counts); 4] {
    let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    [
        ("ignore-lines", Counts { ignore_lines: texts(&["(?i)visitor"]), ..Counts::default() }),
        ("ignore-text", Counts { ignore_text: texts(&[r"(?i)visitor number \d+ today"]), ..Counts::default() }),
        ("only-lines", Counts { only_lines: texts(&["Call", "costs"]), ..Counts::default() }),
        ("only-text", Counts { only_text: texts(&["Call .*", "costs .*"]), ..Counts::default() }),
    ]
}

fn watches(counts: &Counts) -> Vec<Watch> {
    let settings = Settings { counts: counts.clone(), ..Settings::default() };
    (0..6).map(|at| watch(&format!("p{at}"), &format!("http://{SITE}/p{at}"), settings.clone())).collect()
}

/// All that an event shows, as one text.
fn said(event: &Event) -> String {
    let pieces = event.excerpts.iter().flat_map(|excerpt| &excerpt.pieces);
    let marked = pieces.filter(|piece| piece.mark != Mark::Kept).map(|piece| piece.text.clone());
    let parts = event.parts.iter().map(|part| part.summary.clone());
    [event.summary.clone()].into_iter().chain(parts).chain(marked).collect::<Vec<_>>().join("; ")
}

fn page(at: usize, price: usize, count: usize, hour: &str) -> String {
    format!(
        "<title>Page {at}</title><main><h1>Thing {at}</h1><p>Thing {at} costs {price} euros.</p>\
         <p>visitor number {count} today</p></main><footer><p>Call 555 1234 until {hour}.</p></footer>"
    )
}

#[test]
fn an_ignored_counter_beside_a_shared_footer_sends_no_message_of_its_own() {
    for (rule, counts) in rules() {
        let (mut stage, watches) = (Stage::new(), watches(&counts));
        for (round, hour) in ["five", "six"].into_iter().enumerate() {
            for (at, watch) in watches.iter().enumerate() {
                stage.page(&watch.url, &page(at, 10 + at, 113 + at + 20 * round, hour));
                stage.check_now(watch);
            }
            stage.pass(10);
        }
        let told = stage.settle(SITE);
        let all: Vec<String> = told.iter().map(said).collect();
        assert_eq!((told.len(), told[0].pages.len()), (1, 6), "{rule}: {all:#?}");
        assert!(all[0].contains("five → six") && !all[0].contains("133"), "{rule}: {all:#?}");
    }
}

/// The event after the price and the counter of a page changed, and that after the price alone.
fn of_price(counts: &Counts, page: impl Fn(usize, usize) -> String) -> [Event; 2] {
    [107, 100].map(|count| {
        let (mut stage, watch) = (Stage::new(), watches(counts).remove(0));
        stage.serve(&watch, &page(10, 100));
        let mut events = stage.serve(&watch, &page(11, count)).events;
        assert_eq!(kinds(&events).len(), 1);
        events.remove(0)
    })
}

#[test]
fn an_ignored_counter_beside_a_price_is_in_no_excerpt_and_in_no_importance() {
    for (rule, counts) in rules() {
        let [both, price] = of_price(&counts, |price, count| page(0, price, count, "five"));
        assert_eq!(both.excerpts, price.excerpts, "{rule}");
        assert_eq!((both.importance, &both.why), (price.importance, &price.why), "{rule}");
        assert_eq!((&both.summary, &both.parts), (&price.summary, &price.parts), "{rule}");
    }
}

#[test]
fn an_ignored_line_in_the_same_block_as_a_price_is_in_no_message() {
    let block = |price: usize, count: usize| {
        format!("<title>Shop</title><p>visitor number {count} today<br>the lamp costs {price} euros<br>Call us.")
    };
    for (rule, counts) in rules() {
        let [both, price] = of_price(&counts, block);
        assert_eq!(both.summary, "the lamp costs 10 → 11 euros", "{rule}");
        assert_eq!((&both.excerpts, &both.parts), (&price.excerpts, &price.parts), "{rule}");
        assert_eq!((both.importance, &both.why), (price.importance, &price.why), "{rule}");
    }
}
