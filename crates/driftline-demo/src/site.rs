//! Where is the site? On loopback, with a thread for each visitor.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::answer::{Asked, answer};
use crate::watches;

/// No visitor's question is longer.
const MOST_BYTES: usize = 16 << 10;
/// No question has more headers.
const MOST_HEADERS: usize = 64;
/// So many visitors at once; more are sent away.
const MOST_VISITORS: usize = 256;

/// The site, which ends when it is dropped.
#[derive(Debug)]
pub struct Site {
    address: SocketAddr,
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
    is_over: bool,
    /// How often a path was asked for, in all and in this step.
    visits: HashMap<String, (usize, usize)>,
    counts: Counts,
    visitors: HashMap<u16, TcpStream>,
}

impl Site {
    /// Opens the site, at the first step.
    ///
    /// # Errors
    /// If there is no free port on loopback.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Mutex::new(Shared::default()));
        let served = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if hold(&served).is_over {
                    break;
                }
                welcome(stream, &served, address);
            }
        });
        Ok(Self { address, shared })
    }

    /// The address of a page: `/prices`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
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

impl Drop for Site {
    fn drop(&mut self) {
        let mut shared = hold(&self.shared);
        shared.is_over = true;
        for visitor in shared.visitors.values() {
            let _ = visitor.shutdown(Shutdown::Both);
        }
        drop(shared);
        // The listener notices with the next visitor.
        let _ = TcpStream::connect(self.address);
    }
}

/// Serves a visitor on a thread.
fn welcome(stream: TcpStream, shared: &Arc<Mutex<Shared>>, address: SocketAddr) {
    let (Ok(peer), Ok(copy)) = (stream.peer_addr(), stream.try_clone()) else { return };
    let mut inside = hold(shared);
    if inside.visitors.len() >= MOST_VISITORS {
        return;
    }
    inside.visitors.insert(peer.port(), copy);
    drop(inside);
    let shared = Arc::clone(shared);
    thread::spawn(move || {
        let _ = stream.set_nodelay(true);
        let _ = serve(&stream, &shared, &format!("http://{address}"));
        let _ = stream.shutdown(Shutdown::Both);
        hold(&shared).visitors.remove(&peer.port());
    });
}

/// Answers one question after the other.
fn serve(mut stream: &TcpStream, shared: &Mutex<Shared>, origin: &str) -> io::Result<()> {
    let mut buffer = Vec::new();
    let mut piece = [0; 4_096];
    while buffer.len() < MOST_BYTES {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let parsed = request.parse(&buffer).map_err(io::Error::other)?;
        if let httparse::Status::Complete(length) = parsed {
            let Some(bytes) = answered(&request, shared, origin) else { return Ok(()) };
            stream.write_all(&bytes)?;
            buffer.drain(..length);
        } else {
            match stream.read(&mut piece)? {
                0 => return Ok(()),
                count => buffer.extend_from_slice(&piece[..count]),
            }
        }
    }
    Ok(())
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

fn hold(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
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
