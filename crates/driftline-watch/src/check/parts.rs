//! Which parts of a page changed, and would the same change be known on another page? By a signature of what happened
//! to which words, wherever they stand: a footer is the same footer at another place.

use driftline::change::{Change, Sides};
use driftline::event::Part;
use driftline::page::Page;
use driftline::region::Region;
use xxhash_rust::xxh3::Xxh3;

use driftline_report::summary::line::Description;
use driftline_report::summary::owners;
use driftline_report::summary::resources::is_shown;

/// More parts than this are not told apart: the page as a whole is one.
const MOST_PARTS: usize = 64;

/// What happened in a part: words that went, words that came, and links and images, in their order.
#[derive(Default)]
struct Contents<'a> {
    dropped: Vec<&'a str>,
    added: Vec<&'a str>,
    resources: Vec<String>,
}

/// The parts of a change, each with its signature.
pub(super) fn parts(pages: Sides<&Page>, change: &Change, description: &Description<'_>) -> Vec<Part> {
    let is_fine = change.regions.len() <= MOST_PARTS;
    let regions = if is_fine { change.regions.as_slice() } else { &[] };
    let mut contents: Vec<Contents<'_>> = Vec::new();
    // One more, for what stands in no region.
    contents.resize_with(regions.len() + 1, Contents::default);
    let owners = owners::of_words(pages, regions);
    let words: Sides<Vec<&str>> = Sides { older: pages.older.words().collect(), newer: pages.newer.words().collect() };
    for edit in &change.edits {
        for at in edit.older().into_iter().flatten() {
            contents[owners.older[at as usize]].dropped.push(words.older[at as usize]);
        }
        for at in edit.newer().into_iter().flatten() {
            contents[owners.newer[at as usize]].added.push(words.newer[at as usize]);
        }
    }
    for resource in change.resources.iter().filter(|resource| is_shown(resource.what)) {
        let of_owner = &mut contents[owners::of_resource(pages, regions, resource).unwrap_or(regions.len())];
        of_owner.resources.push(format!("{:?} {:?} {}", resource.kind, resource.what, resource.url));
    }
    let rest = contents.pop().unwrap_or_default();
    let of_region = |(at, (region, contents)): (usize, (&Region, &Contents<'_>))| Part {
        signature: contents.signature(region.kind().name()),
        selector: region.shown().selector.clone(),
        summary: description.region(at),
        importance: region.importance.score,
        why: region.importance.why(),
    };
    let of_regions = regions.iter().zip(&contents).enumerate();
    let mut parts: Vec<Part> = of_regions.filter(|(_, (_, contents))| !contents.is_empty()).map(of_region).collect();
    if !rest.is_empty() || change.title.is_some() {
        let summary = if rest.is_empty() { description.title() } else { Some(description.summary()) };
        parts.push(of_rest(&rest, change, summary.unwrap_or_default()));
    }
    parts
}

impl Contents<'_> {
    fn is_empty(&self) -> bool {
        self.dropped.is_empty() && self.added.is_empty() && self.resources.is_empty()
    }

    fn signature(&self, kind: &str) -> String {
        let mut hasher = Xxh3::new();
        let mut add = |text: &str| {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        add(kind);
        self.dropped.iter().for_each(|word| add(word));
        add("\n");
        self.added.iter().for_each(|word| add(word));
        add("\n");
        self.resources.iter().for_each(|resource| add(resource));
        format!("{:032x}", hasher.digest128())
    }
}

/// What stands in no region: the title, or everything if there are too many regions.
fn of_rest(contents: &Contents<'_>, change: &Change, summary: String) -> Part {
    let title = change.title.as_ref().map_or(String::new(), |title| format!("{}\n{}", title.older, title.newer));
    Part {
        signature: contents.signature(&title),
        selector: if change.title.is_some() { "title".to_owned() } else { String::new() },
        summary,
        importance: change.importance.score,
        why: change.importance.why(),
    }
}

#[cfg(test)]
mod tests {
    use driftline::compare::Comparer;
    use driftline::page::ReadOptions;

    use super::*;

    fn of(older: &str, newer: &str) -> Vec<Part> {
        let [older, newer] = [older, newer].map(|html| Page::read(html, &ReadOptions::default()));
        let change = Comparer::default().compare(&older, &newer);
        let pages = Sides { older: &older, newer: &newer };
        parts(pages, &change, &Description::new(pages, &change, ""))
    }

    const FOOTER: [&str; 2] = ["<footer>Call 555 1234 until five</footer>", "<footer>Call 555 9999 until six</footer>"];

    fn page(main: &str, footer: usize) -> String {
        format!("<main><h1>News</h1><p>{main}</p></main>{}", FOOTER[footer])
    }

    #[test]
    fn the_same_footer_has_the_same_signature_on_other_pages() {
        let one = of(&page("The river rose.", 0), &page("The river rose.", 1));
        let other = of(&page("Quite another page with more text.", 0), &page("Quite another page with more text.", 1));
        assert_eq!(one.len(), 1);
        assert_eq!(one[0].signature, other[0].signature);
    }

    #[test]
    fn a_page_with_a_change_of_its_own_has_one_part_more() {
        let parts = of(&page("The river rose.", 0), &page("The lake fell.", 1));
        let alone = of(&page("The river rose.", 0), &page("The river rose.", 1));
        assert_eq!(parts.len(), 2, "{parts:?}");
        assert!(parts.iter().any(|part| part.signature == alone[0].signature));
    }

    #[test]
    fn another_title_is_a_part() {
        let parts = of("<title>a</title><p>x", "<title>b</title><p>x");
        assert_eq!(parts.len(), 1);
        assert_eq!((parts[0].selector.as_str(), parts[0].summary.as_str()), ("title", "title: a → b"));
    }

    #[test]
    fn very_many_regions_are_one_part() {
        let page = |word: &str| (0..200).map(|at| format!("<p>{word}{at} stays {at}</p>")).collect::<String>();
        assert_eq!(of(&page("a"), &page("b")).len(), 1);
    }
}
