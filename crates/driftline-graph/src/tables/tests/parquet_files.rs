//! Parquet tables by other writers.

use std::sync::Arc;

use parquet::basic::{Compression as Packing, GzipLevel, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type, Int96, Int96Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::*;

/// The values of a column; `None` is null.
pub(super) enum Column<'a> {
    Texts(Vec<Option<&'a str>>),
    Numbers(Vec<i64>),
    Small(Vec<i32>),
    Flags(Vec<bool>),
    Spark(Vec<Int96>),
}

fn write_column(group: &mut SerializedRowGroupWriter<'_, Vec<u8>>, column: &Column<'_>) {
    let mut writer = group.next_column().unwrap().unwrap();
    match column {
        Column::Texts(texts) => {
            let levels: Vec<_> = texts.iter().map(|text| i16::from(text.is_some())).collect();
            let texts: Vec<_> = texts.iter().flatten().map(|text| ByteArray::from(*text)).collect();
            writer.typed::<ByteArrayType>().write_batch(&texts, Some(&levels), None).unwrap()
        }
        Column::Numbers(numbers) => writer.typed::<Int64Type>().write_batch(numbers, None, None).unwrap(),
        Column::Small(numbers) => writer.typed::<Int32Type>().write_batch(numbers, None, None).unwrap(),
        Column::Flags(flags) => writer.typed::<BoolType>().write_batch(flags, None, None).unwrap(),
        Column::Spark(times) => writer.typed::<Int96Type>().write_batch(times, None, None).unwrap(),
    };
    writer.close().unwrap();
}

pub(super) fn parquet(schema: &str, packing: Packing, columns: &[Column<'_>]) -> Vec<u8> {
    let schema = parse_message_type(&format!("message table {{ {schema} }}")).unwrap();
    let properties = WriterProperties::builder().set_compression(packing).build();
    let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).unwrap();
    if !columns.is_empty() {
        let mut group = file.next_row_group().unwrap();
        columns.iter().for_each(|column| write_column(&mut group, column));
        group.close().unwrap();
    }
    file.into_inner().unwrap()
}

/// 2019-01-15T10:30:00Z as Spark wrote it: nanoseconds of the day, and the Julian day.
fn spark_time() -> Int96 {
    let nanoseconds: u64 = (10 * 3600 + 30 * 60) * 1_000_000_000;
    let mut time = Int96::new();
    time.set_data(nanoseconds as u32, (nanoseconds >> 32) as u32, 2_440_588 + 17_911);
    time
}

#[test]
fn common_crawls_index_is_understood_however_it_is_packed() {
    let schema = "optional binary url_surtkey (UTF8); optional binary url (UTF8); required int96 fetch_time;
        required int32 fetch_status (INTEGER(16,true)); optional binary content_mime_type (UTF8);
        optional binary content_mime_detected (UTF8); optional binary fetch_redirect (UTF8);";
    let urls = ["https://a.org/", "https://a.org/old", "https://a.org/gone", "https://a.org/x.png"];
    let columns = [
        Column::Texts(vec![None; 4]),
        Column::Texts(urls.map(Some).to_vec()),
        Column::Spark(vec![spark_time(); 4]),
        Column::Small(vec![200, 301, 404, 200]),
        Column::Texts(vec![Some("text/html"); 4]),
        Column::Texts(vec![Some("text/html"), None, None, Some("image/png")]),
        Column::Texts(vec![None, Some("/new"), None, None]),
    ];
    let expected = [
        "crawled https://a.org/ 20190115103000 -",
        "redirect https://a.org/old https://a.org/new",
        "skipped answers without a page (status)",
        "skipped answers that are no page (type)",
    ];
    let gzip = Packing::GZIP(GzipLevel::default());
    for packing in [Packing::UNCOMPRESSED, Packing::SNAPPY, gzip, Packing::LZ4_RAW, Packing::ZSTD(ZstdLevel::default())]
    {
        assert_eq!(said(parquet(schema, packing, &columns)).unwrap(), expected, "{packing}");
    }
}

#[test]
fn times_and_flags_may_have_types_of_their_own() {
    let micros = 1_547_548_200_000_000;
    for (unit, number) in [("MILLIS", micros / 1_000), ("MICROS", micros), ("NANOS", micros * 1_000)] {
        let schema = format!(
            "required int64 fetch_time (TIMESTAMP({unit},true)); optional binary url; required boolean crawled;"
        );
        let columns = [
            Column::Numbers(vec![number, i64::MAX]),
            Column::Texts(vec![Some("https://a.org/"), Some("https://b.org/")]),
            Column::Flags(vec![true, false]),
        ];
        let expected = ["crawled https://a.org/ 20190115103000 -", "fringe https://b.org/"];
        assert_eq!(said(parquet(&schema, Packing::SNAPPY, &columns)).unwrap(), expected, "{unit}");
    }
    let schema = "required int32 last_modified_date (DATE); required int64 crawl_date; optional binary url (UTF8);";
    let columns =
        [Column::Small(vec![17_911]), Column::Numbers(vec![20_190_116]), Column::Texts(vec![Some("https://a.org/")])];
    let expected = ["crawled https://a.org/ 20190116000000 20190115000000"];
    assert_eq!(said(parquet(schema, Packing::SNAPPY, &columns)).unwrap(), expected);
}

#[test]
fn a_null_address_is_passed_over() {
    let schema = "optional binary source (UTF8); optional binary target (UTF8);";
    let columns = [Column::Texts(vec![Some("a"), Some("a")]), Column::Texts(vec![None, Some("b")])];
    let table = parquet(schema, Packing::SNAPPY, &columns);
    assert_eq!(said(table).unwrap(), ["skipped rows without an address", "link a b"]);
}

#[test]
fn lists_and_reals_are_refused_by_name() {
    let list = "optional group url (LIST) { repeated group list { optional binary element (UTF8); } }";
    let error = said(parquet(list, Packing::SNAPPY, &[])).unwrap_err().to_string();
    assert!(error.contains("column `url.list.element` of") && error.contains("holds lists or groups"), "{error}");
    let error = said(parquet("required double url;", Packing::SNAPPY, &[])).unwrap_err().to_string();
    assert!(error.contains("column `url` of") && error.contains("holds values of type DOUBLE"), "{error}");
}

#[test]
fn a_damaged_file_is_an_error_or_other_rows_but_no_panic() {
    let schema = "optional binary source (UTF8); optional binary target (UTF8);";
    let texts = |count: usize| Column::Texts((0..count).map(|row| (row % 7 > 0).then_some("https://a.org/")).collect());
    let whole = parquet(schema, Packing::SNAPPY, &[texts(3_000), texts(3_000)]);
    assert_eq!(said(&whole).unwrap().len(), 3_000);
    let mut random = fastrand::Rng::with_seed(6);
    let mut errors = 0;
    for _ in 0..3_000 {
        let mut damaged = whole.clone();
        for _ in 0..random.usize(1..4) {
            let place = random.usize(4..damaged.len());
            damaged[place] = random.u8(..);
        }
        damaged.truncate(if random.u8(..) < 32 { random.usize(4..damaged.len()) } else { damaged.len() });
        errors += usize::from(said(&damaged).is_err());
    }
    assert!(errors > 300, "{errors}");
}

#[test]
fn synthetic_tables_say_the_same_as_tsv_and_as_parquet() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut url = || format!("https://h{}.example/{:x}?q=é", random.u8(..9), random.u32(..));
    let rows: Vec<(String, String)> = (0..12_000).map(|_| (url(), url())).collect();
    let links: String = rows.iter().map(|(source, target)| format!("{source}\t{target}\n")).collect();
    let packed = parquet(
        "optional binary source (UTF8); optional binary target (UTF8);",
        Packing::ZSTD(ZstdLevel::default()),
        &[
            Column::Texts(rows.iter().map(|(source, _)| Some(source.as_str())).collect()),
            Column::Texts(rows.iter().map(|(_, target)| Some(target.as_str())).collect()),
        ],
    );
    let said_of_links = said(gzip(format!("source\ttarget\n{links}").as_bytes())).unwrap();
    assert_eq!(said_of_links.len(), rows.len());
    assert!(said_of_links == said(packed).unwrap(), "the links differ");
    let times: Vec<Option<String>> = (0..rows.len())
        .map(|row| (row % 3 > 0).then(|| format!("2019{:02}{:02}000000", 1 + row % 12, 1 + row % 28)))
        .collect();
    let pages: String = rows
        .iter()
        .zip(&times)
        .enumerate()
        .map(|(row, ((url, _), time))| format!("{url}\t{}\t{}\n", row % 4 / 3, time.as_deref().unwrap_or_default()))
        .collect();
    let packed = parquet(
        "optional binary url (UTF8); required boolean crawled; optional binary last_modified (UTF8);",
        Packing::ZSTD(ZstdLevel::default()),
        &[
            Column::Texts(rows.iter().map(|(url, _)| Some(url.as_str())).collect()),
            Column::Flags((0..rows.len()).map(|row| row % 4 == 3).collect()),
            Column::Texts(times.iter().map(Option::as_deref).collect()),
        ],
    );
    let said_of_pages = said(gzip(format!("url\tcrawled\tlast_modified\n{pages}").as_bytes())).unwrap();
    assert_eq!(said_of_pages.len(), rows.len());
    assert!(said_of_pages.iter().any(|row| row.starts_with("crawled") && !row.ends_with('-')));
    assert!(said_of_pages == said(packed).unwrap(), "the pages differ");
}
