//! Real crawls, of which is known what was on their pages.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;

use driftline::novelty::url::Canonical;
use driftline::page::{Page, ReadOptions, Source};
use driftline::time::Time;
use driftline_testkit::data::{shared, subset};

use super::{Extracted, all, of, pages, record};

/// Links that are in the HTML (`BeautifulSoup` finds most of them too) and that the tables lack: whoever made those left them
/// out. The snapshots that have one, where it stands, where it leads, and why it is odd.
const LEFT_OUT: [(&[&str], &str, &str, &str); 10] = [
    (&["t2", "t3"], SINGAPORE, NO_HOST, "the writer forgot to end the address: Chinese text became a part of the host"),
    (&["t3", "t4"], MOVIES, "https://www.youtube.com/embed/rpizH_ZNIy8", "an iframe"),
    (
        &["t4", "t5"],
        "https://flink.apache.org/stateful-functions.html",
        "https://www.youtube.com/embed/fCeHCMJXXM0",
        "an iframe",
    ),
    (&["t5"], SPEECH, "https://www.youtube.com/embed/9bMX-ctieHI", "an iframe"),
    (&["t3"], CHATBOT, "https://www.sinclass.com/2017/08/11/chatbot/chatbot-research1/", "an anchor as any other"),
    (&["t3"], CHATBOT, "https://www.sinclass.com/2017/08/13/chatbot/chatbot-research3/", "an anchor as any other"),
    (&["t3"], CHATBOT, "https://www.sinclass.com/2017/08/14/chatbot/chatbot-research4/", "an anchor as any other"),
    (&["t4"], LISTS, "https://http//apache-royale-development.20373.n8.nabble.com/", "two schemes: the host is `http`"),
    (&["t4"], LISTS, "https://http//apache-royale-users.20374.n8.nabble.com/", "two schemes: the host is `http`"),
    (
        &["t5"],
        PULLS,
        "https://flink.apache.org/contributing/%5Bhttps://issues.apache.org/jira/projects/FLINK/issues",
        "as below",
    ),
];
/// The one link of the tables that the archives lack, as it is written there: `href="[https://issues…"`, which is
/// relative for its bracket. The tables have `/` for `//` in it, as Python's `urljoin` does; no browser does so.
const IN_TABLES_ONLY: (&str, &str, &str) =
    ("t5", PULLS, "https://flink.apache.org/contributing/%5Bhttps:/issues.apache.org/jira/projects/FLINK/issues");
const SINGAPORE: &str = "https://www.sinclass.com/2017/09/25/tools/news-Singapore-for-it/";
const NO_HOST: &str =
    "https://99.xn--co,propertyguru-l53x60b5b15a166bge65zba763fxvvqhao1bm55gglm1t3aqgbvl586gxa378isz4lxw7a/";
const MOVIES: &str = "https://www.sinclass.com/2018/05/06/English/english-RD-moives-1/";
const PULLS: &str = "https://flink.apache.org/contributing/code-style-and-quality-pull-requests.html";
const SPEECH: &str = "https://www.sinclass.com/2017/05/28/English/english-Shuping-Yang-at-Maryyland/";
const CHATBOT: &str = "https://www.sinclass.com/tags/Chatbot/";
const LISTS: &str = "https://royale.apache.org/mailing-lists/";

/// The rows of a table, without the first.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn canonical(url: &str) -> Option<String> {
    Canonical::of(url).map(|own| own.url())
}

/// Links between canonical addresses, redirects followed, none from a page to itself.
fn links(found: &[Extracted]) -> BTreeSet<(String, String)> {
    let mut redirects = BTreeMap::new();
    for own in found {
        if let Extracted::Redirect { from, to } = own {
            redirects.insert(canonical(from).unwrap(), canonical(to).unwrap());
        }
    }
    let end = |link: String| (0..20).try_fold(link, |link, _| redirects.get(&link).cloned().ok_or(link));
    let mut links = BTreeSet::new();
    for page in pages(found) {
        let source = canonical(&page.url).unwrap();
        let targets =
            page.links.iter().filter_map(|link| canonical(link)).map(|link| end(link).unwrap_or_else(|link| link));
        links.extend(targets.filter(|target| *target != source).map(|target| (source.clone(), target)));
    }
    links
}

#[test]
fn the_links_of_real_crawls_are_those_of_their_tables() {
    compare_links(&subset());
}

#[test]
#[ignore = "needs the shared data"]
fn the_links_of_real_crawls_are_those_of_their_tables_on_the_shared_data() {
    compare_links(&shared());
}

