//! How do captures get in? Batches, each of one segment, all of them in one transaction.
//!
//! Rows go in by the dozen: a statement for each would make the catalog slower than the WARC files are read.

use std::collections::{BTreeMap, HashMap};

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection};
use sqlx::{AssertSqlSafe, Row};

use super::row::{capture_kind_number, fingerprint, optional_text, signed, split_key, text};
use super::{Answer, Batch, CaptureKind, Catalog, NewCapture, OutboxKind, Result, imports, origins, outbox};
use crate::digest::normalised;

/// So many rows in one statement. Few sizes, so that the statements stay prepared.
const SIZES: [usize; 3] = [32, 8, 1];

/// A revisit has the content of the captures of its address with the same payload.
const CONTENT: &str = "UPDATE capture SET body_digest = (SELECT own.body_digest FROM capture AS own \
     WHERE own.url_id = capture.url_id AND own.digest = capture.digest AND own.kind <> 1 AND own.body_digest IS NOT NULL \
     LIMIT 1) WHERE body_digest IS NULL AND id IN ";

/// An address by its fingerprint.
type Urls<'a> = BTreeMap<Vec<u8>, &'a NewCapture>;
/// The number of an address, by its fingerprint.
type UrlIds = HashMap<Vec<u8>, i64>;

impl Catalog {
    /// Adds captures and all that comes with them, or nothing of it. The numbers of the captures come back in the
    /// order of the batches.
    ///
    /// For whoever has appended the records: their bytes, up to [`Batch::segment_end`], are on the disk for good before
    /// this is called.
    ///
    /// # Errors
    /// If the database fails, or if a record is in the catalog already.
    pub fn add(&self, batches: &[Batch]) -> Result<Vec<i64>> {
        // Sorted, so that two processes that add the same addresses do not wait for each other in a circle.
        let captures = batches.iter().flat_map(|batch| &batch.captures);
        let urls: Urls = captures.map(|capture| (fingerprint(&capture.url), capture)).collect();
        self.write("added captures", async |connection| {
            let segments = acknowledge(connection, batches).await?;
            let url_ids = url_ids(connection, &urls).await?;
            let mut rows = Vec::new();
            for batch in batches {
                let segment = *segments.get(batch.segment.as_str()).ok_or(sqlx::Error::RowNotFound)?;
                for capture in &batch.captures {
                    let url = *url_ids.get(&fingerprint(&capture.url)).ok_or(sqlx::Error::RowNotFound)?;
                    rows.push((capture, url, segment));
                }
                if let Some(progress) = &batch.imported {
                    imports::put(connection, progress).await?;
                }
            }
            let ids = insert(connection, &rows).await?;
            let origins = ids.iter().zip(&rows).filter_map(|(id, (capture, ..))| Some((*id, capture.origin.as_ref()?)));
            origins::put(connection, &origins.collect::<Vec<_>>()).await?;
            outbox::put(connection, OutboxKind::Added, &ids).await?;
            Ok(ids)
        })
    }
}

/// The segments of the batches with their new ends.
async fn acknowledge<'a>(connection: &mut AnyConnection, batches: &'a [Batch]) -> Answer<HashMap<&'a str, i64>> {
    let mut ends: BTreeMap<&str, u64> = BTreeMap::new();
    for batch in batches {
        let end = ends.entry(&batch.segment).or_default();
        *end = batch.segment_end.max(*end);
    }
    let statement = "INSERT INTO segment (name, state, bytes) VALUES ($1, 0, $2) ON CONFLICT (name) DO UPDATE \
         SET bytes = CASE WHEN excluded.bytes > segment.bytes THEN excluded.bytes ELSE segment.bytes END RETURNING id";
    let mut ids = HashMap::new();
    for (name, end) in ends {
        let row = sqlx::query(statement).bind(text(name)).bind(signed(end)).fetch_one(&mut *connection).await?;
        ids.insert(name, row.try_get(0)?);
    }
    Ok(ids)
}

/// The numbers of addresses; those that are new are added. One that another process adds at the same time is
/// neither found nor added at first, and found the second time.
async fn url_ids(connection: &mut AnyConnection, urls: &Urls<'_>) -> Answer<UrlIds> {
    let mut ids = UrlIds::new();
    look_up(connection, urls, &mut ids).await?;
    let new: Vec<_> = urls.iter().filter(|(fingerprint, _)| !ids.contains_key(*fingerprint)).collect();
    for rows in chunks(&new) {
        let sql = format!(
            "INSERT INTO url (fingerprint, key, key_rest, url) VALUES {} ON CONFLICT (fingerprint) DO NOTHING \
             RETURNING id, fingerprint",
            places(rows.len(), 4)
        );
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for (fingerprint, capture) in rows {
            let (key, rest) = split_key(&capture.key);
            query = query.bind((*fingerprint).clone()).bind(key).bind(rest).bind(text(&capture.url));
        }
        note(query, connection, &mut ids).await?;
    }
    if ids.len() < urls.len() {
        look_up(connection, urls, &mut ids).await?;
    }
    Ok(ids)
}

