//! The snapshots of a data folder as a series, and what is known of them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use driftline::time::Time;
use driftline_graph::Series;
use driftline_graph::add::{AddError, Source};
use driftline_graph::tables::{Kind, Table, TableError};
use flate2::read::GzDecoder;

const BUDGET: usize = 64 << 20;

#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Add(#[from] AddError),
}

/// A series of the tables `tN/<tables>/{pages,links}.tsv.gz`.
pub(crate) fn of_tables(folder: &Path, dev: &Path, tables: &str) -> Series {
    let times = meta(dev)["times"].as_array().unwrap().clone();
    for (number, at) in (1..).zip(times) {
        let at: Time = at.as_str().unwrap().parse().unwrap();
        let builder = Series::open_or_make(folder).unwrap().add(at, BUDGET).unwrap();
        for kind in [Kind::Pages, Kind::Links] {
            let path = dev.join(format!("t{number}")).join(tables).join(format!("{}.tsv.gz", kind.name()));
            let table = Table::open(&path, Some(kind)).unwrap();
            let mut reader = builder.reader(&Source::of(&path).unwrap()).unwrap().expect("it is read once");
            table.read(&|_| (), |row| reader.take(&row).map_err(Failed::from)).unwrap();
            reader.finish().unwrap();
        }
        builder.build(&|_| ()).unwrap();
    }
    Series::open(folder).unwrap()
}

/// When each address appeared.
pub(crate) fn births(dev: &Path) -> BTreeMap<String, Time> {
    let mut text = String::new();
    GzDecoder::new(File::open(dev.join("truth.tsv.gz")).unwrap()).read_to_string(&mut text).unwrap();
    let rows = text.lines().skip(1).filter_map(|row| row.split_once('\t'));
    rows.map(|(url, birth)| (url.to_owned(), birth.parse().unwrap())).collect()
}

/// The sites that were down, by snapshot.
pub(crate) fn sites_down(dev: &Path) -> Vec<Vec<String>> {
    let sites = |snapshot: &serde_json::Value| {
        let sites = snapshot["sites_down"].as_array().unwrap().iter();
        sites.map(|site| site.as_str().unwrap().to_owned()).collect()
    };
    meta(dev)["stats"].as_array().unwrap().iter().map(sites).collect()
}

fn meta(dev: &Path) -> serde_json::Value {
    serde_json::from_reader(File::open(dev.join("meta.json")).unwrap()).unwrap()
}

/// Average precision; pages of one score are found together.
pub(crate) fn average_precision(scored: impl Iterator<Item = (f64, bool)>) -> f64 {
    let mut scored: Vec<_> = scored.collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0));
    let all = scored.iter().filter(|(_, is_new)| *is_new).count() as f64;
    let (mut read, mut found, mut sum) = (0.0, 0.0, 0.0);
    for group in scored.chunk_by(|one, other| one.0 == other.0) {
        let new = group.iter().filter(|(_, is_new)| *is_new).count() as f64;
        read += group.len() as f64;
        found += new;
        sum += new * found / read;
    }
    sum / all
}

/// By how much probabilities are off, in ten groups of as many pages each.
pub(crate) fn calibration_error(scored: impl Iterator<Item = (f64, bool)>) -> f64 {
    let mut scored: Vec<_> = scored.collect();
    scored.sort_by(|one, other| one.0.total_cmp(&other.0));
    let groups = scored.chunks(scored.len().div_ceil(10));
    let off = groups.map(|group| {
        let new = group.iter().filter(|(_, is_new)| *is_new).count() as f64;
        (group.iter().map(|(probability, _)| probability).sum::<f64>() - new).abs()
    });
    off.sum::<f64>() / scored.len() as f64
}
