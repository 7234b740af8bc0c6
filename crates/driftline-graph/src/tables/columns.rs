//! Which column is which? By their names: ours, Archives Unleashed's, Common Crawl's, and those of
//! `driftline archive export`.

use std::path::Path;

use super::{Kind, TableError};

/// What a column says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// A page's address.
    Url,
    /// Was it crawled?
    Crawled,
    /// When?
    Fetched,
    /// Its Last-Modified.
    LastModified,
    /// The status of the answer.
    Status,
    /// What the answer was.
    Mime,
    /// Where the answer led to.
    Location,
    /// Where a link or redirect is.
    From,
    /// Where it leads.
    To,
}

/// How many fields there are.
pub(super) const FIELDS: usize = 9;

/// The names of each field in tables of pages; the first that is there counts.
const PAGES: [(Field, &[&str]); 7] = [
    (Field::Url, &["url"]),
    (Field::Crawled, &["crawled"]),
    (Field::Fetched, &["fetch_time", "crawl_date", "time"]),
    (Field::LastModified, &["last_modified", "last_modified_date"]),
    (Field::Status, &["fetch_status", "status"]),
    (Field::Mime, &["content_mime_detected", "mime_type_tika", "content_mime_type", "mime_type_web_server", "mime"]),
    (Field::Location, &["fetch_redirect", "redirect"]),
];
/// The names of both columns of a table of links.
const LINKS: [[&str; 2]; 2] = [["source", "target"], ["src", "dest"]];
/// The same of redirects.
const REDIRECTS: [[&str; 2]; 1] = [["from", "to"]];
/// Columns of graphs of domains, by Archives Unleashed.
const DOMAINS: [&str; 2] = ["src_domain", "dest_domain"];

/// Where the columns that count are in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns {
    kind: Kind,
    /// For each column what it says, if that counts.
    fields: Vec<Option<Field>>,
}

impl Columns {
    pub(super) fn of(path: &Path, names: &[String], kind: Option<Kind>) -> Result<Self, TableError> {
        let names: Vec<_> = names.iter().map(|name| name.trim().to_ascii_lowercase()).collect();
        let kinds = kind.map_or_else(|| vec![Kind::Redirects, Kind::Links, Kind::Pages], |kind| vec![kind]);
        let found = kinds.into_iter().find_map(|known| Self::of_kind(&names, known, kind.is_some()));
        found.ok_or_else(|| {
            let (path, found) = (path.to_owned(), names.clone());
            let is_of_hosts = is_numbered(&names) || DOMAINS.iter().all(|name| place(&names, name).is_some());
            if is_of_hosts { TableError::Hosts { path, found } } else { TableError::Columns { path, kind, found } }
        })
    }

    /// A table that is said to be about links may name its columns as redirects have them, and the other way round.
    fn of_kind(names: &[String], kind: Kind, is_said: bool) -> Option<Self> {
        let mut fields = vec![None; names.len()];
        if kind == Kind::Pages {
            for (field, known) in PAGES {
                if let Some(place) = known.iter().find_map(|name| place(names, name)) {
                    fields[place] = Some(field);
                }
            }
            return fields.contains(&Some(Field::Url)).then_some(Self { kind, fields });
        }
        let (own, other): (&[_], &[_]) = if kind == Kind::Links { (&LINKS, &REDIRECTS) } else { (&REDIRECTS, &LINKS) };
        let both = |pair: &[&str; 2]| Some((place(names, pair[0])?, place(names, pair[1])?));
        let others = other.iter().filter(|_| is_said);
        let (from, to) = own.iter().chain(others).find_map(both)?;
        (fields[from], fields[to]) = (Some(Field::From), Some(Field::To));
        Some(Self { kind, fields })
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// How many columns the table has.
    pub(super) fn width(&self) -> usize {
        self.fields.len()
    }

    /// What a column says, if that counts.
    pub(super) fn field(&self, place: usize) -> Option<Field> {
        self.fields.get(place).copied().flatten()
    }
}

fn place(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|known| known == name)
}

/// Common Crawl's graphs have no names: a row is a number and a host, or two numbers.
fn is_numbered(names: &[String]) -> bool {
    let is_number = |name: &String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    names.len() >= 2 && names.first().is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(names: &str, kind: Option<Kind>) -> Result<Columns, TableError> {
        let names: Vec<_> = names.split(',').map(str::to_owned).collect();
        Columns::of(Path::new("table.csv"), &names, kind)
    }

    #[test]
    fn a_table_is_known_by_its_columns() {
        let kind = |names| columns(names, None).unwrap().kind();
        assert_eq!(kind("url,crawled,fetch_time,last_modified"), Kind::Pages);
        assert_eq!(kind("crawl_date,last_modified_date,url,mime_type_web_server,mime_type_tika,content"), Kind::Pages);
        assert_eq!(kind("source,target"), Kind::Links);
        assert_eq!(kind("crawl_date,src,dest,anchor"), Kind::Links);
        assert_eq!(kind("From, TO"), Kind::Redirects);
    }

    #[test]
    fn what_it_is_said_to_be_widens_the_names_and_is_held_to() {
        assert_eq!(columns("source,target", Some(Kind::Redirects)).unwrap().kind(), Kind::Redirects);
        assert_eq!(columns("from,to", Some(Kind::Links)).unwrap().kind(), Kind::Links);
        let error = columns("url,crawled", Some(Kind::Links)).unwrap_err().to_string();
        assert!(
            error.starts_with("`table.csv` is no table of links: its columns are `url`, `crawled`\nhint: "),
            "{error}"
        );
    }

    #[test]
    fn what_tika_found_counts_before_what_the_server_said() {
        let found = columns("mime_type_web_server,url,mime_type_tika", None).unwrap();
        assert_eq!(found.fields, [None, Some(Field::Url), Some(Field::Mime)]);
    }

    #[test]
    fn graphs_of_hosts_are_refused_by_name() {
        for names in ["0,com.example", "17,4711", "crawl_date,src_domain,dest_domain,count"] {
            let error = columns(names, None).unwrap_err();
            assert!(matches!(error, TableError::Hosts { .. }), "{names}: {error}");
        }
        assert!(matches!(columns("https://a.org/,https://b.org/", None), Err(TableError::Columns { .. })));
    }
}
