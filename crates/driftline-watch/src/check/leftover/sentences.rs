//! The sentences of a page: what is between two ends of a line, stops, or signs that part the steps of a breadcrumb.

use driftline::page::{NodeId, Page};

/// The most words of a sentence; a longer one is several.
const MOST_WORDS: usize = 400;
/// Signs that part texts in one line if there is a blank on both sides.
const SEPARATORS: [char; 15] = ['|', '·', '•', '›', '»', '‹', '«', '→', '←', '>', '/', '—', '–', '-', '\u{2215}'];

/// A sentence.
#[derive(Debug, Clone)]
pub(super) struct Sentence<'a> {
    /// The number of its first word on the page.
    pub(super) first: usize,
    /// Its text, with the signs that touch it.
    pub(super) text: &'a str,
    /// Where each word begins and ends in the text.
    pub(super) spans: Vec<(u32, u32)>,
    /// The words as they are compared.
    pub(super) forms: Vec<&'a str>,
    /// The innermost element around it.
    pub(super) node: Option<NodeId>,
    /// Whether it is of the title of the page.
    pub(super) is_title: bool,
}

impl Sentence<'_> {
    /// Whether the words are compared as they are written.
    pub(super) fn is_written(&self) -> bool {
        let written = self.spans.iter().map(|&(start, end)| &self.text[start as usize..end as usize]);
        written.eq(self.forms.iter().copied())
    }
}

/// The sentences of a page, in its order.
pub(super) fn of(page: &Page) -> Vec<Sentence<'_>> {
    let (text, spans) = (page.text(), page.word_spans());
    let forms: Vec<&str> = page.words().collect();
    let mut firsts = vec![0];
    for at in 1..spans.len() {
        let gap = &text[spans[at - 1].end as usize..spans[at].start as usize];
        if is_end(gap) || at - firsts[firsts.len() - 1] == MOST_WORDS {
            firsts.push(at);
        }
    }
    let ends = firsts.iter().skip(1).copied().chain([spans.len()]);
    let ranges: Vec<_> = firsts.iter().copied().zip(ends).filter(|(first, end)| first < end).collect();
    let nodes = nodes(page, &ranges);
    let sentence = |(&(first, end), node): (&(usize, usize), Option<NodeId>)| {
        let least = first.checked_sub(1).map_or(0, |before| spans[before].end as usize);
        let most = spans.get(end).map_or(text.len(), |next| next.start as usize);
        let start = touching_before(&text[least..spans[first].start as usize], spans[first].start as usize);
        let stop = touching_after(&text[spans[end - 1].end as usize..most], spans[end - 1].end as usize);
        let within = |at: u32| at - start as u32;
        Sentence {
            first,
            text: &text[start..stop],
            spans: spans[first..end].iter().map(|span| (within(span.start), within(span.end))).collect(),
            forms: forms[first..end].to_vec(),
            node,
            is_title: false,
        }
    };
    ranges.iter().zip(nodes).map(sentence).collect()
}

/// Whether a sentence ends between two words.
fn is_end(gap: &str) -> bool {
    let is_stop = |char: char| matches!(char, '.' | '!' | '?' | '…' | '؟' | '।');
    let has_blank = gap.contains(char::is_whitespace);
    let is_parted = gap.starts_with(char::is_whitespace) && gap.ends_with(char::is_whitespace);
    gap.contains(['\n', '。', '！', '？'])
        || has_blank && gap.contains(is_stop)
        || is_parted && gap.trim().chars().any(|char| SEPARATORS.contains(&char))
}

/// Where the signs begin that touch what is behind a gap.
fn touching_before(gap: &str, end: usize) -> usize {
    let touching = gap.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_alone = touching.len() == gap.len();
    // Signs between two words without a blank belong to the one before.
    if is_alone && end > gap.len() { end } else { end - touching.len() }
}

/// Where the signs end that touch what is before a gap.
fn touching_after(gap: &str, start: usize) -> usize {
    start + gap.split(char::is_whitespace).next().unwrap_or_default().len()
}

/// The innermost element around each range of words.
fn nodes(page: &Page, ranges: &[(usize, usize)]) -> Vec<Option<NodeId>> {
    let mut nodes = vec![None; ranges.len()];
    for node in page.node_ids() {
        let words = page.nodes()[node.index()].words.range();
        let first = ranges.partition_point(|(start, _)| *start < words.start);
        let end = ranges.partition_point(|(_, end)| *end <= words.end);
        if first < end {
            nodes[first..end].fill(Some(node));
        }
    }
    nodes
}
