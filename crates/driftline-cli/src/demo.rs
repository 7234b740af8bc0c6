//! `driftline demo`: two versions of a real page, compared in the terminal, and a site that was redesigned.

mod crawls;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use driftline::change::Sides;
use driftline::degree::compare::Comparer;
use driftline::page::{BodyKind, Page, Recipe};
use driftline::redesign::synthesis::{MadeStream, Scenario};
use driftline_report::view::{self, Comparison, TextOptions};

use crate::args::{Colour, DemoArgs};
use crate::exit::Exit;
use crate::tell;
use crate::{diff, redesign};

/// A page of the Apache Flink web site (Apache-2.0); `demo/ORIGIN.md` says where it is from.
const OLDER: (&str, &str) = ("2016-10-07.html", include_str!("../demo/2016-10-07.html"));
const NEWER: (&str, &str) = ("2019-12-11.html", include_str!("../demo/2019-12-11.html"));

/// Runs the command.
pub(crate) fn run(args: &DemoArgs) -> Result<Exit> {
    if args.save.is_none() && args.save_site.is_none() && args.save_crawls.is_none() {
        return show();
    }
    args.save.as_deref().map(save).transpose()?;
    args.save_site.as_deref().map(save_site).transpose()?;
    args.save_crawls.as_deref().map(crawls::save).transpose()?;
    Ok(Exit::Same)
}

fn save(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    for (name, text) in [OLDER, NEWER] {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    let folder = folder.display();
    tell::note(format_args!(
        "saved two versions of a page; try `driftline diff {folder}/{} {folder}/{}`",
        OLDER.0, NEWER.0
    ));
    Ok(())
}

/// A site with a redesign and some pages that are like no other.
fn stream() -> MadeStream {
    MadeStream::new(Scenario::OutliersAndRedesign, 0, 2)
}

fn save_site(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    for (number, document) in stream().documents.iter().enumerate() {
        let path = folder.join(format!("{number:04}.html"));
        std::fs::write(&path, document).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    tell::note(format_args!("saved the pages of a made site; try `driftline redesign {}`", folder.display()));
    Ok(())
}

fn show() -> Result<Exit> {
    let recipe = Recipe { kind: Some(BodyKind::Html), ..Recipe::default() };
    let pages = [OLDER, NEWER].map(|(_, text)| Page::read(text, &recipe));
    let change = Comparer::default().compare(&pages[0], &pages[1]);
    let comparison = Comparison {
        names: Sides { older: OLDER.0, newer: NEWER.0 },
        pages: Sides { older: &pages[0], newer: &pages[1] },
        change: &change,
    };
    let options = TextOptions { context: Some(1), width: 100, colour: diff::wants_colour(Colour::Auto) };
    let mut out = anstream::stdout().lock();
    writeln!(out, "A news page of the Apache Flink project, as it was in 2016 and in 2019.\n")?;
    write!(out, "{}", view::heading(&comparison))?;
    write!(out, "{}\n{}", view::text(&comparison, &options), view::metrics(&change, options.colour))?;
    writeln!(out, "\nA made site, document after document: was it redesigned?\n")?;
    write!(out, "{}", redesign::demonstrate("posts", &stream().documents)?)?;
    writeln!(out, "\nNext: `driftline demo --save pages --save-site posts` writes it all, to try commands on.")?;
    Ok(Exit::Same)
}
