//! Crawls in archives become snapshots of a series by the library alone, without the command.

use std::path::Path;

use driftline::novelty::url::Canonical;
use driftline_archive::derive::links::{self, LinksError};
use driftline_graph::Series;
use driftline_graph::add::{AddError, Source};
use driftline_graph::snapshot::About;
use driftline_testkit::data::subset;

use crate::support::gzip;

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Links(#[from] LinksError),
    #[error(transparent)]
    Add(#[from] AddError),
}

/// Adds a file of a crawl to a series.
fn add(series: &Path, at: &str, file: &Path) -> Result<About, Failure> {
    let builder = Series::open_or_make(series).unwrap().add(at.parse().unwrap(), 16 << 20).unwrap();
    if let Some(mut reader) = builder.reader(&Source::of(file)?)? {
        links::read::<Failure>(file, &|_| (), |row| Ok(reader.take(&row)?))?;
        reader.finish()?;
    }
    Ok(builder.build(&|_| ())?)
}

fn answer(url: &str, head: &str, body: &str) -> String {
    let block = format!("HTTP/1.1 {head}\r\n\r\n{body}");
    let length = block.len();
    format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2020-01-31T12:00:00Z\r\n\
         Content-Type: application/http\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

#[test]
fn a_crawl_in_a_warc_file_becomes_a_snapshot_with_its_pages_links_and_redirects() {
    let folder = tempfile::tempdir().unwrap();
    let (file, series) = (folder.path().join("crawl.warc.gz"), folder.path().join("series"));
    let html = "200 OK\r\nContent-Type: text/html";
    let records = [
        answer("https://a.org/", html, "<p>Words of a page. <a href=/moved>On</a> <a href='mailto:b@a.org'>Write</a>"),
        answer("https://a.org/moved", "301 Moved Permanently\r\nLocation: /new", ""),
        answer("https://a.org/new", html, "<p>Other words. <a href=/>Home</a>"),
        answer("https://a.org/gone", "404 Not Found\r\nContent-Type: text/html", ""),
    ];
    std::fs::write(&file, records.map(|record| gzip(record.as_bytes())).concat()).unwrap();
    let about = add(&series, "2020-01", &file).unwrap();
    assert_eq!((about.crawled, about.links, about.redirects), (2, 2, 1));
    assert_eq!(about.left_out, [("answers without a page (status)".to_owned(), 1)].into());
    assert!(about.skipped.is_empty(), "{:?}", about.skipped);

    let series = Series::open(&series).unwrap();
    let snapshot = series.snapshots().last().unwrap();
    let node = |url| snapshot.node(&Canonical::of(url).unwrap(), &series).unwrap().unwrap();
    let (home, new) = (node("https://a.org/"), node("https://a.org/new"));
    assert_eq!(snapshot.out_links(home).unwrap(), [new], "a redirect is followed");
    assert_eq!(snapshot.out_links(new).unwrap(), [home]);
    assert_eq!(snapshot.fetched(home), "2020-01-31T12:00:00Z".parse().ok());
    assert!(snapshot.sketch(new).is_some());
}

#[test]
fn real_crawls_become_a_series() {
    let folder = tempfile::tempdir().unwrap();
    let series = folder.path().join("series");
    for (name, at) in [("t1", "2019-01"), ("t2", "2019-02")] {
        let file = subset().join(format!("snapshots/dev/{name}/warc/dev-{name}.warc.gz"));
        let about = add(&series, at, &file).unwrap();
        assert!(about.crawled > 5 && about.links > u64::from(about.crawled), "{about:?}");
    }
    assert_eq!(Series::open(&series).unwrap().snapshots().len(), 2);
}

#[test]
fn a_file_that_is_not_there_is_an_error_that_names_it() {
    let read = links::read::<LinksError>(Path::new("not/there.warc"), &|_| (), |_| Ok(()));
    let error = read.unwrap_err();
    assert!(error.to_string().starts_with("cannot open `not/there.warc`: No such file"), "{error}");
}
