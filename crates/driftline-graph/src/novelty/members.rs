//! A set of nodes with rank support: one bit per node, and one count per 64.

use crate::snapshot::Node;

/// A set of nodes, whose members are numbered from 0 in node order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Members {
    bits: Vec<u64>,
    /// Members before each word.
    before: Vec<u32>,
    count: u32,
}

impl Members {
    /// Those of the first nodes, this many, for which this holds.
    pub(super) fn of(nodes: u32, is_member: impl Fn(Node) -> bool) -> Self {
        let words = nodes.div_ceil(64);
        let (mut bits, mut before) = (Vec::with_capacity(words as usize), Vec::with_capacity(words as usize));
        let mut count = 0;
        for range in Node::ranges(nodes, 64) {
            let members = Node::range(range).filter(|&node| is_member(node));
            let word = members.fold(0_u64, |word, node| word | 1 << (node.get() % 64));
            before.push(count);
            count += word.count_ones();
            bits.push(word);
        }
        Self { bits, before, count }
    }

    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        self.count
    }

    pub(super) fn contains(&self, node: Node) -> bool {
        self.bits[node.index() / 64] >> (node.get() % 64) & 1 == 1
    }

    /// How many there are below a node, which may be the end.
    pub(super) fn below(&self, node: Node) -> u32 {
        let word = node.index() / 64;
        match self.bits.get(word) {
            Some(bits) => self.before[word] + (bits & ((1 << (node.get() % 64)) - 1)).count_ones(),
            None => self.count,
        }
    }

    /// The number of a member.
    pub(super) fn place(&self, node: Node) -> Option<u32> {
        self.contains(node).then(|| self.below(node))
    }

    /// All members in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Node> {
        (0..).zip(&self.bits).flat_map(|(word, &bits)| {
            let rest = std::iter::successors((bits != 0).then_some(bits), |bits| {
                let rest = bits & (bits - 1);
                (rest != 0).then_some(rest)
            });
            rest.map(move |bits| Node::new(word * 64 + bits.trailing_zeros()))
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_set_of_nodes_counts_as_a_list_does(flags in prop::collection::vec(any::<bool>(), 0..300)) {
            let count = flags.len() as u32;
            let members = Members::of(count, |node| flags[node.index()]);
            let listed: Vec<Node> = Node::first(count).filter(|&node| flags[node.index()]).collect();
            prop_assert_eq!(members.len() as usize, listed.len());
            for node in Node::first(count + 1) {
                prop_assert_eq!(members.below(node) as usize, listed.iter().filter(|&&own| own < node).count());
            }
            for node in Node::first(count) {
                let place = listed.iter().position(|&own| own == node).map(|place| place as u32);
                prop_assert_eq!(members.place(node), place);
            }
            prop_assert_eq!(members.iter().collect::<Vec<_>>(), listed);
        }
    }
}
