//! Pages of events, and the marks that a person gives them.

use super::cursor::bounded;
use super::ledger::{self, COLUMNS, EVENT};
use super::sql::Sql;
use super::{Answer, Catalog, Cursor, EventFilter, Page, Result, StoredEvent, Time};

impl Catalog {
    /// A page of events, the latest first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn events(&self, filter: &EventFilter) -> Result<Page<StoredEvent>> {
        let limit = bounded(filter.limit);
        let mut sql = wanted(filter);
        sql.numbers(" LIMIT ?", &[limit + 1]);
        self.read("listed events", async |connection| {
            let rows = sql.query().fetch_all(connection).await?;
            let events = rows.iter().map(ledger::event).collect::<Answer<Vec<_>>>()?;
            Ok(Page::new(events, limit, |event| Cursor::at(event.at, event.id)))
        })
    }

    /// Marks events as read at a time, or as unread.
    ///
    /// # Errors
    /// If the database fails.
    pub fn mark_read(&self, ids: &[i64], at: Option<Time>) -> Result<()> {
        self.write("marked events", async |connection| {
            for id in ids {
                let query = sqlx::query("UPDATE event SET read_at = $1 WHERE id = $2");
                query.bind(at.map(Time::microseconds)).bind(*id).execute(&mut *connection).await?;
            }
            Ok(())
        })
    }

    /// Marks events as kept for later, or not.
    ///
    /// # Errors
    /// If the database fails.
    pub fn keep_events(&self, ids: &[i64], is_kept: bool) -> Result<()> {
        self.write("marked events", async |connection| {
            for id in ids {
                let query = sqlx::query("UPDATE event SET kept = $1 WHERE id = $2");
                query.bind(i64::from(is_kept)).bind(*id).execute(&mut *connection).await?;
            }
            Ok(())
        })
    }
}

/// The statement, with only the conditions that are asked for, so that an index gives the order.
fn wanted(filter: &EventFilter) -> Sql {
    let mut sql = Sql::new(COLUMNS);
    let (at, id) = if let Some(tag) = &filter.tag {
        // What comes first is read first: SQLite keeps to the order of a CROSS JOIN.
        sql.add(&format!("event_tag AS hit CROSS JOIN {EVENT}"));
        sql.texts("WHERE event.id = hit.event_id AND hit.tag = ?", &[tag]);
        ("hit.at", "hit.event_id")
    } else {
        sql.add(&format!("{EVENT}WHERE 1 = 1"));
        ("event.at", "event.id")
    };
    if !filter.all {
        sql.add(" AND event.held_until IS NULL AND event.folded_into IS NULL");
    }
    if filter.unread {
        sql.add(" AND event.read_at IS NULL");
    }
    if let Some(url) = &filter.url {
        sql.texts(" AND event.url = ?", &[url]);
    }
    if let Some(site) = &filter.site {
        sql.texts(" AND event.site = ?", &[&ledger::site(site)]);
    }
    if let Some(watch) = &filter.watch {
        of_watch(&mut sql, watch);
    }
    match &filter.kinds[..] {
        [] => {}
        [kind] => sql.texts(" AND event.kind = ?", &[kind]),
        kinds => {
            let places = vec!["?"; kinds.len()].join(",");
            let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
            sql.texts(&format!(" AND event.kind IN ({places})"), &kinds);
        }
    }
    if let Some(text) = &filter.text {
        let text = pattern(text);
        sql.texts(" AND LOWER(event.summary || ' ' || event.url) LIKE ? ESCAPE '!'", &[&text]);
    }
    if let Some(importance) = filter.importance {
        sql.real(" AND event.importance >= ?", importance);
    }
    for (condition, time) in [(">=", filter.from), ("<", filter.to)] {
        if let Some(time) = time {
            sql.numbers(&format!(" AND {at} {condition} ?"), &[time.microseconds()]);
        }
    }
    if let Some(after) = &filter.after {
        sql.numbers(&format!(" AND ({at}, {id}) < (?, ?)"), &[after.number, after.id]);
    }
    sql.add(&format!(" ORDER BY {at} DESC, {id} DESC"));
    sql
}

/// Those of a watch, and those that its own were folded into, which belong to no watch or to another one.
fn of_watch(sql: &mut Sql, uuid: &str) {
    let watch = "(SELECT asked.id FROM watch AS asked WHERE asked.uuid = ?)";
    sql.texts(
        &format!(
            " AND event.id IN (SELECT own.id FROM event AS own WHERE own.watch_id = {watch} \
             UNION SELECT told.id FROM event AS own JOIN event AS told ON told.key = own.folded_into \
             WHERE own.watch_id = {watch})"
        ),
        &[uuid, uuid],
    );
}

/// A text anywhere, as LIKE takes it.
fn pattern(text: &str) -> String {
    let escaped = text.to_lowercase().replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{escaped}%")
}
