//! What did the server answer? The HTTP response in a record: status, headers, and the body as it was meant.
//!
//! As lenient as browsers are: what is wrong in a head is passed over, a body that ends early is read as
//! far as it goes, and one that is not coded as it claims is taken as it is.

mod chunked;
mod coding;

use crate::warc::Headers;

/// What a server says about its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The first line as it was received, such as `HTTP/1.1 200 OK`.
    pub line: String,
    /// The status code, such as 200.
    pub status: u16,
    /// All lines behind it.
    pub headers: Headers,
}

/// An answer of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// Status and headers.
    pub head: Head,
    /// The body, decoded.
    pub body: Vec<u8>,
    /// Was the body longer than the limit?
    pub is_cut: bool,
    /// The first coding that could not be undone, if there is one: the body is still coded so, or never was.
    pub unknown_coding: Option<String>,
}

/// Why bytes are no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotHttp {
    /// The first line is no status line.
    #[error("the response does not begin with a status line")]
    Status,
    /// The lines behind it are no headers.
    #[error("the headers of the response cannot be read")]
    Headers,
}

/// The most lines of a head; browsers stop earlier.
const MOST_HEADERS: usize = 1 << 12;

impl Head {
    /// Reads the head of a response; what stands behind it is the body.
    ///
    /// # Errors
    /// If it does not begin as a response does.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), NotHttp> {
        let (head, body) = split(bytes);
        let first = memchr::memchr(b'\n', head).map_or(head.len(), |end| end + 1);
        let status = status(&head[..first]).ok_or(NotHttp::Status)?;
        let headers = headers(&head[first..]).ok_or(NotHttp::Headers)?;
        let line = String::from_utf8_lossy(head[..first].trim_ascii()).into_owned();
        Ok((Self { line, status, headers }, body))
    }

    /// The parts of all headers of a name, such as the codings of a body.
    pub(crate) fn list<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        list(&self.headers, name)
    }

    /// Did the server find what was asked for?
    #[must_use]
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Does the body come in pieces, by the server's word?
    #[must_use]
    pub fn is_chunked(&self) -> bool {
        list(&self.headers, "Transfer-Encoding").any(|name| name.eq_ignore_ascii_case("chunked"))
    }

    /// What the body is by the server's word, if it says anything. Browsers look at the body if not.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.headers.get("Content-Type").filter(|own| !essence(own).is_empty())
    }
}

impl Response {
    /// Reads a response with a body of `limit` bytes at most.
    ///
    /// # Errors
    /// If it does not begin as a response does.
    pub fn parse(bytes: &[u8], limit: usize) -> Result<Self, NotHttp> {
        let (head, body) = Head::parse(bytes)?;
        let joined = if head.is_chunked() { chunked::join(body) } else { body.into() };
        let codings: Vec<_> = list(&head.headers, "Content-Encoding").collect();
        let coding::Decoded { bytes: body, is_cut, unknown } = coding::decode(joined, &codings, limit);
        Ok(Self { body, is_cut, unknown_coding: unknown.map(str::to_owned), head })
    }
}

/// What is packed with gzip, one byte more than `limit` at most; none if it is not.
#[must_use]
pub fn gunzip(bytes: &[u8], limit: usize) -> Option<Vec<u8>> {
    coding::decoded(bytes, "gzip", limit)
}

/// Does this `Content-Type` stand for a page?
#[must_use]
pub fn is_html(content_type: &str) -> bool {
    ["text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"]
        .iter()
        .any(|known| essence(content_type).eq_ignore_ascii_case(known))
}

/// A head with the empty line at its end.
pub(crate) fn ended(head: &[u8]) -> Vec<u8> {
    let mut head = head.to_vec();
    if !head.ends_with(b"\n") {
        head.extend_from_slice(b"\r\n");
    }
    if !head.ends_with(b"\n\r\n") && !head.ends_with(b"\n\n") {
        head.extend_from_slice(b"\r\n");
    }
    head
}

/// A `Content-Type` without its parameters.
pub(crate) fn essence(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

/// Head and body. The head ends with an empty line, or with the bytes.
pub(crate) fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes) {
        if end > 0 && bytes[start..end].trim_ascii().is_empty() {
            return (&bytes[..start], &bytes[end + 1..]);
        }
        start = end + 1;
    }
    (bytes, &[])
}

