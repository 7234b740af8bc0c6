//! How does a capture get to another place, or out of the archive? All of it at once, or not at all.

use sqlx::AnyConnection;

use super::row::{signed, text};
use super::{Answer, Catalog, Moved, OutboxKind, Relocation, Result, care, outbox, segments};

impl Catalog {
    /// Moves captures to other places, gives captures up with all that was derived from them, and notes what
    /// becomes of the segments, in one transaction. A segment that captures move to is named in
    /// [`Relocation::segments`], or known already.
    ///
    /// For whoever has copied the records: the copies are on the disk for good before this is called, and nothing that
    /// is given up is removed before it is done.
    ///
    /// # Errors
    /// If a capture or a segment is not there, or if the database fails; then nothing has happened.
    pub fn relocate(&self, relocation: &Relocation) -> Result<()> {
        self.relocate_with(relocation, async |_| Ok(()))
    }

    /// The same, with something else that becomes true before captures are dropped.
    pub(super) fn relocate_with(
        &self,
        relocation: &Relocation,
        first: impl AsyncFnOnce(&mut AnyConnection) -> Answer<()>,
    ) -> Result<()> {
        let mut missing = None;
        let done = self.write("relocated captures", async |connection| {
            first(connection).await?;
            for segment in &relocation.segments {
                segments::put(connection, segment).await?;
            }
            for moved in &relocation.moved {
                if shift(connection, moved).await? == 0 {
                    missing = Some(format!("{} for {}", moved.capture, moved.segment));
                    return Err(sqlx::Error::RowNotFound);
                }
            }
            for turned in &relocation.turned {
                care::turn(connection, turned).await?;
            }
            let mut dropped = Vec::with_capacity(relocation.dropped.len());
            for id in &relocation.dropped {
                let query = sqlx::query("DELETE FROM capture WHERE id = $1").bind(*id);
                if query.execute(&mut *connection).await?.rows_affected() > 0 {
                    dropped.push(*id);
                }
            }
            outbox::put(connection, OutboxKind::Removed, &dropped).await
        });
        match missing {
            Some(name) => Err(self.unknown("capture or segment", &name)),
            None => done,
        }
    }
}

/// Says where a capture lies from now on, and how many rows that concerned: none if it or the segment is not there.
async fn shift(connection: &mut AnyConnection, moved: &Moved) -> Answer<u64> {
    let sql = "UPDATE capture SET segment_id = (SELECT segment.id FROM segment WHERE segment.name = $1), \
               start = $2, length = $3 WHERE id = $4 AND EXISTS (SELECT 1 FROM segment WHERE segment.name = $1)";
    let query = sqlx::query(sql).bind(text(&moved.segment)).bind(signed(moved.offset)).bind(signed(moved.length));
    Ok(query.bind(moved.capture).execute(connection).await?.rows_affected())
}