fn compare_links(data: &Path) {
    let folder = data.join("snapshots/dev");
    let (mut lacking, mut more, mut crawled) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for name in ["t1", "t2", "t3", "t4", "t5"] {
        let folder = folder.join(name).join("warc");
        let found = all(&folder.join(format!("dev-{name}.warc.gz")));
        crawled.extend(pages(&found).iter().map(|page| (name, page.url.clone())));
        let own = links(&found);
        let both = |row: &Vec<String>| Some((canonical(&row[0])?, canonical(&row[1])?));
        let rows = rows(&folder.join("links.tsv.gz"));
        let expected: BTreeSet<_> = rows.iter().filter_map(both).filter(|(source, target)| source != target).collect();
        let named = |(source, target): &(String, String)| (name, source.clone(), target.clone());
        lacking.extend(expected.difference(&own).map(named));
        more.extend(own.difference(&expected).map(named));
    }
    let owned = |(name, source, target): (&'static str, &str, &str)| (name, source.to_owned(), target.to_owned());
    let is_crawled = |link: &(&'static str, String, String)| crawled.contains(&(link.0, link.1.clone()));
    let left_out =
        LEFT_OUT.iter().flat_map(|&(names, source, target, _)| names.iter().map(move |&name| (name, source, target)));
    assert_eq!(lacking, [IN_TABLES_ONLY].map(owned).into_iter().filter(is_crawled).collect());
    assert_eq!(more, left_out.map(owned).filter(is_crawled).collect());
    assert!(crawled.len() > 40, "{}", crawled.len());
}

#[test]
fn the_pages_of_real_crawls_are_those_of_their_tables() {
    compare_pages(&subset());
}

#[test]
#[ignore = "needs the shared data"]
fn the_pages_of_real_crawls_are_those_of_their_tables_on_the_shared_data() {
    compare_pages(&shared());
}

fn compare_pages(data: &Path) {
    let folder = data.join("snapshots/dev");
    let time = |text: &str| text.parse::<Time>().ok();
    for name in ["t1", "t2", "t3", "t4", "t5"] {
        let folder = folder.join(name).join("warc");
        let found = all(&folder.join(format!("dev-{name}.warc.gz")));
        let own: BTreeSet<_> =
            pages(&found).iter().map(|page| (page.url.clone(), page.fetched, page.last_modified)).collect();
        let rows = rows(&folder.join("pages.tsv.gz"));
        let crawled = rows.iter().filter(|row| row[1] == "1");
        let expected: BTreeSet<_> =
            crawled.map(|row| (row[0].clone(), time(&row[2]), Time::from_http(&row[3]))).collect();
        assert_eq!(own, expected, "{name}");
    }
}

#[test]
fn every_address_that_was_crawled_is_its_own_form() {
    check_addresses(&subset());
}

#[test]
#[ignore = "needs the shared data"]
fn every_address_that_was_crawled_is_its_own_form_on_the_shared_data() {
    check_addresses(&shared());
}

fn check_addresses(data: &Path) {
    let folder = data.join("snapshots/dev");
    let mut other = BTreeSet::new();
    for name in ["t1", "t2", "t3", "t4", "t5"] {
        let rows = rows(&folder.join(name).join("pages.tsv.gz"));
        let crawled = rows.into_iter().filter(|row| row[1] == "1").map(|row| row[0].clone());
        other.extend(crawled.filter(|url| canonical(url).as_ref() != Some(url)));
    }
    assert!(other.is_empty(), "{other:#?}");
}

/// The elements that a WAT file tells of, with the attributes that hold addresses.
fn wat_links(page: &Page) -> Vec<serde_json::Value> {
    let written = |node| {
        let tag = page.tag(node);
        let attribute = if tag.ends_with("frame") { "src" } else { "href" };
        let url = page.attribute(node, attribute)?.replace('&', "&amp;");
        let path = format!("{}@/{attribute}", tag.to_ascii_uppercase());
        Some(serde_json::json!({ "path": path, "url": url, "rel": page.attribute(node, "rel").unwrap_or_default() }))
    };
    page.node_ids().filter_map(written).collect()
}

#[test]
fn the_wat_of_a_crawl_has_its_links() {
    compare_with_wat(&subset());
}

#[test]
#[ignore = "needs the shared data"]
fn the_wat_of_a_crawl_has_its_links_on_the_shared_data() {
    compare_with_wat(&shared());
}

fn compare_with_wat(data: &Path) {
    let folder = data.join("snapshots/dev");
    let path = folder.join("t2/warc/dev-t2.warc.gz");
    let mut reader = crate::warc::Reader::new(std::fs::File::open(&path).unwrap());
    let mut metadata = Vec::new();
    while let Some(next) = reader.next() {
        let Ok(original) = next else { continue };
        let (Some(url), true) = (original.target_uri.clone(), original.is_http()) else { continue };
        let Ok(answer) = crate::http::Response::parse(&reader.body(8 << 20).unwrap().bytes, 8 << 20) else {
            continue;
        };
        let content_type = answer.head.content_type();
        let page = Page::read(Source { bytes: &answer.body, content_type, url: Some(&url) }, &ReadOptions::default());
        let headers: BTreeMap<_, _> = answer.head.headers.iter().collect();
        let base =
            page.node_ids().filter(|&node| page.tag(node) == "base").find_map(|node| page.attribute(node, "href"));
        let json = serde_json::json!({ "Envelope": {
            "WARC-Header-Metadata": { "WARC-Type": "response", "WARC-Target-URI": url, "WARC-Date": original.date },
            "Payload-Metadata": { "HTTP-Response-Metadata": {
                "Response-Message": { "Status": answer.head.status.to_string() },
                "Headers": headers,
                "HTML-Metadata": { "Head": { "Base": base }, "Links": wat_links(&page) },
            } },
        } });
        metadata.push(record("metadata", &url, "Content-Type: application/json\r\n", &json.to_string()));
    }
    let (own, expected) = (of(&metadata), all(&path));
    assert_eq!(pages(&own).len(), pages(&expected).len());
    assert_eq!(links(&own), links(&expected));
    let times =
        |found: &[Extracted]| pages(found).iter().map(|page| (page.fetched, page.last_modified)).collect::<Vec<_>>();
    assert_eq!(times(&own), times(&expected));
}
