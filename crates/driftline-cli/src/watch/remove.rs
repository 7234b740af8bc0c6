//! `driftline watch remove`: entries go from their files.

use anyhow::Result;
use driftline_watch::watches::Editor;

use super::place::Place;
use crate::archive::data;
use crate::args::RemoveWatchArgs;
use crate::exit::Exit;

pub(super) fn run(args: &RemoveWatchArgs) -> Result<Exit> {
    let place = Place::of(args.data.data.as_deref())?;
    let watches = place.watches()?;
    let mut ids = Vec::new();
    for asked in &args.ids {
        let id = place.id(&watches, asked)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let editor = Editor::open(&place.data, &place.targets)?;
    for id in &ids {
        editor.remove(id)?;
    }
    if args.forget && place.archive()?.is_some() {
        let archive = data::open(args.data.data.as_deref())?;
        for id in &ids {
            archive.catalog().remove_watch(id)?;
        }
        archive.close()?;
    }
    Ok(Exit::Same)
}
