//! What happened lately? Atom, of all that is watched, of a watch, of a tag, of a site.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use driftline::event::Event;
use driftline_catalog::{Catalog, CatalogError, EventFilter};
use driftline_report::atom::{self, Feed};

use crate::cache;
use crate::routes::{Shared, Unread, nothing};

/// A feed has so many entries at most; who needs more asks `driftline events`.
const MOST_ENTRIES: u32 = 100;

/// No id, tag or host is longer.
const LONGEST_NAME: usize = 253;

/// Whose events.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Of {
    All,
    Watch(String),
    Tag(String),
    Site(String),
}

/// `GET /feeds/all.atom`.
pub(crate) async fn all(State(shared): State<Shared>, headers: HeaderMap) -> Response {
    feed(shared, Of::All, headers).await
}

/// `GET /feeds/watch/WATCH.atom`, `/feeds/tag/TAG.atom`, `/feeds/site/HOST.atom`.
pub(crate) async fn some(
    State(shared): State<Shared>,
    Path((by, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    match Of::named(&by, &name) {
        Some(of) => feed(shared, of, headers).await,
        None => nothing().await,
    }
}

async fn feed(shared: Shared, of: Of, headers: HeaderMap) -> Response {
    let base = Arc::clone(&shared.base);
    match shared.read(move |catalog| make(catalog, &base, &of)).await {
        Ok(Some(text)) => cache::answer(&headers, "application/atom+xml", text),
        Ok(None) => nothing().await,
        Err(Unread::Panicked) => (StatusCode::INTERNAL_SERVER_ERROR, "this feed could not be made\n").into_response(),
        Err(error) => {
            // Where the catalog is concerns nobody outside.
            tracing::error!(%error, "a feed could not be made");
            (StatusCode::SERVICE_UNAVAILABLE, "the catalog does not answer\n").into_response()
        }
    }
}

/// The feed; none if there is no such thing.
fn make(catalog: &Catalog, base: &str, of: &Of) -> Result<Option<String>, CatalogError> {
    let Some((of, events)) = found(catalog, of)? else { return Ok(None) };
    let url = format!("{base}/feeds/{}.atom", of.path());
    let watch = if let Of::Watch(id) = &of { name(catalog, id)? } else { None };
    let feed = Feed { id: &of.urn(), title: &of.title(watch), url: &url, events: &events };
    Ok(Some(atom::write(&feed)))
}

/// What is meant, and its events. A watch is meant by its id, or by the name that no other watch has; none if there is no
/// such watch.
fn found(catalog: &Catalog, of: &Of) -> Result<Option<(Of, Vec<Event>)>, CatalogError> {
    let own = events(catalog, of)?;
    let Of::Watch(asked) = of else { return Ok(Some((of.clone(), own))) };
    if !own.is_empty() || catalog.watch(asked)?.is_some() {
        return Ok(Some((of.clone(), own)));
    }
    match catalog.watches_titled(asked)?.as_slice() {
        [watch] => {
            let of = Of::Watch(watch.uuid.clone());
            let events = events(catalog, &of)?;
            Ok(Some((of, events)))
        }
        _ => Ok(None),
    }
}

/// What people call a watch: its name, or the title of its page.
fn name(catalog: &Catalog, id: &str) -> Result<Option<String>, CatalogError> {
    let title = catalog.watch(id)?.map(|watch| watch.title);
    Ok(title.filter(|title| !title.is_empty()))
}

/// The latest events, as they were told.
fn events(catalog: &Catalog, of: &Of) -> Result<Vec<Event>, CatalogError> {
    let stored = catalog.events(&of.filter())?.items;
    let read = stored.into_iter().filter_map(|stored| {
        let event = serde_json::from_value(stored.body);
        event.inspect_err(|error| tracing::debug!(number = stored.id, %error, "an event cannot be read")).ok()
    });
    Ok(read.collect())
}

impl Of {
    fn named(by: &str, name: &str) -> Option<Self> {
        let name = name.strip_suffix(".atom").filter(|name| !name.is_empty() && name.len() <= LONGEST_NAME)?;
        match by {
            "watch" => Some(Self::Watch(name.to_owned())),
            "tag" => Some(Self::Tag(name.to_owned())),
            "site" => Some(Self::Site(name.to_ascii_lowercase())),
            _ => None,
        }
    }

    fn filter(&self) -> EventFilter {
        let filter = EventFilter { limit: MOST_ENTRIES, ..EventFilter::default() };
        match self {
            Self::All => filter,
            Self::Watch(id) => EventFilter { watch: Some(id.clone()), ..filter },
            Self::Tag(tag) => EventFilter { tag: Some(tag.clone()), ..filter },
            Self::Site(site) => EventFilter { site: Some(site.clone()), ..filter },
        }
    }

    /// The part of the address between `/feeds/` and `.atom`.
    fn path(&self) -> String {
        match self {
            Self::All => "all".to_owned(),
            Self::Watch(id) => format!("watch/{}", escaped(id)),
            Self::Tag(tag) => format!("tag/{}", escaped(tag)),
            Self::Site(site) => format!("site/{}", escaped(site)),
        }
    }

    /// Its name for ever, wherever the server is.
    fn urn(&self) -> String {
        format!("urn:driftline:feed:{}", self.path().replace('/', ":"))
    }

    /// Its title, with what people call the watch.
    fn title(&self, watch: Option<String>) -> String {
        match self {
            Self::All => "driftline".to_owned(),
            Self::Watch(id) => watch.unwrap_or_else(|| id.clone()),
            Self::Tag(name) | Self::Site(name) => format!("driftline: {name}"),
        }
    }
}

/// A name as a step of a path.
fn escaped(name: &str) -> String {
    let step = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    name.bytes().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::Of;

    #[test]
    fn a_feed_has_one_name_wherever_it_is() {
        let of = Of::named("tag", "a/b ü.atom").unwrap();
        assert_eq!(of.path(), "tag/a%2Fb%20%C3%BC");
        assert_eq!(of.urn(), "urn:driftline:feed:tag:a%2Fb%20%C3%BC");
        assert_eq!(Of::named("site", "Example.ORG.atom"), Some(Of::Site("example.org".to_owned())));
    }

    #[test]
    fn what_names_no_feed_is_none() {
        let long = format!("{}.atom", "a".repeat(254));
        for (by, name) in [("watch", "a"), ("watch", ".atom"), ("host", "a.atom"), ("tag", long.as_str())] {
            assert_eq!(Of::named(by, name), None, "{by}/{name}");
        }
    }
}
