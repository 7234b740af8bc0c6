//! Does `driftline novelty` say what its help says, and what was computed elsewhere?

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use driftline_testkit::data::{shared, subset};
use driftline_testkit::toyoda::crawls;
use flate2::read::MultiGzDecoder;
use insta::assert_snapshot;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use serde_json::Value;
use tempfile::TempDir;

/// A command with a data directory: exit code, stdout and stderr.
fn run(data: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(cargo_bin("driftline")).args(arguments).env("DRIFTLINE_DATA", data).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// What goes well.
fn done(data: &Path, arguments: &[&str]) -> String {
    let (code, out, err) = run(data, arguments);
    assert_eq!(code, 0, "{arguments:?}: {err}");
    out
}

/// Two crawls. In between, `a.org/` got a link to `new`, which leads on to `newer`; `lone` is linked to by nobody;
/// `z.org` has not changed since before the first crawl, and so `z.org/page` was there too.
const CRAWLS: [(&str, &str, &str); 2] = [
    ("2020-01", "https://a.org/\t1\t\t\nhttps://www.x.org/\t1\t\t\n", "https://a.org/\thttps://a.org/b\n"),
    (
        "2020-07",
        "https://a.org/\t1\t\t\nhttps://a.org/b\t1\t\t\nhttps://a.org/new\t1\t\t\nhttps://a.org/newer\t1\t\t\n\
         https://www.x.org/\t1\t\t\nhttps://a.org/lone\t1\t\t\nhttps://z.org/page\t1\t\t\n\
         https://z.org/\t1\t2020-07-02T00:00:00Z\tTue, 01 Jan 2019 00:00:00 GMT\n",
        "https://a.org/\thttps://a.org/b\nhttps://a.org/\thttps://a.org/new\nhttps://a.org/new\thttps://a.org/newer\n\
         https://a.org/b\thttps://a.org/newer\nhttps://z.org/\thttps://z.org/page\n",
    ),
];

/// The series `small` of these crawls.
fn small() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (at, pages, links) in CRAWLS {
        let tables = folder.path().join(format!("tables-{at}"));
        std::fs::create_dir(&tables).unwrap();
        std::fs::write(tables.join("pages.tsv"), format!("url\tcrawled\tfetch_time\tlast_modified\n{pages}")).unwrap();
        std::fs::write(tables.join("links.tsv"), format!("source\ttarget\n{links}")).unwrap();
        done(folder.path(), &["snapshot", "add", "small", "--at", at, tables.to_str().unwrap()]);
    }
    folder
}

