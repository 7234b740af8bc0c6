//! Pages of watches with their state and their last change, each one query.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use super::cursor::bounded;
use super::row::{json, odd, time};
use super::sql::Sql;
use super::words::words;
use super::{Answer, Catalog, Cursor, Page, Result, Time, Watch};

/// Which watches are wanted; what is `None` does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WatchFilter {
    /// With this tag.
    pub tag: Option<String>,
    /// Of this site: a host without `www.`.
    pub site: Option<String>,
    /// In this state.
    pub status: Option<WatchStatus>,
    /// Of this kind, such as `page` or `feed`.
    pub kind: Option<String>,
    /// Each word of this text begins a word of the title, the address, or a tag.
    pub text: Option<String>,
}

/// The order of a list of watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WatchSort {
    /// The latest change first; those that never changed last.
    #[default]
    LastChange,
    /// By name.
    Name,
}

/// How a watch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WatchStatus {
    /// It was never checked.
    New,
    /// Its checks work.
    Working,
    /// Its checks fail.
    Failing,
    /// Its page is missing.
    Absent,
    /// It is not checked.
    Paused,
}

/// A watch in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedWatch {
    /// Its number in this catalog.
    pub id: i64,
    /// The watch.
    pub watch: Watch,
    /// How it is.
    pub status: WatchStatus,
    /// When it is checked next.
    pub next: Option<Time>,
    /// When it was checked last.
    pub checked: Option<Time>,
    /// When its newest version was captured.
    pub version: Option<Time>,
    /// Since when its checks fail.
    pub failing_since: Option<Time>,
    /// Since when its page is missing.
    pub absent_since: Option<Time>,
    /// What changed last.
    pub change: Option<LastChange>,
    sort_name: String,
}

/// The last change of a watch.
#[derive(Debug, Clone, PartialEq)]
pub struct LastChange {
    /// The number of the event that says so.
    pub event: i64,
    /// When it was found.
    pub at: Time,
    /// How much it matters, from 0 to 1.
    pub importance: f64,
    /// What happened, in one line.
    pub summary: String,
}

/// Watches of a word are counted up to this many.
const COUNTED: i64 = 20_000;

/// No text that begins with a prefix is greater than the prefix and this, the last character of all.
const LAST: char = char::MAX;

const COLUMNS: &str = "SELECT watch.id, watch.uuid, watch.url, watch.title, watch.tags, watch.settings, watch.created, \
     watch.kind, watch.site, watch.list, watch.paused, watch.state, watch.sort_name, watch.changed_at, \
     watch.changed_event, watch.change_importance, watch.change_summary, watch_state.next, watch_state.checked, \
     watch_state.version_at, watch_state.failing_since, watch_state.absent_since FROM ";
const LIVE: &str = "watch LEFT JOIN watch_state ON watch_state.watch_id = watch.id WHERE watch.removed_at IS NULL";

impl Catalog {
    /// The watches that are watched now, in an order: the next ones after a position, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn watches_page(
        &self,
        filter: &WatchFilter,
        sort: WatchSort,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<ListedWatch>> {
        let named: Vec<String> = words(filter.text.as_deref()).into_iter().collect();
        if filter.text.is_some() && named.is_empty() {
            return Ok(Page { items: Vec::new(), next: None });
        }
        let limit = bounded(limit);
        self.read("listed watches", async |connection| {
            let (hits, others) = plan(connection, named, limit).await?;
            let mut listing = found(filter, &hits, &others);
            listing.order(sort, after);
            listing.sql.numbers(" LIMIT ?", &[limit + 1]);
            let rows = listing.sql.query().fetch_all(connection).await?;
            let items = rows.iter().map(listed).collect::<Answer<Vec<_>>>()?;
            Ok(Page::new(items, limit, |listed| sort.position(listed)))
        })
    }
}

/// Divides words into those by which watches are looked up and sorted, and those that are looked for watch by watch.
///
/// Common words are looked for in the order of the list, because a page is full soon, and so are rare ones if that is expected
/// to take fewer steps. Words are taken to be independent of each other and of the order.
async fn plan(connection: &mut AnyConnection, words: Vec<String>, limit: i64) -> Answer<(Vec<String>, Vec<String>)> {
    let count =
        "SELECT COUNT(*) FROM (SELECT 1 AS one FROM watch_word WHERE word >= $1 AND word <= $2 LIMIT $3) AS found";
    let all: i64 =
        sqlx::query("SELECT COALESCE(MAX(id), 0) FROM watch").fetch_one(&mut *connection).await?.try_get(0)?;
    let (mut share, mut entries, mut hits, mut others) = (1.0, 0, Vec::new(), Vec::new());
    for word in words {
        let query = sqlx::query(count).bind(word.clone()).bind(format!("{word}{LAST}")).bind(COUNTED);
        let count: i64 = query.fetch_one(&mut *connection).await?.try_get(0)?;
        if count < COUNTED {
            share *= count as f64 / all.max(1) as f64;
            entries += count;
            hits.push(word);
        } else {
            others.push(word);
        }
    }
    // A watch of the list takes about as long as this many entries of the index of words.
    let is_cheap = entries as f64 * share <= (4 * limit) as f64;
    if !is_cheap {
        others.append(&mut hits);
    }
    Ok((hits, others))
}

/// A statement without its order, and the columns that it may be sorted by.
struct Listing {
    sql: Sql,
    name: &'static str,
    changed: &'static str,
    id: &'static str,
}

