//! Frames that put the parts of a page together, as sites have had them since the 1990s.

use super::markup::{Node, leaf, nested, plain};
use super::parts::Builder;

/// How the parts are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// `header`, `main`, `aside`, `footer`.
    Semantic,
    /// `div` in `div`.
    Divs,
    /// Rows and columns of a framework.
    Grid,
    /// Tables, as in the 1990s.
    Tables,
    /// Next to nothing.
    Bare,
}

/// The frequent ones more than once.
pub(super) const FRAMES: [Frame; 8] =
    [Frame::Semantic, Frame::Semantic, Frame::Divs, Frame::Divs, Frame::Grid, Frame::Grid, Frame::Tables, Frame::Bare];

impl Frame {
    /// The body of every page.
    pub(super) fn body(self, builder: &mut Builder<'_>) -> Node {
        match self {
            Self::Semantic => semantic(builder),
            Self::Divs => divs(builder),
            Self::Grid => grid(builder),
            Self::Tables => tables(builder),
            Self::Bare => bare(builder),
        }
    }
}

fn semantic(builder: &mut Builder<'_>) -> Node {
    let mut top = vec![builder.logo(), builder.navigation()];
    if builder.rng.bool() {
        top.push(builder.search());
    }
    let top = wrapped(builder, top);
    let inside = wrapped(builder, vec![Node::Main]);
    let mut children = vec![builder.part("header", "header", top), builder.part("main", "main", inside)];
    let side = widgets(builder);
    if !side.is_empty() {
        children.push(builder.part("aside", "sidebar", side));
    }
    let footer = builder.footer();
    let footer = wrapped(builder, footer);
    children.push(builder.part("footer", "footer", footer));
    children.extend(scripts(builder));
    plain("body", children)
}

fn divs(builder: &mut Builder<'_>) -> Node {
    let top = vec![builder.logo(), builder.part("div", "tagline", vec![Node::Words(4)])];
    let navigation = builder.navigation();
    let (side, footer) = (widgets(builder), builder.footer());
    let mut columns = vec![builder.part("div", "content", vec![Node::Main])];
    columns.insert(builder.rng.usize(0..2), builder.part("div", "side", side));
    let page = vec![
        builder.part("div", "top", top),
        builder.part("div", "nav", vec![navigation]),
        builder.part("div", "columns", columns),
        builder.part("div", "foot", footer),
    ];
    let page = wrapped(builder, page);
    let mut children = vec![builder.part("div", "page", page)];
    children.extend(scripts(builder));
    plain("body", children)
}

fn grid(builder: &mut Builder<'_>) -> Node {
    let brand = vec![builder.any(&[leaf("button"), leaf("a")]), builder.logo()];
    let top = vec![builder.part("div", "navbar-header", brand), builder.navigation()];
    let (side, footer) = (widgets(builder), builder.footer());
    let row = vec![builder.part("div", "col-8", vec![Node::Main]), builder.part("div", "col-4", side)];
    let columns = footer.into_iter().map(|node| builder.part("div", "col", vec![node])).collect();
    let contained = |nodes| builder.part("div", "container", nodes);
    let children = vec![
        builder.part("nav", "navbar", vec![contained(top)]),
        contained(vec![builder.part("div", "row", row)]),
        builder.part("footer", "footer", vec![contained(vec![builder.part("div", "row", columns)])]),
    ];
    plain("body", children)
}

fn tables(builder: &mut Builder<'_>) -> Node {
    let cell = nested(&["td", "font", "a"], vec![Node::Words(1)]);
    let entry = nested(&["tr", "td", "a"], vec![plain("img", vec![])]);
    let menu = nested(&["table", "tbody", "tr"], vec![cell; builder.rng.usize(3..9)]);
    let side = nested(&["table", "tbody"], vec![entry.clone(); builder.rng.usize(2..9)]);
    let columns = plain("tr", vec![plain("td", vec![side]), plain("td", vec![plain("br", vec![]), Node::Main])]);
    let table = nested(&["table", "tbody"], vec![entry, nested(&["tr", "td"], vec![menu]), columns]);
    let table = if builder.rng.bool() { plain("center", vec![table]) } else { table };
    let mut foot = vec![plain("hr", vec![]), Node::Words(4), leaf("a"), plain("br", vec![])];
    foot.extend((0..builder.rng.usize(0..3)).map(|_| builder.any(&[leaf("i"), leaf("b"), plain("img", vec![])])));
    plain("body", vec![table, nested(&["center", "font"], foot)])
}

