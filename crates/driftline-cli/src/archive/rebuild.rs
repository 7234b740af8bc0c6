//! `driftline archive rebuild`: what captures do not say themselves, derived again.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anyhow::Result;
use driftline_archive::derive::{Extent, Kind, Rebuild, Rebuilt, rebuild};
use serde_json::json;

use super::data;
use crate::args::RebuildArgs;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::tell;

pub(super) fn run(args: &RebuildArgs) -> Result<Exit> {
    let archive = data::open(args.data.data.as_deref())?;
    let mut kinds: Vec<Kind> = args.kinds.iter().map(|&kind| kind.into()).collect();
    if kinds.is_empty() {
        kinds = Kind::ALL.to_vec();
    }
    kinds.sort_unstable();
    kinds.dedup();
    let extent = if args.all { Extent::All } else { Extent::Stale };
    let what = Rebuild { kinds, url: args.url.clone(), extent };
    let versions = || args.url.is_none().then(|| archive.catalog().stats().ok().map(|stats| stats.versions)).flatten();
    let progress = Progress::new(args.quiet, "versions", versions);
    let rebuilt = rebuild(&archive, &what, &|| progress.advance());
    progress.finish();
    let rebuilt = rebuilt?;
    let adopted = archive.recovery().adopted;
    archive.close()?;
    for failure in rebuilt.failures.iter().filter(|_| !args.json) {
        tell::warning(failure);
    }
    if rebuilt.failed > 0 {
        tell::warning(format_args!(
            "{} could not be read\nhint: `driftline archive verify` says what is damaged",
            versions_of(rebuilt.failed)
        ));
    }
    print(&rebuilt, adopted, args.json)?;
    Ok(Exit::Same)
}

fn print(rebuilt: &Rebuilt, adopted: u64, is_json: bool) -> Result<()> {
    let mut output = io::stdout().lock();
    // Who opened the archive may have indexed segments already.
    let indexed = adopted + rebuilt.indexed.iter().map(|(_, captures)| captures).sum::<u64>();
    let made: BTreeMap<&str, u64> = rebuilt.made.iter().map(|(kind, count)| (kind.name(), *count)).collect();
    if is_json {
        let failures = &rebuilt.failures;
        let object = json!({ "indexed": indexed, "made": made, "failed": rebuilt.failed, "failures": failures });
        writeln!(output, "{object}")?;
        return Ok(());
    }
    for (name, count) in [("indexed", indexed)].into_iter().chain(made) {
        writeln!(output, "{name:<10} {count:>12}")?;
    }
    Ok(())
}

fn versions_of(count: u64) -> String {
    if count == 1 { "1 version".to_owned() } else { format!("{count} versions") }
}