#[test]
fn a_small_series_is_told_as_it_was_worked_out_by_hand() {
    let data = small();
    let (code, out, err) = run(data.path(), &["novelty", "small"]);
    assert_eq!(code, 0, "{err}");
    // One link of L2 among one: 0.9. One link of `new`, one of unknown age: 0.9 · 0.9 / 2.
    assert_snapshot!(out.replace('\t', "|"), @r"
    url|class|in_links|novelty
    https://a.org/|L2||
    https://a.org/b|O||
    https://a.org/lone|U|0|0.0
    https://a.org/new|U|1|0.9
    https://a.org/newer|U|2|0.405
    https://www.x.org/|L2||
    https://z.org/|O||
    https://z.org/page|O||
    ");
    assert!(err.starts_with("2020-07-01T00:00:00Z: 8 pages crawled, 3 old, 2 seen twice, 3 unidentified; "), "{err}");
}

#[test]
fn pages_are_chosen_and_sorted_and_come_out_as_json() {
    let data = small();
    let arguments =
        ["novelty", "small", "--class", "u,L2", "--sort", "novelty", "--top", "4", "--json", "--delta", "0"];
    assert_snapshot!(done(data.path(), &arguments), @r#"
    {"url":"https://a.org/new","class":"U","in_links":1,"novelty":1.0}
    {"url":"https://a.org/newer","class":"U","in_links":2,"novelty":0.5}
    {"url":"https://a.org/lone","class":"U","in_links":0,"novelty":0.0}
    {"url":"https://a.org/","class":"L2","in_links":null,"novelty":null}
    "#);
}

#[test]
fn the_evidence_is_told_in_words_and_as_json() {
    let data = small();
    let why = |url: &str| done(data.path(), &["novelty", "small", "--why", url]);
    assert_snapshot!(why("http://www.a.org/newer#top"), @r"
    https://a.org/newer is unidentified (U), with novelty 0.4050 by 2 links
      not old: not known before 2020-01-01T00:00:00Z, by address, by Last-Modified, or by a link of an unchanged page
      0.9000 perhaps new: https://a.org/new is unidentified itself, with this novelty
      0.0000 of unknown age: https://a.org/b is old, but was not crawled last time
      novelty is the mean of these times 1 - 0.1, for links that no crawl saw (delta)
    ");
    assert_snapshot!(why("https://z.org/page"), @r"
    https://z.org/page is old (O)
      old: linked to by https://z.org/, which has not changed since 2019-01-01T00:00:00Z
    ");
    assert_snapshot!(why("https://a.org/b"), @r"
    https://a.org/b is old (O)
      old: linked to at 2020-01-01T00:00:00Z
    ");
    let json: Value =
        serde_json::from_str(&done(data.path(), &["novelty", "small", "--why", "https://a.org/new", "--json"]))
            .unwrap();
    assert_eq!((&json["class"], &json["novelty"]), (&"U".into(), &0.9.into()));
    assert_eq!(json["links"][0]["source"], "https://a.org/");
}

#[test]
fn what_else_is_asked_of_one_page_is_told_with_its_evidence() {
    fn why(url: &str) -> Vec<&str> {
        vec!["novelty", "small", "--with", "probability,content,missed", "--why", url]
    }
    let data = small();
    let lines = |url: &str| {
        let told = done(data.path(), &why(url));
        told.lines().rev().take(3).map(str::to_owned).collect::<Vec<_>>()
    };
    let [missed, content, probability] = lines("https://a.org/new").try_into().unwrap();
    assert!(probability.starts_with("  probability: 0.") && probability.ends_with(" that it is new"), "{probability}");
    assert_eq!(content, "  content: of no older page it is known to be a copy");
    assert_eq!(missed, "  missed last time: no, or nobody knows");
    let [missed, _, probability] = lines("https://a.org/b").try_into().unwrap();
    assert_eq!(
        (missed, probability),
        ("  missed last time: not-crawled".into(), "  probability: none, for it is old".into())
    );

    let (_, out, err) = run(data.path(), &[why("https://a.org/new"), vec!["--json"]].concat());
    let json: Value = serde_json::from_str(&out).unwrap();
    assert!(json["probability"].as_f64().unwrap() > 0.5, "{out}");
    assert_eq!((&json["relation"], &json["missed"]), (&Value::Null, &Value::Null));
    assert!(json.as_object().unwrap().contains_key("copy_of"), "{out}");
    assert!(err.contains("probability: labelled pages: "), "{err}");
    let plain: Value =
        serde_json::from_str(&done(data.path(), &["novelty", "small", "--json", "--why", "https://a.org/new"]))
            .unwrap();
    assert!(plain.get("probability").is_none());
}

#[test]
fn a_probability_has_four_digits_in_tsv_and_all_in_json() {
    let data = small();
    let asked = ["novelty", "small", "--class", "U", "--delta", "0.123456789", "--with", "probability"];
    let table = done(data.path(), &asked);
    let lines = done(data.path(), &[&asked[..], &["--json"]].concat());
    assert_eq!(table.lines().count(), 4);
    for (row, line) in table.lines().skip(1).zip(lines.lines()) {
        let cells: Vec<&str> = row.split('\t').collect();
        let page: Value = serde_json::from_str(line).unwrap();
        let probability = page["probability"].as_f64().unwrap();
        assert_eq!(cells[4].parse::<f64>().unwrap(), format!("{probability:.3e}").parse::<f64>().unwrap(), "{row}");
        assert!(cells[4].len() <= "0.01234".len() && page["probability"].to_string().len() > 8, "{row} {line}");
        assert_eq!(cells[3].parse::<f64>().unwrap(), page["novelty"].as_f64().unwrap(), "N keeps its digits");
    }
}

#[test]
fn what_cannot_be_answered_is_told_with_a_cure() {
    let data = small();
    let told = |arguments: &[&str]| {
        let (code, out, err) = run(data.path(), arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.contains("\nhint: "), "{err}");
        err
    };
    assert!(told(&["novelty", "small", "--at", "2020-01"]).contains("first snapshot"));
    assert!(told(&["novelty", "small", "--at", "2020-02"]).contains("there is no snapshot of"));
    assert!(told(&["novelty", "large"]).contains("there is no series"));
    assert!(told(&["novelty", "../small"]).contains("no name for a series"));
    assert!(told(&["novelty", "small", "--why", "https://b.org/"]).contains("neither crawled nor linked to"));
    assert!(told(&["novelty", "small", "--why", "mailto:a@b.org"]).contains("no address of a page"));
    assert_eq!(run(data.path(), &["novelty", "small", "--delta", "2"]).0, 2);
}

#[test]
fn a_table_is_written_by_its_name_and_reads_back_exactly() {
    let data = small();
    let path = data.path().join("scores.parquet");
    done(data.path(), &["novelty", "small", "--delta", "0.3", "--output", path.to_str().unwrap()]);
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    let newer = rows.iter().find(|row| row.get_string(0).unwrap() == "https://a.org/newer").unwrap();
    assert_eq!(newer.get_double(3).unwrap(), 0.7 * 0.7 / 2.0);
    assert_eq!(rows.len(), 8);
}

/// Rows of a table of scores, by address: class, in-links, and scores as they are written.
type Rows = HashMap<String, (String, String, Vec<f64>)>;

fn rows(text: &str) -> Rows {
    let row = |line: &str| {
        let mut cells = line.split('\t').map(str::to_owned);
        let (url, class, in_links) = (cells.next()?, cells.next()?, cells.next()?);
        Some((url, (class, in_links, cells.filter_map(|score| score.parse().ok()).collect())))
    };
    text.lines().skip(1).map(|line| row(line).unwrap()).collect()
}

/// A real series and what is expected of it: the text of a table for each snapshot but the first.
struct Dev {
    folder: PathBuf,
    times: Vec<String>,
    expected: Vec<Rows>,
}

impl Dev {
    /// The series in the repository, with what the slow measure makes of its tables.
    fn subset(tables: &str) -> Self {
        let folder = subset().join("snapshots/dev");
        let expected = crawls::expected(&folder, tables).novelty.iter().map(|text| rows(text)).collect();
        Self { times: times(&folder), folder, expected }
    }

    /// The shared series, with what was computed elsewhere.
    fn shared(file: &str) -> Self {
        let folder = shared().join("snapshots/dev");
        let expected = |number: u32| {
            let mut text = String::new();
            let file = std::fs::File::open(folder.join(format!("t{number}/{file}"))).unwrap();
            MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
            rows(&text)
        };
        Self { times: times(&folder), expected: (2..=5).map(expected).collect(), folder }
    }
}

/// The nominal times of a series.
fn times(folder: &Path) -> Vec<String> {
    let meta: Value = serde_json::from_slice(&std::fs::read(folder.join("meta.json")).unwrap()).unwrap();
    meta["times"].as_array().unwrap().iter().map(|time| time.as_str().unwrap().to_owned()).collect()
}

/// Puts a series in, in the order of `places`; `inputs` names the arguments for each folder.
fn add_dev(dev: &Dev, places: &[usize], inputs: impl Fn(&Path) -> Vec<String>) -> TempDir {
    let data = tempfile::tempdir().unwrap();
    for &place in places {
        let crawl = inputs(&dev.folder.join(format!("t{}", place + 1)));
        let mut arguments = vec!["snapshot", "add", "dev", "--at", &dev.times[place]];
        arguments.extend(crawl.iter().map(String::as_str));
        done(data.path(), &arguments);
    }
    data
}

/// Compares classes, in-links and the scores of three δ with what is expected.
fn assert_expected(data: &Path, dev: &Dev) {
    assert_eq!(dev.expected.len(), 4);
    for (time, expected) in dev.times[1..].iter().zip(&dev.expected) {
        for (column, delta) in ["0", "0.1", "0.2"].iter().enumerate() {
            let arguments = ["novelty", "dev", "--at", time, "--delta", delta, "--iterations", "20", "--quiet"];
            let found = rows(&done(data, &arguments));
            assert_eq!(found.len(), expected.len(), "{time}");
            for (url, (class, in_links, scores)) in expected {
                let (own_class, own_links, own) = found.get(url).unwrap_or_else(|| panic!("{time} lacks {url}"));
                assert_eq!((own_class, own_links), (class, in_links), "{time} {url}");
                let is_near =
                    own.len() == scores.len().min(1) && own.iter().all(|score| (score - scores[column]).abs() <= 1e-9);
                assert!(is_near, "{time} {url} at {delta}: {own:?}, not {scores:?}");
            }
        }
    }
}

const IN_ORDER: [usize; 5] = [0, 1, 2, 3, 4];

#[test]
fn the_series_scores_as_expected_from_tsv() {
    score_tsv(&Dev::subset(""));
}

#[test]
#[ignore = "needs the shared data"]
fn the_series_scores_as_expected_from_tsv_on_the_shared_data() {
    score_tsv(&Dev::shared("expected_novelty.tsv.gz"));
}

fn score_tsv(dev: &Dev) {
    let named = |folder: &Path| vec![folder.to_str().unwrap().to_owned()];
    assert_expected(add_dev(dev, &IN_ORDER, named).path(), dev);
}

#[test]
fn the_series_scores_as_expected_from_parquet_in_another_order() {
    score_parquet(&Dev::subset(""));
}

#[test]
#[ignore = "needs the shared data"]
fn the_series_scores_as_expected_from_parquet_in_another_order_on_the_shared_data() {
    score_parquet(&Dev::shared("expected_novelty.tsv.gz"));
}

fn score_parquet(dev: &Dev) {
    let named = |folder: &Path| {
        let options = [("--pages", "pages.parquet"), ("--links", "links.parquet"), ("--redirects", "redirects.tsv.gz")];
        let pairs = options.map(|(option, file)| [option.to_owned(), folder.join(file).to_str().unwrap().to_owned()]);
        pairs.concat()
    };
    assert_expected(add_dev(dev, &[2, 0, 4, 1, 3], named).path(), dev);
}

#[test]
fn the_series_scores_as_expected_from_warc() {
    score_warc(&Dev::subset("warc"));
}

#[test]
#[ignore = "needs the shared data"]
fn the_series_scores_as_expected_from_warc_on_the_shared_data() {
    score_warc(&Dev::shared("expected_novelty_warc.tsv.gz"));
}

fn score_warc(dev: &Dev) {
    let named = |folder: &Path| {
        let name = folder.file_name().unwrap().to_str().unwrap();
        vec![folder.join(format!("warc/dev-{name}.warc.gz")).to_str().unwrap().to_owned()]
    };
    assert_expected(add_dev(dev, &[0, 2, 1, 3, 4], named).path(), dev);
}

#[test]
fn the_tables_of_the_warc_files_score_as_the_warc_files_do() {
    score_tables_of_warc(&Dev::subset("warc"));
}

#[test]
#[ignore = "needs the shared data"]
fn the_tables_of_the_warc_files_score_as_the_warc_files_do_on_the_shared_data() {
    score_tables_of_warc(&Dev::shared("expected_novelty_warc.tsv.gz"));
}

fn score_tables_of_warc(dev: &Dev) {
    let named = |folder: &Path| {
        let file = |name| folder.join("warc").join(name).to_str().unwrap().to_owned();
        vec!["--pages".to_owned(), file("pages.tsv.gz"), "--links".to_owned(), file("links.tsv.gz")]
    };
    assert_expected(add_dev(dev, &IN_ORDER, named).path(), dev);
}

#[test]
fn the_name_of_the_output_fits_its_format() {
    let data = tempfile::tempdir().unwrap();
    let refused: [&[&str]; 6] = [
        &["--output", "a.csv"],
        &["--output", "a.tsv.gz"],
        &["--json", "--output", "a.parquet"],
        &["--format", "parquet", "--output", "a.tsv"],
        &["--why", "https://a.org/", "--format", "parquet", "--output", "why.parquet"],
        &["--why", "https://a.org/", "--output", "why.tsv"],
    ];
    for arguments in refused {
        let (code, out, err) = run(data.path(), &[&["novelty", "small"], arguments].concat());
        assert!(
            code == 2 && out.is_empty() && err.contains("\nhint: ") && !err.contains("series"),
            "{arguments:?}: {err}"
        );
    }
}