/// The code of a status line of any version of HTTP.
fn status(line: &[u8]) -> Option<u16> {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_http = words.next()?.get(..5)?.eq_ignore_ascii_case(b"HTTP/");
    let code: u16 = str::from_utf8(words.next()?).ok()?.parse().ok()?;
    (is_http && (100..1000).contains(&code)).then_some(code)
}

/// The headers of these lines; what is no header is passed over.
fn headers(lines: &[u8]) -> Option<Headers> {
    let mut config = httparse::ParserConfig::default();
    config
        .allow_spaces_after_header_name_in_responses(true)
        .allow_obsolete_multiline_headers_in_responses(true)
        .ignore_invalid_headers_in_responses(true);
    // A head of thousands of lines is read as far as browsers would.
    let end = memchr::memchr_iter(b'\n', lines).nth(MOST_HEADERS - 1).map_or(lines.len(), |end| end + 1);
    let lines = &lines[..end];
    // The parser knows HTTP/1 only, and archives hold answers by HTTP/2 too: their lines are the same.
    // Of half a head it would return empty headers too: the last line may have no end, and then it gets one.
    let mut head = [b"HTTP/1.1 200 OK\r\n", lines, b"\r\n\r\n"].concat();
    blank_out(&mut head);
    let mut room = vec![httparse::EMPTY_HEADER; memchr::memchr_iter(b'\n', &head).count()];
    let mut response = httparse::Response::new(&mut room);
    config.parse_response(&mut response, &head).ok()?;
    let mut headers = Headers::default();
    for header in response.headers.iter() {
        headers.push(header.name, unfolded(&String::from_utf8_lossy(header.value)));
    }
    Some(headers)
}

/// A value that goes on in further lines, as one line (RFC 9112, section 5.2).
fn unfolded(value: &str) -> String {
    value.split('\n').map(str::trim_ascii).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A carriage return that does not end a line stands for a blank, and so does a zero (RFC 9110, section 5.5).
fn blank_out(head: &mut [u8]) {
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'\r', 0, &head[at..]) {
        at += found + 1;
        if head[at - 1] == 0 || head.get(at) != Some(&b'\n') {
            head[at - 1] = b' ';
        }
    }
}

