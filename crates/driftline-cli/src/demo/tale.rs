//! The story of the site, step by step, with what is found.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use driftline::time::Time;
use driftline_demo::Site;
use driftline_demo::story::STEPS;
use driftline_watch::clock::ManualClock;

use super::finding;
use super::watcher::Watcher;
use crate::args::{Colour, DemoArgs};
use crate::diff;
use crate::exit::Exit;

/// Monday, the 2nd of March 2026, six o'clock.
const START: i64 = 1_772_431_200_000_000;
const HOUR: i64 = 3_600_000_000;

/// Tells the story.
pub(super) fn run(args: &DemoArgs) -> Result<Exit> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted)).context("cannot listen for signals")?;
    }
    if let Some(folder) = &args.keep {
        let is_used = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
        if is_used {
            bail!("`{}` is not empty\nhint: name a folder that is not there yet", folder.display());
        }
        tell(args, folder, &interrupted)
    } else {
        let folder = tempfile::Builder::new().prefix("driftline-demo-").tempdir();
        tell(args, folder.context("cannot make a temporary folder")?.path(), &interrupted)
    }
}

fn tell(args: &DemoArgs, data: &Path, interrupted: &AtomicBool) -> Result<Exit> {
    let began = Instant::now();
    let site = Site::start().context("cannot open the site on loopback")?;
    let colour = diff::wants_colour(Colour::Auto);
    let mut out = anstream::stdout().lock();
    writeln!(
        out,
        "The library of an island has a web site, {}. A real daemon watches it: its pages,\n\
         its news feed and its sitemap, every hour. Only the clock is fast.\n",
        site.url("/")
    )?;
    // Before the daemon opens its archive and checks: a slow disk must not look like a demo that does nothing.
    out.flush()?;
    let clock = ManualClock::with_speed(Time::from_microseconds(START), args.speed);
    let mut watcher = Watcher::start(&site, data, &clock)?;
    let (mut now, mut told) = (START, 0);
    for (number, step) in STEPS.iter().enumerate() {
        site.set(number);
        writeln!(out, "{}  {}", day(now), step.happens)?;
        for _ in 0..step.hours {
            out.flush()?;
            now += HOUR;
            clock.go_to(Time::from_microseconds(now));
            for event in watcher.news()? {
                told += 1;
                finding::lines(&event, &site.url(""), colour).iter().try_for_each(|line| writeln!(out, "{line}"))?;
            }
            if interrupted.load(Ordering::SeqCst) {
                watcher.stop()?;
                return Ok(Exit::Same);
            }
        }
    }
    let (checks, folded, counts) = (watcher.checks(), watcher.folded()?, site.take_counts());
    watcher.stop()?;
    writeln!(
        out,
        "\n{} days in {:.0} s: {checks} checks, {} of them answered with \"not modified\"; {told} findings, into which\n\
         {folded} others were folded. Nobody would have been told anything else.\n",
        (now - START) / (24 * HOUR),
        began.elapsed().as_secs_f64(),
        counts.not_modified,
    )?;
    next(&mut out, args)?;
    Ok(Exit::Same)
}

/// `Mon 06:00`
fn day(microseconds: i64) -> String {
    const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let hours = (microseconds - START) / HOUR + 6;
    format!("{} {:02}:00", DAYS[(hours / 24).rem_euclid(7).cast_unsigned() as usize], hours % 24)
}

fn next(out: &mut impl Write, args: &DemoArgs) -> Result<()> {
    writeln!(out, "Next:")?;
    if let Some(folder) = &args.keep {
        let folder = folder.display();
        writeln!(out, "  driftline events --data {folder}          # all of it again")?;
        writeln!(out, "  driftline archive list --data {folder}    # every version of every page")?;
    }
    writeln!(out, "  driftline watch add https://example.org/  # watch a page of your own")?;
    writeln!(out, "  driftline serve --headless                # and let the daemon run")?;
    writeln!(out, "  driftline demo --save pages               # two versions of a real page, to compare")?;
    Ok(())
}
