//! `driftline events`: what happened, and who was told?

mod deliveries;
pub(crate) mod line;
mod show;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Result, bail};
use driftline_archive::Archive;
use driftline_catalog::{Catalog, EventFilter, MOST_ON_A_PAGE, StoredEvent};
use driftline_watch::clock::{Clock, SystemClock};

use crate::archive::data;
use crate::args::{EventsArgs, EventsVerb, ListEventsArgs};
use crate::exit::Exit;
use crate::tell;
use crate::watch::{self, Place};

pub(crate) fn run(args: &EventsArgs) -> Result<Exit> {
    match &args.verb {
        None => list(&args.list),
        Some(EventsVerb::Show(args)) => show::run(args),
        Some(EventsVerb::Deliveries(args)) => deliveries::run(args),
        Some(EventsVerb::Retry(args)) => deliveries::retry(args),
    }
}

/// The archive, to read it; none, with a word about it, if there is a data directory and nothing was ever checked.
fn open(directory: Option<&Path>) -> Result<Option<Archive>> {
    let place = Place::of(directory)?;
    let archive = if place.data.is_dir() { place.archive()? } else { Some(data::open_to_read(directory)?) };
    if archive.is_none() {
        tell::note(format_args!("nothing has been checked yet\n{}", data::CHECK));
    }
    Ok(archive)
}

fn list(args: &ListEventsArgs) -> Result<Exit> {
    let Some(archive) = open(args.data.data.as_deref())? else { return Ok(Exit::Same) };
    let now = SystemClock.now();
    let filter = EventFilter {
        kinds: args.kind.clone(),
        site: args.site.clone(),
        watch: args.watch.as_deref().map(|asked| watch(args, archive.catalog(), asked)).transpose()?,
        tag: args.tag.clone(),
        from: args.since.map(|moment| moment.time(now)),
        to: args.until.map(|moment| moment.time(now)),
        importance: args.importance,
        all: args.all,
        ..EventFilter::default()
    };
    let (events, more) = latest(archive.catalog(), filter, args.limit as usize)?;
    let mut output = BufWriter::new(io::stdout().lock());
    for event in &events {
        let line = if args.json { line::json(event).to_string() } else { line::text(event) };
        writeln!(output, "{line}")?;
    }
    output.flush()?;
    if more {
        tell::warning(format_args!(
            "these are only the latest {}\nhint: `--limit N` lists more, `--until TIME` earlier ones",
            args.limit
        ));
    }
    Ok(if events.is_empty() { Exit::Same } else { Exit::Changed })
}

/// The latest of these events, and whether there are more.
fn latest(catalog: &Catalog, filter: EventFilter, most: usize) -> Result<(Vec<StoredEvent>, bool)> {
    let (mut events, mut filter) = (Vec::new(), filter);
    loop {
        filter.limit = u32::try_from(most - events.len()).unwrap_or(MOST_ON_A_PAGE);
        let page = catalog.events(&filter)?;
        events.extend(page.items);
        if page.next.is_none() || events.len() >= most {
            return Ok((events, page.next.is_some()));
        }
        filter.after = page.next;
    }
}

/// The id of the watch that is meant. One that is watched no more is known by what happened to it.
fn watch(args: &ListEventsArgs, catalog: &Catalog, asked: &str) -> Result<String> {
    let of_it = EventFilter { watch: Some(asked.to_owned()), all: true, limit: 1, ..EventFilter::default() };
    if !catalog.events(&of_it)?.items.is_empty() {
        return Ok(asked.to_owned());
    }
    let watches = Place::of(args.data.data.as_deref())?.watches()?;
    Ok(watch::find(&watches, Some(catalog), asked)?.id.to_string())
}

/// The one event whose key begins so.
fn find(catalog: &Catalog, key: &str) -> Result<StoredEvent> {
    const CURE: &str = "hint: `driftline events --all` lists the keys";
    let mut found = catalog.events_by_key(key, 2)?;
    match (found.pop(), found.is_empty()) {
        (Some(event), true) => Ok(event),
        (None, _) => bail!("there is no event `{key}`\n{CURE}"),
        (Some(_), false) => bail!("more than one event begins with `{key}`\n{CURE}"),
    }
}
