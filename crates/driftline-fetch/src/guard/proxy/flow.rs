//! How do bytes go to and fro? Counted, and not for ever.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::try_join;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::head;

/// How much is read at once.
const CHUNK: usize = 32 << 10;

/// A server may announce so many answers before its answer.
const MOST_INTERIM: usize = 8;

/// Counts the bytes of all connections of a page.
#[derive(Debug)]
pub(super) struct Meter {
    gone: AtomicU64,
    most: u64,
    idle: Duration,
}

impl Meter {
    pub(super) fn new(most: u64, idle: Duration) -> Self {
        Self { gone: AtomicU64::new(0), most, idle }
    }

    pub(super) fn is_used_up(&self) -> bool {
        self.gone.load(Ordering::Relaxed) > self.most
    }

    fn count(&self, bytes: usize) -> io::Result<()> {
        self.gone.fetch_add(bytes as u64, Ordering::Relaxed);
        if self.is_used_up() { Err(io::ErrorKind::QuotaExceeded.into()) } else { Ok(()) }
    }

    /// Waits for something to go, or fails when it did not in time.
    async fn in_time<T>(&self, work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
        timeout(self.idle, work).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }
}

/// Says no, and closes.
pub(super) async fn refuse(client: &mut TcpStream, status: &str) {
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    // The browser may have gone already.
    let _ = client.write_all(answer.as_bytes()).await;
    let _ = client.shutdown().await;
}

/// A tunnel: what goes through it is between the two ends.
pub(super) async fn tunnel(mut client: TcpStream, mut server: TcpStream, rest: &[u8], meter: &Meter) -> io::Result<()> {
    client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
    server.write_all(rest).await?;
    both_ways(client, server, meter).await
}

/// A page over plain HTTP: one request and its answer.
pub(super) async fn plain(
    mut client: TcpStream,
    mut server: TcpStream,
    question: &[u8],
    meter: &Meter,
) -> io::Result<()> {
    server.write_all(question).await?;
    let mut bytes = Vec::new();
    for _ in 0..MOST_INTERIM {
        let end = meter.in_time(head::read_head(&mut server, &mut bytes)).await?;
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let rest = bytes.split_off(end);
        let (head, is_interim) = head::answer(&bytes)?;
        client.write_all(&head).await?;
        bytes = rest;
        if !is_interim {
            meter.count(bytes.len())?;
            client.write_all(&bytes).await?;
            return both_ways(client, server, meter).await;
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}

async fn both_ways(client: TcpStream, server: TcpStream, meter: &Meter) -> io::Result<()> {
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    try_join(pump(from_client, to_server, meter), pump(from_server, to_client, meter)).await?;
    Ok(())
}

/// Passes on what comes until it ends. Silence on one side is fine as long as something goes on the other.
async fn pump(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, meter: &Meter) -> io::Result<()> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let before = meter.gone.load(Ordering::Relaxed);
        match timeout(meter.idle, from.read(&mut chunk)).await {
            Ok(Ok(0)) => return to.shutdown().await,
            Ok(Ok(length)) => {
                meter.count(length)?;
                meter.in_time(to.write_all(&chunk[..length])).await?;
            }
            Ok(Err(error)) => return Err(error),
            Err(_) if meter.gone.load(Ordering::Relaxed) > before => {}
            Err(_) => return Err(io::ErrorKind::TimedOut.into()),
        }
    }
}
