//! What does the browser ask the proxy for? A tunnel to a host, or a page over plain HTTP.
//!
//! Each connection carries one request: what was judged is what is asked. A second request on it could be meant for
//! another host, so both sides are told to close.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use url::{Host, Url};

/// No head is longer.
const MOST_BYTES: usize = 64 << 10;

/// No head has more fields.
const MOST_FIELDS: usize = 200;

/// Fields that concern one connection only, and are not passed on.
const OF_A_CONNECTION: [&str; 8] = [
    "connection",
    "keep-alive",
    "proxy-connection",
    "proxy-authorization",
    "proxy-authenticate",
    "te",
    "trailer",
    "upgrade",
];

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub struct Asked {
    /// The host, as addresses have it.
    pub host: String,
    /// The port.
    pub port: u16,
    /// A tunnel, or a page.
    pub form: Form,
    /// What came behind the head.
    pub rest: Vec<u8>,
}

/// In which of the two ways.
#[derive(Debug, PartialEq, Eq)]
pub enum Form {
    /// `CONNECT host:port`: bytes to and fro.
    Tunnel,
    /// `GET http://host/path`.
    Plain {
        /// The head for the server.
        direct: Vec<u8>,
        /// The head for another proxy, without its end.
        absolute: Vec<u8>,
    },
}

