//! Which files make up a crawl? Those that were named, and those in folders that were, by their names.
//!
//! A folder of a crawl often holds the same twice: archives and the tables made from them, tables as TSV and as
//! Parquet. Taking both would count nothing twice, but read everything twice; one of them is taken, and that is said.
//! What only looks alike is all taken: `links.0.parquet` and `links.1.parquet` are parts of one table, and so are the
//! `part-…` files in a folder called `links`, as Spark leaves them.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use driftline_archive::derive::links::{begins_as_crawl, is_crawl};
use driftline_graph::tables::{Kind, Table};

use crate::args::AddArgs;
use crate::tell;

/// How deep folders are looked into.
const MOST_DEPTH: usize = 32;
/// How the names of tables end, the best first.
const TABLES: [&str; 4] = [".tsv", ".csv", ".tab", ".parquet"];
/// What files are packed with.
const PACKED: [&str; 3] = [".gz", ".zst", ".lz4"];

/// A file of a crawl.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) path: PathBuf,
    pub(super) size: u64,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    /// WARC, WACZ or WAT.
    Archive,
    Table(Table),
}

impl Input {
    pub(super) fn is_of(&self, kind: Kind) -> bool {
        matches!(&self.what, What::Table(table) if table.kind() == kind)
    }
}

/// Finds all files of a crawl and opens its tables, so that what is none is told before anything is read.
pub(super) fn find(args: &AddArgs) -> Result<Vec<Input>> {
    let mut found = Found::default();
    for path in &args.inputs {
        if metadata(path)?.is_dir() {
            found.folder(path, MOST_DEPTH)?;
        } else if is_crawl(path) || begins_as_crawl(path)? {
            found.archive(path)?;
        } else {
            found.table(path, kind_by_name(path))?;
        }
    }
    for (paths, kind) in [(&args.pages, Kind::Pages), (&args.links, Kind::Links), (&args.redirects, Kind::Redirects)] {
        for path in paths {
            found.tables(path, kind, MOST_DEPTH)?;
        }
    }
    found.check()
}

#[derive(Default)]
struct Found {
    inputs: Vec<Input>,
    known: HashSet<PathBuf>,
    /// Folders that were looked into, and what for: links may lead back to one.
    folders: HashSet<(PathBuf, Option<Kind>)>,
}

impl Found {
    fn archive(&mut self, path: &Path) -> Result<()> {
        self.add(path, || Ok(What::Archive))
    }

    fn table(&mut self, path: &Path, kind: Option<Kind>) -> Result<()> {
        self.add(path, || Ok(What::Table(Table::open(path, kind)?)))
    }

    /// A file counts once, however often it was named.
    fn add(&mut self, path: &Path, what: impl FnOnce() -> Result<What>) -> Result<()> {
        let path = path.canonicalize().with_context(|| format!("cannot open `{}`", path.display()))?;
        if self.known.contains(&path) {
            tell::note(format_args!("`{}` was named twice, and is read once", path.display()));
            return Ok(());
        }
        let size = metadata(&path)?.len();
        self.inputs.push(Input { path: path.clone(), size, what: what()? });
        self.known.insert(path);
        Ok(())
    }

    /// Is this the first time that a folder is looked into?
    fn enter(&mut self, folder: &Path, kind: Option<Kind>) -> Result<bool> {
        let own = folder.canonicalize().with_context(|| format!("cannot open `{}`", folder.display()))?;
        let is_first = self.folders.insert((own, kind));
        if !is_first {
            tell::note(format_args!("`{}` leads to a folder that was read before", folder.display()));
        }
        Ok(is_first)
    }

    /// A table, or a folder of its parts, as Spark writes them.
    fn tables(&mut self, path: &Path, kind: Kind, depth: usize) -> Result<()> {
        if !metadata(path)?.is_dir() {
            return self.table(path, Some(kind));
        }
        if !self.enter(path, Some(kind))? {
            return Ok(());
        }
        let parts = listed(path)?.into_iter().filter(|part| !name(part).starts_with(['_', '.']));
        for part in parts.filter(|_| depth > 0) {
            self.tables(&part, kind, depth - 1)?;
        }
        Ok(())
    }

