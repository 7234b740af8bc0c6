//! A design of a site: its frame, its kinds of pages, and how it can change.

use fastrand::Rng;

use super::content::{Habits, Prose};
use super::frame::{self, FRAMES, Frame};
use super::markup::{Element, Node, leaf, plain};
use super::names::Names;
use super::parts::Builder;

/// A template for every kind of page of a site.
#[derive(Debug, Clone)]
pub(super) struct Design {
    names: Names,
    frame: Frame,
    head: Node,
    body: Node,
    /// Kinds of pages that share the frame; the first is the most frequent.
    mains: Vec<Node>,
    prose: Prose,
}

impl Design {
    /// Any design, with so many kinds of pages.
    pub(super) fn any(kinds: usize, rng: &mut Rng) -> Self {
        let frame = FRAMES[rng.usize(0..FRAMES.len())];
        let names = if frame == Frame::Tables { Names::none() } else { Names::any(rng) };
        Self::new(frame, names, kinds, rng)
    }

    fn new(frame: Frame, names: Names, kinds: usize, rng: &mut Rng) -> Self {
        let mut builder = Builder { names: &names, rng };
        let (head, body) = (builder.head(), frame.body(&mut builder));
        let mains = (0..kinds.max(1)).map(|kind| frame::main(kind, &mut builder)).collect();
        let prose = Prose::any(rng);
        Self { names, frame, head, body, mains, prose }
    }

    /// A document.
    pub(super) fn document(&self, habits: &Habits, rng: &mut Rng) -> String {
        let kind = if rng.f64() < 0.7 { 0 } else { rng.usize(0..self.mains.len()) };
        let content = self.text(habits, rng);
        let mut html = "<!doctype html>\n<html>".to_owned();
        self.head.write(None, &[], rng, &mut html);
        self.body.write(Some(&self.mains[kind]), &content, rng, &mut html);
        html.push_str("</html>\n");
        html
    }

    /// What an author wrote, as this design shows it.
    pub(super) fn text(&self, habits: &Habits, rng: &mut Rng) -> Vec<Node> {
        habits.write(&self.prose, rng)
    }

    /// Another design for the same site.
    pub(super) fn redesigned(&self, rng: &mut Rng) -> Self {
        let kinds = self.mains.len();
        match rng.u8(0..10) {
            0 => Self::new(self.frame, self.names.clone(), kinds, rng),
            1 => self.rearranged(rng),
            _ => Self::any(kinds, rng),
        }
    }

    /// Head and frame are new; the kinds of pages, and what things are called, stay.
    fn rearranged(&self, rng: &mut Rng) -> Self {
        let others = FRAMES.into_iter().filter(|&frame| frame != self.frame).collect::<Vec<_>>();
        let frame = others[rng.usize(0..others.len())];
        let mut builder = Builder { names: &self.names, rng };
        let (head, body) = (builder.head(), frame.body(&mut builder));
        Self { frame, head, body, ..self.clone() }
    }

    /// The same look from a newer generator: other wrappers, other tags, another head.
    pub(super) fn upgraded(&self, rng: &mut Rng) -> Self {
        // A shingle of six tags survives where none of about five elements changed.
        let share = 0.2 + 0.15 * rng.f64();
        let mut design = self.clone();
        let mut change = |element: &mut Element| {
            if rng.f64() < share {
                change_tags(element, rng);
            }
        };
        design.body.each(&mut change);
        design.mains.iter_mut().for_each(|main| main.each(&mut change));
        design.head = Builder { names: &self.names, rng }.head();
        design.prose = Prose::any(rng);
        design
    }

    /// The same design with something more in one place, and perhaps something built in another way.
    pub(super) fn extended(&self, rng: &mut Rng) -> Self {
        let mut design = self.clone();
        let extra = Builder { names: &self.names, rng }.extra();
        let place = if rng.bool() { &mut design.body } else { &mut design.mains[0] };
        if let Some(element) = place.as_element_mut() {
            let at = rng.usize(0..=element.children.len());
            element.children.insert(at, extra);
        }
        // What the pages of a record said in a line becomes a list, as real sites did it.
        if rng.bool() {
            let pairs = vec![leaf("dt"), plain("dd", vec![leaf("a"), leaf("span")]), leaf("dt"), leaf("dd")];
            let mains = design.mains.iter_mut().filter_map(Node::as_element_mut);
            mains.for_each(|main| main.children.insert(1, plain("dl", pairs.clone())));
        }
        design
    }
}

/// Another name, or a wrapper around the contents where one may stand.
fn change_tags(element: &mut Element, rng: &mut Rng) {
    let renamed = match element.tag {
        "div" => Some("section"),
        "section" | "aside" | "article" | "p" => Some("div"),
        "h3" => Some("h4"),
        "h4" => Some("h3"),
        "span" => Some("b"),
        "small" | "strong" => Some("span"),
        _ => None,
    };
    let wrapper = match element.tag {
        "body" | "div" | "section" | "article" | "header" | "nav" | "main" | "aside" | "footer" | "li" | "td" => "div",
        "a" | "p" | "h1" | "h2" | "h3" | "h4" | "span" | "button" | "time" => "span",
        _ => return,
    };
    match renamed {
        Some(tag) if rng.bool() => element.tag = tag,
        _ => element.children = vec![plain(wrapper, std::mem::take(&mut element.children))],
    }
}
