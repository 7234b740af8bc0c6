//! Tables of pages and links as others write them, and as nobody should.

mod bombs;
mod parquet_files;
mod torn;

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

use super::*;

/// What the rows of a table say, in words.
fn read(path: &Path, kind: Option<Kind>) -> Result<Vec<String>, TableError> {
    let mut said = Vec::new();
    Table::open(path, kind)?.read::<TableError>(&|_| (), |row| {
        said.push(match row {
            Row::Crawled(page, _) => {
                let time =
                    |time: Option<driftline::time::Time>| time.map_or("-".to_owned(), driftline::time::Time::digits);
                format!("crawled {} {} {}", page.url, time(page.fetched), time(page.last_modified))
            }
            Row::Fringe(url) => format!("fringe {url}"),
            Row::Link { source, target } => format!("link {source} {target}"),
            Row::Redirect { from, to } => format!("redirect {from} {to}"),
            Row::Skipped(reason) => format!("skipped {reason}"),
        });
        Ok(())
    })?;
    Ok(said)
}

/// The same for bytes in a file.
fn said(table: impl AsRef<[u8]>) -> Result<Vec<String>, TableError> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("table");
    std::fs::write(&path, table).unwrap();
    read(&path, None)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

const PAGES: &str = "url\tcrawled\tfetch_time\tlast_modified
https://a.org/\t1\t2019-01-15T00:00:00Z\tTue, 01 Jan 2019 00:00:00 GMT
https://b.org/\t0\t\t
";
const PAGES_SAID: [&str; 2] = ["crawled https://a.org/ 20190115000000 20190101000000", "fringe https://b.org/"];

#[test]
fn our_tables_are_read_however_they_are_packed() {
    assert_eq!(said(PAGES).unwrap(), PAGES_SAID);
    assert_eq!(said(gzip(PAGES.as_bytes())).unwrap(), PAGES_SAID);
    assert_eq!(said(zstd::encode_all(PAGES.as_bytes(), 1).unwrap()).unwrap(), PAGES_SAID);
    let (head, rest) = PAGES.split_at(50);
    assert_eq!(said([gzip(head.as_bytes()), gzip(rest.as_bytes())].concat()).unwrap(), PAGES_SAID);
    let csv = "\u{feff}last_modified,fetch_time,crawled,url
\"Tue, 01 Jan 2019 00:00:00 GMT\",20190115,true,https://a.org/\r
,,false,\"https://b.org/\"";
    assert_eq!(said(csv).unwrap(), PAGES_SAID);
    assert_eq!(said("from\tto\nhttps://a.org\thttps://a.org/\n").unwrap(), ["redirect https://a.org https://a.org/"]);
}

#[test]
fn tables_of_archives_unleashed_are_understood() {
    let graph = "crawl_date,src,dest,anchor
20190115,https://a.org/,\"https://b.org/?q=1,2\",\"a \"\"link\"\",
in two lines\"
20190115,https://a.org/,https://c.org/,
";
    assert_eq!(
        said(graph).unwrap(),
        ["link https://a.org/ https://b.org/?q=1,2", "link https://a.org/ https://c.org/"]
    );
    let pages = "crawl_date,last_modified_date,url,mime_type_web_server,mime_type_tika,language,content
20190115103000,20190101000000,https://a.org/,text/html,text/html,en,\"long, long\"
20190115103001,,https://a.org/b.xhtml,text/html,application/xhtml+xml,en,
20190115103002,,https://a.org/c.pdf,text/html,application/pdf,en,
";
    let expected = [
        "crawled https://a.org/ 20190115103000 20190101000000",
        "crawled https://a.org/b.xhtml 20190115103001 -",
        "skipped answers that are no page (type)",
    ];
    assert_eq!(said(pages).unwrap(), expected);
}

#[test]
fn odd_rows_are_passed_over_and_told() {
    let long = "x".repeat(10_000);
    let table = format!("source\ttarget\nhttps://a.org/\nhttps://a.org/\tb\tc\n\tb\nhttps://{long}\tb\n\0\tb\na\tb\n");
    let expected = [
        "skipped rows with more or fewer cells than columns",
        "skipped rows with more or fewer cells than columns",
        "skipped rows without an address",
        "skipped rows with an address of more than 8 KiB",
        "link \0 b",
        "link a b",
    ];
    assert_eq!(said(table).unwrap(), expected);
    assert_eq!(said(b"source,target\n\xff,b\n").unwrap(), ["skipped rows that are not UTF-8"]);
}

#[test]
fn real_tables_say_the_same_as_tsv_and_as_parquet() {
    assert_same(&driftline_testkit::data::subset().join("snapshots/dev/t1"), 100);
}

#[test]
#[ignore = "needs the shared data"]
fn real_tables_say_the_same_as_tsv_and_as_parquet_on_the_shared_data() {
    assert_same(&driftline_testkit::data::shared().join("snapshots/dev/t1"), 10_000);
}

/// Both forms of the tables of a crawl have the same rows, more than `least` and none that is skipped.
fn assert_same(crawl: &Path, least: usize) {
    for name in ["pages", "links"] {
        let [tsv, parquet] =
            ["tsv.gz", "parquet"].map(|form| read(&crawl.join(format!("{name}.{form}")), None).unwrap());
        assert!(tsv.len() > least && tsv == parquet, "{name}: {} and {}", tsv.len(), parquet.len());
        assert!(tsv.iter().all(|row| !row.starts_with("skipped")));
    }
}
