//! Connections that end in time: so many that nobody can use up the daemon's files or memory, each for a bounded time.
//!
//! A client that sends a byte a minute would else hold its connection for ever. From the first byte of a request to the
//! first byte of its answer there is a limit of its own, which no further byte puts off. Nor does what is written without
//! being an answer: acknowledged settings and pings of HTTP/2, `100 Continue`.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::limits::Limits;
use crate::places::{Place, Places};

/// Accepts a bounded number of connections, each for a bounded time.
pub(crate) struct Bounded {
    listener: TcpListener,
    places: Places,
    limits: Limits,
}

/// A connection that ends in time.
pub(crate) struct Connection {
    stream: TcpStream,
    limits: Limits,
    /// When a request that has begun is to be answered.
    answered: Option<Instant>,
    /// Answers so far, and those of them that began to be written.
    answers: Arc<AtomicU64>,
    written: u64,
    end: Instant,
    timer: Pin<Box<Sleep>>,
    place: Place,
    /// Its reserved place was taken away.
    is_ended: bool,
}

/// What a request knows of its connection.
#[derive(Debug, Clone)]
pub(crate) struct Peer {
    /// Who connected: the client, or a proxy.
    pub(crate) address: IpAddr,
    /// Answers on the connection so far.
    pub(crate) answers: Arc<AtomicU64>,
    /// For a reserved place: whether a request has come.
    pub(crate) reserved: Option<Arc<AtomicBool>>,
}

impl Bounded {
    pub(crate) fn new(listener: TcpListener, places: Places, limits: Limits) -> Self {
        Self { listener, places, limits }
    }
}

impl Listener for Bounded {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let (stream, address) = Listener::accept(&mut self.listener).await;
            // Without a place it is closed at once.
            if let Some(place) = self.places.admit(address.ip()) {
                return (Connection::new(stream, place, self.limits), address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, Bounded>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Bounded>) -> Self {
        let reserved = match &stream.io().place {
            Place::Ordinary(_) => None,
            Place::Reserved(reserved) => Some(reserved.asking()),
        };
        Self { address: stream.remote_addr().ip(), answers: Arc::clone(&stream.io().answers), reserved }
    }
}

impl Connection {
    fn new(stream: TcpStream, place: Place, limits: Limits) -> Self {
        let now = Instant::now();
        let life = match place {
            Place::Ordinary(_) => limits.life,
            Place::Reserved(_) => limits.reserved_life,
        };
        // The first request begins with the connection.
        let (answered, end) = (Some(now + limits.head), now + life);
        let timer = Box::pin(sleep_until(end.min(now + limits.head)));
        let answers = Arc::default();
        Self { stream, limits, answered, answers, written: 0, end, timer, place, is_ended: false }
    }

    /// Puts the end off after something was read or written, or says that it is there.
    fn watch<T>(&mut self, context: &mut Context<'_>, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if done.is_pending() {
            if let (Place::Reserved(reserved), false) = (&mut self.place, self.is_ended) {
                self.is_ended = Pin::new(&mut reserved.end).poll(context).is_ready();
            }
            if self.is_ended {
                return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
            }
            return self.timer.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()));
        }
        let silent = Instant::now() + self.limits.idle;
        let next = self.answered.into_iter().chain([silent, self.end]).min();
        self.timer.as_mut().reset(next.unwrap_or(silent));
        done
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_read(context, into);
        if done.is_ready() && self.answered.is_none() {
            self.answered = Some(Instant::now() + self.limits.head);
        }
        self.watch(context, done)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        let answers = self.answers.load(Ordering::Relaxed);
        if done.is_ready() && answers > self.written {
            self.written = answers;
            self.answered = None;
        }
        self.watch(context, done)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
