//! The island as a program: `scripts/bench/month` starts it and says what time it is.
//!
//! Usage: `island PAGES SEED`. It prints its address and the addresses of its pages, and then an answer to each line of its
//! input: `to SECOND` sets the time, `alert PATH TEXT` is a message of a watcher, found at that time, and `score` says what
//! the messages reported.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use driftline_demo::island::{Alert, Change, Island, Month, Score};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().map_err(io::Error::other));
    let (pages, seed) = (arguments.next().unwrap_or(Ok(200))?, arguments.next().unwrap_or(Ok(7))?);
    let second = Arc::new(AtomicU64::new(0));
    let now = Arc::clone(&second);
    let island = Island::start(Month::new(pages, seed as u64), move || now.load(Ordering::SeqCst))?;
    say(&island.url(""))?;
    say(&island.month().paths().collect::<Vec<_>>().join(" "))?;
    let mut alerts = Vec::new();
    for line in io::stdin().lines() {
        let line = line?;
        let (order, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match order {
            "to" => {
                second.store(rest.parse().map_err(io::Error::other)?, Ordering::SeqCst);
                island.go_to(second.load(Ordering::SeqCst))?;
                say(&island.visits().to_string())?;
            }
            "alert" => {
                let (path, text) = rest.split_once(' ').unwrap_or((rest, ""));
                let second = second.load(Ordering::SeqCst);
                alerts.push(Alert { second, paths: vec![path.to_owned()], text: text.to_owned() });
                say("noted")?;
            }
            "score" => say(&report(&Score::of(island.month(), &alerts, &island.first_served())))?,
            _ => return Err(io::Error::other(format!("`{line}` is not an order"))),
        }
    }
    Ok(())
}

/// The score, and the changes that were not reported in time, in one line.
fn report(score: &Score) -> String {
    let list = |name: &str, changes: &[&Change]| {
        changes.iter().map(|change| format!("; {name}: {} on {}", change.what, change.path())).collect::<String>()
    };
    format!("{score}{}{}", list("later", &score.late), list("missed", &score.missed))
}

fn say(line: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}