    fn folder(&mut self, path: &Path, depth: usize) -> Result<()> {
        if !self.enter(path, None)? {
            return Ok(());
        }
        let (folders, files): (Vec<_>, Vec<_>) = listed(path)?.into_iter().partition(|entry| entry.is_dir());
        if let Some((kind, parts)) = parts(path, &files) {
            return self.best_of(path, &parts, kind);
        }
        let (archives, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| is_crawl(file));
        archives.iter().try_for_each(|archive| self.archive(archive))?;
        let (in_parts, below): (Vec<_>, Vec<_>) = folders.into_iter().partition(|folder| is_in_parts(folder));
        let mut tables: Vec<_> = others.into_iter().filter(|file| is_table(file)).collect();
        tables.extend(in_parts);
        // What is below a folder of tables is something else, such as what they were made from.
        let is_of_tables = archives.is_empty() && !tables.is_empty();
        if !archives.is_empty() {
            let is_same = |table: &PathBuf| kind_by_name(table) != Some(Kind::Redirects);
            let aside: Vec<_> = tables.extract_if(.., |table| is_same(table)).collect();
            left_aside(path, &aside, "the archives beside them hold the same pages and links");
        }
        for kind in Kind::ALL {
            let of_kind: Vec<_> = tables.iter().filter(|table| kind_by_name(table) == Some(kind)).cloned().collect();
            self.best_of(path, &of_kind, kind)?;
        }
        for folder in below.iter().filter(|_| depth > 0 && !is_of_tables) {
            self.folder(folder, depth - 1)?;
        }
        Ok(())
    }

    /// Takes all parts of a table, each in its best form: several forms of it say the same.
    fn best_of(&mut self, folder: &Path, tables: &[PathBuf], kind: Kind) -> Result<()> {
        let mut by_stem = BTreeMap::<_, Vec<_>>::new();
        for table in tables {
            let (stem, form) = stem_and_form(table);
            by_stem.entry(stem).or_default().push((form, table));
        }
        let mut aside = Vec::new();
        for forms in by_stem.values_mut() {
            forms.sort();
            if let Some(((_, best), others)) = forms.split_first() {
                if best.is_dir() {
                    self.folder(best, 0)?;
                } else {
                    self.table(best, Some(kind))?;
                }
                aside.extend(others.iter().map(|(_, path)| (*path).clone()));
            }
        }
        left_aside(folder, &aside, "they are taken for the same tables in another form");
        Ok(())
    }

    /// There is no crawl without pages.
    fn check(self) -> Result<Vec<Input>> {
        let has = |kind| self.inputs.iter().any(|input| matches!(input.what, What::Archive) || input.is_of(kind));
        if self.inputs.is_empty() {
            bail!(
                "there is no crawl in what was named\nhint: WARC, WACZ and WAT files are found by their names; tables in a folder are called `pages`, `links` and `redirects`, with .tsv, .csv or .parquet; name others with `--pages`, `--links` and `--redirects`"
            );
        }
        if !has(Kind::Pages) {
            bail!("nothing says which pages were crawled\nhint: name a table of pages with `--pages FILE`");
        }
        Ok(self.inputs)
    }
}

fn left_aside(folder: &Path, tables: &[PathBuf], why: &str) {
    if tables.is_empty() {
        return;
    }
    let names: Vec<_> = tables.iter().map(|path| format!("`{}`", name(path))).collect();
    tell::note(format_args!("left aside in `{}`: {}; {why}", folder.display(), names.join(", ")));
}

fn metadata(path: &Path) -> Result<std::fs::Metadata> {
    std::fs::metadata(path).with_context(|| format!("cannot open `{}`", path.display()))
}

/// What is in a folder, by name.
fn listed(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = || format!("cannot read the folder `{}`", folder.display());
    let entries = std::fs::read_dir(folder).with_context(failed)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>().with_context(failed)?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

/// Its name without what it is packed with.
fn unpacked(path: &Path) -> String {
    let name = name(path);
    PACKED.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name).to_owned()
}

fn is_table(path: &Path) -> bool {
    kind_by_name(path).is_some() && stem_and_form(path).1 < TABLES.len()
}

/// The files in a folder that is called like a table and holds nothing but its parts.
fn parts(folder: &Path, files: &[PathBuf]) -> Option<(Kind, Vec<PathBuf>)> {
    let kind = kind_by_name(folder)?;
    if files.iter().any(|file| is_crawl(file) || is_table(file) && kind_by_name(file) != Some(kind)) {
        return None;
    }
    let is_part = |file: &&PathBuf| !name(file).starts_with(['_', '.']) && stem_and_form(file).1 < TABLES.len();
    let parts: Vec<_> = files.iter().filter(is_part).cloned().collect();
    (!parts.is_empty()).then_some((kind, parts))
}

fn is_in_parts(folder: &Path) -> bool {
    listed(folder).is_ok_and(|files| parts(folder, &files).is_some())
}

/// `links.0` and how good its form is, for `links.0.parquet`; what has no form of a table comes last.
fn stem_and_form(path: &Path) -> (String, usize) {
    let name = unpacked(path);
    let form = TABLES.iter().position(|end| name.ends_with(end)).unwrap_or(TABLES.len());
    let end = TABLES.get(form).copied().unwrap_or_default();
    (name.strip_suffix(end).unwrap_or(&name).to_owned(), form)
}

/// `links.tsv.gz` is a table of links.
fn kind_by_name(path: &Path) -> Option<Kind> {
    let name = name(path);
    Kind::ALL.into_iter().find(|kind| name.split('.').next() == Some(kind.name()))
}

#[cfg(test)]
mod tests;
