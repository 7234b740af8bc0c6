//! Which segments are there, and how much of each is acknowledged?

use sqlx::AnyConnection;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::row::{segment_state, segment_state_number, signed, text, unsigned};
use super::{Answer, Catalog, Result, Segment, SegmentState};

impl Catalog {
    /// All segments by their names.
    ///
    /// # Errors
    /// If the database fails.
    pub fn segments(&self) -> Result<Vec<Segment>> {
        self.read("listed segments", async |connection| {
            let rows =
                sqlx::query("SELECT name, state, bytes FROM segment ORDER BY name").fetch_all(connection).await?;
            rows.iter().map(segment).collect()
        })
    }

    /// A segment by its file name.
    ///
    /// # Errors
    /// If the database fails.
    pub fn segment(&self, name: &str) -> Result<Option<Segment>> {
        let sql = "SELECT name, state, bytes FROM segment WHERE name = $1";
        self.read("looked for a segment", async |connection| {
            sqlx::query(sql).bind(text(name)).fetch_optional(connection).await?.as_ref().map(segment).transpose()
        })
    }

    /// Adds a segment, or says how it is from now on.
    ///
    /// # Errors
    /// If the database fails.
    pub fn put_segment(&self, segment: &Segment) -> Result<()> {
        self.write("noted a segment", async |connection| put(connection, segment).await.map(|_| ()))
    }

    /// Says what may be done with a segment from now on. For whoever holds its file: the file is as it says, on the
    /// disk or in the store for good, before this is called.
    ///
    /// # Errors
    /// If there is no such segment, or if the database fails.
    pub fn set_segment_state(&self, name: &str, state: SegmentState) -> Result<()> {
        let done = self.write("noted the state of a segment", async |connection| {
            let query = sqlx::query("UPDATE segment SET state = $1 WHERE name = $2");
            Ok(query.bind(segment_state_number(state)).bind(text(name)).execute(connection).await?.rows_affected())
        })?;
        if done == 0 { Err(self.unknown("segment", name)) } else { Ok(()) }
    }
}

/// Adds or changes a segment and returns its number.
pub(super) async fn put(connection: &mut AnyConnection, segment: &Segment) -> Answer<i64> {
    let sql = "INSERT INTO segment (name, state, bytes) VALUES ($1, $2, $3) \
               ON CONFLICT (name) DO UPDATE SET state = excluded.state, bytes = excluded.bytes RETURNING id";
    let query = sqlx::query(sql).bind(text(&segment.name)).bind(segment_state_number(segment.state));
    query.bind(signed(segment.bytes)).fetch_one(connection).await?.try_get(0)
}

fn segment(row: &AnyRow) -> Answer<Segment> {
    Ok(Segment { name: row.try_get(0)?, state: segment_state(row.try_get(1)?)?, bytes: unsigned(row.try_get(2)?) })
}
