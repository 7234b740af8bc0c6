//! `driftline watch edit`: keys of an entry, or all of it in an editor.

use std::env;
use std::io::Write;
use std::process::Command;

use anyhow::{Context, Result, bail};
use driftline_watch::watches::{Assignment, Editor, completed};
use toml::{Table, Value};

use super::place::Place;
use super::said;
use crate::args::EditWatchArgs;
use crate::exit::Exit;
use crate::tell;

pub(super) fn run(args: &EditWatchArgs) -> Result<Exit> {
    let place = Place::of(args.data.data.as_deref())?;
    let mut assignments: Vec<Assignment> =
        args.unset.iter().map(|key| Assignment { key: key.clone(), value: None }).collect();
    let url = args.url.as_deref().map(|url| Value::String(completed(url).into_owned()));
    assignments.extend(url.map(|url| Assignment { key: "url".to_owned(), value: Some(url) }));
    assignments.extend(said::assignments(&args.said)?);
    let id = place.id(&place.watches()?, &args.id)?;
    if assignments.is_empty() {
        return by_hand(&place, &id);
    }
    let editor = Editor::open(&place.data, &place.targets)?;
    all_said(&editor.entry(&id)?, &args.unset)?;
    editor.set(&id, &assignments)?;
    Ok(Exit::Same)
}

/// Does an entry say all these keys? What it does not say cannot be taken back.
fn all_said(entry: &str, keys: &[String]) -> Result<()> {
    if keys.is_empty() {
        return Ok(());
    }
    let entry: Table = toml::from_str(entry).context("cannot read the entry")?;
    let Some(entry) = entry.get("watch").and_then(|entries| entries.get(0)) else { return Ok(()) };
    for key in keys {
        if key.split('.').try_fold(entry, |table, part| table.get(part)).is_none() {
            let said: Vec<&str> = entry.as_table().into_iter().flat_map(Table::keys).map(String::as_str).collect();
            bail!("the watch does not set `{key}`\nhint: it sets `{}`", said.join("`, `"));
        }
    }
    Ok(())
}

/// The entry in the user's editor. The lock is not held meanwhile: it may take hours.
fn by_hand(place: &Place, id: &str) -> Result<Exit> {
    let program = ["VISUAL", "EDITOR"].iter().find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
    let Some(program) = program else {
        bail!("nothing is to be changed\nhint: say what, for example `--paused`, or set $EDITOR to edit the entry")
    };
    let before = Editor::open(&place.data, &place.targets)?.entry(id)?;
    let mut file = tempfile::Builder::new().prefix("watch-").suffix(".toml").tempfile()?;
    file.write_all(before.as_bytes())?;
    file.flush()?;
    // As git does it: the variable may hold options, so a shell takes it apart; the path is an argument of its own.
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{program} \"$1\"")).arg("sh").arg(file.path());
    let status = command.status().with_context(|| format!("cannot run the editor `{program}`"))?;
    if !status.success() {
        bail!("the editor `{program}` failed ({status}); nothing was changed");
    }
    let after = std::fs::read_to_string(file.path()).context("cannot read what was edited")?;
    if after == before {
        tell::note("nothing was changed");
        return Ok(Exit::Same);
    }
    let editor = Editor::open(&place.data, &place.targets)?;
    if editor.entry(id)? != before {
        bail!("the entry was changed by somebody else meanwhile\nhint: edit it again");
    }
    let done = editor.rewrite(id, &after);
    done.inspect_err(|_| keep(file))?;
    Ok(Exit::Same)
}

/// What could not be used is not thrown away.
fn keep(file: tempfile::NamedTempFile) {
    if let Ok((_, path)) = file.keep() {
        tell::note(format_args!("nothing was changed; what was edited is in `{}`", path.display()));
    }
}
