//! Every target runs on every seed of its corpus, and on nothing at all, without libFuzzer.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use driftline_fuzz::TARGETS;

/// No seed is longer: libFuzzer is slow with long ones.
const MOST_SEED: u64 = 20_000;
/// All seeds together.
const MOST_CORPUS: u64 = 1_500_000;
/// Each target has a few.
const LEAST_SEEDS: usize = 3;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The files or folders in a folder, in order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn names(paths: impl IntoIterator<Item = PathBuf>) -> BTreeSet<String> {
    paths.into_iter().map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

fn replay(name: &str) {
    let (_, target) = TARGETS.iter().find(|(own, _)| *own == name).unwrap();
    target(b"");
    let seeds = entries(&folder("corpus").join(name));
    assert!(seeds.len() >= LEAST_SEEDS, "{} seeds", seeds.len());
    for seed in seeds {
        // Shown if the test fails: which seed it was.
        println!("{}", seed.display());
        target(&fs::read(seed).unwrap());
    }
}

macro_rules! replayed {
    ($($name:ident)*) => {
        mod the_laws_hold_for_the_seeds_of {
            $(#[test]
            fn $name() {
                super::replay(stringify!($name));
            })*
        }

        const REPLAYED: &[&str] = &[$(stringify!($name)),*];
    };
}

replayed! {
    backup compare feed heads highlighted index json messages robots selectors settings template urls wacz warc watches
}

#[test]
fn targets_programs_and_folders_of_seeds_are_the_same() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(targets.len(), TARGETS.len());
    assert_eq!(names(entries(&folder("fuzz_targets"))), targets);
    assert_eq!(names(entries(&folder("corpus")).into_iter().filter(|path| path.is_dir())), targets);
    assert_eq!(REPLAYED.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>(), targets);
    let manifest = fs::read_to_string(folder("Cargo.toml")).unwrap();
    assert!(targets.iter().all(|name| manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\""))));
}

#[test]
fn seeds_are_small() {
    let folders = entries(&folder("corpus")).into_iter().filter(|path| path.is_dir());
    let seeds: Vec<PathBuf> = folders.flat_map(|folder| entries(&folder)).collect();
    let sizes = seeds.iter().map(|seed| seed.metadata().unwrap().len());
    let long: Vec<_> = seeds.iter().zip(sizes.clone()).filter(|(_, size)| *size > MOST_SEED).collect();
    assert!(long.is_empty(), "{long:?}");
    assert!(sizes.clone().sum::<u64>() <= MOST_CORPUS, "{} bytes", sizes.sum::<u64>());
}
