//! `driftline archive verify`: is everything there, and as it was written?

mod permissions;

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use driftline_archive::care::verify::{Depth, Problem, Verified, bytes, verify};
use serde::Serialize;

use super::data;
use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::progress::Progress;
use permissions::Permissions;

pub(super) fn run(args: &VerifyArgs) -> Result<Exit> {
    // Before SQLite puts files beside the catalog, which have its mode.
    let permissions = Permissions::check(args.data.data.as_deref(), args.fix_permissions)?;
    let archive = data::open_to_read(args.data.data.as_deref())?;
    let depth = if args.quick { Depth::Files } else { Depth::Records };
    let progress = Progress::of_bytes(args.quiet || args.quick, || bytes(&archive).unwrap_or(0));
    let verified = verify(&archive, depth, &|count| progress.advance_by(count));
    progress.finish();
    let verified = verified?;
    let mut output = BufWriter::new(io::stdout().lock());
    if args.json {
        serde_json::to_writer(&mut output, &Report { verified: &verified, permissions: &permissions })?;
        writeln!(output)?;
    } else {
        print(&mut output, &verified, args.quick)?;
        permissions.print(&mut output)?;
    }
    output.flush()?;
    Ok(if verified.faults == 0 { Exit::Same } else { Exit::Changed })
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    verified: &'a Verified,
    #[serde(flatten)]
    permissions: &'a Permissions,
}

fn print(output: &mut impl Write, verified: &Verified, quick: bool) -> Result<()> {
    for problem in &verified.problems {
        tell(output, problem)?;
    }
    let Verified { segments, bytes, records, captures, faults, .. } = verified;
    let told = verified.problems.len() as u64;
    if *faults > told {
        writeln!(output, "… and {} more", faults - told)?;
    }
    if verified.as_imported > 0 {
        writeln!(
            output,
            "as imported: {} digests that were wrong already in the files that were imported",
            verified.as_imported
        )?;
    }
    let checked = if quick { String::new() } else { format!(", {records} records, {captures} captures") };
    let well = if *faults == 0 { "all is well".to_owned() } else { format!("problems: {faults}") };
    let plural = if *segments == 1 { "" } else { "s" };
    writeln!(output, "{well} ({segments} segment{plural}, {bytes} bytes{checked})")?;
    Ok(())
}

/// `FILE at byte 7: what is wrong: more about it (URL)`, and what helps.
fn tell(output: &mut impl Write, problem: &Problem) -> Result<()> {
    let Problem { segment, offset, fault, url, detail, cure } = problem;
    let place = offset.map_or_else(String::new, |offset| format!(" at byte {offset}"));
    let url = url.as_ref().map_or_else(String::new, |url| format!(" ({url})"));
    let shown =
        driftline_report::summary::safe::for_terminal(&format!("{segment}{place}: {}: {detail}{url}", fault.words()))
            .into_owned();
    writeln!(output, "{shown}\n  cure: {cure}")?;
    Ok(())
}
