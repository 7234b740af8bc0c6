//! Records without the secrets that servers answered with.
//!
//! Who fetches a page with a password or a cookie gets session cookies and tokens back. They stay in the archive, and an
//! export that is shared has them masked. A capture says whether secrets were sent for it ([`CREDENTIALS`]). One of an
//! older driftline does not: it is known by the fields of its head and their order, and treated as if they were.

use std::io::{self, Read, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

use crate::capture::CREDENTIALS;
use crate::http;
use crate::warc::write::NewRecord;
use crate::warc::{Error, Format, Kind, Reader, Record};
use driftline_catalog::digest::{Algorithm, Digester};

/// The field of a record that names the headers whose values were masked.
pub const MASKED: &str = "Driftline-Masked";

/// What is there instead of a value.
pub const MASK: &str = "masked";

/// A longer head of a message is taken for its body.
const MOST_HEAD: usize = 1 << 20;

/// A longer record waits in a temporary file.
pub(super) const MOST_IN_MEMORY: usize = 8 << 20;

/// Parts of the names of headers with secrets, without hyphens.
const SECRET_PARTS: [&str; 13] = [
    "apikey",
    "authenticationinfo",
    "authorization",
    "bearer",
    "cookie",
    "credential",
    "csrf",
    "jwt",
    "passw",
    "secret",
    "session",
    "token",
    "xsrf",
];

/// Words that are secrets if they are between hyphens.
const SECRET_WORDS: [&str; 3] = ["auth", "otp", "sid"];

/// The fields that driftline writes in records of messages, in the order of writing; the first four are always there.
const OWN_FIELDS: [&str; 15] = [
    "WARC-Type",
    "WARC-Record-ID",
    "WARC-Date",
    "WARC-Target-URI",
    "WARC-IP-Address",
    "WARC-Protocol",
    "WARC-Cipher-Suite",
    "WARC-Payload-Digest",
    "WARC-Profile",
    "WARC-Refers-To-Target-URI",
    "WARC-Refers-To-Date",
    "WARC-Refers-To",
    "WARC-Concurrent-To",
    "WARC-Block-Digest",
    "Content-Type",
];

/// What became of a record.
pub(super) enum Rewritten {
    /// Nothing in it is secret; this much of its block was read.
    Same(Vec<u8>),
    /// A head that was changed, and a block with another beginning.
    Masked { head: Vec<u8>, block: SpooledTempFile },
}

/// May there be secrets in a record, of those that a server answers with only if it was sent some?
pub(super) fn is_suspect(record: &Record) -> bool {
    if !matches!(record.kind, Kind::Response | Kind::Revisit | Kind::Request) {
        return false;
    }
    match record.headers.get(CREDENTIALS) {
        Some(said) => said != "none",
        None => is_own(record),
    }
}

/// Does a record look as driftline writes it? Other programs have these fields in another order.
fn is_own(record: &Record) -> bool {
    let mut names = record.headers.iter().map(|(name, _)| name);
    let begins = OWN_FIELDS[..4].iter().all(|own| names.next() == Some(own));
    let mut names: Vec<_> = names.collect();
    let has = |wanted: &str| names.contains(&wanted);
    let is_whole = has("WARC-Block-Digest") && has("Content-Type");
    let ends = names.pop() == Some("Content-Length");
    begins && is_whole && ends && record.format == Format::Warc && names.iter().all(|name| OWN_FIELDS.contains(name))
}

/// Masks what is secret in the record that `reader` has just returned.
pub(super) fn rewrite<R: Read>(reader: &mut Reader<R>, record: &Record) -> Result<Rewritten, Error> {
    let fields = reader.head_bytes().to_vec();
    let start = reader.body(MOST_HEAD)?.bytes;
    let (head, body) = http::split(&start);
    let is_request = record.kind == Kind::Request;
    let (masked, names) = hide(head, |name| is_secret(name) || is_request && name == "referer");
    if names.is_empty() {
        return Ok(Rewritten::Same(start));
    }
    let failed = |source| Error::Io { offset: record.place.offset, source };
    let mut block = Block::default();
    for part in [masked.as_slice(), &start[head.len()..start.len() - body.len()], body] {
        block.write_all(part).map_err(failed)?;
    }
    let rest = io::copy(&mut reader.body_reader(), &mut block).map_err(failed)?;
    if start.len() as u64 + rest < record.length {
        return Err(Error::Truncated { place: record.place });
    }
    block.under(&fields, &names).map_err(failed)
}

/// A block that is being written, and its digest.
struct Block {
    bytes: SpooledTempFile,
    length: u64,
    digester: Digester,
}

impl Default for Block {
    fn default() -> Self {
        let digester = Digester::new(Algorithm::Sha1);
        Self { bytes: SpooledTempFile::new(MOST_IN_MEMORY), length: 0, digester }
    }
}

impl Block {
    /// The record with this block: its fields as they were, but for what is said of the block.
    fn under(mut self, fields: &[u8], names: &[String]) -> io::Result<Rewritten> {
        let mut head = Vec::with_capacity(fields.len() + 100);
        let mut masked = names.to_vec();
        for line in fields.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            let name = line.split(|byte| *byte == b':').next().unwrap_or_default().trim_ascii();
            let is = |wanted: &str| name.eq_ignore_ascii_case(wanted.as_bytes());
            if is(MASKED) {
                // What was masked before still is.
                let value = String::from_utf8_lossy(&line[name.len()..]).into_owned();
                let before = value.trim_start_matches(':').split(',').map(|name| name.trim().to_owned());
                masked.extend(before.filter(|name| !name.is_empty()));
            } else if !is("WARC-Block-Digest") && !is("Content-Length") {
                head.extend_from_slice(line);
            }
        }
        masked.sort();
        masked.dedup();
        let (digest, length) = (self.digester.finish(), self.length);
        let said = format!(
            "{MASKED}: {}\r\nWARC-Block-Digest: {digest}\r\nContent-Length: {length}\r\n\r\n",
            masked.join(", ")
        );
        head.extend_from_slice(said.as_bytes());
        self.bytes.seek(SeekFrom::Start(0))?;
        Ok(Rewritten::Masked { head, block: self.bytes })
    }
}

