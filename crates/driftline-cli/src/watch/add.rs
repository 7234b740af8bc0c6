//! `driftline watch add`: entries at the end of a file.

use std::io::{self, Write};

use anyhow::{Result, bail};
use driftline_watch::watches::{Assignment, Editor};
use serde_json::json;
use toml::Value;

use super::place::Place;
use super::said;
use crate::args::AddWatchArgs;
use crate::exit::Exit;

pub(super) fn run(args: &AddWatchArgs) -> Result<Exit> {
    if args.id.is_some() && args.urls.len() > 1 {
        bail!("`--id` names one watch, not {}\nhint: add them one by one", args.urls.len());
    }
    let place = Place::of(args.data.data.as_deref())?;
    let mut assignments = Vec::new();
    let mut say = |key: &str, text: &str| {
        assignments.push(Assignment { key: key.to_owned(), value: Some(Value::String(text.to_owned())) });
    };
    if let Some(id) = &args.id {
        say("id", id);
    }
    let kinds = [("feed", args.feed), ("sitemap", args.sitemap), ("opml", args.opml), ("list", args.list)];
    if let Some((kind, _)) = kinds.into_iter().find(|(_, is_meant)| *is_meant) {
        say("kind", kind);
    }
    assignments.extend(said::assignments(&args.said)?);
    let ids = Editor::open(&place.data, &place.targets)?.add_said(&args.urls, &assignments)?;
    let mut output = io::stdout().lock();
    for (id, url) in ids.iter().zip(&args.urls) {
        if args.json {
            writeln!(output, "{}", json!({"id": id, "url": url}))?;
        } else {
            writeln!(output, "{id}")?;
        }
    }
    Ok(Exit::Same)
}
