//! `driftline watch import`: what another monitor watches.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use driftline_watch::watches::import::{Format, Imported, Note};
use driftline_watch::watches::{Editor, Settings, Watch};
use serde_json::{Value, json};

use super::place::Place;
use crate::args::{ImportWatchesArgs, ImportedFormat};
use crate::exit::Exit;
use crate::tell;

/// The most notes that are told on stderr; `--json` tells all.
const MOST_TOLD: usize = 50;

pub(super) fn run(args: &ImportWatchesArgs) -> Result<Exit> {
    let place = Place::of(args.data.data.as_deref())?;
    let mut all = Imported::default();
    for input in &args.inputs {
        let Imported { watches, notes } = Imported::read(input, args.format.map(format))?;
        if watches.is_empty() {
            return nothing(args, input, &notes);
        }
        all.watches.extend(watches.into_iter().map(|watch| tagged(watch, &args.tags)));
        all.notes.extend(notes);
    }
    let known = place.watches()?;
    let mut taken = BTreeSet::new();
    let (new, there): (Vec<Watch>, Vec<Watch>) =
        all.watches.into_iter().partition(|watch| known.get(&watch.id).is_none() && taken.insert(watch.id.clone()));
    if !args.dry_run && !new.is_empty() {
        Editor::open(&place.data, &place.targets)?.add(&new)?;
    }
    if args.json {
        print(&new, &there, &all.notes)?;
    } else {
        tell_some(&all.notes);
        let mut output = io::stdout().lock();
        for (name, count) in [("new", new.len()), ("there already", there.len()), ("notes", all.notes.len())] {
            writeln!(output, "{name:<13} {count:>8}")?;
        }
    }
    if args.dry_run {
        tell::note("nothing was written, because of `--dry-run`");
    }
    Ok(Exit::Same)
}

/// Nothing in a file can be watched: that is no import, and the others wait until it is mended.
fn nothing(args: &ImportWatchesArgs, input: &Path, notes: &[Note]) -> Result<Exit> {
    if args.json {
        print(&[], &[], notes)?;
    } else {
        tell_some(notes);
    }
    let hint = if notes.is_empty() {
        "say by `--format` what it is: changedetection, urlwatch, opml, sitemap or list"
    } else {
        "the notes on it say why; mend the file, or say by `--format` what it is"
    };
    bail!("nothing in `{}` can be watched, so nothing was imported\nhint: {hint}", input.display())
}

fn format(format: ImportedFormat) -> Format {
    match format {
        ImportedFormat::Changedetection => Format::Changedetection,
        ImportedFormat::Urlwatch => Format::Urlwatch,
        ImportedFormat::Opml => Format::Opml,
        ImportedFormat::Sitemap => Format::Sitemap,
        ImportedFormat::List => Format::List,
    }
}

fn tagged(watch: Watch, tags: &[String]) -> Watch {
    let mut own = watch.settings.tags.clone();
    own.extend(tags.iter().filter(|tag| !watch.settings.tags.contains(tag)).cloned());
    if own.len() == watch.settings.tags.len() {
        return watch;
    }
    let settings = Settings { tags: own, ..Settings::clone(&watch.settings) };
    Watch { settings: Arc::new(settings), ..watch }
}

/// Tells what was not carried over.
pub(super) fn tell_notes(notes: &[Note]) {
    for Note { entry, what } in notes {
        tell::warning(format_args!("`{entry}`: {what}"));
    }
}

/// Tells as much of it as a person reads.
fn tell_some(notes: &[Note]) {
    let (told, rest) = notes.split_at(notes.len().min(MOST_TOLD));
    tell_notes(told);
    if !rest.is_empty() {
        tell::warning(format_args!("{} more; `--json` names all", rest.len()));
    }
}

/// A line for each watch, then one for each note.
fn print(new: &[Watch], there: &[Watch], notes: &[Note]) -> Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let line = |watch: &Watch, is_new: bool| -> Value {
        json!({"id": &*watch.id, "url": &*watch.url, "name": watch.name.as_deref(), "tags": watch.settings.tags, "new": is_new})
    };
    let lines = new.iter().map(|watch| line(watch, true)).chain(there.iter().map(|watch| line(watch, false)));
    for line in lines.chain(notes.iter().map(|note| json!({"entry": note.entry, "note": note.what}))) {
        writeln!(output, "{line}")?;
    }
    Ok(output.flush()?)
}
