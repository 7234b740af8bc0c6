//! `driftline watch export`: what is watched, for other programs.

use anyhow::Result;
use driftline_watch::watches::Watch;
use driftline_watch::watches::export::{Format, export, has_secrets, without_secrets};

use super::import::tell_notes;
use super::place::{Place, is_asked};
use crate::args::{ExportWatchesArgs, WatchesFormat};
use crate::exit::Exit;
use crate::output::Output;
use crate::tell;

pub(super) fn run(args: &ExportWatchesArgs) -> Result<Exit> {
    let place = Place::of(args.data.data.as_deref())?;
    let watches = place.watches()?;
    let asked = watches.iter().filter(|watch| is_asked(watch, &args.tags, args.site.as_deref()));
    let mut bare = 0_usize;
    let chosen: Vec<Watch> = asked
        .map(|watch| {
            let is_bare = !args.secrets && has_secrets(watch);
            bare += usize::from(is_bare);
            if is_bare { without_secrets(watch) } else { watch.clone() }
        })
        .collect();
    let output = Output::new(args.output.as_deref());
    let notes = export(chosen.iter(), format(args.format), output.writer()?)?;
    output.keep()?;
    tell_notes(&notes);
    if bare > 0 {
        let hint = match args.format {
            // They have no place for them.
            WatchesFormat::Opml | WatchesFormat::List => "",
            _ => "\nhint: `--secrets` writes them too; `env:NAME` instead of a value would not need it",
        };
        let watches = if bare == 1 { "1 watch".to_owned() } else { format!("{bare} watches") };
        tell::warning(format_args!("headers, cookies, proxies or passwords of {watches} were left out{hint}"));
    }
    Ok(Exit::Same)
}

fn format(format: WatchesFormat) -> Format {
    match format {
        WatchesFormat::Toml => Format::Toml,
        WatchesFormat::Opml => Format::Opml,
        WatchesFormat::List => Format::List,
        WatchesFormat::Urlwatch => Format::Urlwatch,
        WatchesFormat::Json => Format::Json,
    }
}
