//! Who answers in a test? A web server on loopback, made of a closure; or a script that may answer any bytes at all.
//!
//! A thread a connection, and a parser that reads just what clients of tests send: it can be checked by reading it.

pub mod bomb;
pub mod hostile;
pub mod message;
pub mod tls;

use std::io::BufReader;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

pub use message::{Request, Response};

/// A web server, which ends when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    requests: Mutex<Vec<Request>>,
    connections: Mutex<Vec<TcpStream>>,
    is_over: AtomicBool,
}

impl Server {
    /// Answers requests, any number on a connection, and remembers them.
    ///
    /// # Panics
    /// If there is no free port on loopback.
    pub fn start(answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Self {
        Self::start_at(Ipv4Addr::LOCALHOST, answer)
    }

    /// The same at another address of loopback, such as 127.0.0.2: another host, so another site.
    ///
    /// # Panics
    /// If there is no free port at that address, or no such address.
    pub fn start_at(host: Ipv4Addr, answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let remembers = Arc::clone(&shared);
        Self::listen(host, shared, move |stream| {
            let Ok(mut writer) = stream.try_clone() else { return };
            let mut reader = BufReader::new(stream);
            while let Some(request) = Request::read(&mut reader) {
                let response = answer(&request);
                let is_last = request.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
                let is_head = request.method == "HEAD";
                hold(&remembers.requests).push(request);
                if response.write(&mut writer, is_head).is_err() || is_last {
                    break;
                }
            }
            let _ = writer.shutdown(Shutdown::Both);
        })
    }

    /// Runs a script on every connection: it reads and writes what it likes.
    ///
    /// # Panics
    /// If there is no free port on loopback.
    pub fn raw(script: impl Fn(TcpStream) + Send + Sync + 'static) -> Self {
        Self::listen(Ipv4Addr::LOCALHOST, Arc::default(), script)
    }

    fn listen(host: Ipv4Addr, shared: Arc<Shared>, serve: impl Fn(TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((host, 0)).expect("loopback has a free port");
        let address = listener.local_addr().expect("it is bound");
        let (served, serve) = (Arc::clone(&shared), Arc::new(serve));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if served.is_over.load(Ordering::SeqCst) {
                    break;
                }
                let _ = stream.set_nodelay(true);
                hold(&served.connections).extend(stream.try_clone());
                let (serve, end) = (Arc::clone(&serve), stream.try_clone());
                thread::spawn(move || {
                    serve(stream);
                    // It is remembered, so that dropping it alone would not close it.
                    let _ = end.and_then(|end| end.shutdown(Shutdown::Both));
                });
            }
        });
        Self { address, shared }
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of something on it: `/page`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What it was asked so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        hold(&self.shared.requests).clone()
    }

    /// What it was asked since this was last called.
    #[must_use]
    pub fn take_requests(&self) -> Vec<Request> {
        std::mem::take(&mut *hold(&self.shared.requests))
    }

    /// How many connections were made to it.
    #[must_use]
    pub fn connections(&self) -> usize {
        hold(&self.shared.connections).len()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        // The listener notices with the next connection.
        let _ = TcpStream::connect(self.address);
        for connection in &*hold(&self.shared.connections) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

/// An address on loopback that nobody listens at.
///
/// # Panics
/// If there is no free port on loopback.
#[must_use]
pub fn nobody() -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback has a free port");
    listener.local_addr().expect("it is bound")
}

fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    fn asked(server: &Server, request: &str) -> String {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn requests_are_answered_on_one_connection_and_remembered() {
        let server = Server::start(|request| Response::html(format!("<p>{}</p>", request.path)));
        let answers = asked(
            &server,
            "POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\nX-Y: z\r\nConnection: close\r\n\r\n",
        );
        assert!(answers.contains("<p>/a</p>HTTP/1.1 200 OK\r\n") && answers.ends_with("<p>/b</p>"), "{answers}");
        let requests = server.take_requests();
        assert_eq!((requests[0].body.as_slice(), requests[1].header("x-y")), (b"abc".as_slice(), Some("z")));
        assert!(server.requests().is_empty());
        assert_eq!(server.connections(), 1);
    }

    #[test]
    fn an_unchanged_page_is_not_sent_again() {
        let server = Server::start(|request| Response::html("a".to_owned()).with_etag("\"1\"").conditional(request));
        let again = "GET / HTTP/1.1\r\nIf-None-Match: \"1\"\r\nConnection: close\r\n\r\n";
        assert!(asked(&server, again).starts_with("HTTP/1.1 304 "));
        assert!(asked(&server, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 200 "));
    }
}
