//! An HTTP server on loopback, with a thread for each connection.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use httparse::Request;

/// The longest head of a request, in bytes.
const MOST_BYTES: usize = 16 << 10;
/// The most headers of a request.
const MOST_HEADERS: usize = 64;
/// The most connections at a time; further ones are closed.
const MOST_CONNECTIONS: usize = 256;
/// The longest wait for a port that was released: a connection of another program may have it for a moment.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// What a request gets.
#[derive(Debug)]
pub(crate) enum Reply {
    /// These bytes.
    Bytes(Vec<u8>),
    /// Nothing, and the connection is closed.
    Close,
    /// Nothing, and the connection stays open until the client gives up.
    Wait,
}

/// Answers requests.
type Handler = dyn Fn(&Request<'_, '_>) -> Reply + Send + Sync;

/// The server, which ends when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    handler: Arc<Handler>,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    is_open: bool,
    connections: HashMap<u16, TcpStream>,
}

impl Server {
    /// Starts a server on a free port; `handler` makes the handler for its address.
    pub(crate) fn start<H>(handler: impl FnOnce(SocketAddr) -> H) -> io::Result<Self>
    where
        H: Fn(&Request<'_, '_>) -> Reply + Send + Sync + 'static,
    {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let server = Self { address, handler: Arc::new(handler(address)), shared: Arc::default() };
        server.listen(listener);
        Ok(server)
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends all connections and refuses new ones.
    pub(crate) fn close(&self) {
        let mut shared = hold(&self.shared);
        if !shared.is_open {
            return;
        }
        shared.is_open = false;
        for connection in shared.connections.values() {
            let _ = connection.shutdown(Shutdown::Both);
        }
        drop(shared);
        // The listener notices with the next connection.
        let _ = TcpStream::connect(self.address);
    }

    /// Accepts connections again, on the same port.
    pub(crate) fn open(&self) -> io::Result<()> {
        if hold(&self.shared).is_open {
            return Ok(());
        }
        let end = Instant::now() + LONGEST_WAIT;
        loop {
            match TcpListener::bind(self.address) {
                Ok(listener) => {
                    self.listen(listener);
                    return Ok(());
                }
                Err(error) if Instant::now() >= end => return Err(error),
                Err(_) => thread::sleep(Duration::from_millis(10)),
            }
        }
    }

    fn listen(&self, listener: TcpListener) {
        hold(&self.shared).is_open = true;
        let (handler, shared) = (Arc::clone(&self.handler), Arc::clone(&self.shared));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if !hold(&shared).is_open {
                    break;
                }
                accept(stream, &handler, &shared);
            }
        });
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.close();
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Serves a connection on a thread.
fn accept(stream: TcpStream, handler: &Arc<Handler>, shared: &Arc<Mutex<Shared>>) {
    let (Ok(peer), Ok(copy)) = (stream.peer_addr(), stream.try_clone()) else { return };
    let mut inside = hold(shared);
    if inside.connections.len() >= MOST_CONNECTIONS {
        return;
    }
    inside.connections.insert(peer.port(), copy);
    drop(inside);
    let (handler, shared) = (Arc::clone(handler), Arc::clone(shared));
    thread::spawn(move || {
        let _ = stream.set_nodelay(true);
        let _ = serve(&stream, &*handler);
        let _ = stream.shutdown(Shutdown::Both);
        hold(&shared).connections.remove(&peer.port());
    });
}

/// Answers one request after the other.
fn serve(mut stream: &TcpStream, handler: &Handler) -> io::Result<()> {
    let mut buffer = Vec::new();
    let mut piece = [0; 4_096];
    while buffer.len() < MOST_BYTES {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = Request::new(&mut headers);
        let parsed = request.parse(&buffer).map_err(io::Error::other)?;
        if let httparse::Status::Complete(length) = parsed {
            match handler(&request) {
                Reply::Bytes(bytes) => stream.write_all(&bytes)?,
                Reply::Close => return Ok(()),
                Reply::Wait => {
                    while stream.read(&mut piece)? > 0 {}
                    return Ok(());
                }
            }
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

/// The lock of something shared; a thread that panicked leaves it usable.
pub(crate) fn hold<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
