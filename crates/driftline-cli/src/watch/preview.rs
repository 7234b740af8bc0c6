//! `driftline watch preview`: a message before anybody gets it.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use driftline::event::{Event, Kind};
use driftline_catalog::EventFilter;
use driftline_report::message::{sample, template};
use driftline_report::summary::{Markup, Message};
use driftline_watch::clock::{Clock, SystemClock};
use driftline_watch::tell::{Compose, Own, Teller};
use serde_json::json;

use super::place::{Place, find};
use crate::args::PreviewArgs;
use crate::composer::Composer;
use crate::exit::Exit;
use crate::output::Output;
use crate::tell;

pub(super) fn run(args: &PreviewArgs) -> Result<Exit> {
    let own = own(args)?;
    let events = events(args)?;
    let teller = args.target.as_ref().map(|_| teller(args)).transpose()?;
    let write = |events: &[Event]| compose(teller.as_ref().zip(args.target.as_deref()), events, &own);
    let mut out = Output::new(None).writer()?;
    for (at, event) in events.iter().enumerate() {
        let message = write(std::slice::from_ref(event))?;
        if args.json {
            writeln!(out, "{}", json!({ "subject": message.subject, "text": message.text, "html": message.html }))?;
        } else {
            let parted = if at > 0 { "\n" } else { "" };
            write!(out, "{parted}Subject: {}\n\n{}", message.subject, message.text)?;
        }
    }
    out.flush()?;
    if let Some(path) = &args.html {
        let file = Output::new(Some(path));
        file.writer()?.write_all(write(&events)?.html.as_bytes())?;
        file.keep()?;
    }
    if let (true, Some(teller), Some(target)) = (args.send, &teller, &args.target) {
        send(teller, target, events)?;
    }
    Ok(Exit::Same)
}

fn compose(target: Option<(&Teller, &str)>, events: &[Event], own: &Own) -> Result<Message> {
    let message = match target {
        Some((teller, name)) => teller.preview(name, events, own),
        None => Composer.compose(events, &Markup::PLAIN, own),
    };
    message.map_err(|error| anyhow!(error))
}

/// The last event of a watch; or made ones.
fn events(args: &PreviewArgs) -> Result<Vec<Event>> {
    if let Some(id) = &args.id {
        return of_watch(args, id).map(|event| vec![event]);
    }
    let is_asked = |kind: &Kind| args.kind.as_ref().is_none_or(|name| name == kind.name());
    Ok(Kind::ALL.into_iter().filter(is_asked).map(sample).collect())
}

fn of_watch(args: &PreviewArgs, id: &str) -> Result<Event> {
    let place = Place::of(args.data.data.as_deref())?;
    let archive = place.archive()?;
    let catalog = archive.as_ref().map(driftline_archive::Archive::catalog);
    let watch = find(&place.watches()?, catalog, id)?;
    let filter = EventFilter { watch: Some(watch.id.to_string()), limit: 1, ..EventFilter::default() };
    let last =
        catalog.map(|catalog| catalog.events(&filter)).transpose()?.and_then(|events| events.items.into_iter().next());
    if let Some(last) = last {
        return serde_json::from_value(last.body).context("the last event of the watch cannot be read");
    }
    tell::note(format_args!("nothing has happened to `{}` yet: this is a made event", watch.url));
    let name = watch.name.as_deref().unwrap_or(&watch.url).to_owned();
    Ok(Event { watch: Some(watch.id.to_string()), name, url: watch.url.to_string(), ..sample(Kind::Changed) })
}

fn teller(args: &PreviewArgs) -> Result<Teller> {
    let place = Place::of(args.data.data.as_deref())?;
    Ok(Teller::new(place.settings.targets, Arc::new(Composer), &place.data)?)
}

/// The templates that are tried.
fn own(args: &PreviewArgs) -> Result<Own> {
    let read = |path: &Path| {
        let bytes = std::fs::metadata(path).map(|found| found.len());
        let text = bytes.and_then(|bytes| match bytes {
            bytes if bytes > template::MOST_BYTES as u64 => {
                Err(std::io::Error::other("it is longer than 65,536 bytes"))
            }
            _ => std::fs::read_to_string(path),
        });
        text.with_context(|| format!("cannot read the template `{}`", path.display()))
    };
    Ok(Own {
        subject: args.subject.clone(),
        text: args.template.as_deref().map(read).transpose()?,
        html: args.template_html.as_deref().map(read).transpose()?,
    })
}

/// Sends the events as if they were new: a receiver that knows the keys of earlier ones must not drop them.
fn send(teller: &Teller, target: &str, mut events: Vec<Event>) -> Result<()> {
    let now = SystemClock.now();
    for (event, number) in events.iter_mut().zip(0_i64..) {
        event.key = format!("{:032x}", now.microseconds().wrapping_add(number));
    }
    teller.send(target, &events, now).map_err(|error| anyhow!("the target `{target}` did not take it: {error}"))?;
    tell::note(format_args!("sent to `{target}`"));
    Ok(())
}
