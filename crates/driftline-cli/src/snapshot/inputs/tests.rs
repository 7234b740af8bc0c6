//! Folders as crawls are left in.

use super::*;

/// The files of a folder that are taken, by their names.
fn taken(files: &[&str]) -> Vec<String> {
    let folder = folder_of(files);
    taken_from(folder.path())
}

fn folder_of(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let names = if file.contains("links") {
            "source,target\n"
        } else if file.contains("pages") {
            "url\n"
        } else {
            "from,to\n"
        };
        std::fs::write(path, names).unwrap();
    }
    folder
}

fn taken_from(folder: &Path) -> Vec<String> {
    let mut found = Found::default();
    found.folder(folder, MOST_DEPTH).unwrap();
    let root = folder.canonicalize().unwrap();
    let name = |input: &Input| input.path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<_> = found.inputs.iter().map(name).collect();
    names.sort();
    names
}

#[test]
fn parts_of_a_table_are_all_taken() {
    assert_eq!(
        taken(&["links.0.csv", "links.1.csv", "links.2.csv.gz", "pages.csv", "readme.txt"]),
        ["links.0.csv", "links.1.csv", "links.2.csv.gz", "pages.csv"]
    );
}

#[test]
fn another_form_of_the_same_is_left_aside() {
    let files = ["links.0.csv", "links.0.tsv", "links.1.csv", "links.1.csv.gz", "pages.parquet", "pages.tab"];
    assert_eq!(taken(&files), ["links.0.tsv", "links.1.csv", "pages.tab"]);
}

#[test]
fn the_parts_that_spark_leaves_in_a_folder_are_all_taken() {
    let files = ["links/_SUCCESS", "links/part-0.csv", "links/part-1.csv", "links/.part-1.csv.crc"];
    assert_eq!(taken(&files), ["links/part-0.csv", "links/part-1.csv"]);
    let beside = [&files[..], &["pages.tsv", "warc/links.tsv"]].concat();
    assert_eq!(taken(&beside), ["links/part-0.csv", "links/part-1.csv", "pages.tsv"]);
    let twice = [&files[..], &["links.csv"]].concat();
    assert_eq!(taken(&twice), ["links.csv"]);
    let nested = ["crawl/links.parquet/part-0.csv", "crawl/pages.csv/part-0.csv", "crawl/pages.csv/part-1.csv"];
    assert_eq!(taken(&nested), nested);
    let named_alike = ["pages.example.org/links.tsv", "pages.example.org/pages.tsv"];
    assert_eq!(taken(&named_alike), named_alike);
}

#[test]
fn archives_stand_for_their_pages_and_links_but_not_for_redirects() {
    let files = ["a.warc.gz", "links.tsv", "pages.tsv", "redirects.tsv", "below/b.warc"];
    assert_eq!(taken(&files), ["a.warc.gz", "below/b.warc", "redirects.tsv"]);
    assert_eq!(taken(&["archive/a.warc", "pages/pages.jsonl"]), ["archive/a.warc"]);
}

#[cfg(unix)]
#[test]
fn links_that_lead_back_are_followed_once() {
    let folder = folder_of(&["a/pages/1.csv", "a/b.warc"]);
    for link in ["one", "two", "a/three", "a/four"] {
        std::os::unix::fs::symlink(folder.path(), folder.path().join(link)).unwrap();
    }
    std::os::unix::fs::symlink("nowhere", folder.path().join("five")).unwrap();
    assert_eq!(taken_from(folder.path()), ["a/b.warc"]);
    let mut found = Found::default();
    std::fs::create_dir(folder.path().join("c")).unwrap();
    for link in ["c/1", "c/2"] {
        std::os::unix::fs::symlink(folder.path().join("c"), folder.path().join(link)).unwrap();
    }
    found.tables(&folder.path().join("c"), Kind::Links, MOST_DEPTH).unwrap();
    assert!(found.inputs.is_empty() && found.folders.len() == 1);
}
