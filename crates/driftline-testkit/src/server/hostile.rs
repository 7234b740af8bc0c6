//! Servers that mean no good, or cannot do better, each with its name.
//!
//! None of them sleeps: who is slow waits until the client has gone, or until the test opens a [`Gate`].

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::{Request, Response, Server, bomb};

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

/// What a script waits for. Copies are the same gate.
#[derive(Debug, Clone, Default)]
pub struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    /// Lets everybody through, from now on.
    pub fn open(&self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }

    /// Waits until it is open.
    pub fn pass(&self) {
        let is_open = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.0.1.wait_while(is_open, |is_open| !*is_open).unwrap_or_else(PoisonError::into_inner));
    }
}

/// Answers the request with these bytes, and closes.
#[must_use]
pub fn bytes(answer: impl Into<Vec<u8>>) -> Server {
    let answer = answer.into();
    answering(move |stream| {
        let _ = stream.write_all(&answer);
    })
}

/// Accepts, and never says a word.
#[must_use]
pub fn silent() -> Server {
    answering(until_gone)
}

/// Slow-loris: begins a head, and never ends it.
#[must_use]
pub fn half_a_head() -> Server {
    begins(HEAD.to_owned())
}

/// Slow-loris: sends half of the body that it promised, and then no more, but stays.
#[must_use]
pub fn half_a_body() -> Server {
    begins(format!("{HEAD}Content-Length: 1000\r\n\r\n<p>the beginning"))
}

/// Sends a body without an end, as fast as it is read.
#[must_use]
pub fn endless_body() -> Server {
    answering(|stream| {
        let head = format!("{HEAD}Connection: close\r\n\r\n");
        if stream.write_all(head.as_bytes()).is_ok() {
            let piece = b"<p>and so on</p>".repeat(4_096);
            while stream.write_all(&piece).is_ok() {}
        }
    })
}

/// The same in chunks.
#[must_use]
pub fn endless_chunks() -> Server {
    answering(|stream| {
        let head = format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n");
        if stream.write_all(head.as_bytes()).is_ok() {
            while stream.write_all(b"10\r\n<p>and so on</p>\r\n").is_ok() {}
        }
    })
}

/// Headers without an end.
#[must_use]
pub fn endless_head() -> Server {
    answering(|stream| {
        if stream.write_all(HEAD.as_bytes()).is_ok() {
            while stream.write_all(b"X-And: so-on\r\n").is_ok() {}
        }
    })
}

/// One header of a few megabytes.
#[must_use]
pub fn long_header() -> Server {
    bytes(format!("{HEAD}X-Long: {}\r\nContent-Length: 2\r\n\r\nok", "a".repeat(4 << 20)))
}

/// Promises more than it sends, and closes.
#[must_use]
pub fn short_body() -> Server {
    bytes(format!("{HEAD}Content-Length: 1000\r\n\r\n<p>the beginning"))
}

/// Chunks whose length is no number.
#[must_use]
pub fn broken_chunks() -> Server {
    bytes(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n<p>ab\r\nzz\r\ncd\r\n0\r\n\r\n"))
}

/// Chunks that end in the middle of one.
#[must_use]
pub fn cut_chunks() -> Server {
    bytes(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n<p>ab\r\n100\r\ncd"))
}

/// What is no HTTP at all.
#[must_use]
pub fn garbage() -> Server {
    bytes("SSH-2.0-OpenSSH_9.9\r\n\x00\x01\x02")
}

/// Two lengths that contradict each other.
#[must_use]
pub fn two_lengths() -> Server {
    bytes(format!("{HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\n<p>ab"))
}

/// Closes before it has said anything.
#[must_use]
pub fn closes_at_once() -> Server {
    answering(|_| {})
}

/// Sends each visitor to the next number, for ever.
#[must_use]
pub fn endless_redirects() -> Server {
    Server::start(|request: &Request| {
        let number: u64 = request.path.trim_start_matches('/').parse().unwrap_or(0);
        Response::redirect(&format!("/{}", number.saturating_add(1)))
    })
}

/// Sends each visitor to where they are.
#[must_use]
pub fn redirect_to_itself() -> Server {
    Server::start(|request: &Request| Response::redirect(&request.path))
}

/// A small body that becomes a gigabyte: `/gzip`, `/br`, `/zstd`.
#[must_use]
pub fn bombs() -> Server {
    Server::start(|request: &Request| {
        let (coding, body) = match request.path.as_str() {
            "/gzip" => ("gzip", bomb::gzip(4 << 20)),
            "/br" => ("br", bomb::brotli(64)),
            "/zstd" => ("zstd", bomb::zstd(8_192)),
            _ => return Response::status(404),
        };
        Response::html(body).with("Content-Encoding", coding)
    })
}

/// Reads a request, then does something with the connection.
fn answering(answer: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> Server {
    Server::raw(move |mut stream| {
        let mut head = Vec::new();
        let mut piece = [0; 1_024];
        while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < 1 << 20 {
            match stream.read(&mut piece) {
                Ok(count) if count > 0 => head.extend_from_slice(&piece[..count]),
                _ => return,
            }
        }
        answer(&mut stream);
    })
}

/// Begins an answer, and stays until the client has gone.
fn begins(answer: String) -> Server {
    answering(move |stream| {
        if stream.write_all(answer.as_bytes()).is_ok() {
            until_gone(stream);
        }
    })
}

fn until_gone(stream: &mut TcpStream) {
    let mut piece = [0; 1_024];
    while stream.read(&mut piece).is_ok_and(|count| count > 0) {}
}
