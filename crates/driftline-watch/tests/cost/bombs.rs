//! Inputs that cost much for their size, and some that look as if they did.

use std::io::Write;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::zip::{Entry, zip};

/// Two versions of something.
pub(crate) type Versions = [Vec<u8>; 2];

/// The same bytes twice, the second time with a word more.
fn longer(text: &str, more: &str) -> Versions {
    [text.as_bytes().to_vec(), [text, more].concat().into_bytes()]
}

/// 127 arrays in each other around 400,000 numbers: each has a path of 254 bytes.
pub(crate) fn deep_json() -> Versions {
    ["1", "2"].map(|leaf| ("[".repeat(127) + &vec![leaf; 400_000].join(",") + &"]".repeat(127)).into_bytes())
}

/// Objects with one member each, which take most memory for their bytes.
pub(crate) fn json_of_objects() -> Versions {
    ["1", "2"].map(|leaf| format!("[{}]", vec![format!("{{\"\":{leaf}}}"); 120_000].join(",")).into_bytes())
}

/// As much NUL as a live page may have.
pub(crate) fn nuls() -> Versions {
    longer(&"\0".repeat(20_000_000), "x")
}

/// NUL where each is a character: in a title, in an attribute, in a drawing.
pub(crate) fn nuls_in_places() -> Versions {
    let run = "\0".repeat(1_000_000);
    longer(&format!("<title>{run}</title><p title='{run}'>a<svg><g>{run}</g></svg><!--{run}-->"), "x")
}

/// `<` is an error of its own each time.
pub(crate) fn brackets() -> Versions {
    longer(&"<".repeat(20_000_000), "x")
}

/// Tags with as many attributes as are read, each of which is compared with all before it.
pub(crate) fn attributes() -> Versions {
    let attributes: String = (0..1_024).map(|number| format!(" a{number}")).collect();
    longer(&format!("<i{attributes}>").repeat(180), "x")
}

/// End tags that nobody opened, each of which looks at all 500 open elements.
pub(crate) fn end_tags() -> Versions {
    longer(&("<span>".repeat(500) + &"</x>".repeat(245_000)), "x")
}

/// Elements in each other without end.
pub(crate) fn nested_elements() -> Versions {
    longer(&"<div><b>".repeat(120_000), "x")
}

/// Tags that are closed in the wrong order.
pub(crate) fn misnested_elements() -> Versions {
    longer(&"<b><i><a><p></b></i></a>".repeat(40_000), "x")
}

/// Text that a table puts before itself.
pub(crate) fn foster_parents() -> Versions {
    longer(&("<table>".to_owned() + &"x<tr>y".repeat(160_000)), "x")
}

/// Siblings, for selectors that look at all of them.
pub(crate) fn siblings() -> Versions {
    longer(&("<div>".to_owned() + &"<i></i>".repeat(30_000) + "x"), "y")
}

/// Words of one letter, of which no two stand in the same order.
pub(crate) fn short_words() -> Versions {
    [letters(1, 500_000), letters(2, 500_000)]
}

/// The same of a server that answers each request with others.
pub(crate) fn other_words() -> (Vec<u8>, Vec<Vec<u8>>) {
    (letters(1, 500_000), (2..=5).map(|seed| letters(seed, 500_000)).collect())
}

/// The same in pages of two designs.
pub(crate) fn rebuilt_words(count: usize) -> Versions {
    let [older, newer] = [1, 2].map(|seed| letters(seed, count));
    let page = |before: &str, words: &[u8]| [before.repeat(20).as_bytes(), b"<p>", words].concat();
    [page("<table><tr><td>x</table>", &older), page("<ul><li><b>x</b></ul>", &newer)]
}

fn letters(mut seed: u64, count: usize) -> Vec<u8> {
    let letters = (0..count).map(|_| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        b'a' + (seed >> 33) as u8 % 26
    });
    letters.flat_map(|letter| [letter, b' ']).collect()
}

