//! What if the operator has a proxy too? Then ours asks it, after it has judged what is asked for.

use std::io;
use std::net::IpAddr;

use data_encoding::BASE64;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use url::Url;

use super::head::{self, Asked, Form};
use crate::guard::Guard;

/// A proxy of the operator's.
#[derive(Clone)]
pub(crate) struct Upstream {
    kind: Kind,
    host: String,
    port: u16,
    /// The name and the password.
    credentials: Option<(String, String)>,
    /// Did the operator name it? One that a watch names is guarded as pages are.
    is_trusted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Http,
    Socks,
}

impl std::fmt::Display for Upstream {
    /// Its address in backticks, without a name and a password.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scheme = if self.is_socks() { "socks5h" } else { "http" };
        write!(out, "`{scheme}://{}:{}`", self.host, self.port)
    }
}

impl std::fmt::Debug for Upstream {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:?} {}:{}", self.kind, self.host, self.port)
    }
}

impl Upstream {
    /// Reads `http://user:password@host:port` or `socks5h://…`; `None` if it is neither.
    pub(crate) fn new(url: &Url, is_trusted: bool) -> Option<Self> {
        let (kind, usual) = match url.scheme() {
            "http" => (Kind::Http, 80),
            "socks5h" => (Kind::Socks, 1080),
            _ => return None,
        };
        let credentials = (!url.username().is_empty())
            .then(|| (percent_decoded(url.username()), percent_decoded(url.password().unwrap_or_default())));
        let host = url.host_str().filter(|host| !host.is_empty())?.to_owned();
        Some(Self { kind, host, port: url.port().unwrap_or(usual), credentials, is_trusted })
    }

    pub(super) fn is_socks(&self) -> bool {
        self.kind == Kind::Socks
    }

    /// A connection to what is asked for, through this proxy, which looks its name up itself; or why there is none.
    pub(super) async fn connect(&self, guard: &Guard, asked: &Asked) -> Result<TcpStream, String> {
        let mut stream = self.reach(guard).await.map_err(|why| format!("cannot reach the proxy {self}: {why}"))?;
        let through = match (self.kind, &asked.form) {
            (Kind::Http, Form::Tunnel) => self.tunnel(&mut stream, asked).await,
            (Kind::Http, Form::Plain { .. }) => Ok(()),
            (Kind::Socks, _) => self.socks(&mut stream, asked).await,
        };
        through.map_err(|why| format!("the proxy {self} does not connect to `{}`: {why}", asked.host))?;
        Ok(stream)
    }

    /// A connection to this proxy.
    async fn reach(&self, guard: &Guard) -> io::Result<TcpStream> {
        let at = if self.is_trusted {
            guard.resolve_unguarded(&self.host, self.port).await
        } else {
            guard.resolve(&self.host, self.port).await
        };
        TcpStream::connect(at.map_err(io::Error::other)?.as_slice()).await
    }

    /// Is a page over plain HTTP asked for by its whole address? Then this is the end of its head.
    pub(super) fn head(&self, asked: &Asked) -> Option<Vec<u8>> {
        let Form::Plain { absolute, .. } = &asked.form else { return None };
        (self.kind == Kind::Http)
            .then(|| [absolute.as_slice(), self.who().as_bytes(), b"Connection: close\r\n\r\n"].concat())
    }

    fn who(&self) -> String {
        self.credentials.as_ref().map_or_else(String::new, |(user, password)| {
            format!("Proxy-Authorization: Basic {}\r\n", BASE64.encode(format!("{user}:{password}").as_bytes()))
        })
    }

    async fn tunnel(&self, stream: &mut TcpStream, asked: &Asked) -> io::Result<()> {
        let host = match asked.host.parse() {
            Ok(IpAddr::V6(address)) => format!("[{address}]"),
            _ => asked.host.clone(),
        };
        let authority = format!("{host}:{}", asked.port);
        let question = format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n{}\r\n", self.who());
        stream.write_all(question.as_bytes()).await?;
        let mut bytes = Vec::new();
        let end = head::read_head(stream, &mut bytes).await?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let is_good = end == bytes.len() && matches!(bytes.get(9..12), Some([b'2', ..]));
        if is_good { Ok(()) } else { Err(io::Error::other("it refuses")) }
    }

    /// RFC 1928 and, for a name and a password, RFC 1929.
    async fn socks(&self, stream: &mut TcpStream, asked: &Asked) -> io::Result<()> {
        let no = || io::Error::other("it refuses");
        stream.write_all(if self.credentials.is_some() { &[5, 1, 2] } else { &[5, 1, 0] }).await?;
        let mut chosen = [0; 2];
        stream.read_exact(&mut chosen).await?;
        match (chosen, &self.credentials) {
            ([5, 0], None) => {}
            ([5, 2], Some((user, password))) => {
                let question = [vec![1], counted(user)?, counted(password)?].concat();
                stream.write_all(&question).await?;
                stream.read_exact(&mut chosen).await?;
                if chosen[1] != 0 {
                    return Err(io::Error::other("it wants another name and password"));
                }
            }
            _ => return Err(no()),
        }
        let mut question = vec![5, 1, 0];
        match asked.host.parse() {
            Ok(IpAddr::V4(address)) => question.extend([&[1][..], &address.octets()].concat()),
            Ok(IpAddr::V6(address)) => question.extend([&[4][..], &address.octets()].concat()),
            Err(_) => question.extend([&[3], counted(&asked.host)?.as_slice()].concat()),
        }
        question.extend(asked.port.to_be_bytes());
        stream.write_all(&question).await?;
        let mut answer = [0; 4];
        stream.read_exact(&mut answer).await?;
        let length = match answer {
            [5, 0, _, 1] => 4,
            [5, 0, _, 4] => 16,
            [5, 0, _, 3] => usize::from(stream.read_u8().await?),
            _ => return Err(no()),
        };
        let mut bound = vec![0; length + 2];
        stream.read_exact(&mut bound).await?;
        Ok(())
    }
}

/// A text with its length before it, in one byte.
fn counted(text: &str) -> io::Result<Vec<u8>> {
    let length = u8::try_from(text.len()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    Ok([&[length], text.as_bytes()].concat())
}

/// `%40` is `@`, as passwords in addresses are written.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let coded = behind.get(..2).filter(|_| first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match coded.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &behind[2..]),
            None => (bytes.push(first), rest = behind),
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
