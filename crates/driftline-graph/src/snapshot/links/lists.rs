//! Which nodes are compressed at once? Neighbours whose lists stand one behind the other.

use std::ops::Range;

use super::Node;

/// The lists of some nodes in a row.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The first of the nodes.
    pub(super) first: Node,
    /// Where the list of each node ends in `links`.
    pub(super) ends: Vec<u32>,
    /// All links, list by list.
    pub(super) links: Vec<Node>,
}

impl Lists {
    /// The links of the node at a place.
    pub(super) fn of(&self, place: usize) -> &[Node] {
        let from = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.links[from as usize..self.ends[place] as usize]
    }

    /// Places in parts of at most so many nodes and links together, but for nodes that have more.
    pub(super) fn parts(&self, most: usize) -> Vec<Range<usize>> {
        let work = |place: usize| self.ends[place] as usize + place + 1;
        let (mut parts, mut from) = (Vec::new(), 0);
        while from < self.ends.len() {
            let before = from.checked_sub(1).map_or(0, work);
            let rest = from + 1..self.ends.len();
            let to = rest.start + partition_point(rest.len(), |place| work(rest.start + place) <= before + most);
            parts.push(from..to);
            from = to;
        }
        parts
    }
}

/// The first of so many places that does not meet a condition which holds up to there.
fn partition_point(length: usize, mut holds: impl FnMut(usize) -> bool) -> usize {
    let (mut from, mut to) = (0, length);
    while from < to {
        let middle = from.midpoint(to);
        if holds(middle) { from = middle + 1 } else { to = middle }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_nodes_whatever_their_degrees() {
        for degrees in [vec![], vec![0], vec![0; 10], vec![1000, 0, 0, 1, 2], vec![1, 2, 3, 4, 5, 6, 7, 8, 900]] {
            let ends = degrees.iter().scan(0, |end, degree| {
                *end += degree;
                Some(*end)
            });
            let lists = Lists { first: Node::new(0), ends: ends.collect(), links: Vec::new() };
            for most in [0, 1, 4, 10, 2000] {
                let parts = lists.parts(most);
                let work = |part: &Range<usize>| part.clone().map(|place| 1 + degrees[place] as usize).sum::<usize>();
                assert!(parts.iter().all(|part| part.len() == 1 || !part.is_empty() && work(part) <= most));
                assert!(parts.into_iter().flatten().eq(0..degrees.len()), "{degrees:?}");
            }
        }
    }
}
