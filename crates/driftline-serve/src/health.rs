//! Is the daemon well? `/health` for whoever restarts it, `/metrics` for whoever draws it.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use driftline_catalog::EventFilter;
use serde_json::json;

use crate::routes::Shared;

/// What the daemon says about itself, at once: neither waits for anything.
pub trait Health: Send + Sync {
    /// What is wrong, a sentence each; nothing if all is well.
    fn troubles(&self) -> Vec<String>;

    /// What it counts, as Prometheus reads it.
    fn metrics(&self) -> String;
}

/// `GET /health`: 200 and `ok`, or 503 and what is wrong. What the daemon knows of itself needs no catalog.
pub(crate) async fn health(State(shared): State<Shared>) -> Response {
    let mut troubles = shared.health.troubles();
    let newest = EventFilter { limit: 1, ..EventFilter::default() };
    if let Err(error) = shared.read_for_health(move |catalog| catalog.events(&newest)).await {
        tracing::error!(error = %error, "the catalog does not answer");
        troubles.push("the catalog does not answer".to_owned());
    }
    if troubles.is_empty() {
        json_of(StatusCode::OK, &json!({ "status": "ok" }))
    } else {
        json_of(StatusCode::SERVICE_UNAVAILABLE, &json!({ "status": "degraded", "why": troubles }))
    }
}

fn json_of(status: StatusCode, value: &serde_json::Value) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], format!("{value}\n")).into_response()
}

/// `GET /metrics`, in the text format of Prometheus.
pub(crate) async fn metrics(State(shared): State<Shared>) -> Response {
    let text = shared.health.metrics();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
