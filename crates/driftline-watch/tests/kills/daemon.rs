//! The program that is killed: a whole daemon, with a clock that runs an hour a second.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use driftline::event::Event;
use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::Archive;
use driftline_fetch::{FetchDefaults, HttpFetcher};
use driftline_report::message::{self, Templates};
use driftline_report::summary::{Markup, Message};
use driftline_watch::check::Patience;
use driftline_watch::clock::{Bell, Clock, Latch, Reading};
use driftline_watch::daemon::{Daemon, Files, Options, Parts};
use driftline_watch::schedule::hosts::Manners;
use driftline_watch::tell::{Compose, Own, Targets, Teller};

use crate::world::TARGETS;

/// A page that was missing so long is gone.
pub(crate) const ABSENT: Span = Span::from_seconds(2 * 60);

pub(crate) fn run(arguments: &[String]) {
    let [data, catalog, begun, round] = arguments else { panic!("--daemon DATA CATALOG BEGUN ROUND") };
    let (data, begun) = (Path::new(data), begun.parse().expect("a time"));
    // Whoever started it is gone when its input ends.
    std::thread::spawn(|| {
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(0);
    });
    let archive = Arc::new(Archive::open(&crate::options(data, catalog)).expect("the archive opens"));
    let (allow, user_agent) = (vec!["127.0.0.0/8".to_owned()], Some(round.clone()));
    let defaults = FetchDefaults { allow, user_agent, ..FetchDefaults::default() };
    let fetch = Arc::new(HttpFetcher::new(&defaults).expect("pages can be fetched"));
    let targets = std::fs::read_to_string(data.join("targets.toml")).expect("the parent wrote it");
    let targets = Targets::read(&targets.parse().expect("TOML")).expect("webhooks");
    let teller = Arc::new(Teller::new(targets, Arc::new(Plain), data).expect("a teller"));
    let manners = Manners { delay: Span::default(), per_host: 8 };
    let patience = Patience { absent: ABSENT, ..Patience::default() };
    let options = Options { workers: 4, manners, patience, look: None, ..Options::default() };
    let source = Box::new(Files::new(data.to_owned(), TARGETS.map(str::to_owned).into()));
    let parts = Parts { archive, fetch, teller, clock: Arc::new(Fast { begun }), source, options };
    Daemon::new(parts).expect("a daemon").run(|| {}).expect("it begins");
}

/// Messages as users get them.
struct Plain;

impl Compose for Plain {
    fn compose(&self, events: &[Event], markup: &Markup, _: &Own) -> Result<Message, String> {
        Ok(message::compose(events, markup, &Templates::default()))
    }
}

/// A clock that was right when the first daemon began.
#[derive(Debug)]
struct Fast {
    begun: i64,
}

impl Clock for Fast {
    fn read(&self) -> Reading {
        let now = crate::fast(self.begun);
        Reading { now, passed: Duration::from_micros(now.microseconds().abs_diff(self.begun)) }
    }

    fn wait(&self, until: Option<Time>, _is_busy: bool, bell: &Bell) {
        let left = until.map(|until| (until.microseconds() - self.now().microseconds()).max(0) / crate::SPEED);
        bell.wait(left.map(|left| Duration::from_micros(left.cast_unsigned())));
    }

    fn pause(&self, span: Span, stop: &Latch) -> bool {
        !stop.wait(Duration::from_micros((span.microseconds() / crate::SPEED).cast_unsigned()))
    }
}
