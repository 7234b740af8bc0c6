//! The part of a page that its watch compares: two captures of the archive are compared in its zone, where that is now,
//! without what the watch ignores and normalises. What a watch has learned, and what counts for it, is left to checks.

use anyhow::Result;
use driftline::page::ReadOptions;
use driftline_catalog::Address;
use driftline_watch::check::State;
use driftline_watch::watches::{Settings, Watch};

use super::operands::{self, Operands};
use crate::args::DiffArgs;
use crate::tell;
use crate::watch::Place;

/// How two captures of a page are read: in the zone of its watch, unless the command line says what counts.
pub(super) fn read_options(args: &DiffArgs, operands: &Operands<'_>, read_options: ReadOptions) -> ReadOptions {
    let page = &args.page;
    let is_chosen = args.received || !page.zones.is_empty() || !page.ignores.is_empty() || !page.normalisers.is_empty();
    let Some(url) = url(operands).filter(|_| !is_chosen && operands.warc.is_empty()) else { return read_options };
    of_watches(args, &url, &read_options).unwrap_or_else(|error| {
        tell::warning(format_args!(
            "it is not known what the watches of `{url}` compare; all of the page is compared: {error:#}"
        ));
        read_options
    })
}

fn of_watches(args: &DiffArgs, url: &str, read_options: &ReadOptions) -> Result<ReadOptions> {
    let place = Place::of(args.data.data.as_deref())?;
    let watches = place.watches()?;
    let own: Vec<&Watch> = watches.iter().filter(|watch| *watch.url == *url).collect();
    let Some(first) = own.first() else { return Ok(read_options.clone()) };
    let says = |watch: &Watch| {
        let Settings { zone, ignore, normalise, .. } = &*watch.settings;
        (zone.clone(), ignore.clone(), normalise.clone())
    };
    if own.iter().any(|watch| says(watch) != says(first)) {
        tell::note(format_args!(
            "watches of `{url}` compare different parts of it; all of it is compared here: `--zone` and `--ignore` choose"
        ));
        return Ok(read_options.clone());
    }
    let ReadOptions { zones, normalisers, .. } = state(&place, first)?.read_options(first)?;
    let read = ReadOptions { zones, normalisers, ..read_options.clone() };
    if read != *read_options {
        let id = &first.id;
        tell::note(format_args!(
            "compared in the zone of the watch `{id}`, without what it ignores; `--received` compares all that was received"
        ));
    }
    Ok(read)
}

/// What is known of a watch; nothing if it was never checked.
fn state(place: &Place, watch: &Watch) -> Result<State> {
    let Some(archive) = place.archive()? else { return Ok(State::default()) };
    let stored = archive.catalog().state(&watch.id)?.unwrap_or_default();
    Ok(State::read(&stored.body)?)
}

/// The page of which both versions are captures.
fn url(operands: &Operands<'_>) -> Option<String> {
    let [old, new] = [operands.old, operands.new].map(|path| Address::parse(operands::address(path)?).ok());
    let (old, new) = (old?, new?);
    (old.url == new.url).then_some(old.url)
}
