//! `driftline watch add`: entries at the end of a file.

mod notes;
mod probe;

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, bail};
use driftline_watch::watches::{Assignment, Content, Editor, Kind, NewWatch, Watch, completed};
use serde_json::json;

use super::place::Place;
use super::{cure, said};
use crate::args::AddWatchArgs;
use crate::exit::Exit;
use crate::tell;
use probe::Answer;

pub(super) fn run(args: &AddWatchArgs) -> Result<Exit> {
    if args.id.is_some() && args.urls.len() > 1 {
        bail!("`--id` names one watch, not {}\nhint: add them one by one", args.urls.len());
    }
    let place = Place::of(args.data.data.as_deref())?;
    let said = assignments(args)?;
    let urls = if args.kind() == Some("list") { args.urls.clone() } else { addresses(&args.urls)? };
    let mut new: Vec<NewWatch> = urls.iter().map(|url| NewWatch { url: url.clone(), said: said.clone() }).collect();
    // What cannot be used is refused before anything is fetched. The lock is not held while the servers answer.
    let watches = Editor::open(&place.data, &place.targets)?.preview(&new)?;
    let answers = if args.no_fetch { vec![Answer::NotFetched; urls.len()] } else { probe::ask(&place, &watches)? };
    for (watch, answer) in watches.iter().zip(&answers) {
        if let (Answer::Shown(Content::Json { .. }), [_, ..]) = (answer, watch.settings.zone.as_slice()) {
            bail!("`{}` is JSON, and a zone is a CSS selector for HTML\nhint: {}", watch.url, cure::JSON);
        }
    }
    let is_kind_said = said.iter().any(|assignment| assignment.key == "kind");
    let fitting = |(watch, answer): (&Watch, &Answer)| match (watch.settings.kind, answer) {
        (Kind::Page, Answer::Shown(content)) if !is_kind_said => content.kind(),
        (kind, _) => kind,
    };
    let kinds: Vec<Kind> = watches.iter().zip(&answers).map(fitting).collect();
    for (number, kind) in kinds.iter().enumerate().filter(|(number, kind)| watches[*number].settings.kind != **kind) {
        new[number].said.push(said::text("kind", kind.name()));
    }
    let ids = Editor::open(&place.data, &place.targets)?.add_said(&new)?;
    let mut output = io::stdout().lock();
    for (number, (id, url)) in ids.iter().zip(&urls).enumerate() {
        let answer = &answers[number];
        if args.json {
            let (kind, feeds) = (kinds[number], answer.feeds());
            let shown = json!({"id": id, "url": url, "kind": kind, "feeds": feeds, "unreachable": answer.failure()});
            writeln!(output, "{shown}")?;
        } else {
            writeln!(output, "{id}")?;
        }
        if let Answer::Failed { why, hint } = answer {
            let is_bare = args.urls[number] != *url;
            let hint = hint
                .clone()
                .or_else(|| is_bare.then(|| format!("write `http://{}` if it has no https", args.urls[number])));
            let hint = hint.map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
            tell::warning(format_args!("`{url}` is added, but cannot be fetched now: {why}{hint}"));
        } else if let Answer::Shown(content) = answer {
            let has_feeds = watches[number].settings.feeds;
            notes::tell(&notes::Added { id, url, kind: kinds[number], is_kind_said, has_feeds }, content);
        }
    }
    Ok(Exit::Same)
}

/// The keys of the entries, but for the address.
fn assignments(args: &AddWatchArgs) -> Result<Vec<Assignment>> {
    let id = args.id.as_deref().map(|id| said::text("id", id));
    let kind = args.kind().map(|kind| said::text("kind", kind));
    Ok(id.into_iter().chain(kind).chain(said::assignments(&args.said)?).collect())
}

/// The addresses that were typed, with their schemes. A name of a file is not taken for a host.
fn addresses(typed: &[String]) -> Result<Vec<String>> {
    let address = |typed: &String| {
        let whole = completed(typed);
        if whole != *typed && Path::new(typed).is_file() {
            bail!("`{typed}` is a file, not an address\nhint: `driftline watch import {typed}` watches what is in it");
        }
        Ok(whole.into_owned())
    };
    typed.iter().map(address).collect()
}
