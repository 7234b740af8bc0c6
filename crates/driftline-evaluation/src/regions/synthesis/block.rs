//! A block of a synthetic page: elements that can be changed in place and written again.

use fastrand::Rng;

use super::{Layout, any_word};

/// An element of a block.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) tag: &'static str,
    pub(super) attributes: Vec<(&'static str, String)>,
    pub(super) children: Vec<Child>,
}

/// What stands in an element.
#[derive(Debug, Clone)]
pub(super) enum Child {
    /// By its place in the block.
    Element(usize),
    /// By their ranks.
    Words(Vec<u32>),
}

/// The elements of a block; the first holds the others.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) elements: Vec<Element>,
}

impl Block {
    pub(super) fn new(tag: &'static str) -> Self {
        Self { elements: vec![Element { tag, attributes: Vec::new(), children: Vec::new() }] }
    }

    /// A block of nine elements, the `number`-th of its page.
    pub(super) fn of(layout: Layout, number: usize, rng: &mut Rng) -> Self {
        match layout {
            Layout::Tables => Self::table(number, rng),
            Layout::Articles => Self::article(number, rng),
        }
    }

    /// A paragraph.
    pub(super) fn paragraph(rng: &mut Rng) -> Self {
        let mut block = Self::new("p");
        block.say(0, 3, rng);
        block
    }

    fn table(number: usize, rng: &mut Rng) -> Self {
        let mut block = Self::new("div");
        block.attribute(0, "class", format!("c{}", number % 7));
        block.leaf(0, "h3", 2, rng);
        let table = block.add(0, "table");
        let body = block.add(table, "tbody");
        let row = block.add(body, "tr");
        block.leaf(row, "td", 1, rng);
        let cell = block.add(row, "td");
        let link = block.leaf(cell, "a", 2, rng);
        block.attribute(link, "href", format!("/{number}"));
        block.leaf(0, "p", 3, rng);
        block
    }

    fn article(number: usize, rng: &mut Rng) -> Self {
        let mut block = Self::new("article");
        let heading = block.leaf(0, "h2", 5, rng);
        block.attribute(heading, "id", format!("a{number}"));
        for name in ["a", "b", "a"] {
            let length = 20 + rng.usize(0..50);
            let paragraph = block.leaf(0, "p", length, rng);
            let inline = block.leaf(paragraph, name, 2, rng);
            if name == "a" {
                block.attribute(inline, "href", format!("/page/{number}"));
            }
            block.say(paragraph, 9, rng);
        }
        block.leaf(0, "footer", 4, rng);
        block
    }

    /// A new element, the last in `parent`.
    pub(super) fn add(&mut self, parent: usize, tag: &'static str) -> usize {
        let place = self.elements.len();
        self.elements.extend(Self::new(tag).elements);
        self.elements[parent].children.push(Child::Element(place));
        place
    }

    fn leaf(&mut self, parent: usize, tag: &'static str, words: usize, rng: &mut Rng) -> usize {
        let place = self.add(parent, tag);
        self.say(place, words, rng);
        place
    }

    fn say(&mut self, element: usize, words: usize, rng: &mut Rng) {
        let words = (0..words).map(|_| any_word(rng)).collect();
        self.elements[element].children.push(Child::Words(words));
    }

    fn attribute(&mut self, element: usize, name: &'static str, value: String) {
        self.elements[element].attributes.push((name, value));
    }

    pub(super) fn words_mut(&mut self) -> impl Iterator<Item = &mut u32> {
        self.elements.iter_mut().flat_map(|element| &mut element.children).flat_map(|child| match child {
            Child::Words(words) => words.as_mut_slice(),
            Child::Element(_) => &mut [],
        })
    }

    /// The elements with words and nothing else.
    pub(super) fn leaves(&self) -> Vec<usize> {
        let is_leaf = |element: &Element| matches!(element.children[..], [Child::Words(_)]);
        (0..self.elements.len()).filter(|&place| is_leaf(&self.elements[place])).collect()
    }

    /// Puts one of the elements that may stand anywhere into a new one; a block without such stays.
    pub(super) fn wrap(&mut self, rng: &mut Rng) {
        let may = |place: &usize| !matches!(self.elements[*place].tag, "tbody" | "tr" | "td");
        let leaves: Vec<usize> = self.leaves().into_iter().filter(may).filter(|&place| place > 0).collect();
        if leaves.is_empty() {
            return;
        }
        let place = leaves[rng.usize(0..leaves.len())];
        let tag = if matches!(self.elements[place].tag, "a" | "b" | "i") { "span" } else { "section" };
        let wrapper = self.elements.len();
        let mut children = self.elements.iter_mut().flat_map(|element| &mut element.children);
        if let Some(child) = children.find(|child| matches!(child, Child::Element(at) if *at == place)) {
            *child = Child::Element(wrapper);
        }
        self.elements.push(Element { tag, attributes: Vec::new(), children: vec![Child::Element(place)] });
    }

    /// Writes an element of the block and what stands in it. No block nests more than ten deep.
    pub(super) fn write(&self, element: usize, html: &mut String) {
        let Element { tag, attributes, children } = &self.elements[element];
        html.extend(["<", tag]);
        for (name, value) in attributes {
            html.extend([" ", name, "=\"", value, "\""]);
        }
        html.push('>');
        for child in children {
            match child {
                Child::Element(place) => self.write(*place, html),
                Child::Words(words) => words.iter().for_each(|&word| spell(word, html)),
            }
        }
        html.extend(["</", tag, ">"]);
    }
}

/// A word and a space before it: two letters for each two digits of its rank.
fn spell(mut word: u32, html: &mut String) {
    const CONSONANTS: &[u8; 20] = b"bcdfghjklmnpqrstvwxz";
    const VOWELS: &[u8; 5] = b"aeiou";
    html.push(' ');
    loop {
        let syllable = (word % 100) as usize;
        html.push(CONSONANTS[syllable / 5].into());
        html.push(VOWELS[syllable % 5].into());
        if word < 100 {
            break;
        }
        word = word / 100 - 1;
    }
}
