//! Is it the same address, written otherwise? And does it lead to something to download?
//!
//! Addresses change by themselves: a session, a hash of the file, a campaign in the query, `http`
//! that became `https`. What is left of an address without these is its *key*; a resource whose
//! key was lost and gained is still there.

use hashbrown::HashSet;

use crate::page::Page;

/// Endings of files that people download: data first, then archives, then documents.
const FILES: [&str; 44] = [
    "csv", "tsv", "xls", "xlsx", "xlsm", "ods", "json", "jsonl", "geojson", "parquet", "sqlite", "db", "mdb", "accdb",
    "sav", "dta", "rds", "rdata", "shp", "kml", "kmz", "gpkg", "gdb", "nc", "hdf", "h5", "las", "dbf", "zip", "gz",
    "tgz", "tar", "bz2", "xz", "7z", "rar", "pdf", "doc", "docx", "odt", "rtf", "ppt", "pptx", "odp",
];

/// Formats that a short link text names when it leads to a file, and that are no subjects of their own.
const FORMATS: [&str; 10] = ["csv", "json", "tsv", "xls", "xlsx", "ods", "pdf", "zip", "kml", "shapefile"];

/// Words of a link's text that promise a file.
const PROMISES: [&str; 5] = ["dataset", "datasets", "download", "downloads", "spreadsheet"];

/// Query parameters that do not change what is shown.
const TRACKING: [&str; 22] = [
    "v",
    "ver",
    "version",
    "t",
    "ts",
    "timestamp",
    "cb",
    "cache",
    "rev",
    "hash",
    "token",
    "csrf",
    "nonce",
    "sid",
    "session",
    "sessionid",
    "phpsessid",
    "jsessionid",
    "fbclid",
    "gclid",
    "ref",
    "source",
];

/// An address without what changes by itself; for addresses with a host, also without the host.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// None for an address relative to the page.
    pub(super) host: Option<String>,
    pub(super) path: String,
}

impl Key {
    pub(super) fn of(address: &str) -> Self {
        let address = address.split('#').next().unwrap_or_default();
        let (rest, has_host) = match address.split_once("://") {
            Some((_, rest)) => (rest, true),
            None => address.strip_prefix("//").map_or((address, false), |rest| (rest, true)),
        };
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (host, path) = if has_host { place.split_once('/').unwrap_or((place, "")) } else { ("", place) };
        let mut key = String::new();
        for segment in path.split('/').filter(|segment| !segment.is_empty()) {
            key.push('/');
            push_without_tokens(&mut key, segment);
        }
        for parameter in query.split(['&', ';']).filter(|parameter| !is_tracking(parameter)) {
            key.push('&');
            push_without_tokens(&mut key, parameter);
        }
        let host = has_host.then(|| host.strip_prefix("www.").unwrap_or(host).to_ascii_lowercase());
        Self { host, path: key }
    }

    /// Do both lead to the same place, as far as they say?
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.path == other.path
            && match (&self.host, &other.host) {
                (Some(one), Some(other)) => one == other,
                _ => self.path.len() > 1 || self.host == other.host,
            }
    }
}

fn is_tracking(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default().to_ascii_lowercase();
    parameter.is_empty() || name.starts_with("utm_") || TRACKING.contains(&&*name)
}

/// Writes the parts of a name that are not made by a machine: `main.9f31c2a0.js` without the hash.
fn push_without_tokens(key: &mut String, name: &str) {
    let (name, value) = name.split_once('=').unwrap_or((name, ""));
    let value = if is_token(&value.replace(['-', '_', '.'], "")) { "" } else { value };
    for part in
        [name, value].into_iter().flat_map(|text| text.split(['.', '-', '_', '~'])).filter(|part| !is_token(part))
    {
        key.push('.');
        key.push_str(part);
    }
}

/// Hexadecimal digits, or letters and digits mixed, too long to mean anything.
fn is_token(part: &str) -> bool {
    let has_digit = part.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = part.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_hex = part.bytes().all(|byte| byte.is_ascii_hexdigit());
    has_digit && has_letter && ((is_hex && part.len() >= 6) || part.len() >= 20)
}

/// The hosts that a page names anywhere in its links, images and metadata.
pub(super) fn hosts(page: &Page) -> HashSet<String> {
    let attributes = page.node_ids().flat_map(|node| page.attributes(node));
    let addresses =
        attributes.filter(|(name, value)| matches!(*name, "href" | "src" | "content") && value.contains("//"));
    addresses.filter_map(|(_, value)| Key::of(value.trim()).host).collect()
}

/// Does a link lead to something to download? By the ending of its address or of a parameter, or by
/// its text: a promise, or nothing but the name of a format.
pub(super) fn is_file(address: &str, text: &str) -> bool {
    let address = address.split('#').next().unwrap_or_default();
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let names = [path].into_iter().chain(query.split(['&', ';']));
    let has_ending = |name: &str| name.rsplit_once('.').is_some_and(|(_, ending)| is_ending(ending));
    let words = || text.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty());
    let promises = |word: &str| PROMISES.contains(&&*word.to_ascii_lowercase());
    let is_format = |word: &str| FORMATS.iter().any(|format| word.eq_ignore_ascii_case(format));
    names.map(|name| name.rsplit('/').next().unwrap_or_default()).any(has_ending)
        || text.len() < 200 && (words().any(promises) || words().count() <= 2 && words().any(is_format))
}

fn is_ending(word: &str) -> bool {
    FILES.iter().any(|ending| word.eq_ignore_ascii_case(ending))
}

/// The last part of an address, to name it by.
pub(super) fn name(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    path.rsplit('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_same(one: &str, other: &str) -> bool {
        Key::of(one).is_same(&Key::of(other))
    }

    #[test]
    fn the_same_address_may_be_written_otherwise() {
        for (one, other) in [
            ("http://example.org/a/", "https://www.example.org/a"),
            ("https://example.org/a/b", "/a/b"),
            ("/cdn-cgi/l/email-protection#a1b2", "/cdn-cgi/l/email-protection#ffee"),
            ("/a?utm_source=x&id=3", "/a?id=3"),
            ("/app.9f31c2a0.js", "/app.77aa01bc.js"),
            ("/go?token=abc", "/go?token=def"),
            ("/l.php?u=x&h=AT0a-b_cdefghijklmnop9", "/l.php?u=x&h=AT1zz_yxwvutsr-qponmlk"),
        ] {
            assert!(is_same(one, other), "{one} {other}");
        }
    }

    #[test]
    fn another_address_is_another() {
        for (one, other) in [
            ("/cgv.pdf", "/cgv-2026-02.pdf"),
            ("/a?id=3", "/a?id=4"),
            ("https://example.org/", "https://example.com/"),
            ("/data.csv", "/data.html"),
            ("/v1.2.3/", "/v1.2.4/"),
            ("mailto:one@example.org", "mailto:two@example.org"),
        ] {
            assert!(!is_same(one, other), "{one} {other}");
        }
    }

    #[test]
    fn files_are_known_by_ending_or_text() {
        assert!(is_file("/data/a.CSV?x=1", "") && is_file("/api/v1/vulns/3", "JSON (OSV)"));
        assert!(is_file("/d/3", "View this Dataset"));
        assert!(!is_file("/about.html", "About us") && !is_file("https://example.org", ""));
    }
}