fn bare(builder: &mut Builder<'_>) -> Node {
    let home = plain("p", vec![leaf("a"), Node::Words(1), leaf("a")]);
    let feet =
        [leaf("address"), nested(&["p", "small"], vec![leaf("a")]), nested(&["footer", "p"], vec![Node::Words(3)])];
    let mut children = if builder.rng.bool() { vec![home] } else { Vec::new() };
    children.extend([Node::Main, plain("hr", vec![]), builder.any(&feet)]);
    plain("body", children)
}

fn widgets(builder: &mut Builder<'_>) -> Vec<Node> {
    (0..builder.rng.usize(0..5)).map(|_| builder.widget()).collect()
}

fn scripts(builder: &mut Builder<'_>) -> Vec<Node> {
    vec![plain("script", vec![]); builder.rng.usize(0..4)]
}

/// Up to two wrappers around nodes.
fn wrapped(builder: &mut Builder<'_>, nodes: Vec<Node>) -> Vec<Node> {
    (0..builder.rng.usize(0..3)).fold(nodes, |nodes, _| vec![builder.part("div", "wrap", nodes)])
}

/// The part of a page that its kind decides; the first kind always has a text.
pub(super) fn main(kind: usize, builder: &mut Builder<'_>) -> Node {
    let title = builder.any(&[leaf("h1"), leaf("h2"), nested(&["h1", "a"], vec![Node::Words(4)])]);
    match builder.rng.usize(0..if kind == 0 { 3 } else { 5 }) {
        0 | 1 => article(title, builder),
        2 => builder.part("div", "plain", vec![title, Node::Content]),
        3 => listing(title, builder),
        _ => record(title, builder),
    }
}

fn article(title: Node, builder: &mut Builder<'_>) -> Node {
    let meta = builder.any(&[
        plain("p", vec![leaf("time"), leaf("a")]),
        plain("div", vec![leaf("span"), leaf("span"), plain("time", vec![])]),
        plain("ul", vec![leaf("li"), nested(&["li", "a"], vec![Node::Words(1)])]),
        leaf("small"),
    ]);
    let tag = nested(&["li", "a"], vec![Node::Words(1)]);
    let tags = builder.part("ul", "tags", vec![Node::Times([1, 5], Box::new(tag))]);
    let mut children = vec![
        builder.part("header", "title", vec![title, meta]),
        builder.part("div", "text", vec![Node::Content]),
        Node::Sometimes(0.7, Box::new(tags)),
    ];
    if builder.rng.bool() {
        let previous = Node::Sometimes(0.9, Box::new(leaf("a")));
        children.push(builder.part("nav", "pager", vec![previous, leaf("a")]));
    }
    if builder.rng.bool() {
        children.push(builder.extra());
    }
    builder.part("article", "article", children)
}

fn listing(title: Node, builder: &mut Builder<'_>) -> Node {
    let picture = Node::Sometimes(0.3, Box::new(plain("img", vec![])));
    let teaser = plain("article", vec![nested(&["h2", "a"], vec![Node::Words(3)]), leaf("p"), picture]);
    builder.part("div", "listing", vec![title, Node::Times([2, 20], Box::new(teaser))])
}

fn record(title: Node, builder: &mut Builder<'_>) -> Node {
    let linked = plain("tr", vec![leaf("td"), nested(&["td", "a"], vec![Node::Words(1)])]);
    let pair = builder.any(&[plain("tr", vec![leaf("th"), leaf("td")]), linked]);
    let table = nested(&["table", "tbody"], vec![Node::Times([3, 12], Box::new(pair))]);
    builder.part("div", "record", vec![title, table, Node::Content])
}