/// Reads a request; `None` if the browser closed the connection before it said anything.
pub(super) async fn read(client: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Asked>> {
    let mut bytes = Vec::new();
    let Some(end) = read_head(client, &mut bytes).await? else { return Ok(None) };
    let rest = bytes.split_off(end);
    parse(&bytes, rest).map(Some)
}

/// Reads until the empty line behind a head, and says where it ends; `None` if there was nothing at all.
pub(super) async fn read_head(from: &mut (impl AsyncRead + Unpin), bytes: &mut Vec<u8>) -> io::Result<Option<usize>> {
    let mut looked = 0;
    loop {
        if let Some(at) = bytes[looked..].windows(4).position(|end| end == b"\r\n\r\n") {
            return Ok(Some(looked + at + 4));
        }
        looked = bytes.len().saturating_sub(3);
        if bytes.len() > MOST_BYTES {
            return Err(bad("a head is too long"));
        }
        if from.read_buf(bytes).await? == 0 {
            return if bytes.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
    }
}

/// Reads the head of a request; `rest` came behind it.
///
/// # Errors
/// If it is neither a tunnel to a host and port nor a request for an address of plain HTTP.
pub fn parse(bytes: &[u8], rest: Vec<u8>) -> io::Result<Asked> {
    let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
    let mut request = httparse::Request::new(&mut fields);
    let is_partial = request.parse(bytes).map_err(|error| bad(&error.to_string()))?.is_partial();
    let (Some(method), Some(target), false) = (request.method, request.path, is_partial) else {
        return Err(bad("half a request"));
    };
    if method == "CONNECT" {
        let (host, port) = authority(target).ok_or_else(|| bad("no host and port"))?;
        return Ok(Asked { host, port, form: Form::Tunnel, rest });
    }
    let url = Url::parse(target).ok().filter(|url| url.scheme() == "http").ok_or_else(|| bad("no plain address"))?;
    let host = url.host_str().ok_or_else(|| bad("no host"))?.to_owned();
    let port = url.port_or_known_default().unwrap_or(80);
    let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let head = |target: &str| {
        let mut head = format!("{method} {target} HTTP/1.1\r\n").into_bytes();
        pass_on(&mut head, request.headers);
        head
    };
    let mut direct = head(path);
    direct.extend_from_slice(b"Connection: close\r\n\r\n");
    let absolute = head(&url[..url::Position::AfterQuery]);
    Ok(Asked { host, port, form: Form::Plain { direct, absolute }, rest })
}

/// A host and a port, as `CONNECT` names them, in the form that addresses have.
fn authority(text: &str) -> Option<(String, u16)> {
    let (host, port) = text.rsplit_once(':')?;
    let host = match Host::parse(host).ok()? {
        Host::Domain(name) => name,
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => address.to_string(),
    };
    Some((host, port.parse().ok()?))
}

/// The head of an answer for the browser, which shall not use the connection again. Says whether the answer is one
/// that another follows (`100 Continue`).
///
/// # Errors
/// If it is not the head of an answer.
pub fn answer(bytes: &[u8]) -> io::Result<(Vec<u8>, bool)> {
    let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
    let mut response = httparse::Response::new(&mut fields);
    let is_partial = response.parse(bytes).map_err(|error| bad(&error.to_string()))?.is_partial();
    let (Some(version), Some(status), false) = (response.version, response.code, is_partial) else {
        return Err(bad("half an answer"));
    };
    let is_interim = (100..200).contains(&status);
    let reason = response.reason.unwrap_or_default();
    let mut head = format!("HTTP/1.{version} {status} {reason}\r\n").into_bytes();
    pass_on(&mut head, response.headers);
    head.extend_from_slice(if is_interim { b"\r\n" } else { b"Connection: close\r\n\r\n" });
    Ok((head, is_interim))
}

fn pass_on(head: &mut Vec<u8>, fields: &[httparse::Header<'_>]) {
    for field in fields.iter().filter(|field| !OF_A_CONNECTION.iter().any(|name| field.name.eq_ignore_ascii_case(name)))
    {
        head.extend_from_slice(field.name.as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(field.value);
        head.extend_from_slice(b"\r\n");
    }
}

fn bad(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::{Form, answer, parse};

    fn parsed(text: &str) -> Option<(String, u16, Option<String>)> {
        let asked = parse(text.as_bytes(), Vec::new()).ok()?;
        let direct = match asked.form {
            Form::Tunnel => None,
            Form::Plain { direct, .. } => Some(String::from_utf8(direct).unwrap()),
        };
        Some((asked.host, asked.port, direct))
    }

    #[test]
    fn a_tunnel_and_a_plain_page_are_told_apart() {
        let tunnel =
            |target: &str| parsed(&format!("CONNECT {target} HTTP/1.1\r\n\r\n")).map(|asked| (asked.0, asked.1));
        assert_eq!(tunnel("example.org:443"), Some(("example.org".to_owned(), 443)));
        assert_eq!(tunnel("[::ffff:7f00:1]:80"), Some(("::ffff:127.0.0.1".to_owned(), 80)));
        assert_eq!(tunnel("0x7f.1:80"), Some(("127.0.0.1".to_owned(), 80)), "as a browser reads it");
        let plain = "GET http://example.org:8080/a?b HTTP/1.1\r\nHost: example.org:8080\r\nProxy-Connection: keep-alive\r\n\
                     Connection: keep-alive\r\nCookie: a=b\r\n\r\n";
        let direct = "GET /a?b HTTP/1.1\r\nHost: example.org:8080\r\nCookie: a=b\r\nConnection: close\r\n\r\n";
        assert_eq!(parsed(plain), Some(("example.org".to_owned(), 8080, Some(direct.to_owned()))));
    }

    #[test]
    fn what_is_neither_is_refused() {
        for target in
            ["GET /a", "GET https://a/", "GET file:///etc/passwd", "CONNECT a", "CONNECT :80", "CONNECT a:b", "X"]
        {
            assert_eq!(parsed(&format!("{target} HTTP/1.1\r\n\r\n")), None, "{target}");
        }
        assert_eq!(parsed("\0\u{1}\r\n\r\n"), None);
    }

    #[test]
    fn half_a_head_is_refused() {
        assert_eq!(parsed("GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nConnection:"), None);
        assert!(answer(b"HTTP/1.1 200 OK\r\nA: b\r\nC:").is_err());
    }

    #[test]
    fn an_answer_says_that_the_connection_ends() {
        let (head, is_interim) = answer(b"HTTP/1.1 200 OK\r\nKeep-Alive: x\r\nA: b\r\n\r\n").unwrap();
        assert_eq!(String::from_utf8(head).unwrap(), "HTTP/1.1 200 OK\r\nA: b\r\nConnection: close\r\n\r\n");
        assert!(!is_interim && answer(b"HTTP/1.1 103 Early Hints\r\n\r\n").unwrap().1);
    }
}
