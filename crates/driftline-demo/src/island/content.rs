//! The content of a page, without its design and without what flickers.

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) title: String,
    pub(super) blocks: Vec<Block>,
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    Heading(String),
    Text(String),
    /// The first row is the head.
    Table(Vec<Vec<String>>),
    List(Vec<String>),
    /// A file and what is on it.
    Image(String, String),
    /// Addresses and their texts.
    Links(Vec<(String, String)>),
    /// Something that changes by itself, in the midst of the rest.
    Live(Live),
}

/// What changes by itself in the midst of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Live {
    /// `Last updated 3 minutes ago`.
    Updated,
    /// `7 people are looking at this page`.
    Viewers,
    /// `Positions of the boats at 14:32`.
    Position,
    /// The time and a price in one line: `It is 14:32. A ticket costs 8 euros today.`
    Ticket(u32),
}

impl Content {
    /// All texts: the title, and those of the blocks, cell by cell and item by item. Addresses are texts too.
    pub(super) fn all_texts(&self) -> Vec<String> {
        let of_block = |block: &Block| -> Vec<String> {
            match block {
                Block::Heading(text) | Block::Text(text) => vec![text.clone()],
                Block::Table(rows) => rows.concat(),
                Block::List(items) => items.clone(),
                Block::Image(file, text) => vec![file.clone(), text.clone()],
                Block::Links(links) => links.iter().flat_map(|(path, text)| [path.clone(), text.clone()]).collect(),
                Block::Live(_) => Vec::new(),
            }
        };
        std::iter::once(self.title.clone()).chain(self.blocks.iter().flat_map(of_block)).collect()
    }

    /// The paragraphs.
    pub(super) fn texts(&mut self) -> impl Iterator<Item = &mut String> {
        self.blocks.iter_mut().filter_map(|block| match block {
            Block::Text(text) => Some(text),
            _ => None,
        })
    }

    /// A paragraph, by its number.
    pub(super) fn text(&mut self, number: usize) -> &mut String {
        self.texts().nth(number).expect("every planted change fits its section")
    }

    /// The place of a paragraph among the blocks.
    pub(super) fn place(&self, number: usize) -> usize {
        let texts = (0..self.blocks.len()).filter(|at| matches!(self.blocks[*at], Block::Text(_)));
        texts.clone().nth(number).expect("every planted change fits its section")
    }

    /// The rows of the first table, with its head.
    pub(super) fn rows(&mut self) -> &mut Vec<Vec<String>> {
        let tables = self.blocks.iter_mut().filter_map(|block| match block {
            Block::Table(rows) => Some(rows),
            _ => None,
        });
        { tables }.next().expect("every planted change fits its section")
    }

    /// The last cell of the row with this first cell.
    pub(super) fn cell(&mut self, label: &str) -> &mut String {
        let row = self.rows().iter_mut().find(|row| row.first().is_some_and(|first| first == label));
        row.and_then(|row| row.last_mut()).expect("every planted change fits its section")
    }

    /// The items of the first list.
    pub(super) fn items(&mut self) -> &mut Vec<String> {
        let lists = self.blocks.iter_mut().filter_map(|block| match block {
            Block::List(items) => Some(items),
            _ => None,
        });
        { lists }.next().expect("every planted change fits its section")
    }

    /// The links of the page.
    pub(super) fn links(&mut self) -> &mut Vec<(String, String)> {
        let links = self.blocks.iter_mut().filter_map(|block| match block {
            Block::Links(links) => Some(links),
            _ => None,
        });
        { links }.next().expect("every planted change fits its section")
    }

    /// The place of the image among the blocks.
    pub(super) fn image(&self) -> usize {
        let is_image = |block: &Block| matches!(block, Block::Image(..));
        self.blocks.iter().position(is_image).expect("every planted change fits its section")
    }
}