/// The parts of a header that is a list.
fn list<'a>(headers: &'a Headers, name: &'a str) -> impl Iterator<Item = &'a str> {
    let values = headers.iter().filter(move |(own, _)| own.eq_ignore_ascii_case(name));
    values.flat_map(|(_, value)| value.split(',')).map(str::trim).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn parse(bytes: &[u8]) -> Response {
        Response::parse(bytes, 1 << 20).unwrap()
    }

    #[test]
    fn a_plain_response_is_read() {
        let response = parse(b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\n\r\n<p>hi");
        assert_eq!((response.head.status, response.body.as_slice()), (200, b"<p>hi".as_slice()));
        assert!(response.head.is_success() && response.head.content_type().is_some_and(is_html));
    }

    #[test]
    fn heads_are_read_as_leniently_as_browsers_do() {
        for head in ["HTTP/2 204", "http/1.0 204 No\nX", "HTTP/1.1  204 été\nA : b\n(: c\n: d\n\tmore"] {
            assert_eq!(parse(format!("{head}\n\nbody").as_bytes()).body, b"body", "{head}");
        }
        assert_eq!(parse(b"HTTP/1.1 200 OK").body, b"");
        assert_eq!(parse(b"HTTP/1.1 200 OK\r\nA: caf\xe9\r\n\r\n").head.headers.get("a"), Some("caf\u{fffd}"));
        assert_eq!(Response::parse(b"<html>", 9), Err(NotHttp::Status));
        assert_eq!(Response::parse(b"HTTP/1.1 abc\r\n\r\n", 9), Err(NotHttp::Status));
    }

    #[test]
    fn a_bare_carriage_return_or_a_zero_is_a_blank() {
        let response = parse(b"HTTP/1.1 200 OK\r\nA: b\rc\0d\r\nContent-Type: text/html\r\r\n\r\n<p>");
        let headers = &response.head.headers;
        assert_eq!((headers.get("a"), headers.get("content-type")), (Some("b c d"), Some("text/html")));
        assert_eq!(response.body, b"<p>");
    }

    #[test]
    fn a_value_that_goes_on_in_further_lines_is_one_line() {
        let response =
            parse(b"HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n\tcharset=x\r\nA:\n b\n \0\n c\r\n\r\n<p>");
        let headers = &response.head.headers;
        assert_eq!((headers.get("content-type"), headers.get("a")), (Some("text/html; charset=x"), Some("b c")));
        assert_eq!(response.body, b"<p>");
    }

    #[test]
    fn a_head_that_breaks_off_has_its_whole_lines_and_no_empty_ones() {
        for head in ["A: b", "A: b\r\nX\u{e9}: c", "A: b\r\nX", "A: b\n", "A: b\r"] {
            let response = parse(format!("HTTP/1.1 200 OK\r\n{head}").as_bytes());
            assert_eq!(response.head.headers.iter().collect::<Vec<_>>(), [("A", "b")], "{head:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn lines_behind_a_status_are_never_too_wrong(lines in "[a: \t\r\n\0é\u{7f}(]{0,40}", bytes: Vec<u8>) {
            let head = [b"HTTP/1.1 200 OK\r\n", lines.as_bytes(), &bytes].concat();
            proptest::prop_assert!(Head::parse(&head).is_ok(), "{:?}", head);
        }
    }

    #[test]
    fn codings_are_undone_in_their_order() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"text").unwrap();
        let twice = zstd::encode_all(gzip.finish().unwrap().as_slice(), 1).unwrap();
        let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, zstd\r\nTransfer-Encoding: chunked\r\n\r\n";
        let chunks = [format!("{:x};x=y\r\n", twice.len()).as_bytes(), &twice, b"\r\n0\r\n\r\n"].concat();
        assert_eq!(parse(&[head.as_slice(), &chunks].concat()).body, b"text");
    }

    #[test]
    fn a_body_that_would_be_huge_is_cut() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(&vec![b' '; 10 << 20]).unwrap();
        let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".as_slice();
        let response = Response::parse(&[head, &gzip.finish().unwrap()].concat(), 1_000).unwrap();
        assert_eq!((response.body.len(), response.is_cut), (1_000, true));
    }

    #[test]
    fn a_body_that_is_packed_twice_unpacks_to_a_multiple_of_what_was_sent() {
        let pack = |bytes: &[u8]| {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            gzip.write_all(bytes).unwrap();
            gzip.finish().unwrap()
        };
        let body = pack(&pack(&vec![0; 60 << 20]));
        let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\n\r\n".as_slice();
        let response = Response::parse(&[head, &body].concat(), 64 << 20).unwrap();
        assert_eq!((response.body.len(), response.is_cut), ((16 << 20) + 200 * body.len(), true));
        let response = Response::parse(&[head, &pack(&pack(&vec![b'x'; 16 << 20]))].concat(), 64 << 20).unwrap();
        assert_eq!((response.body.len(), response.is_cut), (16 << 20, false));
    }

    #[test]
    fn a_body_that_is_not_coded_as_it_claims_is_taken_as_it_is() {
        for claim in [
            "Content-Encoding: br",
            "Content-Encoding: gzip",
            "Content-Encoding: deflate",
            "Content-Encoding: zstd",
            "Content-Encoding: nonsense",
            "Transfer-Encoding: chunked",
        ] {
            let response = parse(format!("HTTP/1.1 200 OK\r\n{claim}\r\n\r\n<p>plain</p>").as_bytes());
            assert_eq!(String::from_utf8_lossy(&response.body), "<p>plain</p>", "{claim}");
            assert_eq!(response.unknown_coding.as_deref(), claim.strip_prefix("Content-Encoding: "), "{claim}");
        }
        let response = parse(b"HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\n\r\n<p>");
        assert_eq!(response.unknown_coding, None);
    }

    #[test]
    fn a_head_of_thousands_of_lines_is_read() {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{}\r\n<p>", "X: y\r\n".repeat(10_000));
        let response = parse(head.as_bytes());
        assert_eq!((response.head.content_type(), response.body.as_slice()), (Some("text/html"), b"<p>".as_slice()));
    }
}
