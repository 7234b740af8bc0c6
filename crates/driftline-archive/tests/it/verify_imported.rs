//! Does `verify` find fault with what others wrote rightly? Real archives, imported, against warcio's word on their
//! digests; and digests that others wrote wrongly, which are no damage.

use std::io::Read;
use std::path::Path;

use driftline_archive::archive::Archive;
use driftline_archive::care::verify::{Depth, Fault, verify};
use driftline_archive::derive::{Extent, Kind, Rebuild, rebuild};
use driftline_archive::import::{Options, Plan, Summary};
use driftline_catalog::digest::Digest;
use driftline_testkit::data::{shared, subset};

use crate::support::gzip;

#[test]
fn digests_that_warcio_finds_right_are_right() {
    verify_digests(&subset(), 30, 90);
}

#[test]
#[ignore = "needs the shared data"]
fn digests_that_warcio_finds_right_are_right_on_the_shared_data() {
    verify_digests(&shared(), 100, 1_000);
}

/// An archive with one imported record that states these digests, all of them wrong.
fn import_with_wrong_digests(folder: &Path, options: &Options) -> Summary {
    let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>text as it was imported";
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n\
         WARC-Target-URI: http://example.org/\r\nWARC-Block-Digest: {nothing}\r\nWARC-Payload-Digest: {nothing}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len(),
        nothing = Digest::sha1(b"")
    );
    std::fs::write(folder.join("wrong.warc"), record).unwrap();
    let archive = Archive::open_at(&folder.join("data")).unwrap();
    let summary = Plan::new(&[folder.join("wrong.warc")], options).unwrap().run(Some(&archive), &|_| {}).unwrap();
    archive.close().unwrap();
    summary
}

/// What `verify` finds: faults, and how many digests are wrong as they were imported.
fn verified(folder: &Path) -> (Vec<Fault>, u64) {
    let archive = Archive::open_at(&folder.join("data")).unwrap();
    let verified = verify(&archive, Depth::Records, &|_| ()).unwrap();
    assert_eq!(verified.as_imported, verified.imported.len() as u64);
    (verified.problems.iter().map(|problem| problem.fault).collect(), verified.as_imported)
}

/// Alters the text in the only segment, as if the disk had: the packing is right, the bytes are others.
fn rot(folder: &Path) {
    let files = std::fs::read_dir(folder.join("data/warc")).unwrap().map(|entry| entry.unwrap().path());
    let path = files.into_iter().find(|path| path.to_string_lossy().ends_with(".warc.gz")).unwrap();
    let mut plain = String::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(&path).unwrap()).read_to_string(&mut plain).unwrap();
    let (about, record) = plain.split_at(plain.rfind("WARC/1.0").unwrap());
    let record = record.replace("as it was imported", "as it rotted later");
    std::fs::write(&path, [gzip(about.as_bytes()), gzip(record.as_bytes())].concat()).unwrap();
}

#[test]
fn digests_that_were_wrong_in_the_source_are_not_reported_as_rot() {
    let folder = tempfile::tempdir().unwrap();
    let summary = import_with_wrong_digests(folder.path(), &Options::default());
    assert_eq!((summary.captures, summary.wrong_digests), (1, 1), "{summary:?}");
    assert_eq!(verified(folder.path()), (vec![], 2));
    // What rots after the import is found, wrong digest or not.
    rot(folder.path());
    let (faults, as_imported) = verified(folder.path());
    assert_eq!(as_imported, 0, "{faults:?}");
    assert!(faults.contains(&Fault::BlockDigest) && faults.contains(&Fault::PayloadDigest), "{faults:?}");
}

#[test]
fn digests_that_were_wrong_at_the_import_are_no_damage_after_a_rebuild() {
    let folder = tempfile::tempdir().unwrap();
    import_with_wrong_digests(folder.path(), &Options::default());
    for file in ["catalog.db", "catalog.db-wal", "catalog.db-shm"] {
        let _ = std::fs::remove_file(folder.path().join("data").join(file));
    }
    let archive = Archive::open_at(&folder.path().join("data")).unwrap();
    assert_eq!(archive.recovery().adopted, 1);
    let all = Rebuild { kinds: Kind::ALL.to_vec(), url: None, extent: Extent::Stale };
    rebuild(&archive, &all, &|| ()).unwrap();
    archive.close().unwrap();
    assert_eq!(verified(folder.path()), (vec![], 2));
    // What rots is found by the rebuilt catalog too.
    rot(folder.path());
    let (faults, as_imported) = verified(folder.path());
    assert_eq!(as_imported, 0, "{faults:?}");
    assert!(faults.contains(&Fault::BlockDigest) && faults.contains(&Fault::PayloadDigest), "{faults:?}");
}

#[test]
fn an_archive_that_an_older_driftline_filled_is_cured_by_importing_again() {
    let folder = tempfile::tempdir().unwrap();
    import_with_wrong_digests(folder.path(), &Options::default());
    // As an archive of the format before is: nothing is noted.
    driftline_testkit::sqlite::execute(&folder.path().join("data/catalog.db"), "DELETE FROM imported_digest");
    assert_eq!(verified(folder.path()), (vec![Fault::BlockDigest, Fault::PayloadDigest], 0));
    let again = import_with_wrong_digests(folder.path(), &Options { is_again: true, ..Options::default() });
    assert_eq!((again.captures, again.duplicates), (0, 1), "{again:?}");
    assert_eq!(verified(folder.path()), (vec![], 2));
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
