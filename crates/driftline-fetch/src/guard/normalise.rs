//! What is meant by an address? What a browser would make of it: blanks and controls around it and line ends within it
//! go, letters of a scheme and a host are small, `0177.1`, `2130706433` and `127.0.0.1` are one address. Only then is
//! it judged: holes of other monitors were prefixes that a check did not know and the fetcher did.

use url::{Host, ParseError, Url};

use super::GuardError;

/// Longer addresses are not asked; servers refuse them too.
const MOST_BYTES: usize = 8 << 10;

/// Of a refused address, no more is told.
const MOST_TOLD: usize = 200;

/// Ports where something other than pages is served, and which browsers refuse (Fetch, section 2.9): a request could
/// be read there as commands.
const BAD_PORTS: [u16; 82] = [
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
    540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
    6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/// Names by which clouds offer the keys of their machines.
const METADATA_NAMES: [&str; 5] =
    ["metadata", "metadata.goog", "metadata.google.internal", "instance-data", "instance-data.ec2.internal"];

/// Reads an address as browsers do; it is one of the web.
pub(super) fn normalise(text: &str) -> Result<Url, GuardError> {
    if text.len() > MOST_BYTES {
        return Err(not_a_url(text, "it is longer than 8,192 bytes"));
    }
    let url = Url::parse(text).map_err(|error| not_a_url(text, reason(error)))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        scheme => Err(GuardError::Scheme { url: told(text), scheme: told(scheme) }),
    }
}

/// The reason why a text is not an address, in plain words.
#[must_use]
pub fn reason(error: ParseError) -> &'static str {
    match error {
        ParseError::EmptyHost => "it has no host",
        ParseError::InvalidPort => "its port is not a number from 0 to 65535",
        ParseError::InvalidIpv4Address => "its host is not a valid IPv4 address",
        ParseError::InvalidIpv6Address => "its host is not a valid IPv6 address",
        ParseError::InvalidDomainCharacter => "its host has a character that no name has",
        ParseError::IdnaError => "its host is not a valid name",
        ParseError::RelativeUrlWithoutBase | ParseError::RelativeUrlWithCannotBeABaseBase => {
            "it does not begin with `https://` or `http://`"
        }
        ParseError::Overflow => "it is too long",
        _ => "it cannot be read",
    }
}

/// What is no address.
pub(super) fn not_a_url(text: &str, why: &str) -> GuardError {
    GuardError::NotAUrl { url: told(text), why: why.to_owned() }
}

/// A host as it is compared: small, without brackets and without the root's dot.
pub(super) fn host(host: &str) -> String {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    bare.strip_suffix('.').unwrap_or(bare).to_ascii_lowercase()
}

/// A name as a URL would hold it, if it is one.
pub(super) fn name(text: &str) -> Option<String> {
    match Host::parse(text) {
        Ok(Host::Domain(name)) if !name.contains('*') => Some(host(&name)),
        _ => None,
    }
}

/// What a name stands for, if that is inside wherever it leads.
pub(super) fn inside_name(name: &str) -> Option<&'static str> {
    let is_loopback = name == "localhost" || name.ends_with(".localhost");
    let is_metadata = METADATA_NAMES.contains(&name);
    match (is_loopback, is_metadata) {
        (true, _) => Some("this machine"),
        (_, true) => Some("where a cloud keeps the keys of its machines"),
        _ => None,
    }
}

/// Are there pages on this port?
pub(super) fn check_port(host: &str, port: u16) -> Result<(), GuardError> {
    if port == 0 || BAD_PORTS.contains(&port) {
        return Err(GuardError::Port { host: host.to_owned(), port });
    }
    Ok(())
}

/// An address for people: short, on one line, and without a password.
fn told(text: &str) -> String {
    let clean: String =
        text.trim().chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).take(MOST_TOLD).collect();
    let Some((scheme, rest)) = clean.split_once("//") else { return clean };
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}//…{}", &rest[at..]),
        None => clean,
    }
}
