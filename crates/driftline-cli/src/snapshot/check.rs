//! `driftline snapshot check`: is every file as it was written?

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use driftline_graph::Series;
use driftline_graph::snapshot::Snapshot;
use driftline_report::summary::safe::for_terminal;
use serde_json::json;

use super::open;
use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::progress::Progress;

pub(super) fn run(args: &CheckArgs) -> Result<Exit> {
    let series = open::named_or_all(args.series.as_deref(), args.data.data.as_deref())?;
    let bytes = |series: &Series| series.snapshots().iter().map(Snapshot::bytes).sum::<u64>();
    let progress = Progress::of_bytes(args.quiet, || series.iter().map(|(_, series)| bytes(series)).sum());
    let mut output = BufWriter::new(io::stdout().lock());
    let (mut sound, mut damaged) = (0, 0);
    for (name, series) in &series {
        let found = series.check(&|bytes| progress.advance_by(bytes));
        sound += (series.snapshots().len() + series.damaged().len()).saturating_sub(found.len());
        damaged += found.len();
        for damage in found {
            let (at, what, cure) = (damage.at.to_string(), &damage.what, &damage.cure);
            if args.json {
                serde_json::to_writer(&mut output, &json!({ "series": name, "at": at, "what": what, "cure": cure }))?;
                writeln!(output)?;
            } else {
                writeln!(output, "{name} {at}: {}\n  cure: {}", for_terminal(what), for_terminal(cure))?;
            }
        }
    }
    progress.finish();
    if !args.json {
        writeln!(output, "{sound} sound, {damaged} damaged")?;
    }
    output.flush()?;
    Ok(if damaged == 0 { Exit::Same } else { Exit::Failed })
}
