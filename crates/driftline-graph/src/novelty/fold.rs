//! What is the same in every round? Folded once: |I(p)|, and how many of its links come from L2.
//!
//! A link from L2 counts 1, from any other old page 0, in every round and for every δ. So a page needs two counts,
//! and the iteration only the links among unidentified pages. Of the paper's 4.5 G links that is a small part.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use crate::snapshot::Node;

use super::codes::RowsWriter;
use super::in_links::scan_wanted;
use super::members::Members;
use super::store::{Block, Intake, Store};
use super::{Classes, InLinks};

/// What a pass over the links leaves: all that is iterated over.
#[derive(Debug)]
pub(super) struct Folded {
    /// |I(p)| of each unidentified page.
    pub(super) in_links: Arc<[u32]>,
    /// How many of those are from L2: known to be new.
    pub(super) new_links: Vec<u32>,
    /// Links among unidentified pages.
    pub(super) store: Store,
}

/// Some nodes, the unidentified pages among them, and where their counts go.
struct Piece<'a> {
    nodes: Range<Node>,
    rows: Range<u32>,
    in_links: &'a mut [u32],
    new_links: &'a mut [u32],
}

/// Passes over the links of a graph in pieces of this many nodes, on all cores.
pub(super) fn fold(
    links: &impl InLinks,
    classes: &Classes,
    unidentified: &Members,
    memory: usize,
    piece: u32,
) -> io::Result<Folded> {
    let count = unidentified.len() as usize;
    let (mut in_links, mut new_links) = (vec![0; count], vec![0; count]);
    let intake = Intake::new(memory);
    let pieces = pieces(unidentified, links.nodes(), piece, &mut in_links, &mut new_links);
    let blocks = pieces.into_par_iter().map(|piece| fold_piece(links, classes, unidentified, &intake, piece));
    let blocks: Vec<Block> = blocks.collect::<io::Result<_>>()?;
    Ok(Folded { in_links: in_links.into(), new_links, store: intake.finish(blocks) })
}

fn pieces<'a>(
    unidentified: &Members,
    nodes: u32,
    piece: u32,
    mut in_links: &'a mut [u32],
    mut new_links: &'a mut [u32],
) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    for nodes in Node::ranges(nodes, piece) {
        let rows = unidentified.below(nodes.start)..unidentified.below(nodes.end);
        let (own_in_links, own_new_links);
        (own_in_links, in_links) = in_links.split_at_mut(rows.len());
        (own_new_links, new_links) = new_links.split_at_mut(rows.len());
        pieces.push(Piece { nodes, rows, in_links: own_in_links, new_links: own_new_links });
    }
    pieces
}

fn fold_piece(
    links: &impl InLinks,
    classes: &Classes,
    unidentified: &Members,
    intake: &Intake,
    piece: Piece<'_>,
) -> io::Result<Block> {
    let mut writer = RowsWriter::new(piece.rows.start);
    let (mut row, mut sources) = (piece.rows.start, Vec::new());
    scan_wanted(
        links,
        piece.nodes,
        |node| unidentified.contains(node),
        |node, all| {
            if !unidentified.contains(node) {
                return;
            }
            let place = (row - piece.rows.start) as usize;
            piece.in_links[place] = all.len() as u32;
            sources.clear();
            for source in all {
                piece.new_links[place] += u32::from(classes.is_seen_twice(source));
                sources.extend(unidentified.place(source));
            }
            writer.push(row, &sources);
            row += 1;
        },
    );
    intake.keep(piece.rows, writer.finish())
}
