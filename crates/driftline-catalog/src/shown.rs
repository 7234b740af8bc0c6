//! Which versions do events show? For whoever removes versions.

use std::collections::HashSet;

use driftline::change::Sides;
use serde::Deserialize;
use sqlx::Row;

use super::row::fingerprint;
use super::{Catalog, Result};
use crate::Time;

/// The versions that events show.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// Captures, by their numbers.
    captures: HashSet<i64>,
    /// Versions, by fingerprints of their addresses and by their times.
    versions: HashSet<(u64, i64)>,
}

/// What an event says of versions.
#[derive(Deserialize)]
struct Body {
    url: Option<String>,
    versions: Option<Sides<Time>>,
}

/// This many events are read at once.
const PAGE: i64 = 10_000;

impl Shown {
    /// Whether an event shows this capture, or compares another one with it.
    #[must_use]
    pub fn has_capture(&self, id: i64) -> bool {
        self.captures.contains(&id)
    }

    /// Whether an event shows the version of this address at this time.
    #[must_use]
    pub fn has(&self, url: &str, at: Time) -> bool {
        self.versions.contains(&(print(url), at.microseconds()))
    }

    /// The address of an event, or of its watch, and what it says.
    fn add(&mut self, url: &str, versions: &Sides<Time>) {
        let url = print(url);
        self.versions.extend([versions.older, versions.newer].map(|at| (url, at.microseconds())));
    }
}

/// The beginning of the fingerprint of an address. Two that were alike would only keep a version that could go.
fn print(url: &str) -> u64 {
    fingerprint(url).iter().take(8).fold(0, |print, byte| print << 8 | u64::from(*byte))
}

impl Catalog {
    /// The versions that events show: the captures that they name, those that were compared with these, and those of their
    /// addresses, and of the addresses of their watches, at the times that they name.
    ///
    /// # Errors
    /// If the database fails.
    pub fn shown(&self) -> Result<Shown> {
        let compared = "SELECT change.older_id FROM change JOIN event ON event.capture_id = change.newer_id \
                        UNION SELECT older_id FROM event WHERE older_id IS NOT NULL";
        let events = "SELECT event.id, event.capture_id, event.body, watch.url FROM event \
                      LEFT JOIN watch ON watch.id = event.watch_id WHERE event.id > $1 ORDER BY event.id LIMIT $2";
        self.read("listed what events show", async |connection| {
            let mut shown = Shown::default();
            for row in sqlx::query(compared).fetch_all(&mut *connection).await? {
                shown.captures.insert(row.try_get(0)?);
            }
            let mut last = 0_i64;
            loop {
                let rows = sqlx::query(events).bind(last).bind(PAGE).fetch_all(&mut *connection).await?;
                for row in &rows {
                    last = row.try_get(0)?;
                    shown.captures.extend(row.try_get::<Option<i64>, _>(1)?);
                    // What cannot be read shows nothing but its capture.
                    let Ok(body) = serde_json::from_str::<Body>(&row.try_get::<String, _>(2)?) else { continue };
                    let Some(versions) = body.versions else { continue };
                    let watch: Option<String> = row.try_get(3)?;
                    body.url.iter().chain(&watch).for_each(|url| shown.add(url, &versions));
                }
                if rows.len() < PAGE as usize {
                    return Ok(shown);
                }
            }
        })
    }
}
