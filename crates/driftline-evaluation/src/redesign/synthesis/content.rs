//! Texts of an author: few long ones and many short ones, of the blocks that this author likes.

use fastrand::Rng;

use super::markup::{Node, leaf, nested, plain};

/// Blocks of a text.
const KINDS: usize = 9;

/// What the authors of a site write, whatever its design.
#[derive(Debug, Clone)]
pub(super) struct Habits {
    /// How often each kind of block comes.
    weights: [f64; KINDS],
    /// The fewest blocks of a text, and how heavy the tail is.
    least: f64,
    tail: f64,
    /// How often there is something inside a paragraph.
    inline: f64,
}

/// How the generator turns what was written into HTML: the same text, other tags.
#[derive(Debug, Clone)]
pub(super) struct Prose {
    code: u8,
    heading: u8,
    picture: u8,
    quote: u8,
    table: u8,
    list: bool,
}

/// A very long text is cut here: it has no tags that a shorter one lacks.
const MOST_BLOCKS: f64 = 120.0;

impl Habits {
    pub(super) fn any(rng: &mut Rng) -> Self {
        let mut weights = [0.0; KINDS];
        weights[0] = 1.0;
        let variety = rng.f64();
        weights[1..].iter_mut().for_each(|weight| *weight = if rng.f64() < variety { 0.5 * rng.f64() } else { 0.0 });
        Self { weights, least: 1.0 + 7.0 * rng.f64(), tail: 1.2 + 1.8 * rng.f64(), inline: 0.5 * rng.f64() }
    }

    /// A text.
    #[expect(clippy::cast_sign_loss, reason = "a text has at least one block")]
    pub(super) fn write(&self, prose: &Prose, rng: &mut Rng) -> Vec<Node> {
        let blocks = (self.least * (1.0 - rng.f64()).powf(-1.0 / self.tail)).min(MOST_BLOCKS) as usize;
        (0..blocks).map(|_| self.block(prose, rng)).collect()
    }

    fn block(&self, prose: &Prose, rng: &mut Rng) -> Node {
        let mut at = rng.f64() * self.weights.iter().sum::<f64>();
        let kind = self.weights.iter().position(|weight| {
            at -= weight;
            at < 0.0
        });
        match kind.unwrap_or(0) {
            1 => prose.heading(rng),
            2 => prose.list(self.inline, rng),
            3 => prose.code(rng),
            4 => prose.picture(),
            5 => prose.quote(self.inline, rng),
            6 => prose.table(rng),
            7 => plain("hr", vec![]),
            8 => nested(&["p", "a"], vec![Node::Words(3)]),
            _ => plain("p", inline(self.inline, rng)),
        }
    }
}

/// Words with what stands among them.
fn inline(share: f64, rng: &mut Rng) -> Vec<Node> {
    let mut nodes = vec![Node::Words(5)];
    while rng.f64() < share && nodes.len() < 9 {
        nodes.push(leaf(["a", "a", "em", "strong", "code", "br"][rng.usize(0..6)]));
        nodes.push(Node::Words(3));
    }
    nodes
}

impl Prose {
    pub(super) fn any(rng: &mut Rng) -> Self {
        let mut any = || rng.u8(0..4);
        Self { code: any(), heading: any(), picture: any(), quote: any(), table: any(), list: any() == 0 }
    }

    fn heading(&self, rng: &mut Rng) -> Node {
        let tag = ["h2", "h2", "h3"][rng.usize(0..3)];
        match self.heading {
            0 => leaf(tag),
            1 => plain(tag, vec![leaf("a")]),
            2 => plain(tag, vec![Node::Words(3), plain("a", vec![])]),
            _ => plain(tag, vec![leaf("span")]),
        }
    }

    fn list(&self, share: f64, rng: &mut Rng) -> Node {
        let tag = ["ul", "ul", "ol"][rng.usize(0..3)];
        let mut item = || {
            let words = inline(share, rng);
            plain("li", if self.list { vec![plain("p", words)] } else { words })
        };
        let items = vec![item(), item(), item()];
        plain(tag, items)
    }

    fn code(&self, rng: &mut Rng) -> Node {
        let tokens = vec![leaf("span"); rng.usize(1..12)];
        match self.code {
            0 => nested(&["pre", "code"], vec![Node::Words(8)]),
            1 => nested(&["div", "pre", "code"], tokens),
            2 => nested(&["figure", "table", "tbody", "tr", "td", "pre"], tokens),
            _ => nested(&["div", "div", "pre"], tokens),
        }
    }

    fn picture(&self) -> Node {
        let image = plain("img", vec![]);
        match self.picture {
            0 => plain("p", vec![image]),
            1 => plain("figure", vec![image, leaf("figcaption")]),
            2 => nested(&["p", "a"], vec![image]),
            _ => plain("center", vec![image, plain("br", vec![])]),
        }
    }

    fn quote(&self, share: f64, rng: &mut Rng) -> Node {
        match self.quote {
            0 | 1 => nested(&["blockquote", "p"], inline(share, rng)),
            2 => plain("blockquote", inline(share, rng)),
            _ => nested(&["div", "blockquote", "p"], inline(share, rng)),
        }
    }

    fn table(&self, rng: &mut Rng) -> Node {
        let cells = rng.usize(2..4);
        let row = |tag| plain("tr", vec![leaf(tag); cells]);
        let rows = plain("tbody", vec![row("td"); rng.usize(1..6)]);
        let table = match self.table {
            0 => plain("table", vec![rows]),
            _ => plain("table", vec![plain("thead", vec![row("th")]), rows]),
        };
        if self.table == 3 { plain("div", vec![table]) } else { table }
    }
}
