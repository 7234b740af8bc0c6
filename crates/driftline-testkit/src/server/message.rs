//! What is asked, and what is answered.

use std::io::{self, BufRead, Read, Write};

/// No head of a request, and no body of one, is longer.
const MOST: u64 = 16 << 20;

/// What a client asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST`, …
    pub method: String,
    /// What was asked for, with `?…`.
    pub path: String,
    /// Its headers, in order.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: Vec<u8>,
}

/// What it is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Headers besides the length.
    pub headers: Vec<(String, String)>,
    /// The body, as it is sent.
    pub body: Vec<u8>,
}

impl Request {
    /// The first header of this name, in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Reads one; none if the client is gone, or sent what is none.
    pub fn read(from: &mut impl BufRead) -> Option<Self> {
        let mut lines = Vec::new();
        let mut head = from.by_ref().take(MOST);
        loop {
            let mut line = Vec::new();
            if head.read_until(b'\n', &mut line).ok()? == 0 {
                return None;
            }
            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
            if line.is_empty() {
                break;
            }
            lines.push(line);
        }
        let mut first = lines.first()?.split(' ');
        let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
        let header =
            |line: &String| line.split_once(':').map(|(name, value)| (name.to_owned(), value.trim().to_owned()));
        let headers = lines.iter().skip(1).filter_map(header).collect();
        let mut request = Self { method, path, headers, body: Vec::new() };
        let length = request.header("content-length").map_or(Some(0), |length| length.parse().ok())?;
        from.take(length.min(MOST)).read_to_end(&mut request.body).ok()?;
        Some(request)
    }
}

impl Response {
    /// A page.
    #[must_use]
    pub fn html(body: impl Into<Vec<u8>>) -> Self {
        Self::new(200, body).with("Content-Type", "text/html; charset=utf-8")
    }

    /// A feed.
    #[must_use]
    pub fn feed(body: impl Into<Vec<u8>>) -> Self {
        Self::new(200, body).with("Content-Type", "application/atom+xml")
    }

    /// Plain text.
    #[must_use]
    pub fn text(body: impl Into<Vec<u8>>) -> Self {
        Self::new(200, body).with("Content-Type", "text/plain; charset=utf-8")
    }

    /// A status, and nothing else.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self::new(status, Vec::new())
    }

    /// The page is elsewhere.
    #[must_use]
    pub fn redirect(to: &str) -> Self {
        Self::status(302).with("Location", to)
    }

    /// A status and a body without a type.
    #[must_use]
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: body.into() }
    }

    /// With one more header.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With `ETag`, as it is written: with its quotes.
    #[must_use]
    pub fn with_etag(self, etag: &str) -> Self {
        self.with("ETag", etag)
    }

    /// Answers 304 without a body if the client has just this: the same `ETag`, or without one the same
    /// `Last-Modified`.
    #[must_use]
    pub fn conditional(mut self, request: &Request) -> Self {
        let own = |name: &str| self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
        let is_same = match request.header("if-none-match") {
            Some(asked) => own("ETag") == Some(asked),
            None => own("Last-Modified").is_some_and(|own| request.header("if-modified-since") == Some(own)),
        };
        if is_same {
            self.status = 304;
            self.body.clear();
        }
        self
    }

    /// Writes it, with its length; of an answer to `HEAD` only the head.
    ///
    /// # Errors
    /// If the client is gone.
    pub fn write(&self, to: &mut impl Write, is_head: bool) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if self.status != 304 {
            head += &format!("Content-Length: {}\r\n", self.body.len());
        }
        let body = if is_head { &[][..] } else { &self.body };
        to.write_all(&[head.as_bytes(), b"\r\n", body].concat())
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        302 => "Found",
        304 => "Not Modified",
        404 => "Not Found",
        410 => "Gone",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Status",
    }
}