/// What comes first in the statement is read first: SQLite keeps to the order of a CROSS JOIN.
fn found(filter: &WatchFilter, hits: &[String], words: &[String]) -> Listing {
    let mut sql = Sql::new(COLUMNS);
    let by_tag = filter.tag.as_deref().filter(|_| hits.is_empty());
    if !hits.is_empty() {
        for (place, word) in hits.iter().enumerate() {
            sql.add(if place == 0 { "(" } else { " INTERSECT " });
            let entries = "SELECT DISTINCT watch_id FROM watch_word WHERE word >= ? AND word <= ?";
            sql.texts(entries, &[word, &format!("{word}{LAST}")]);
        }
        sql.add(&format!(") AS hit CROSS JOIN {LIVE} AND watch.id = hit.watch_id"));
    } else if let Some(tag) = by_tag {
        sql.add(&format!("watch_tag AS hit CROSS JOIN {LIVE}"));
        sql.texts(" AND watch.id = hit.watch_id AND hit.tag = ?", &[tag]);
    } else {
        sql.add(LIVE);
    }
    if let (Some(tag), None) = (filter.tag.as_deref(), by_tag) {
        let tagged = "SELECT 1 FROM watch_tag WHERE watch_tag.watch_id = watch.id AND watch_tag.tag = ?";
        sql.texts(&format!(" AND EXISTS ({tagged})"), &[tag]);
    }
    for (column, value) in [("watch.site", &filter.site), ("watch.kind", &filter.kind)] {
        if let Some(value) = value {
            sql.texts(&format!(" AND {column} = ?"), &[value]);
        }
    }
    if let Some(status) = filter.status {
        sql.numbers(" AND watch.state = ?", &[status.number()]);
    }
    for word in words {
        let named = "SELECT 1 FROM watch_word WHERE watch_word.watch_id = watch.id AND word >= ? AND word <= ?";
        sql.texts(&format!(" AND EXISTS ({named})"), &[word, &format!("{word}{LAST}")]);
    }
    match by_tag {
        Some(_) => Listing { sql, name: "hit.sort_name", changed: "hit.changed_at", id: "hit.watch_id" },
        None => Listing { sql, name: "watch.sort_name", changed: "watch.changed_at", id: "watch.id" },
    }
}

impl Listing {
    /// The rows after a position, in an order.
    fn order(&mut self, sort: WatchSort, after: Option<&Cursor>) {
        let Self { sql, name, changed, id } = self;
        match sort {
            WatchSort::LastChange => {
                if let Some(after) = after {
                    sql.numbers(&format!(" AND ({changed}, {id}) < (?, ?)"), &[after.number, after.id]);
                }
                sql.add(&format!(" ORDER BY {changed} DESC, {id} DESC"));
            }
            WatchSort::Name => {
                if let Some(after) = after {
                    sql.texts(&format!(" AND ({name}, {id}) > (?"), &[&after.text]);
                    sql.numbers(", ?)", &[after.id]);
                }
                sql.add(&format!(" ORDER BY {name}, {id}"));
            }
        }
    }
}

impl WatchSort {
    fn position(self, listed: &ListedWatch) -> Cursor {
        match self {
            Self::LastChange => {
                let number = listed.change.as_ref().map_or(0, |change| change.at.microseconds());
                Cursor { text: String::new(), number, id: listed.id }
            }
            Self::Name => Cursor { text: listed.sort_name.clone(), number: 0, id: listed.id },
        }
    }
}

impl WatchStatus {
    /// The number under which it is stored.
    fn number(self) -> i64 {
        match self {
            Self::New => 0,
            Self::Working => 1,
            Self::Failing => 2,
            Self::Absent => 3,
            Self::Paused => 4,
        }
    }

    fn of(number: i64) -> Answer<Self> {
        Ok(match number {
            0 => Self::New,
            1 => Self::Working,
            2 => Self::Failing,
            3 => Self::Absent,
            4 => Self::Paused,
            _ => return Err(odd("state of a watch", number)),
        })
    }
}

fn listed(row: &AnyRow) -> Answer<ListedWatch> {
    let moment = |column| Ok::<_, sqlx::Error>(row.try_get::<Option<i64>, _>(column)?.map(time));
    let change = match row.try_get::<Option<i64>, _>("changed_event")? {
        None => None,
        Some(event) => Some(LastChange {
            event,
            at: time(row.try_get("changed_at")?),
            importance: row.try_get("change_importance")?,
            summary: row.try_get("change_summary")?,
        }),
    };
    Ok(ListedWatch {
        id: row.try_get("id")?,
        watch: watch(row)?,
        status: WatchStatus::of(row.try_get("state")?)?,
        next: moment("next")?,
        checked: moment("checked")?,
        version: moment("version_at")?,
        failing_since: moment("failing_since")?,
        absent_since: moment("absent_since")?,
        change,
        sort_name: row.try_get("sort_name")?,
    })
}

/// Reads a watch by the names of its columns.
pub(super) fn watch(row: &AnyRow) -> Answer<Watch> {
    let tags: String = row.try_get("tags")?;
    Ok(Watch {
        uuid: row.try_get("uuid")?,
        url: row.try_get("url")?,
        title: row.try_get("title")?,
        tags: serde_json::from_str(&tags).map_err(|error| sqlx::Error::Decode(error.into()))?,
        settings: json(&row.try_get::<String, _>("settings")?)?,
        created: time(row.try_get("created")?),
        kind: row.try_get("kind")?,
        site: row.try_get("site")?,
        list: row.try_get("list")?,
        is_paused: row.try_get::<i64, _>("paused")? != 0,
    })
}