async fn look_up(connection: &mut AnyConnection, urls: &Urls<'_>, ids: &mut UrlIds) -> Answer<()> {
    let wanted: Vec<_> = urls.keys().filter(|fingerprint| !ids.contains_key(*fingerprint)).cloned().collect();
    for rows in chunks(&wanted) {
        let sql = format!("SELECT id, fingerprint FROM url WHERE fingerprint IN {}", places(1, rows.len()));
        let query = rows.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, row| query.bind(row.clone()));
        note(query, connection, ids).await?;
    }
    Ok(())
}

async fn note(query: Query<'_, Any, AnyArguments>, connection: &mut AnyConnection, ids: &mut UrlIds) -> Answer<()> {
    for row in query.fetch_all(connection).await? {
        ids.insert(row.try_get(1)?, row.try_get(0)?);
    }
    Ok(())
}

/// Captures with the numbers of their addresses and segments. Databases do not promise the order of what they
/// return, so each number is found by its place.
async fn insert(connection: &mut AnyConnection, rows: &[(&NewCapture, i64, i64)]) -> Answer<Vec<i64>> {
    let mut ids = HashMap::with_capacity(rows.len());
    for rows in chunks(rows) {
        let sql = format!(
            "INSERT INTO capture (url_id, at, kind, status, mime, digest, payload_length, redirect, record_id, \
             original_url, original_at, segment_id, start, length, body_digest) VALUES {} RETURNING id, segment_id, start",
            places(rows.len(), 15)
        );
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for row in rows {
            query = bind(query, row);
        }
        for row in query.fetch_all(&mut *connection).await? {
            ids.insert((row.try_get::<i64, _>(1)?, row.try_get::<i64, _>(2)?), row.try_get(0)?);
        }
    }
    let revisits = rows.iter().filter(|(capture, ..)| capture.kind == CaptureKind::Revisit);
    let revisits: Vec<i64> =
        revisits.filter_map(|(capture, _, segment)| ids.get(&(*segment, signed(capture.offset))).copied()).collect();
    for ids in chunks(&revisits) {
        let sql = AssertSqlSafe(format!("{CONTENT}{}", places(1, ids.len())));
        ids.iter().fold(sqlx::query(sql), |query, id| query.bind(*id)).execute(&mut *connection).await?;
    }
    let id = |(capture, _, segment): &(&NewCapture, i64, i64)| ids.get(&(*segment, signed(capture.offset))).copied();
    rows.iter().map(|row| id(row).ok_or(sqlx::Error::RowNotFound)).collect()
}

fn bind<'q>(
    query: Query<'q, Any, AnyArguments>,
    (capture, url, segment): &(&NewCapture, i64, i64),
) -> Query<'q, Any, AnyArguments> {
    let original = capture.refers_to.as_ref();
    query
        .bind(*url)
        .bind(capture.at.microseconds())
        .bind(capture_kind_number(capture.kind))
        .bind(capture.status.map(i64::from))
        .bind(optional_text(capture.mime.as_deref()))
        .bind(capture.digest.as_deref().map(|digest| text(&normalised(digest))))
        .bind(capture.payload_length.map(signed))
        .bind(optional_text(capture.redirect.as_deref()))
        .bind(optional_text(capture.record_id.as_deref()))
        .bind(optional_text(original.map(|original| original.url.as_str())))
        .bind(original.map(|original| original.at.microseconds()))
        .bind(*segment)
        .bind(signed(capture.offset))
        .bind(signed(capture.length))
        .bind(capture.body_digest.as_deref().map(|digest| text(&normalised(digest))))
}

/// Slices of 32, then of 8, then single ones.
pub(super) fn chunks<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = SIZES.into_iter().find(|size| *size <= rows.len())?;
        let (chunk, rest) = rows.split_at(size);
        rows = rest;
        Some(chunk)
    })
}

/// `($1,$2),($3,$4)`: places for so many rows of so many values.
pub(super) fn places(rows: usize, values: usize) -> String {
    numbered(&format!("({})", vec!["?"; values].join(",")), rows)
}

/// So many times the row, with the places for values numbered through: `(?,NULL)` becomes `($1,NULL),($2,NULL)`.
pub(super) fn numbered(row: &str, rows: usize) -> String {
    let (mut sql, mut place) = (String::new(), 0);
    for at in 0..rows {
        sql.push_str(if at == 0 { "" } else { "," });
        let mut parts = row.split('?');
        sql.push_str(parts.next().unwrap_or_default());
        for part in parts {
            place += 1;
            sql.push_str(&format!("${place}{part}"));
        }
    }
    sql
}

#[cfg(test)]
mod tests {
    use super::{chunks, numbered, places};

    #[test]
    fn places_are_numbered_through() {
        assert_eq!(places(2, 3), "($1,$2,$3),($4,$5,$6)");
        assert_eq!(numbered("(?,NULLIF(?,-1))", 2), "($1,NULLIF($2,-1)),($3,NULLIF($4,-1))");
        let sizes: Vec<usize> = chunks(&[0; 75]).map(<[i32]>::len).collect();
        assert_eq!(sizes, [32, 32, 8, 1, 1, 1]);
        assert_eq!(chunks::<i32>(&[]).count(), 0);
    }
}
