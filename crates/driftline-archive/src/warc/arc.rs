//! ARC, the format before WARC: a line of fields, then the body.
//!
//! `URL IP-address Archive-date Content-type Archive-length`, and in version 2 five more before the length.
//! Crawlers wrote blanks into addresses, and lines of version 1 into files that announce version 2. So a line is
//! split from its end, and its version is known by the place of its date. The first record describes the file;
//! two lines of its body name the version and the fields.

use super::head::{Headers, decode};

const FIELDS: [&str; 5] = ["URL", "IP-address", "Archive-date", "Content-type", "Archive-length"];
const FIELDS_OF_2: [&str; 10] = [
    "URL",
    "IP-address",
    "Archive-date",
    "Content-type",
    "Result-code",
    "Checksum",
    "Location",
    "Offset",
    "Filename",
    "Archive-length",
];
/// How the line of the first record begins.
const FILE: &str = "filedesc://";

/// Could a record begin with this line, where one is expected? Any line of five words can, if it begins with an
/// address and ends with a number.
pub(super) fn begins(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    if line.starts_with(FILE.as_bytes()) {
        return true;
    }
    let address = memchr::memchr(b' ', line).map_or(line, |end| &line[..end]);
    let length = memchr::memrchr(b' ', line).map_or(&[][..], |at| &line[at + 1..]);
    let digits = length.strip_prefix(b"-").unwrap_or(length);
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number && address.contains(&b':') && memchr::memchr_iter(b' ', line).nth(FIELDS.len() - 2).is_some()
}

/// Does a record begin with this line for sure, wherever it stands?
pub(super) fn is_head(line: &[u8]) -> bool {
    begins(line) && fields(&decode(line.trim_ascii_end())).is_some_and(|headers| is_dated(&headers))
}

fn is_dated(headers: &Headers) -> bool {
    let date = headers.get("Archive-date").unwrap_or_default();
    let ip = headers.get("IP-address").unwrap_or_default();
    (8..=17).contains(&date.len()) && date.bytes().all(|byte| byte.is_ascii_digit()) && is_ip(ip)
}

fn is_ip(text: &str) -> bool {
    text.parse::<std::net::IpAddr>().is_ok()
}

/// The fields of a line; none if it has too few.
pub(super) fn fields(line: &str) -> Option<Headers> {
    let of_2 = split(line, &FIELDS_OF_2).filter(is_dated);
    of_2.or_else(|| split(line, &FIELDS))
}

fn split(line: &str, names: &[&str]) -> Option<Headers> {
    let mut values: Vec<&str> = line.rsplitn(names.len(), ' ').collect();
    values.reverse();
    let mut headers = Headers::default();
    for (name, value) in names.iter().zip(&values) {
        headers.push(*name, *value);
    }
    (values.len() == names.len()).then_some(headers)
}

/// Does this record describe its file?
pub(super) fn is_file(headers: &Headers) -> bool {
    headers.get("URL").is_some_and(|url| url.starts_with(FILE))
}

#[cfg(test)]
mod tests {
    use super::{begins, fields, is_head};

    #[test]
    fn lines_of_both_versions_are_told_apart() {
        let one = "http://a.org/b c 1.2.3.4 20010203040506 text/html 99";
        let two = "http://a.org/ 1.2.3.4 20010203040506 text/html 200 c4ca - 1234 x.arc.gz 99";
        for (line, url, code) in [(one, "http://a.org/b c", None), (two, "http://a.org/", Some("200"))] {
            let headers = fields(line).unwrap();
            let get = |name| headers.get(name);
            assert_eq!((get("URL"), get("Archive-length"), get("Result-code")), (Some(url), Some("99"), code));
            assert!(is_head(line.as_bytes()));
        }
        assert_eq!(fields("http://a.org/ text/html 99"), None);
    }

    #[test]
    fn a_line_of_text_is_no_head() {
        for line in ["It was a dark and stormy night", "HTTP/1.1 200 OK", "note: it has 1 of 2 and 3", ""] {
            assert!(!is_head(line.as_bytes()), "{line}");
        }
        let odd = b"http://a.org/ 1.2.3.4 a0d1fddd  -2046788874\r\n";
        assert!(begins(odd) && !is_head(odd));
        assert!(begins(b"filedesc://x.arc"));
    }
}
