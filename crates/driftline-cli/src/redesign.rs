//! `driftline redesign`: a stream of documents in, what the detectors found out.
//!
//! Documents are read in batches that fit a fixed amount of memory, on all cores, and pushed into the
//! stream in order: a stream of any length needs no more than one batch and the detectors' history.

mod asked;
pub(crate) mod documents;
mod similarities;
mod skips;
mod state;
mod watch;

use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail};
use driftline::page::{Limits, ReadOptions};
use driftline_report::redesign::{self as view, Course};
use rayon::prelude::*;
use serde_json::Value;

use crate::args::{Colour, Input, RedesignArgs};
use crate::diff;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::tell;
use asked::Asked;
use documents::{Document, Read, Skipped};
use similarities::Case;
use skips::Skips;
use state::State;
use watch::Watch;

/// The most documents in a batch.
const BATCH_DOCUMENTS: usize = 256;
/// The most bytes of documents in a batch.
const BATCH_BYTES: usize = 64 << 20;

/// Runs the command.
pub(crate) fn run(args: &RedesignArgs) -> Result<Exit> {
    // Told before anything is read: a stream may be long.
    args.plot.as_deref().map(format_of).transpose()?;
    let has_found = match args.input {
        Input::Documents => {
            let (mut watch, state) = begin(args, None)?;
            read(args, &mut watch)?;
            finish(args, &watch, state, None)?
        }
        Input::Similarities => {
            let streams: Vec<_> = args.streams.iter().map(|path| similarities::read(path)).collect::<Result<_>>()?;
            watch_rows(args, streams.into_iter().flatten().collect())?
        }
    };
    Ok(if has_found { Exit::Changed } else { Exit::Same })
}

/// A stream before its first document, or where the last run left it, and the file of its state.
fn begin(args: &RedesignArgs, case: Option<&Case>) -> Result<(Watch, Option<State>)> {
    let ask = |otherwise: Asked| {
        let parameters = case.map_or(otherwise.parameters, |case| case.parameters(otherwise.parameters));
        Asked { parameters, ..otherwise }.with(args)
    };
    let state = args.state.as_deref().map(State::take).transpose()?;
    let saved = state.as_ref().map(|state| state.load(ask)).transpose()?.flatten();
    let watch = match saved {
        Some(watch) => watch,
        None => {
            Watch { resumed: state.is_some().then_some(0), ..Watch::new(name(args), ask(Asked::usual(args.input))?)? }
        }
    };
    Ok((if args.plot.is_some() { watch.with_figures() } else { watch }, state))
}

fn name(args: &RedesignArgs) -> String {
    let names: Vec<_> = args.streams.iter().map(|path| path.display().to_string()).collect();
    names.join(" ")
}

/// Draws what was found, prints it and saves the state, as asked; was a redesign found?
///
/// The state is last: documents that it knows are not looked at again, so what they showed has to be out.
fn finish(args: &RedesignArgs, watch: &Watch, state: Option<State>, id: Option<&Value>) -> Result<bool> {
    if let Some(path) = &args.plot {
        draw(path, &watch.course)?;
    }
    print(args, watch, id)?;
    if let Some(state) = state {
        state.save(watch)?;
    }
    Ok(watch.has_found())
}

/// Watches each stream of rows by itself.
fn watch_rows(args: &RedesignArgs, streams: Vec<Case>) -> Result<bool> {
    if streams.len() > 1 && (args.state.is_some() || args.plot.is_some()) {
        bail!("there are {} streams, and `--state` and `--plot` are for one", streams.len());
    }
    let mut has_found = false;
    for stream in streams {
        let (mut watch, state) = begin(args, Some(&stream))?;
        for row in stream.rows {
            watch.push_similarities(row);
        }
        has_found |= finish(args, &watch, state, stream.id.as_ref())?;
    }
    Ok(has_found)
}

/// Reads all documents into the stream.
fn read(args: &RedesignArgs, watch: &mut Watch) -> Result<()> {
    let read_options = ReadOptions {
        charset: args.charset,
        limits: Limits { bytes: args.max_bytes, ..Limits::DEFAULT },
        ..ReadOptions::default()
    };
    let shingle = watch.asked.template_shingle;
    let (before, cut_before) = (watch.course.documents(), watch.cut);
    let mut skips = Skips::default();
    let progress = Progress::new(args.quiet, "documents", || documents::count(&args.streams));
    let mut documents = documents::of(&args.streams, args.max_bytes);
    loop {
        let batch = batch(&mut documents);
        if batch.is_empty() {
            break;
        }
        let read = |document: Document| {
            let read = document.read(&read_options, shingle);
            progress.advance();
            read
        };
        let read: Vec<Result<Read, Skipped>> = batch.into_par_iter().map(read).collect();
        for document in read {
            match document {
                Ok(Read { name, template, is_cut }) => {
                    watch.push(name, template);
                    watch.cut += usize::from(is_cut);
                }
                Err(document) => {
                    watch.course.skip();
                    skips.add(document);
                }
            }
        }
    }
    progress.finish();
    skips.finish(watch.course.documents() - before)?;
    if watch.course.documents() == 0 {
        bail!("there are no documents{}", documents::hint(&args.streams));
    }
    warn_of_cut(watch.cut - cut_before);
    Ok(())
}

fn batch(documents: &mut impl Iterator<Item = Document>) -> Vec<Document> {
    let (mut batch, mut bytes) = (Vec::new(), 0);
    while batch.len() < BATCH_DOCUMENTS && bytes < BATCH_BYTES {
        let Some(document) = documents.next() else {
            break;
        };
        bytes += document.bytes();
        batch.push(document);
    }
    batch
}

fn warn_of_cut(documents: usize) {
    const BEGINNING: &str = "longer than `--max-bytes` or incomplete; only";
    match documents {
        0 => {}
        1 => tell::warning(format_args!("1 document is {BEGINNING} its beginning was read")),
        _ => tell::warning(format_args!("{documents} documents are {BEGINNING} their beginning was read")),
    }
}

/// What a picture is drawn as.
enum Format {
    Svg,
    Png,
}

fn format_of(path: &Path) -> Result<Format> {
    match path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        _ => bail!("`--plot` draws `.svg` and `.png`, not `{}`", path.display()),
    }
}

fn draw(path: &Path, course: &Course) -> Result<()> {
    let (picture, size) = view::picture(course)?;
    let bytes = match format_of(path)? {
        Format::Svg => picture.to_svg(size)?.into_bytes(),
        Format::Png => picture.to_png(size)?,
    };
    std::fs::write(path, bytes).with_context(|| format!("cannot write `{}`", path.display()))
}

fn print(args: &RedesignArgs, watch: &Watch, id: Option<&Value>) -> io::Result<()> {
    let course = &watch.course;
    if !args.json {
        let heading = id.map(|id| format!("{}\n", id.as_str().map_or_else(|| id.to_string(), str::to_owned)));
        let text = view::text(course, diff::terminal_width(), diff::wants_colour(Colour::Auto));
        return diff::print(&(heading.unwrap_or_default() + &text));
    }
    let mut json = view::json(course);
    json["parameters"]["template_shingle"] = watch.asked.template_shingle.into();
    json["cut"] = watch.cut.into();
    if let Some(resumed) = watch.resumed {
        json["resumed"] = resumed.into();
    }
    if let Some(id) = id {
        json["id"] = id.clone();
    }
    diff::print(&format!("{json}\n"))
}
