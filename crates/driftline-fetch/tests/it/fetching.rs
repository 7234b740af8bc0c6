//! Do pages come here, whole and as they were sent; and does nothing come that should not? Real servers on loopback,
//! good ones and hostile ones.

mod answers;
mod hostile;
mod laws;
mod proxies;
mod reasons;
mod robots;
mod safety;
mod tls;

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::capture::{Content, Exchange};
use driftline_fetch::guard::{Guard, Lookup};
use driftline_fetch::{Fetch, FetchDefaults, FetchError, Fetched, How, HttpFetcher, Request};

/// A fetcher that may ask the test's servers.
fn fetcher() -> HttpFetcher {
    with(FetchDefaults { allow: vec!["127.0.0.1".to_owned()], ..FetchDefaults::default() })
}

#[expect(clippy::needless_pass_by_value, reason = "made for it where it is called")]
fn with(defaults: FetchDefaults) -> HttpFetcher {
    HttpFetcher::new(&defaults).unwrap()
}

fn at() -> Time {
    "20260801120000".parse().unwrap()
}

fn span(text: &str) -> Span {
    text.parse().unwrap()
}

/// How most tests ask: without robots.txt, and not for so long that a test which fails takes a minute.
fn plainly() -> How {
    How {
        ignore_robots: true,
        connect_timeout: Some(span("5s")),
        first_byte_timeout: Some(span("5s")),
        timeout: Some(span("10s")),
        ..How::default()
    }
}

/// A guard that lets nothing through but what is public.
fn guard() -> Guard {
    Guard::new::<&str>(&[]).unwrap()
}

fn fetch(fetcher: &HttpFetcher, url: &str, how: &How) -> Result<Fetched, FetchError> {
    fetcher.fetch(&Request { url, home: None, how, validators: None, at: at() })
}

/// A capture over HTTP.
fn exchange(fetched: &Fetched, number: usize) -> &Exchange {
    match &fetched.captures[number].content {
        Content::Http(exchange) => exchange,
        Content::Resource { .. } => panic!("{:?} is no exchange", fetched.captures[number].url),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Names that lead where a test says, and elsewhere the next time; the last answer stays.
#[derive(Debug, Default)]
struct Names {
    answers: Mutex<HashMap<String, VecDeque<Vec<IpAddr>>>>,
    asked: Mutex<Vec<String>>,
}

impl Names {
    fn new(name: &str, answers: &[&[&str]]) -> Arc<Self> {
        let one = |answer: &&[&str]| answer.iter().map(|address| address.parse().unwrap()).collect();
        let answers = answers.iter().map(one).collect();
        Arc::new(Self { answers: Mutex::new(HashMap::from([(name.to_owned(), answers)])), asked: Mutex::default() })
    }

    fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl Lookup for Names {
    fn lookup(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        self.asked.lock().unwrap().push(host.to_owned());
        let mut answers = self.answers.lock().unwrap();
        let known = answers.get_mut(host).ok_or_else(|| io::Error::other("no such name"))?;
        let answer = if known.len() > 1 { known.pop_front() } else { known.front().cloned() };
        Ok(answer.unwrap_or_default())
    }
}
