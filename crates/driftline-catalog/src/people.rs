//! People who may sign in, their sessions and tokens.
//!
//! Secrets never get into the catalog: of a session and a token only the SHA-256 is stored, of a password whatever hash the
//! server makes. Expired sessions and tokens, and those of people who were disabled, are as if they were not there.

use sha2::{Digest, Sha256};
use sqlx::Row;
use sqlx::any::AnyRow;

use super::cursor::bounded;
use super::row::{odd, text, time};
use super::{Answer, Catalog, Cursor, Page, Result, Time};

/// What a person may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// May look at everything.
    Viewer,
    /// May also change what is watched.
    Editor,
    /// May also change who may sign in.
    Administrator,
}

/// A person who may sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The number in this catalog.
    pub id: i64,
    /// The name, as it was written first.
    pub name: String,
    /// What the person may do.
    pub role: Role,
    /// The hash of the password; empty if there is none.
    pub password: String,
    /// When the person was added.
    pub created: Time,
    /// Since when the person may not sign in.
    pub disabled_at: Option<Time>,
}

/// A secret that stands for a person, in a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its number in this catalog.
    pub id: i64,
    /// What the person calls it.
    pub name: String,
    /// What it may be used for.
    pub scopes: Vec<String>,
    /// When it was made.
    pub created: Time,
    /// When it ends, if it does.
    pub expires: Option<Time>,
    /// When it was used last.
    pub used_at: Option<Time>,
}

const PERSON: &str = "SELECT person.id, person.name, person.role, person.password, person.created, person.disabled_at \
     FROM person ";

