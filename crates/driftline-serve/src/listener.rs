//! How many may ask at once, and for how long? So many that nobody can use up the daemon's files or memory.
//!
//! A client that sends a byte a minute would else hold its connection for ever.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// Further clients wait until one has gone.
const MOST_CONNECTIONS: usize = 256;

/// A client that says nothing for so long is cut off.
const IDLE: Duration = Duration::from_secs(20);

/// No connection lives longer; clients connect again.
const LIFE: Duration = Duration::from_mins(5);

/// Accepts a bounded number of connections, each for a bounded time.
pub(crate) struct Bounded {
    listener: TcpListener,
    places: Arc<Semaphore>,
    idle: Duration,
}

/// A connection that ends in time.
pub(crate) struct Connection {
    stream: TcpStream,
    idle: Duration,
    silence: Pin<Box<Sleep>>,
    end: Instant,
    _place: Option<OwnedSemaphorePermit>,
}

impl Bounded {
    pub(crate) fn new(listener: TcpListener) -> Self {
        Self { listener, places: Arc::new(Semaphore::new(MOST_CONNECTIONS)), idle: IDLE }
    }
}

impl Listener for Bounded {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        // The semaphore is never closed.
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let silence = Box::pin(sleep(self.idle));
        (Connection { stream, idle: self.idle, silence, end: Instant::now() + LIFE, _place: place }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Connection {
    /// Puts the end off after something went over the connection, or says that it is there.
    fn watch<T>(&mut self, context: &mut Context<'_>, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if done.is_pending() {
            return self.silence.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()));
        }
        let next = (Instant::now() + self.idle).min(self.end);
        self.silence.as_mut().reset(next);
        done
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_read(context, into);
        self.watch(context, done)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, done)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::serve::Listener;
    use tokio::io::AsyncReadExt;
    use tokio::net::{TcpListener, TcpStream};

    use super::Bounded;

    #[test]
    fn a_client_that_says_nothing_is_cut_off() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let error = runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let mut bounded = Bounded { idle: Duration::from_millis(100), ..Bounded::new(listener) };
            let _client = TcpStream::connect(address).await.unwrap();
            let (mut connection, _) = bounded.accept().await;
            connection.read_u8().await.unwrap_err()
        });
        assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
    }
}
