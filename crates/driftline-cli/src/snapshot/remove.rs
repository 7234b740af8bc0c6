//! `driftline snapshot remove`: takes a snapshot out of its series, or what an interrupted add left of one.

use anyhow::Result;

use super::open;
use crate::args::RemoveArgs;
use crate::exit::Exit;
use crate::tell;

pub(super) fn run(args: &RemoveArgs) -> Result<Exit> {
    let mut series = open::named(&args.series, args.data.data.as_deref())?;
    let at = args.at.left_behind(&series).map_or_else(|| args.at.of(&series), Ok)?;
    series.remove(at)?;
    tell::note(format_args!("removed the snapshot of {at} from `{}`", args.series));
    Ok(Exit::Same)
}
