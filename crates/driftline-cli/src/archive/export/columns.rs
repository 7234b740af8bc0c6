//! Which columns do the tables of captures, versions and changes have? Documented in `docs/reference/tables.md`.

use driftline_archive::Time;
use driftline_catalog::{CaptureKind, Change, NewCapture, StoredCapture};
use driftline_report::table::{Column, Kind, Value};

/// Of a table of captures.
pub(super) const CAPTURES: [Column; 17] = [
    Column::new("capture", Kind::Integer),
    Column::new("url", Kind::Text),
    Column::new("key", Kind::Text),
    Column::new("time", Kind::Text),
    Column::new("timestamp", Kind::Text),
    Column::new("kind", Kind::Text),
    Column::new("status", Kind::Integer),
    Column::new("mime", Kind::Text),
    Column::new("digest", Kind::Text),
    Column::new("bytes", Kind::Integer),
    Column::new("redirect", Kind::Text),
    Column::new("record_id", Kind::Text),
    Column::new("original_url", Kind::Text),
    Column::new("original_time", Kind::Text),
    Column::new("segment", Kind::Text),
    Column::new("offset", Kind::Integer),
    Column::new("length", Kind::Integer),
];

/// What a table of versions has behind the columns of captures.
pub(super) const VERSIONS: [Column; 1] = [Column::new("previous", Kind::Integer)];

/// Of a table of changes.
pub(super) const CHANGES: [Column; 9] = [
    Column::new("url", Kind::Text),
    Column::new("old_time", Kind::Text),
    Column::new("new_time", Kind::Text),
    Column::new("old_capture", Kind::Integer),
    Column::new("new_capture", Kind::Integer),
    Column::new("recipe", Kind::Integer),
    Column::new("degree", Kind::Real),
    Column::new("importance", Kind::Real),
    Column::new("change", Kind::Text),
];

/// In the order of [`CAPTURES`].
pub(super) fn capture(stored: &StoredCapture) -> Vec<Value> {
    let NewCapture { url, key, at, kind, status, mime, digest, payload_length, redirect, .. } = &stored.capture;
    let NewCapture { record_id, refers_to, offset, length, .. } = &stored.capture;
    let text = |value: &Option<String>| Value::from(value.clone());
    let (original_url, original_time) =
        refers_to.as_ref().map(|original| (original.url.clone(), time(original.at))).unzip();
    vec![
        stored.id.into(),
        url.as_str().into(),
        key.as_str().into(),
        time(*at),
        at.digits().into(),
        kind_name(*kind).into(),
        status.map(u32::from).into(),
        text(mime),
        text(digest),
        payload_length.map(integer).into(),
        text(redirect),
        text(record_id),
        original_url.into(),
        original_time.into(),
        stored.segment.as_str().into(),
        integer(*offset).into(),
        integer(*length).into(),
    ]
}

/// In the order of [`CHANGES`].
pub(super) fn change(older: &StoredCapture, newer: &StoredCapture, change: &Change) -> Vec<Value> {
    vec![
        newer.capture.url.as_str().into(),
        time(older.capture.at),
        time(newer.capture.at),
        older.id.into(),
        newer.id.into(),
        change.recipe.into(),
        change.degree.into(),
        change.importance.into(),
        change.body.to_string().into(),
    ]
}

fn time(at: Time) -> Value {
    at.to_string().into()
}

fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn kind_name(kind: CaptureKind) -> &'static str {
    match kind {
        CaptureKind::Response => "response",
        CaptureKind::Revisit => "revisit",
        CaptureKind::Resource => "resource",
        CaptureKind::Conversion => "conversion",
    }
}
