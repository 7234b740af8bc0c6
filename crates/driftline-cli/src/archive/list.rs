//! `driftline archive list`: which captures are there?

mod line;

use std::collections::{HashMap, HashSet};
use std::io::{self, BufWriter, Write};

use anyhow::Result;
use driftline_catalog::{Catalog, surt};

use self::line::Line;
use super::data;
use crate::args::ListArgs;
use crate::exit::Exit;
use crate::tell;

/// So many addresses are asked for at once.
const PAGE: u32 = 1_000;

pub(super) fn run(args: &ListArgs) -> Result<Exit> {
    if data::is_unchecked(args.data.data.as_deref())? {
        return Ok(Exit::Same);
    }
    let archive = data::open_to_read(args.data.data.as_deref())?;
    let mut list = List {
        catalog: archive.catalog(),
        args,
        output: BufWriter::new(io::stdout().lock()),
        left: args.limit.unwrap_or(usize::MAX),
    };
    match &args.url {
        Some(url) if !args.prefix => list.captures_of(url)?,
        Some(url) => list.below(&surt::key(url))?,
        None => list.addresses()?,
    }
    let is_empty = list.left == args.limit.unwrap_or(usize::MAX);
    list.output.flush()?;
    if is_empty && args.limit != Some(0) {
        let what = args.url.as_ref().map_or_else(String::new, |url| format!(" of `{url}`"));
        tell::warning(format_args!(
            "there is no such capture{what}\nhint: `driftline archive list` names all addresses"
        ));
    }
    Ok(Exit::Same)
}

struct List<'a, W> {
    catalog: &'a Catalog,
    args: &'a ListArgs,
    output: W,
    /// So many lines may still be printed.
    left: usize,
}

impl<W: Write> List<'_, W> {
    /// The captures of an address and its other spellings, in the order of time.
    fn captures_of(&mut self, url: &str) -> Result<()> {
        let versions = self.catalog.versions_of(url)?;
        let versions: HashSet<i64> = versions.iter().map(|version| version.capture.id).collect();
        let changes = self.catalog.changes_of(url)?;
        let degrees: HashMap<i64, f64> = changes.iter().map(|change| (change.newer, change.degree)).collect();
        for stored in self.catalog.captures_of(url)? {
            let at = stored.capture.at;
            let is_version = versions.contains(&stored.id);
            let is_asked = self.args.from.is_none_or(|from| at >= from)
                && self.args.to.is_none_or(|to| at < to)
                && (is_version || !self.args.versions);
            if is_asked && self.take() {
                let degree = degrees.get(&stored.id).copied();
                Line { stored: &stored, is_version, degree }.print(&mut self.output, self.args.json)?;
            }
        }
        Ok(())
    }

    /// The captures of all addresses below a key.
    fn below(&mut self, prefix: &str) -> Result<()> {
        let mut seen = String::new();
        self.each_address(prefix, |list, summary| {
            // Spellings of one address share a key, and are listed together.
            if summary.key != seen {
                list.captures_of(&summary.url)?;
                seen = summary.key;
            }
            Ok(())
        })
    }

    /// All addresses with the number of their captures.
    fn addresses(&mut self) -> Result<()> {
        self.each_address("", |list, summary| {
            let is_asked = list.args.from.is_none_or(|from| summary.latest >= from)
                && list.args.to.is_none_or(|to| summary.first < to);
            if is_asked && list.take() {
                line::print_address(&mut list.output, &summary, list.args.json)?;
            }
            Ok(())
        })
    }

    fn each_address(
        &mut self,
        prefix: &str,
        mut work: impl FnMut(&mut Self, driftline_catalog::UrlSummary) -> Result<()>,
    ) -> Result<()> {
        let mut last: Option<(String, String)> = None;
        while self.left > 0 {
            let after = last.as_ref().map(|(key, url)| (key.as_str(), url.as_str()));
            let page = self.catalog.urls(prefix, after, PAGE)?;
            let Some(end) = page.last() else { return Ok(()) };
            last = Some((end.key.clone(), end.url.clone()));
            for summary in page {
                work(self, summary)?;
            }
        }
        Ok(())
    }

    /// May another line be printed? Then it is counted.
    fn take(&mut self) -> bool {
        let may = self.left > 0;
        self.left = self.left.saturating_sub(1);
        may
    }
}
