//! Does `verify` find fault with what others wrote rightly? Real archives, imported, against warcio's word on their
//! digests.

use driftline_archive::archive::Archive;
use driftline_archive::care::verify::{Depth, Fault, verify};
use driftline_archive::import::{Options, Plan};
use driftline_testkit::pages::shared_data;

#[test]
fn digests_that_warcio_finds_right_are_right() {
    let Some(data) = shared_data() else {
        println!("skipped: no ../shared/data");
        return;
    };
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
    assert!(files > 100 && captures > 1_000, "{files} {captures}");
}
