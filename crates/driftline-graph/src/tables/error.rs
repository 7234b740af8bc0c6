//! Why can a table not be read?

use std::io;
use std::path::PathBuf;

use driftline::number::grouped;
use parquet::errors::ParquetError;

use super::Kind;

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file cannot be opened.
    #[error("cannot open `{}`: {source}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It cannot be read to its end.
    #[error("cannot read `{}` beyond line {line}: {source}\nhint: is the file whole? A table that ends too early is not taken", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The last line that was read.
        line: u64,
        /// Why not.
        source: io::Error,
    },
    /// A quote in CSV that is not closed: what follows, to the end of the table or for very long, would be one cell.
    #[error("a quote that opens on line {line} of `{}` is not closed\nhint: is the file whole? A quote within a cell is written twice, and the cell in quotes", .path.display())]
    Quote {
        /// The file.
        path: PathBuf,
        /// Where the quote opens.
        line: u64,
    },
    /// It begins like a Parquet file, but is none that can be read.
    #[error("cannot read `{}` as Parquet: {source}\nhint: is the file whole?", .path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: ParquetError,
    },
    /// It holds far more than a table of its size can: it is made of rows that are alike.
    #[error("`{}` unpacks to more than {} {what}, too much for its {} bytes\nhint: rows that differ need more; leave out those that are alike, or give it as TSV that is not packed", .path.display(), grouped(*.most as usize), grouped(*.size as usize))]
    Bomb {
        /// The file.
        path: PathBuf,
        /// Its size.
        size: u64,
        /// `rows` or `bytes`.
        what: &'static str,
        /// The most of them.
        most: u64,
    },
    /// Its columns are not those of a table of pages, links or redirects.
    #[error("`{}` is no table of {}: {}\nhint: {}", .path.display(), of(*.kind), listed(.found), understood(*.kind))]
    Columns {
        /// The file.
        path: PathBuf,
        /// What it was said to be about.
        kind: Option<Kind>,
        /// Its columns.
        found: Vec<String>,
    },
    /// It is about hosts or domains, not pages.
    #[error("`{}` is a graph of hosts or domains: {}\nhint: novelty needs pages and their links; Common Crawl has them in its WAT files", .path.display(), listed(.found))]
    Hosts {
        /// The file.
        path: PathBuf,
        /// Its columns.
        found: Vec<String>,
    },
    /// A column of a Parquet file holds something else than texts, numbers or times.
    #[error("column `{column}` of `{}` holds {found}\nhint: it should hold texts; `crawled` and statuses may be numbers, times may be timestamps", .path.display())]
    Type {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// What it holds.
        found: String,
    },
}

/// The most columns that a message names.
const MOST_NAMED: usize = 12;
/// The most characters of a column's name in a message.
const LONGEST_NAME: usize = 40;

fn of(kind: Option<Kind>) -> &'static str {
    kind.map_or("pages, links or redirects", Kind::name)
}

fn listed(found: &[String]) -> String {
    if found.iter().all(|name| name.trim().is_empty()) {
        return "it has no row of names".to_owned();
    }
    let short = |name: &String| format!("`{}`", name.chars().take(LONGEST_NAME).collect::<String>());
    let names: Vec<_> = found.iter().take(MOST_NAMED).map(short).collect();
    let more = if found.len() > MOST_NAMED { " and more" } else { "" };
    format!("its columns are {}{more}", names.join(", "))
}

fn understood(kind: Option<Kind>) -> &'static str {
    match kind {
        Some(Kind::Pages) => {
            "understood are `url` with `crawled`, `fetch_time`, `last_modified`; and those of Archives Unleashed (`crawl_date`, `url`, …) and of Common Crawl's index (`url`, `fetch_status`, `fetch_time`, …)"
        }
        Some(Kind::Links) => "understood are `source` and `target`, and `src` and `dest` of Archives Unleashed",
        Some(Kind::Redirects) => "understood are `from` and `to`",
        None => {
            "pages have `url` with `crawled`, `fetch_time`, `last_modified`; links `source` and `target`, or `src` and `dest`; redirects `from` and `to`"
        }
    }
}
