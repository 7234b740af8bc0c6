//! Outliers, documents that are not of the site's design: stubs, errors, third-party pages.

use fastrand::Rng;

use super::content::Habits;
use super::design::Design;
use super::markup::{Node, leaf, nested, plain};

/// Where the outliers of a stream come from.
#[derive(Debug, Clone)]
pub(super) struct Outliers {
    /// The share of the documents that are outliers.
    rate: f64,
    /// Kinds that this stream has; a kind that stands here twice is twice as frequent.
    kinds: Vec<Kind>,
    /// Sites that it links to again and again.
    friends: Vec<(Design, Habits)>,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// A redirect for an old address.
    Stub,
    /// An error of the server.
    Error,
    /// A page of a site that it links to often.
    Friend,
    /// A page of a site that is never seen again.
    Stranger,
    /// A page that was built by hand.
    Landing,
    /// Text without its design: for printers, or cut short.
    Naked,
}

const KINDS: [Kind; 6] = [Kind::Stub, Kind::Error, Kind::Friend, Kind::Stranger, Kind::Landing, Kind::Naked];

impl Outliers {
    /// None.
    pub(super) fn none() -> Self {
        Self { rate: 0.0, kinds: Vec::new(), friends: Vec::new() }
    }

    /// Up to every fourth document.
    pub(super) fn any(rng: &mut Rng) -> Self {
        let kinds = (0..rng.usize(1..5)).map(|_| KINDS[rng.usize(0..KINDS.len())]).collect();
        let friends = (0..rng.usize(1..4)).map(|_| (Design::any(1, rng), Habits::any(rng))).collect();
        Self { rate: 0.02 + 0.23 * rng.f64(), kinds, friends }
    }

    /// An outlier, if the next document is one.
    pub(super) fn next(&self, habits: &Habits, rng: &mut Rng) -> Option<String> {
        if rng.f64() >= self.rate {
            return None;
        }
        Some(match self.kinds[rng.usize(0..self.kinds.len())] {
            Kind::Stub => stub(rng),
            Kind::Error => {
                page(vec![nested(&["center", "h1"], vec![Node::Words(2)]), plain("hr", vec![]), leaf("center")], rng)
            }
            Kind::Friend => {
                let (design, habits) = &self.friends[rng.usize(0..self.friends.len())];
                design.document(habits, rng)
            }
            Kind::Stranger => Design::any(1, rng).document(&Habits::any(rng), rng),
            Kind::Landing => page(landing(rng), rng),
            Kind::Naked => {
                let text = Design::any(1, rng).text(habits, rng);
                page(vec![leaf("h1")].into_iter().chain(text).collect(), rng)
            }
        })
    }
}

/// Seven tags and no text.
fn stub(rng: &mut Rng) -> String {
    let mut html = "<!doctype html>\n<html>".to_owned();
    let head = plain("head", vec![leaf("title"), plain("link", vec![]), plain("meta", vec![]), plain("meta", vec![])]);
    head.write(None, &[], rng, &mut html);
    html.push_str("</html>\n");
    html
}

fn page(nodes: Vec<Node>, rng: &mut Rng) -> String {
    let mut html = "<!doctype html>\n<html><head><title>Page</title></head>".to_owned();
    plain("body", nodes).write(None, &[], rng, &mut html);
    html.push_str("</html>\n");
    html
}

/// A picture, promises and buttons, in any order.
fn landing(rng: &mut Rng) -> Vec<Node> {
    let blocks = [
        nested(&["section", "div"], vec![leaf("h1"), leaf("p"), leaf("a"), leaf("a")]),
        nested(&["section", "div", "div"], vec![plain("img", vec![]), leaf("h3"), leaf("p")]),
        nested(&["div", "ul"], vec![nested(&["li", "b"], vec![Node::Words(2)]), leaf("li"), leaf("li")]),
        nested(&["section", "form"], vec![leaf("label"), plain("input", vec![]), leaf("button")]),
        nested(&["div", "blockquote"], vec![leaf("p"), leaf("cite")]),
        nested(&["section", "table", "tbody", "tr"], vec![leaf("th"), leaf("td"), leaf("td")]),
    ];
    (0..rng.usize(3..12)).map(|_| blocks[rng.usize(0..blocks.len())].clone()).collect()
}
