//! How pages were read when they were compared: texts, each stored once.

use std::collections::BTreeSet;

use sqlx::AnyConnection;

use super::Answer;
use super::row::{self, text};

/// The name of a reading; that of whole pages as they are is empty.
pub(super) fn fingerprint(reading: &str) -> String {
    if reading.is_empty() {
        return String::new();
    }
    data_encoding::HEXLOWER.encode(&row::fingerprint(reading))
}

/// Notes readings, unless they are there.
pub(super) async fn put<'a>(connection: &mut AnyConnection, readings: impl IntoIterator<Item = &'a str>) -> Answer<()> {
    let sql = "INSERT INTO reading (fingerprint, body) VALUES ($1, $2) ON CONFLICT (fingerprint) DO NOTHING";
    let readings: BTreeSet<&str> = readings.into_iter().filter(|reading| !reading.is_empty()).collect();
    for reading in readings {
        let query = sqlx::query(sql).bind(fingerprint(reading)).bind(text(reading));
        query.execute(&mut *connection).await?;
    }
    Ok(())
}
