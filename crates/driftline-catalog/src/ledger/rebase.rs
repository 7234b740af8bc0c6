//! Due times in the catalog after the clock was set.
//!
//! A held event waits for a span of time, and so does a message that is sent again: what is left of it stays left. A
//! digest goes out at a time of day.

use crate::Time;
use crate::row::text;
use crate::{Catalog, Result};

/// No message that is sent again waits for longer, not even behind all others of its target: one that does was planned
/// while the clock was wrong.
const LONGEST_WAIT: i64 = 2 * 86_400_000_000;

impl Catalog {
    /// Moves what waits for a span of time by `step` microseconds, the change of the clock, which showed `before` until
    /// then and shows `now`. Whatever was found or planned while the clock was far ahead becomes due now, which also heals
    /// a catalog whose clock was corrected while nobody watched: then `step` is 0. `digests` has the next digest of each
    /// target that gets digests.
    ///
    /// # Errors
    /// If the database fails.
    pub fn rebase(&self, step: i64, before: Time, now: Time, digests: &[(String, Time)]) -> Result<()> {
        // What was found since is held by the new time already.
        let held = "UPDATE event SET held_until = held_until + $1 WHERE held_until IS NOT NULL AND at <= $2";
        let put_off =
            "UPDATE delivery SET due = due + $1 WHERE state < 2 AND NOT (attempts = 0 AND batch LIKE 'digest@%')";
        let released = "UPDATE event SET held_until = $1 WHERE held_until > $1 AND at > $1";
        let sent = "UPDATE delivery SET due = $1 WHERE state < 2 AND due > $2 AND batch NOT LIKE 'digest@%'";
        let digest = "UPDATE delivery SET due = $1 WHERE state < 2 AND due > $1 AND target = $2 AND attempts = 0 \
                      AND batch LIKE 'digest@%'";
        self.write("moved due times", async |connection| {
            if step != 0 {
                sqlx::query(held).bind(step).bind(before.microseconds()).execute(&mut *connection).await?;
                sqlx::query(put_off).bind(step).execute(&mut *connection).await?;
            }
            let now = now.microseconds();
            sqlx::query(released).bind(now).execute(&mut *connection).await?;
            let most = now.saturating_add(LONGEST_WAIT);
            sqlx::query(sent).bind(now).bind(most).execute(&mut *connection).await?;
            for (target, next) in digests {
                let query = sqlx::query(digest).bind(next.microseconds()).bind(text(target));
                query.execute(&mut *connection).await?;
            }
            Ok(())
        })
    }
}
