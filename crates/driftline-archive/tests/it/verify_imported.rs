//! Does `verify` find fault with what others wrote rightly? Real archives, imported, against warcio's word on their
//! digests.

use std::path::Path;

use driftline_archive::archive::Archive;
use driftline_archive::care::verify::{Depth, Fault, verify};
use driftline_archive::import::{Options, Plan};
use driftline_testkit::data::{shared, subset};

#[test]
fn digests_that_warcio_finds_right_are_right() {
    verify_digests(&subset(), 30, 90);
}

#[test]
#[ignore = "needs the shared data"]
fn digests_that_warcio_finds_right_are_right_on_the_shared_data() {
    verify_digests(&shared(), 100, 1_000);
}

fn verify_digests(data: &Path, least_files: usize, least_captures: u64) {
    let manifest = std::fs::read_to_string(data.join("warc/manifest.csv")).unwrap();
    let (mut files, mut captures) = (0, 0);
    for line in manifest.lines() {
        let name = line.split(',').next().unwrap_or_default();
        let checked = line.split(',').find(|field| field.starts_with("pass="));
        if !checked.is_some_and(|checked| checked.contains(";fail=0;") && checked.ends_with("exit=0")) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open_at(folder.path()).unwrap();
        let Ok(plan) = Plan::new(&[data.join("warc/files").join(name)], &Options::default()) else { continue };
        let Ok(summary) = plan.run(Some(&archive), &|_| {}) else { continue };
        archive.seal().unwrap();
        (files, captures) = (files + 1, captures + summary.captures);
        let verified = verify(&archive, Depth::Records, &|_| ()).unwrap();
        let of_digests = |fault| matches!(fault, Fault::PayloadDigest | Fault::BlockDigest);
        let told: Vec<_> = verified.problems.iter().filter(|problem| of_digests(problem.fault)).collect();
        assert!(told.is_empty(), "{name}: {told:?}");
    }
    assert!(files > least_files && captures > least_captures, "{files} {captures}");
}
