//! Parts around a text: navigation, boxes at the side, a footer, each built in one of several ways.

use fastrand::Rng;

use super::markup::{Node, element, leaf, nested, plain};
use super::names::Names;

/// Builds parts in the manner of one design.
pub(super) struct Builder<'a> {
    pub(super) names: &'a Names,
    pub(super) rng: &'a mut Rng,
}

impl Builder<'_> {
    /// One of several, at random.
    pub(super) fn any<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.rng.usize(0..choices.len())].clone()
    }

    /// An element with the design's class for this part.
    pub(super) fn part(&self, tag: &'static str, part: &str, children: Vec<Node>) -> Node {
        element(tag, self.names.of(part), children)
    }

    /// The same node so many times.
    fn repeated(&mut self, [least, most]: [usize; 2], node: &Node) -> Vec<Node> {
        vec![node.clone(); self.rng.usize(least..=most)]
    }

    /// `meta`, `link` and `script` in an order that the generator fixed.
    pub(super) fn head(&mut self) -> Node {
        let mut children = vec![plain("meta", vec![]), leaf("title")];
        for _ in 0..self.rng.usize(2..18) {
            let tag = self.any(&["meta", "meta", "link", "link", "script", "style"]);
            let run = self.rng.usize(1..4);
            children.extend(vec![plain(tag, vec![]); run]);
        }
        children.push(Node::Sometimes(0.2, Box::new(plain("meta", vec![]))));
        plain("head", children)
    }

    /// The name of the site, and its picture.
    pub(super) fn logo(&mut self) -> Node {
        let picture = plain("img", vec![]);
        match self.rng.u8(0..5) {
            0 => plain("h1", vec![self.part("a", "logo", vec![Node::Words(2)])]),
            1 => self.part("a", "brand", vec![picture, leaf("span")]),
            2 => self.part("div", "logo", vec![plain("a", vec![picture]), leaf("p")]),
            3 => self.part("div", "masthead", vec![nested(&["h2", "a"], vec![Node::Words(2)]), leaf("small")]),
            _ => {
                self.part("a", "home", vec![nested(&["svg", "g"], vec![plain("path", vec![]), plain("path", vec![])])])
            }
        }
    }

    /// The menu.
    pub(super) fn navigation(&mut self) -> Node {
        let item = match self.rng.u8(0..5) {
            0 => nested(&["li", "a"], vec![Node::Words(1)]),
            1 => nested(&["li", "a", "span"], vec![Node::Words(1)]),
            2 => self.part("a", "item", vec![Node::Words(1)]),
            3 => self.part("li", "item", vec![plain("a", vec![plain("i", vec![]), Node::Words(1)])]),
            _ => nested(&["div", "a"], vec![Node::Words(1)]),
        };
        let is_list = item.clone().as_element_mut().is_some_and(|element| element.tag == "li");
        let mut items = self.repeated([3, 9], &item);
        if is_list && self.rng.bool() {
            let below = self.repeated([2, 6], &item);
            let menu = self.part("ul", "submenu", below);
            let place = self.rng.usize(0..items.len());
            items.insert(place, self.part("li", "dropdown", vec![leaf("a"), menu]));
        }
        let list = if is_list { self.part("ul", "menu", items) } else { self.part("div", "links", items) };
        let bars = vec![plain("span", vec![]); self.rng.usize(0..4)];
        let button = self.part("button", "toggle", bars);
        match self.rng.u8(0..4) {
            0 => self.part("nav", "nav", vec![list]),
            1 => self.part("nav", "nav", vec![button, plain("div", vec![list])]),
            2 => self.part("div", "navbar", vec![plain("div", vec![button]), list]),
            _ => list,
        }
    }

    /// A field to search with.
    pub(super) fn search(&mut self) -> Node {
        let field = plain("input", vec![]);
        match self.rng.u8(0..4) {
            0 => self.part("form", "search", vec![field.clone(), field]),
            1 => self.part("form", "search", vec![leaf("label"), field, leaf("button")]),
            2 => self.part("div", "search", vec![plain("form", vec![nested(&["p"], vec![field, leaf("button")])])]),
            _ => self.part(
                "form",
                "search",
                vec![nested(&["div", "span"], vec![field]), plain("button", vec![nested(&["svg", "path"], vec![])])],
            ),
        }
    }

    /// A box at the side.
    pub(super) fn widget(&mut self) -> Node {
        let title = self.any(&["h2", "h3", "h4", "p", "strong"]);
        let title = self.part(title, "widget-title", vec![Node::Words(2)]);
        let body = match self.rng.u8(0..6) {
            0 => self.search(),
            1 => {
                let item = nested(&["li", "a"], vec![Node::Words(3)]);
                self.part("ul", "recent", vec![Node::Times([4, 6], Box::new(item))])
            }
            2 => {
                let row = plain("li", vec![leaf("a"), leaf("span")]);
                let rows = self.repeated([3, 8], &row);
                self.part("ul", "archive", rows)
            }
            3 => {
                let tag = self.part("a", "tag", vec![Node::Words(1)]);
                self.part("div", "cloud", vec![Node::Times([5, 15], Box::new(tag))])
            }
            4 => plain("div", vec![plain("img", vec![]), plain("p", vec![Node::Words(8), leaf("a")])]),
            _ => {
                let item = plain(
                    "li",
                    vec![
                        plain("a", vec![plain("img", vec![])]),
                        nested(&["h5", "a"], vec![Node::Words(3)]),
                        leaf("time"),
                    ],
                );
                let items = self.repeated([3, 5], &item);
                self.part("ol", "popular", items)
            }
        };
        let tag = self.any(&["div", "section", "aside"]);
        self.part(tag, "widget", vec![title, body])
    }

    /// What stands at the end of every page.
    pub(super) fn footer(&mut self) -> Vec<Node> {
        let link = self.any(&[
            nested(&["li", "a"], vec![Node::Words(1)]),
            leaf("a"),
            nested(&["p", "a"], vec![Node::Words(2)]),
        ]);
        let is_list = link.clone().as_element_mut().is_some_and(|element| element.tag == "li");
        let mut nodes = Vec::new();
        for _ in 0..self.rng.usize(0..4) {
            let links = self.repeated([2, 6], &link);
            let list = plain(if is_list { "ul" } else { "div" }, links);
            let heading = self.any(&["h3", "h4", "h6", "strong"]);
            nodes.push(self.part("div", "column", vec![leaf(heading), list]));
        }
        let icon =
            plain("a", vec![self.any(&[plain("img", vec![]), plain("i", vec![]), nested(&["svg", "path"], vec![])])]);
        if self.rng.bool() {
            let icons = self.repeated([2, 5], &icon);
            nodes.push(self.part("div", "social", icons));
        }
        let small = self.any(&["p", "small", "span", "div"]);
        nodes.push(self.part(small, "copyright", vec![Node::Words(4), leaf("a")]));
        nodes
    }

    /// A form to subscribe with, a hint or a banner: what is added to a design later.
    pub(super) fn extra(&mut self) -> Node {
        let field = plain("input", vec![]);
        match self.rng.u8(0..4) {
            0 => self.part(
                "div",
                "signup",
                vec![leaf("h3"), leaf("p"), plain("form", vec![field.clone(), field, leaf("button")])],
            ),
            1 => self.part(
                "div",
                "banner",
                vec![plain("p", vec![leaf("strong"), Node::Words(6), leaf("a")]), leaf("button")],
            ),
            2 => {
                let crumb = nested(&["li", "a"], vec![Node::Words(1)]);
                self.part("nav", "breadcrumbs", vec![plain("ol", vec![crumb.clone(), crumb, leaf("li")])])
            }
            _ => self.search(),
        }
    }
}
