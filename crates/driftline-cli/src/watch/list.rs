//! `driftline watch list`: what is watched, and how is it?

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use driftline::time::Time;
use driftline_catalog::Catalog;
use driftline_report::summary::safe::for_terminal;
use driftline_watch::check::State;
use driftline_watch::watches::{Kind, Watch, Watches};
use serde_json::{Value, json};

use super::place::{Place, is_asked};
use crate::args::ListWatchesArgs;
use crate::exit::Exit;
use crate::tell;

/// The column of ids is as wide as they are, within reason: those of changedetection.io have 36 characters.
const SHORT_ID: usize = 16;
const LONG_ID: usize = 40;

pub(super) fn run(args: &ListWatchesArgs) -> Result<Exit> {
    let place = Place::of(args.data.data.as_deref())?;
    let watches = place.watches()?;
    let archive = place.archive()?;
    let catalog = archive.as_ref().map(driftline_archive::Archive::catalog);
    let mut output = BufWriter::new(io::stdout().lock());
    let mut is_first = true;
    let with_members = args.members || args.failing;
    let named = if with_members { members(&watches, catalog)? } else { Vec::new() };
    let own = watches.iter().filter(|watch| with_members || !watch.id.contains('/'));
    let asked = own.chain(&named).filter(|watch| is_asked(watch, &args.tags, args.site.as_deref()));
    let asked: Vec<&Watch> = asked.collect();
    let width = asked.iter().map(|watch| watch.id.len()).max().unwrap_or_default().clamp(SHORT_ID, LONG_ID);
    for watch in asked {
        let standing = Standing::of(watch, catalog)?;
        if (args.failing && standing.failing.is_none()) || (args.paused && !watch.settings.paused) {
            continue;
        }
        if args.json {
            writeln!(output, "{}", standing.json(watch))?;
            continue;
        }
        if std::mem::take(&mut is_first) {
            heading(&mut output, width)?;
        }
        writeln!(output, "{}", standing.text(watch, width))?;
    }
    output.flush()?;
    if watches.is_empty() {
        tell::note("no watches yet\nhint: `driftline watch add URL` adds one");
    }
    Ok(Exit::Same)
}

/// The members of lists on the net, as the catalog knows them.
pub(super) fn members(watches: &Watches, catalog: Option<&Catalog>) -> Result<Vec<Watch>> {
    let Some(catalog) = catalog else { return Ok(Vec::new()) };
    let lists: Vec<Watch> = watches.iter().filter(|watch| watch.settings.kind.is_list()).cloned().collect();
    Ok(driftline_watch::daemon::members(catalog, &lists)?)
}

/// How a watch is.
#[derive(Default)]
pub(super) struct Standing {
    pub(super) checked: Option<Time>,
    pub(super) next: Option<Time>,
    /// The newest version.
    pub(super) version: Option<Time>,
    /// Why its checks fail.
    pub(super) failing: Option<String>,
    pub(super) state: Option<State>,
}

impl Standing {
    /// As the catalog knows it; a state that cannot be read is a failure.
    pub(super) fn of(watch: &Watch, catalog: Option<&Catalog>) -> Result<Self> {
        let Some(row) = catalog.map(|catalog| catalog.state(&watch.id)).transpose()?.flatten() else {
            return Ok(Self::default());
        };
        let known = Self { checked: row.checked, next: row.next, ..Self::default() };
        Ok(match State::read(&row.body) {
            Err(error) => Self { failing: Some(error.to_string()), ..known },
            Ok(state) => Self {
                version: state.seen.as_ref().map(|seen| seen.at),
                failing: state.failures.as_ref().map(|failures| failures.why.clone()),
                state: Some(state),
                ..known
            },
        })
    }

    /// Since when there is no page, if there is none.
    pub(super) fn absent(&self) -> Option<Time> {
        Some(self.state.as_ref()?.absence.as_ref()?.since)
    }

    fn text(&self, watch: &Watch, width: usize) -> String {
        let schedule = match watch.settings.kind {
            Kind::List => "-".to_owned(),
            _ if watch.settings.paused => format!("({})", watch.settings.schedule),
            _ => watch.settings.schedule.to_string(),
        };
        let failing = if self.failing.is_some() { "  failing" } else { "" };
        let absent = self.absent().map(|since| format!("  absent since {}", seconds(Some(since))));
        let next = if watch.settings.paused { None } else { self.next };
        format!(
            "{:<width$}  {schedule:<12}  {:<20}  {:<20}  {:<20}  {}{failing}{}",
            watch.id,
            seconds(self.checked),
            seconds(next),
            seconds(self.version),
            for_terminal(watch.title()),
            absent.unwrap_or_default()
        )
    }

    pub(super) fn json(&self, watch: &Watch) -> Value {
        json!({
            "id": &*watch.id,
            "url": &*watch.url,
            "name": watch.name.as_deref(),
            "kind": watch.settings.kind,
            "site": watch.site(),
            "tags": watch.settings.tags,
            "targets": watch.settings.targets,
            "schedule": watch.settings.schedule,
            "paused": watch.settings.paused,
            "checked": self.checked,
            "next": self.next,
            "version": self.version,
            "failing": self.failing,
            "absent": self.absent(),
        })
    }
}

fn heading(output: &mut impl Write, width: usize) -> io::Result<()> {
    writeln!(output, "{:<width$}  {:<12}  {:<20}  {:<20}  {:<20}  name", "id", "schedule", "checked", "next", "version")
}

/// To the second, which is all that fits a line.
fn seconds(time: Option<Time>) -> String {
    let Some(time) = time else { return "-".to_owned() };
    let text = time.to_string();
    text.split_once('.').map_or(text.clone(), |(whole, _)| format!("{whole}Z"))
}
