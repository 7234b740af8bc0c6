//! `driftline watch show`: all about a watch.

mod rhythm;

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use driftline_archive::Archive;
use driftline_archive::care::Retention;
use driftline_archive::care::compact::{Compact, Gone, preview};
use driftline_catalog::{Catalog, EventFilter, StoredEvent};
use driftline_report::summary::safe::for_terminal;
use driftline_watch::check::Flicker;
use driftline_watch::clock::{Clock, SystemClock};
use driftline_watch::watches::export::with_hidden_secrets;
use driftline_watch::watches::{Watch, Watches, written};
use serde_json::{Value, json};

use super::cure;
use super::list::Standing;
use super::place::{Place, find};
use crate::archive::compact::{rules, tally};
use crate::args::ShowWatchArgs;
use crate::events::line;
use crate::exit::Exit;

/// So many events are shown.
const EVENTS: u32 = 5;

pub(super) fn run(args: &ShowWatchArgs) -> Result<Exit> {
    let place = Place::of(args.data.data.as_deref())?;
    let watches = place.watches()?;
    let archive = place.archive()?;
    let catalog = archive.as_ref().map(Archive::catalog);
    let watch = find(&watches, catalog, &args.id)?;
    let standing = Standing::of(&watch, catalog)?;
    let pacing = place.settings.watch.pacing();
    let all = All {
        file: watches.place(&watch.id).map(|(path, line)| format!("{}:{line}", path.display())),
        rhythm: rhythm::explain(&watch, &standing, &pacing, SystemClock.now()),
        rate: rhythm::json(&watch.settings.schedule, &standing, &pacing),
        events: catalog.map(|catalog| events(catalog, &watch)).transpose()?.unwrap_or_default(),
        versions: catalog
            .map(|catalog| catalog.versions_of(&watch.url))
            .transpose()?
            .map_or(0, |versions| versions.len()),
        retention: archive.as_ref().map(|archive| retention(archive, &watches, &watch)).transpose()?.flatten(),
        watch,
        standing,
    };
    let mut output = BufWriter::new(io::stdout().lock());
    if args.json {
        writeln!(output, "{}", all.json())?;
    } else {
        all.print(&mut output)?;
    }
    output.flush()?;
    Ok(Exit::Same)
}

/// What would go next by the rules of a watch; none if it has no rules.
fn retention(archive: &Archive, watches: &Watches, watch: &Watch) -> Result<Option<Vec<Gone>>> {
    if watch.settings.retention.is_everything() {
        return Ok(None);
    }
    let rules = rules(archive, watches, &Retention::default())?;
    let pages = rules.pages.into_iter().filter(|page| page.watch.split(", ").any(|id| *id == *watch.id)).collect();
    let what = Compact { pages, needed: rules.needed, now: SystemClock.now(), ..Compact::default() };
    Ok(Some(preview(archive, &what)?))
}

/// What happened last, newest first.
fn events(catalog: &Catalog, watch: &Watch) -> Result<Vec<StoredEvent>> {
    let filter = EventFilter { watch: Some(watch.id.to_string()), all: true, limit: EVENTS, ..EventFilter::default() };
    Ok(catalog.events(&filter)?.items)
}

struct All {
    watch: Watch,
    /// Where it stands; none for a member of a list on the net.
    file: Option<String>,
    standing: Standing,
    /// When it is checked, and why then.
    rhythm: Vec<String>,
    rate: Value,
    events: Vec<StoredEvent>,
    versions: usize,
    /// The captures that would go next; none if it has no rules of retention.
    retention: Option<Vec<Gone>>,
}

impl All {
    fn json(&self) -> Value {
        let mut shown = self.standing.json(&self.watch);
        shown["file"] = json!(self.file);
        shown["settings"] = json!(written(&with_hidden_secrets(&self.watch)));
        shown["why"] = json!(self.rhythm);
        shown["versions"] = json!(self.versions);
        shown["would_go"] = json!(self.retention.as_ref().map(Vec::len));
        shown["limits"] = json!(self.limits());
        shown["learned"] =
            self.learned().map(|(selector, flicker)| json!({ "selector": selector, "flicker": flicker })).collect();
        shown["rate"] = self.rate.clone();
        shown["events"] = self.events.iter().map(line::json).collect();
        shown
    }

    /// What cut the last reading of a list short.
    fn limits(&self) -> &[String] {
        self.standing.state.as_ref().map(|state| state.limits.as_slice()).unwrap_or_default()
    }

    /// The elements that flicker: their selectors, and what of each is left out.
    fn learned(&self) -> impl Iterator<Item = (&str, Flicker)> {
        let state = self.standing.state.iter().filter(|_| self.watch.settings.learns());
        state.flat_map(|state| state.learned.folded())
    }

    fn print(&self, output: &mut impl Write) -> Result<()> {
        let Self { watch, standing, .. } = self;
        writeln!(output, "{}", for_terminal(watch.title()))?;
        let mut row = |name: &str, text: &str| writeln!(output, "  {name:<10} {}", for_terminal(text));
        row("id", &watch.id)?;
        row("address", &watch.url)?;
        row("file", self.file.as_deref().unwrap_or("a member of a list"))?;
        let said = written(&with_hidden_secrets(watch));
        for (key, value) in said.iter().filter(|(key, _)| !matches!(key.as_str(), "url" | "id" | "name")) {
            row(key, &value.to_string())?;
        }
        for text in &self.rhythm {
            row("", text)?;
        }
        if let Some(why) = &standing.failing {
            row("failing", why)?;
            if let Some(hint) = cure::of(why) {
                row("", &format!("hint: {hint}"))?;
            }
        }
        if let Some(since) = standing.absent() {
            row("absent", &format!("since {since}"))?;
        }
        if !self.limits().is_empty() {
            row("limits", &format!("the list is not read completely: {}", self.limits().join(", ")))?;
        }
        for (selector, flicker) in self.learned() {
            let what = flicker.name();
            row(
                "learned",
                &format!("{what} in `{selector}` change by themselves; --ignore '{selector}' leaves out all of it"),
            )?;
        }
        row("versions", &self.versions.to_string())?;
        if let Some(gone) = &self.retention {
            row("", &watch.settings.retention.to_string())?;
            let next = if gone.is_empty() { "nothing".to_owned() } else { tally(gone) };
            row("", &format!("by these rules would go now: {next}"))?;
        }
        if !self.events.is_empty() {
            writeln!(output, "\nwhat happened last")?;
        }
        for event in &self.events {
            writeln!(output, "  {}", line::text(event))?;
        }
        Ok(())
    }
}
