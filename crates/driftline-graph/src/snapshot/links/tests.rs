//! Is what was built what was given, in both directions, for any graph and any budget?

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

type Arcs = BTreeSet<(Node, Node)>;

fn built(nodes: u32, arcs: &Arcs, budget: usize) -> (tempfile::TempDir, Built) {
    let folder = tempfile::tempdir().unwrap();
    let built = build(folder.path(), nodes, arcs.iter().copied().map(Ok), budget).unwrap();
    (folder, built)
}

/// The lists of all nodes as maps have them, one direction or the other.
fn expected(nodes: u32, arcs: &Arcs, direction: Direction) -> Vec<Vec<Node>> {
    let mut lists: BTreeMap<Node, BTreeSet<Node>> = Node::first(nodes).map(|node| (node, BTreeSet::new())).collect();
    for &(source, target) in arcs {
        let (own, other) = if direction == Direction::Out { (source, target) } else { (target, source) };
        lists.get_mut(&own).unwrap().insert(other);
    }
    lists.into_values().map(|list| list.into_iter().collect()).collect()
}

fn check(nodes: u32, arcs: &Arcs, budget: usize) {
    let (folder, built) = built(nodes, arcs, budget);
    assert_eq!(built.links, arcs.len() as u64);
    for direction in [Direction::Out, Direction::In] {
        let links = Links::open(folder.path(), direction).unwrap();
        let expected = expected(nodes, arcs, direction);
        assert_eq!((links.nodes(), links.links()), (nodes, arcs.len() as u64));
        assert_eq!(Node::first(nodes).map(|node| links.of(node)).collect::<Vec<_>>(), expected);
        assert!(Node::first(nodes).all(|node| links.degree(node) == expected[node.index()].len()));
        for parts in [1, 3, 100] {
            let mut scanned = Vec::new();
            for range in links.ranges(parts) {
                links.scan(range, |node, successors| {
                    assert_eq!(node.index(), scanned.len());
                    assert_eq!(successors.len(), successors.clone().count());
                    scanned.push(successors.collect::<Vec<_>>());
                });
            }
            assert_eq!(scanned, expected);
        }
    }
}

/// A link between the nodes of these ranks.
fn arc((source, target): (u32, u32)) -> (Node, Node) {
    (Node::new(source), Node::new(target))
}

fn graph() -> impl Strategy<Value = (u32, Arcs)> {
    (1..120_u32).prop_flat_map(|nodes| {
        let near = (0..nodes, 0..6_u32).prop_map(move |(source, far)| (source, (source + far) % nodes));
        let any = (0..nodes, 0..nodes);
        (Just(nodes), proptest::collection::btree_set(prop_oneof![near, any].prop_map(arc), 0..600))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_graph_is_read_as_it_was_given((nodes, arcs) in graph()) {
        check(nodes, &arcs, 1 << 20);
    }
}

#[test]
fn tiny_graphs_are_graphs() {
    check(0, &Arcs::new(), 0);
    check(1, &Arcs::new(), 0);
    check(1, &Arcs::from([arc((0, 0))]), 0);
    check(5, &Arcs::new(), 0);
    check(2, &Arcs::from([arc((1, 0))]), 0);
}

#[test]
fn a_graph_larger_than_the_budget_takes_several_passes_and_parts() {
    let mut random = fastrand::Rng::with_seed(6);
    let nodes = 60_000;
    let mut arcs = Arcs::new();
    for source in 0..nodes {
        arcs.extend((0..random.u32(0..8)).map(|far| arc((source, (source + far * far) % nodes))));
        arcs.extend((0..random.u32(0..3)).map(|_| arc((source, random.u32(0..nodes)))));
        // A page that most others link to.
        arcs.insert(arc((source, 17)));
    }
    check(nodes, &arcs, 0);
}

#[test]
fn the_same_links_are_the_same_files_whatever_the_threads() {
    // More than one part and one pass.
    let nodes = 90_000;
    let arcs: Arcs =
        (0..nodes).flat_map(|node| [(node, node * 7 % nodes), (node, node * 31 % nodes)].map(arc)).collect();
    let files = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (folder, _) = pool.install(|| built(nodes, &arcs, 0));
        let names = [Direction::Out, Direction::In].map(Direction::files).concat();
        names.into_iter().map(|name| std::fs::read(folder.path().join(name)).unwrap()).collect::<Vec<_>>()
    };
    assert!(files(1) == files(3));
}

#[test]
fn wrong_arcs_are_errors() {
    let wrong: [&[(u32, u32)]; 5] = [&[(1, 0), (0, 1)], &[(0, 1), (0, 1)], &[(0, 2), (0, 1)], &[(0, 3)], &[(3, 0)]];
    for arcs in wrong {
        let folder = tempfile::tempdir().unwrap();
        assert!(build(folder.path(), 3, arcs.iter().copied().map(arc).map(Ok), 0).is_err(), "{arcs:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let broken = [Ok(arc((0, 1))), Err(io::Error::other("the disk is gone"))];
    let error = build(folder.path(), 3, broken.into_iter(), 0).unwrap_err();
    assert_eq!(error.to_string(), "the disk is gone");
}

#[test]
fn a_graph_that_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Links::open(folder.path(), Direction::In).is_err());
}