impl Catalog {
    /// Adds a person. Returns the number, or `None` if there is one of this name, in whatever case.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_person(&self, name: &str, role: Role, password: &str, now: Time) -> Result<Option<i64>> {
        let sql = "INSERT INTO person (name, folded, role, password, created) VALUES ($1, $2, $3, $4, $5) \
                   ON CONFLICT (folded) DO NOTHING RETURNING id";
        self.write("added a person", async |connection| {
            let query = sqlx::query(sql).bind(text(name)).bind(folded(name)).bind(role as i64).bind(text(password));
            let row = query.bind(now.microseconds()).fetch_optional(connection).await?;
            row.map(|row| row.try_get(0)).transpose()
        })
    }

    /// A person by name, in whatever case.
    ///
    /// # Errors
    /// If the database fails.
    pub fn person(&self, name: &str) -> Result<Option<Person>> {
        let sql = sqlx::AssertSqlSafe(format!("{PERSON}WHERE person.folded = $1"));
        self.read("looked for a person", async |connection| {
            let row = sqlx::query(sql).bind(folded(name)).fetch_optional(connection).await?;
            row.as_ref().map(person).transpose()
        })
    }

    /// People in the order in which they were added: the next ones after a position, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn people(&self, after: Option<&Cursor>, limit: u32) -> Result<Page<Person>> {
        let sql = sqlx::AssertSqlSafe(format!("{PERSON}WHERE person.id > $1 ORDER BY person.id LIMIT $2"));
        let limit = bounded(limit);
        self.read("listed people", async |connection| {
            let query = sqlx::query(sql).bind(after.map_or(0, |after| after.id)).bind(limit + 1);
            let people = query.fetch_all(connection).await?.iter().map(person).collect::<Answer<Vec<_>>>()?;
            Ok(Page::new(people, limit, |person| Cursor::row(person.id)))
        })
    }

    /// Writes what a person may do, with which password, and whether at all. A person who is disabled, or has another
    /// password, is signed out everywhere.
    ///
    /// # Errors
    /// If there is no such person, or the database fails.
    pub fn put_person(&self, person: &Person) -> Result<()> {
        let changed = "DELETE FROM session WHERE person_id = $1 AND EXISTS (SELECT 1 FROM person WHERE person.id = $1 \
                       AND (person.password <> $2 OR $3 = 1))";
        let sql = "UPDATE person SET role = $1, password = $2, disabled_at = $3 WHERE id = $4";
        let is_disabled = i64::from(person.disabled_at.is_some());
        let written = self.write("wrote a person", async |connection| {
            let query = sqlx::query(changed).bind(person.id).bind(text(&person.password)).bind(is_disabled);
            query.execute(&mut *connection).await?;
            let query = sqlx::query(sql).bind(person.role as i64).bind(text(&person.password));
            let query = query.bind(person.disabled_at.map(Time::microseconds)).bind(person.id);
            Ok(query.execute(connection).await?.rows_affected())
        })?;
        if written == 0 { Err(self.unknown("person", &person.name)) } else { Ok(()) }
    }

    /// Removes a person with all sessions and tokens. Whether the person was there.
    ///
    /// # Errors
    /// If the database fails.
    pub fn remove_person(&self, id: i64) -> Result<bool> {
        self.write("removed a person", async |connection| {
            let query = sqlx::query("DELETE FROM person WHERE id = $1").bind(id);
            Ok(query.execute(connection).await?.rows_affected() > 0)
        })
    }

    /// Begins a session under a random secret.
    ///
    /// # Errors
    /// If there is no such person, the secret was used before, or the database fails.
    pub fn begin_session(&self, person: i64, secret: &str, now: Time, expires: Time) -> Result<()> {
        let sql = "INSERT INTO session (hash, person_id, created, expires) VALUES ($1, $2, $3, $4)";
        let over = "DELETE FROM session WHERE expires <= $1";
        self.write("began a session", async |connection| {
            sqlx::query(over).bind(now.microseconds()).execute(&mut *connection).await?;
            let query = sqlx::query(sql).bind(hash(secret)).bind(person).bind(now.microseconds());
            query.bind(expires.microseconds()).execute(connection).await.map(|_| ())
        })
    }

    /// Whose session this is, if it is one.
    ///
    /// # Errors
    /// If the database fails.
    pub fn session(&self, secret: &str, now: Time) -> Result<Option<Person>> {
        let sql = format!(
            "{PERSON}JOIN session ON session.person_id = person.id WHERE session.hash = $1 AND session.expires > $2 \
             AND person.disabled_at IS NULL"
        );
        self.read("looked for a session", async |connection| {
            let query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(hash(secret)).bind(now.microseconds());
            query.fetch_optional(connection).await?.as_ref().map(person).transpose()
        })
    }

    /// Ends a session.
    ///
    /// # Errors
    /// If the database fails.
    pub fn end_session(&self, secret: &str) -> Result<()> {
        self.write("ended a session", async |connection| {
            let query = sqlx::query("DELETE FROM session WHERE hash = $1").bind(hash(secret));
            query.execute(connection).await.map(|_| ())
        })
    }

    /// Makes a token from a random secret. Returns its number.
    ///
    /// # Errors
    /// If there is no such person, the secret was used before, or the database fails.
    pub fn add_token(
        &self,
        person: i64,
        secret: &str,
        name: &str,
        scopes: &[String],
        now: Time,
        expires: Option<Time>,
    ) -> Result<i64> {
        let sql = "INSERT INTO token (hash, person_id, name, scopes, created, expires) VALUES ($1, $2, $3, $4, $5, $6) \
                   RETURNING id";
        let scopes = serde_json::Value::from(scopes.to_vec()).to_string();
        self.write("made a token", async |connection| {
            let query = sqlx::query(sql).bind(hash(secret)).bind(person).bind(text(name)).bind(text(&scopes));
            let query = query.bind(now.microseconds()).bind(expires.map(Time::microseconds));
            query.fetch_one(connection).await?.try_get(0)
        })
    }

    /// Whose token this is and what it may be used for, if it is one; it is noted that it was used.
    ///
    /// # Errors
    /// If the database fails.
    pub fn use_token(&self, secret: &str, now: Time) -> Result<Option<(Person, Token)>> {
        let found = format!(
            "{PERSON}JOIN token ON token.person_id = person.id WHERE token.hash = $1 \
             AND (token.expires IS NULL OR token.expires > $2) AND person.disabled_at IS NULL"
        );
        let used = "UPDATE token SET used_at = $2 WHERE hash = $1 \
                    RETURNING id, name, scopes, created, expires, used_at";
        self.write("used a token", async |connection| {
            let query = sqlx::query(sqlx::AssertSqlSafe(found)).bind(hash(secret)).bind(now.microseconds());
            let Some(owner) = query.fetch_optional(&mut *connection).await? else { return Ok(None) };
            let query = sqlx::query(used).bind(hash(secret)).bind(now.microseconds());
            Ok(Some((person(&owner)?, token(&query.fetch_one(connection).await?)?)))
        })
    }

    /// The tokens of a person, the oldest first: the next ones after a position, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn tokens(&self, person: i64, after: Option<&Cursor>, limit: u32) -> Result<Page<Token>> {
        let sql = "SELECT id, name, scopes, created, expires, used_at FROM token WHERE person_id = $1 AND id > $2 \
                   ORDER BY id LIMIT $3";
        let limit = bounded(limit);
        self.read("listed tokens", async |connection| {
            let query = sqlx::query(sql).bind(person).bind(after.map_or(0, |after| after.id)).bind(limit + 1);
            let tokens = query.fetch_all(connection).await?.iter().map(token).collect::<Answer<Vec<_>>>()?;
            Ok(Page::new(tokens, limit, |token| Cursor::row(token.id)))
        })
    }

    /// Revokes a token of a person. Whether it was there.
    ///
    /// # Errors
    /// If the database fails.
    pub fn revoke_token(&self, person: i64, id: i64) -> Result<bool> {
        self.write("revoked a token", async |connection| {
            let query = sqlx::query("DELETE FROM token WHERE id = $1 AND person_id = $2").bind(id).bind(person);
            Ok(query.execute(connection).await?.rows_affected() > 0)
        })
    }
}

fn folded(name: &str) -> String {
    text(&name.trim().to_lowercase())
}

fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

fn person(row: &AnyRow) -> Answer<Person> {
    Ok(Person {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        role: match row.try_get("role")? {
            0 => Role::Viewer,
            1 => Role::Editor,
            2 => Role::Administrator,
            other => return Err(odd("role", other)),
        },
        password: row.try_get("password")?,
        created: time(row.try_get("created")?),
        disabled_at: row.try_get::<Option<i64>, _>("disabled_at")?.map(time),
    })
}

fn token(row: &AnyRow) -> Answer<Token> {
    let scopes: String = row.try_get("scopes")?;
    Ok(Token {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        scopes: serde_json::from_str(&scopes).map_err(|error| sqlx::Error::Decode(error.into()))?,
        created: time(row.try_get("created")?),
        expires: row.try_get::<Option<i64>, _>("expires")?.map(time),
        used_at: row.try_get::<Option<i64>, _>("used_at")?.map(time),
    })
}
