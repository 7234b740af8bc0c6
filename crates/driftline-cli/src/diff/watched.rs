//! What the watch of a page compares: two captures of the archive are compared in the same way.

use driftline::page::Recipe;
use driftline::page::zone::Zones;
use driftline_archive::Address;
use driftline_watch::watches::{Settings, Watch};

use super::operands::{self, Operands};
use crate::args::DiffArgs;
use crate::tell;
use crate::watch::Place;

/// How two captures of a page are read: as its watch reads them, unless the command line says what counts.
pub(super) fn recipe(args: &DiffArgs, operands: &Operands<'_>, recipe: Recipe) -> Recipe {
    let page = &args.page;
    let is_chosen = args.received || !page.zones.is_empty() || !page.ignores.is_empty() || !page.normalisers.is_empty();
    let Some(url) = url(operands).filter(|_| !is_chosen && operands.warc.is_empty()) else { return recipe };
    // Without watches that can be read, pages are compared as a whole.
    let place = Place::of(args.data.data.as_deref());
    let Ok(watches) = place.and_then(|place| place.watches()) else { return recipe };
    let own: Vec<&Watch> = watches.iter().filter(|watch| *watch.url == *url).collect();
    let Some(first) = own.first() else { return recipe };
    let says = |watch: &Watch| {
        let Settings { zone, ignore, normalise, .. } = &*watch.settings;
        (zone.clone(), ignore.clone(), normalise.clone())
    };
    if own.iter().any(|watch| says(watch) != says(first)) {
        tell::note(format_args!(
            "watches of `{url}` compare different parts of it; all of it is compared here: `--zone` and `--ignore` choose"
        ));
        return recipe;
    }
    match read(&first.settings, &recipe) {
        Some(read) if read != recipe => {
            let id = &first.id;
            tell::note(format_args!("compared as the watch `{id}` does; `--received` compares all that was received"));
            read
        }
        _ => recipe,
    }
}

/// The page of which both versions are captures.
fn url(operands: &Operands<'_>) -> Option<String> {
    let [old, new] = [operands.old, operands.new].map(|path| Address::parse(operands::address(path)?).ok());
    let (old, new) = (old?, new?);
    (old.url == new.url).then_some(old.url)
}

/// A recipe with what a watch compares; none if something in it cannot be read.
fn read(settings: &Settings, recipe: &Recipe) -> Option<Recipe> {
    let parse =
        |selectors: &[String]| selectors.iter().map(|selector| selector.parse().ok()).collect::<Option<Vec<_>>>();
    let mut recipe =
        Recipe { zones: Zones { include: parse(&settings.zone)?, ignore: parse(&settings.ignore)? }, ..recipe.clone() };
    for name in &settings.normalise {
        recipe.normalisers = recipe.normalisers.with(name.parse().ok()?);
    }
    Some(recipe)
}