impl Write for Block {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.bytes.write(bytes)?;
        self.digester.update(&bytes[..count]);
        self.length += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.bytes.flush()
    }
}

impl Rewritten {
    /// All of the record, from its first line to the empty lines behind it; none if nothing in it is secret.
    pub(super) fn into_reader(self) -> Option<impl Read> {
        match self {
            Self::Same(_) => None,
            Self::Masked { head, block } => Some(io::Cursor::new(head).chain(block).chain(NewRecord::END)),
        }
    }
}

/// Is this the name of a header whose value may be a secret? It is written in small letters.
fn is_secret(name: &str) -> bool {
    let bare = name.replace(['-', '_'], "");
    let has_word = || name.split(['-', '_']).any(|word| SECRET_WORDS.contains(&word));
    // `Access-Control-Allow-Credentials` says what browsers may do.
    !name.starts_with("access-control-") && (SECRET_PARTS.iter().any(|part| bare.contains(part)) || has_word())
}

/// The head of a message with the values of some headers masked, and their names.
fn hide(head: &[u8], is_wanted: impl Fn(&str) -> bool) -> (Vec<u8>, Vec<String>) {
    let (mut masked, mut names, mut is_hidden) = (Vec::with_capacity(head.len()), Vec::new(), false);
    for (number, line) in head.split_inclusive(|byte| *byte == b'\n').enumerate() {
        // A line that begins with a blank goes on with the value before.
        if line.starts_with(b" ") || line.starts_with(b"\t") {
            if !is_hidden {
                masked.extend_from_slice(line);
            }
            continue;
        }
        is_hidden = false;
        let colon = line.iter().position(|byte| *byte == b':').filter(|_| number > 0);
        let name = colon.map(|end| String::from_utf8_lossy(line[..end].trim_ascii()).to_ascii_lowercase());
        match (colon, name.filter(|name| is_wanted(name))) {
            (Some(end), Some(name)) if line[end + 1..].trim_ascii() != MASK.as_bytes() => {
                is_hidden = true;
                masked.extend_from_slice(&line[..end]);
                masked.extend_from_slice(format!(": {MASK}").as_bytes());
                masked.extend_from_slice(&line[line.trim_ascii_end().len()..]);
                names.push(name);
            }
            _ => masked.extend_from_slice(line),
        }
    }
    names.sort();
    names.dedup();
    (masked, names)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use proptest::prelude::*;

    use super::{hide, is_secret, is_suspect, rewrite};
    use crate::capture::CREDENTIALS;
    use crate::warc::write::{NewRecord, fields};
    use crate::warc::{Kind, Reader};

    #[test]
    fn headers_with_secrets_are_known_by_their_names() {
        let secret = [
            "set-cookie",
            "set-cookie2",
            "x-auth-token",
            "x-csrf-token",
            "x-csrftoken",
            "x-api-key",
            "x_api_key",
            "x-apikey",
            "authorization",
            "authentication-info",
            "x-amz-security-token",
            "x-session-id",
            "x-sessionid",
            "php-sid",
            "x-access-token",
            "x-auth",
            "x-jwt-assertion",
            "x-client-secret",
            "proxy-authorization",
        ];
        let open = [
            "content-type",
            "location",
            "etag",
            "link",
            "www-authenticate",
            "proxy-authenticate",
            "author",
            "x-author",
            "access-control-allow-credentials",
            "vary",
            "date",
            "server",
            "x-side",
            "cache-control",
            "age",
        ];
        assert_eq!(secret.iter().filter(|name| !is_secret(name)).collect::<Vec<_>>(), Vec::<&&str>::new());
        assert_eq!(open.iter().filter(|name| is_secret(name)).collect::<Vec<_>>(), Vec::<&&str>::new());
    }

    #[test]
    fn values_are_masked_with_the_lines_that_they_go_on_in() {
        let head = b"HTTP/1.1 200 OK\r\nSet-Cookie: a=1;\r\n\tPath=/\r\nX-Folded: b\r\n c\r\nx-auth-token:d\nset-cookie: masked\r\n";
        let (masked, names) = hide(head, is_secret);
        let wanted = "HTTP/1.1 200 OK\r\nSet-Cookie: masked\r\nX-Folded: b\r\n c\r\nx-auth-token: masked\nset-cookie: masked\r\n";
        assert_eq!(String::from_utf8(masked.clone()).unwrap(), wanted);
        assert_eq!(names, ["set-cookie", "x-auth-token"]);
        assert_eq!(hide(&masked, is_secret), (masked, Vec::new()), "once is enough");
    }

    #[test]
    fn only_records_that_driftline_wrote_are_suspected() {
        let suspected = |text: &str| {
            let mut reader = Reader::new(text.as_bytes());
            is_suspect(&reader.next().unwrap().unwrap())
        };
        let own =
            NewRecord::new(Kind::Response, crate::Time::default()).with("WARC-Target-URI", "http://a.test/").unwrap();
        let own = own.with("WARC-Payload-Digest", "sha1:A").unwrap().with("Content-Type", "application/http").unwrap();
        let text = |record: &NewRecord| {
            let mut text = String::new();
            record.whole(b"HTTP/1.1 200 OK\r\n\r\n", b"").reader().read_to_string(&mut text).unwrap();
            text
        };
        assert!(suspected(&text(&own)), "an older driftline said nothing");
        let said = |value: &str| suspected(&text(&own.clone().with(CREDENTIALS, value).unwrap()));
        assert_eq!([said("none"), said("sent"), said("whatever comes later")], [false, true, true]);
        // As warcio writes it.
        let theirs = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: http://a.test/\r\n\
            WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Payload-Digest: sha1:A\r\nWARC-Block-Digest: sha1:B\r\n\
            Content-Type: application/http; msgtype=response\r\nContent-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n";
        assert!(!suspected(theirs));
    }

    proptest! {
        /// No value of a secret header stays, every other line does, and what is said of the block is true.
        #[test]
        fn nothing_secret_stays_and_all_else_does(
            lines in prop::collection::vec(("(Set-Cookie|X-Auth-Token|Content-Type|X-Other)", "hush[0-9]{3}"), 0..8),
            body in prop::collection::vec(any::<u8>(), 0..64),
        ) {
            let head = fields(lines.iter().map(|(name, value)| (name.as_str(), value.as_str()))).unwrap();
            let block = [b"HTTP/1.1 200 OK\r\n".as_slice(), &head, b"\r\n", &body].concat();
            let record = NewRecord::new(Kind::Response, crate::Time::default())
                .with("WARC-Target-URI", "http://a.test/").unwrap().with(CREDENTIALS, "sent").unwrap();
            let mut bytes = Vec::new();
            record.whole(&block, &[]).reader().read_to_end(&mut bytes).unwrap();
            let mut reader = Reader::new(bytes.as_slice());
            let read = reader.next().unwrap().unwrap();
            let is_secret = |name: &str| name == "Set-Cookie" || name == "X-Auth-Token";
            let Some(mut masked) = rewrite(&mut reader, &read).unwrap().into_reader() else {
                prop_assert!(!lines.iter().any(|(name, _)| is_secret(name)));
                return Ok(());
            };
            let mut again = Vec::new();
            masked.read_to_end(&mut again).unwrap();
            let mut reader = Reader::new(again.as_slice());
            let read = reader.next().unwrap().unwrap();
            let (described, mismatches) = crate::archive::describe_and_check(&mut reader, &read).unwrap();
            prop_assert!(described.is_whole && mismatches.iter().next().is_none());
            let text = String::from_utf8_lossy(&again[..again.len() - body.len()]).into_owned();
            for (name, value) in &lines {
                prop_assert_eq!(text.contains(&format!("{name}: {value}\r\n")), !is_secret(name));
            }
            prop_assert!(again.ends_with(&[&body, NewRecord::END].concat()));
        }
    }
}
