//! One request to each address that is to be added, through the fetcher of all checks: guard, robots.txt and limits.

use std::thread;

use anyhow::Result;
use driftline::page::Source;
use driftline::span::Span;
use driftline_fetch::{Fetch, Fetched, Fetchers, How, Request, With};
use driftline_watch::clock::{Clock, SystemClock};
use driftline_watch::watches::{Content, Kind, Watch};

use crate::tell;
use crate::watch::Place;

/// At most this many addresses are fetched: someone waits at the terminal.
const MOST_FETCHED: usize = 10;
/// No address may take longer.
const LONGEST: Span = Span::from_seconds(20);
/// A host that wants longer pauses is asked once.
const LONGEST_PAUSE: Span = Span::from_seconds(5);

/// What came of asking for an address.
#[derive(Debug, Clone)]
pub(super) enum Answer {
    /// Nobody asked.
    NotFetched,
    /// What the server sent.
    Shown(Content),
    /// Nothing that can be used.
    Failed { why: String, hint: Option<String> },
}

impl Answer {
    /// Why nothing came that can be used.
    pub(super) fn failure(&self) -> Option<&str> {
        if let Self::Failed { why, .. } = self { Some(why) } else { None }
    }

    /// The feeds that a page announces.
    pub(super) fn feeds(&self) -> &[String] {
        if let Self::Shown(Content::Page { feeds }) = self { feeds } else { &[] }
    }
}

/// The answers of the addresses of new watches, one after the other. Files, paused watches and watches of Chromium are
/// not fetched: the first check does that.
pub(super) fn ask(place: &Place, watches: &[Watch]) -> Result<Vec<Answer>> {
    let is_fetched = |watch: &Watch| {
        let settings = &watch.settings;
        settings.kind != Kind::List && settings.fetch.with == With::Http && !settings.paused
    };
    let mut answers = vec![Answer::NotFetched; watches.len()];
    let wanted: Vec<usize> = (0..watches.len()).filter(|&number| is_fetched(&watches[number])).collect();
    if wanted.is_empty() {
        return Ok(answers);
    }
    let fetch = Fetchers::new(&place.settings.fetch)?;
    let mut asked: Vec<&str> = Vec::new();
    for &number in wanted.iter().take(MOST_FETCHED) {
        let watch = &watches[number];
        if asked.contains(&watch.site()) {
            let pause = place.settings.fetch.delay.max(fetch.delay(watch.site()).unwrap_or_default());
            if pause > LONGEST_PAUSE {
                continue;
            }
            thread::sleep(pause.duration());
        }
        asked.push(watch.site());
        answers[number] = one(&fetch, watch, place.settings.fetch.timeout);
    }
    fetch.close();
    if wanted.len() > MOST_FETCHED {
        let rest = wanted.len() - MOST_FETCHED;
        tell::note(format_args!(
            "{rest} addresses are added without a look at them: at most {MOST_FETCHED} are fetched"
        ));
    }
    Ok(answers)
}

fn one(fetch: &Fetchers, watch: &Watch, usual: Span) -> Answer {
    let own = &watch.settings.fetch;
    let how = How { timeout: Some(own.timeout.unwrap_or(usual).min(LONGEST)), ..own.clone() };
    let request = Request { url: &watch.url, home: None, how: &how, validators: None, at: SystemClock.now() };
    match fetch.fetch(&request) {
        Ok(Fetched { status: 200..=299, url, body, content_type, .. }) => {
            let source = Source { bytes: &body, content_type: content_type.as_deref(), url: Some(&url) };
            Answer::Shown(Content::of(source))
        }
        Ok(fetched) => Answer::Failed { why: format!("the server answers {}", fetched.status), hint: None },
        Err(error) => {
            let text = error.to_string();
            let (why, hint) = text.split_once("\nhint: ").map_or((&*text, None), |(why, hint)| (why, Some(hint)));
            Answer::Failed { why: why.to_owned(), hint: hint.map(str::to_owned) }
        }
    }
}
