//! Where is the site? On loopback.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use crate::answer::{Asked, answer};
use crate::server::{Reply, Server, hold};
use crate::watches;

/// The site, which ends when it is dropped.
#[derive(Debug)]
pub struct Site {
    server: Server,
    shared: Arc<Mutex<Shared>>,
}

/// What visitors got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Answers.
    pub answers: usize,
    /// Of these, "not modified".
    pub not_modified: usize,
    /// Bytes of answers.
    pub bytes: usize,
}

#[derive(Debug, Default)]
struct Shared {
    step: usize,
    /// How often a path was asked for, in all and in this step.
    visits: HashMap<String, (usize, usize)>,
    counts: Counts,
}

impl Site {
    /// Opens the site, at the first step.
    ///
    /// # Errors
    /// If there is no free port on loopback.
    pub fn start() -> io::Result<Self> {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let served = Arc::clone(&shared);
        let server = Server::start(|address| {
            let origin = format!("http://{address}");
            move |request: &httparse::Request<'_, '_>| {
                answered(request, &served, &origin).map_or(Reply::Close, Reply::Bytes)
            }
        })?;
        Ok(Self { server, shared })
    }

    /// The address of a page: `/prices`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address())
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Goes to a step of the story; those before it have happened too.
    pub fn set(&self, step: usize) {
        let mut shared = hold(&self.shared);
        shared.step = step;
        shared.visits.values_mut().for_each(|(_, now)| *now = 0);
    }

    /// What visitors got since this was last called.
    #[must_use]
    pub fn take_counts(&self) -> Counts {
        std::mem::take(&mut hold(&self.shared).counts)
    }

    /// How often a path was asked for.
    #[must_use]
    pub fn visits(&self, path: &str) -> usize {
        hold(&self.shared).visits.get(path).map_or(0, |(all, _)| *all)
    }

    /// A file of watches for the whole site, such as a person would write it.
    #[must_use]
    pub fn watches(&self) -> String {
        watches::toml(&self.url(""))
    }
}

fn answered(request: &httparse::Request<'_, '_>, shared: &Mutex<Shared>, origin: &str) -> Option<Vec<u8>> {
    let header = |name: &str| {
        let found = request.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.and_then(|header| std::str::from_utf8(header.value).ok())
    };
    let path = request.path?.split('?').next()?;
    let (step, visits) = {
        let mut shared = hold(shared);
        let visits = shared.visits.entry(path.to_owned()).or_default();
        let before = *visits;
        *visits = (before.0 + 1, before.1 + 1);
        (shared.step, before)
    };
    let (if_none_match, if_modified_since) = (header("if-none-match"), header("if-modified-since"));
    let answer = answer(step, &Asked { path, if_none_match, if_modified_since, visits }, origin)?;
    let bytes = answer.bytes(request.method == Some("HEAD"));
    let counts = &mut hold(shared).counts;
    counts.answers += 1;
    counts.not_modified += usize::from(answer.status == 304);
    counts.bytes += bytes.len();
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{Shutdown, TcpStream};

    use super::*;
    use crate::story::step;

    fn get(site: &Site, paths: &[&str]) -> String {
        let mut stream = TcpStream::connect(site.address()).unwrap();
        for path in paths {
            write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        }
        stream.shutdown(Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn the_site_is_as_the_step_says() {
        let site = Site::start().unwrap();
        let answers = get(&site, &["/prices", "/feed.atom?x", "/nowhere"]);
        assert!(answers.contains("24 euros") && answers.contains("<entry>") && answers.contains("404 Not Found"));
        site.set(step("price").unwrap());
        assert!(get(&site, &["/prices"]).contains("26 euros"));
        assert_eq!((site.visits("/prices"), site.take_counts().answers), (2, 4));
        site.set(step("silence").unwrap());
        assert_eq!(get(&site, &["/"]), "");
    }

    #[test]
    fn what_is_no_question_is_not_answered() {
        let site = Site::start().unwrap();
        let mut stream = TcpStream::connect(site.address()).unwrap();
        stream.write_all(&[b'\x00'; 100]).unwrap();
        let mut answer = Vec::new();
        assert_eq!(stream.read_to_end(&mut answer).unwrap_or(0), 0);
    }
}