/// A text, and a page with very many other words in place of its middle one.
pub(crate) fn words_between() -> Versions {
    let words: String = (0..500_000).map(|number| format!("{number:x} ")).collect();
    [b"a xx b".to_vec(), format!("<p>a {words}b").into_bytes()]
}

/// Entities of XML that would unpack to gigabytes.
pub(crate) fn laughs() -> Versions {
    let entities: String =
        (1..10).map(|at| format!("<!ENTITY l{at} \"{}\">", format!("&l{};", at - 1).repeat(10))).collect();
    longer(&format!("<?xml version='1.0'?><!DOCTYPE l [<!ENTITY l0 \"lol\">{entities}]><l>&l9;</l>"), "<m/>")
}

/// A feed whose items have no names and say nearly the same.
pub(crate) fn alike_items() -> Versions {
    let feed = |letter: &str| {
        let item = |at: usize| {
            format!("<item><title>same words</title><description>all of us say so {letter}{at}</description></item>")
        };
        let items: String = (0..9_000).map(item).collect();
        format!("<rss version='2.0'><channel><title>t</title>{items}</channel></rss>").into_bytes()
    };
    ["a", "b"].map(feed)
}

/// The answer of a server whose body of 64 MB of NUL is packed twice.
pub(crate) fn packed_twice() -> Vec<u8> {
    let pack = |bytes: &[u8]| {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    };
    let body = pack(&pack(&vec![0; 64 << 20]));
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip, gzip\r\n\r\n";
    [head.as_bytes(), &body].concat()
}

/// 3,000 archives that are the same stream.
pub(crate) fn overlapping_wacz() -> Vec<u8> {
    let record = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 50000000\r\n\r\n".to_owned();
    let first = Entry::deflated("archive/0.warc", (record + &" ".repeat(50_000_000)).as_bytes());
    let again = (1..3_000).map(|number| first.again(&format!("archive/{number}.warc")));
    let entries: Vec<Entry> = std::iter::once(first.clone()).chain(again).collect();
    zip(&entries)
}

/// A backup whose history names one version two million times.
pub(crate) fn endless_history() -> Vec<u8> {
    const ID: &str = "bc4bd629-5213-4131-af89-99b45a19f8cd";
    let files = [
        ("changedetection.json".to_owned(), "{}".to_owned()),
        (format!("{ID}/watch.json"), r#"{"url": "http://example.org/"}"#.to_owned()),
        (format!("{ID}/history.txt"), "1700000000,a.txt\n".repeat(2_000_000)),
        (format!("{ID}/a.txt"), "hello".to_owned()),
    ];
    zip(&files.map(|(name, text)| Entry::deflated(&name, text.as_bytes())))
}

/// One job 16,000 times.
pub(crate) fn same_jobs() -> Vec<u8> {
    "---\nurl: http://a.test/\n".repeat(16_000).into_bytes()
}

/// YAML in YAML.
pub(crate) fn nested_yaml() -> Vec<u8> {
    "{a: ".repeat(50_000).into_bytes()
}

/// A table of crawled pages that has one row 2,000,000 times.
pub(crate) fn parquet_of_one_row() -> Vec<u8> {
    let schema = Arc::new(parse_message_type("message table { required binary url (UTF8); }").unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    let mut group = file.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let rows = vec![ByteArray::from("https://example.org/"); 100_000];
    for _ in 0..20 {
        column.typed::<ByteArrayType>().write_batch(&rows, None, None).unwrap();
    }
    column.close().unwrap();
    group.close().unwrap();
    file.into_inner().unwrap()
}

/// The same as text in gzip.
pub(crate) fn packed_rows() -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(b"url\tcrawled\n").unwrap();
    packed.write_all("https://example.org/\t1\n".repeat(2_000_000).as_bytes()).unwrap();
    packed.finish().unwrap()
}
