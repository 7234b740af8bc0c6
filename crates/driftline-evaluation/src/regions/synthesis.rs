//! Synthetic pages to try a detector on, of which it is known what changed and where.
//!
//! A [`MadePage`] has as many elements as asked, in one of two layouts, and words as frequent as in
//! natural text. It can be edited as a whole (a share of its words, a few words, everything), or one
//! block at a time in exactly one [`Aspect`], which is the ground truth of Artail and Fawaz's
//! figure 8. The same seed makes the same page and the same edits.

mod block;

use fastrand::Rng;
use serde::Serialize;

use block::Block;

/// How a page is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Blocks side by side below the body, each with a heading, a table and a paragraph.
    Tables,
    /// Header, articles and footer inside wrappers, as most sites are built.
    Articles,
}

impl Layout {
    /// All layouts.
    pub const ALL: [Self; 2] = [Self::Tables, Self::Articles];
}

/// What an edit of one block changes, and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Aspect {
    /// One word is another.
    Content,
    /// One element more, or one element of another name.
    Structure,
    /// One value of an attribute is another.
    Attributes,
}

impl Aspect {
    /// All aspects, in the order of their weights `α`, `γ` and `β`.
    pub const ALL: [Self; 3] = [Self::Content, Self::Structure, Self::Attributes];
}

/// Words of the same rank are the same word; those from here on stand on no page that was not edited.
const VOCABULARY: u32 = 20_000;

/// A synthetic page.
#[derive(Debug, Clone)]
pub struct MadePage {
    layout: Layout,
    blocks: Vec<Block>,
    fresh: u32,
}

impl MadePage {
    /// A page of exactly `elements` elements, or of as few as the layout can do with.
    #[must_use]
    pub fn new(layout: Layout, elements: usize, rng: &mut Rng) -> Self {
        let mut page = Self { layout, blocks: Vec::new(), fresh: 0 };
        let mut missing = elements.saturating_sub(page.elements());
        while missing > 0 {
            let whole = Block::of(layout, page.blocks.len(), rng);
            let block = if whole.elements.len() <= missing { whole } else { Block::paragraph(rng) };
            missing -= block.elements.len();
            page.blocks.push(block);
        }
        page
    }

    /// How the page is laid out.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// How many elements the page has, `html` and `head` included.
    #[must_use]
    pub fn elements(&self) -> usize {
        let shell = match self.layout {
            Layout::Tables => 4,
            Layout::Articles => 15,
        };
        shell + self.blocks.iter().map(|block| block.elements.len()).sum::<usize>()
    }

    /// How many blocks there are: below the body ([`Layout::Tables`]) or among the articles.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The page as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let (before, after) = match self.layout {
            Layout::Tables => ("", ""),
            Layout::Articles => (ARTICLES_BEFORE, ARTICLES_AFTER),
        };
        let mut html = "<!doctype html><html><head><title>Made page</title></head><body>".to_owned();
        html.push_str(before);
        self.blocks.iter().for_each(|block| block.write(0, &mut html));
        html.extend([after, "</body></html>"]);
        html
    }

    /// Draws about this share of the words anew, wherever they stand.
    pub fn edit_words(&mut self, share: f64, rng: &mut Rng) {
        for word in self.words_mut() {
            if rng.f64() < share {
                *word = any_word(rng);
            }
        }
    }

    /// Replaces `count` words, wherever they stand, by words that the page does not have.
    pub fn edit_some_words(&mut self, count: usize, rng: &mut Rng) {
        let mut fresh = self.fresh;
        let mut words: Vec<_> = self.words_mut().collect();
        for _ in 0..count.min(words.len()) {
            let at = rng.usize(0..words.len());
            *words.swap_remove(at) = VOCABULARY + fresh;
            fresh += 1;
        }
        self.fresh = fresh;
    }

    /// Draws every word and every attribute's value anew; only the tags stay.
    pub fn rewrite(&mut self, rng: &mut Rng) {
        self.edit_words(1.0, rng);
        let elements = self.blocks.iter_mut().flat_map(|block| &mut block.elements);
        for (_, value) in elements.flat_map(|element| &mut element.attributes) {
            *value = format!("v{}", self.fresh);
            self.fresh += 1;
        }
    }

    /// Changes one block in one aspect only.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn inject(&mut self, aspect: Aspect, block: usize, rng: &mut Rng) {
        let fresh = self.fresh;
        self.fresh += 1;
        let block = &mut self.blocks[block];
        match aspect {
            Aspect::Content => {
                let at = rng.usize(0..block.words_mut().count());
                block.words_mut().skip(at).take(1).for_each(|word| *word = VOCABULARY + fresh);
            }
            Aspect::Structure => change_structure(block, rng),
            Aspect::Attributes => {
                let at = rng.usize(0..block.elements.len());
                let value = format!("v{fresh}");
                match &mut block.elements[at].attributes[..] {
                    [] => block.elements[at].attributes.push(("class", value)),
                    [(_, first), ..] => *first = value,
                }
            }
        }
    }

    /// Puts an element of a block into a new one: its path changes, and nothing else that it had.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn wrap(&mut self, block: usize, rng: &mut Rng) {
        self.blocks[block].wrap(rng);
    }

    /// Replaces about this share of the blocks by new ones.
    pub fn renew(&mut self, share: f64, rng: &mut Rng) {
        for at in 0..self.blocks.len() {
            if rng.f64() < share {
                self.fresh += 1;
                self.blocks[at] = Block::of(self.layout, self.blocks.len() + self.fresh as usize, rng);
            }
        }
    }

    fn words_mut(&mut self) -> impl Iterator<Item = &mut u32> {
        self.blocks.iter_mut().flat_map(Block::words_mut)
    }
}

const ARTICLES_BEFORE: &str = "<div id=\"page\"><header><nav><ul><li><a href=\"/\">Home</a></li>\
    <li><a href=\"/archive\">Archive</a></li></ul></nav></header><main>";
const ARTICLES_AFTER: &str = "</main><footer><p>Made for a test</p></footer></div>";

/// Another name for an element that can have one, or a `b` around its words.
fn change_structure(block: &mut Block, rng: &mut Rng) {
    let leaves = block.leaves();
    let place = leaves[rng.usize(0..leaves.len())];
    let leaf = &mut block.elements[place];
    let renamed = match leaf.tag {
        "b" => Some("i"),
        "i" => Some("b"),
        "p" if rng.bool() => Some("blockquote"),
        "blockquote" if rng.bool() => Some("p"),
        _ => None,
    };
    if let Some(tag) = renamed {
        leaf.tag = tag;
        return;
    }
    let words = std::mem::take(&mut leaf.children);
    let wrapper = block.add(place, "b");
    block.elements[wrapper].children = words;
}

/// Low ranks are drawn more often: a tenth of the vocabulary is nearly half of the text.
#[expect(clippy::cast_sign_loss, reason = "a share of the vocabulary is not below zero")]
fn any_word(rng: &mut Rng) -> u32 {
    (f64::from(VOCABULARY) * rng.f64().powi(3)) as u32
}

#[cfg(test)]
mod tests;
