//! Is the daemon well? `/health` for whoever restarts it, `/metrics` for whoever draws it.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use driftline_archive::catalog::EventFilter;
use serde_json::json;

use crate::routes::Shared;

/// What the daemon says about itself.
pub trait Health: Send + Sync {
    /// What is wrong, a sentence each; nothing if all is well.
    fn troubles(&self) -> Vec<String>;

    /// What it counts, as Prometheus reads it.
    fn metrics(&self) -> String;
}

/// `GET /health`: 200 and `ok`, or 503 and what is wrong.
pub(crate) async fn health(State(shared): State<Shared>) -> Response {
    let asked = shared.clone();
    let troubles = shared.blocking(move || {
        let mut troubles = asked.health.troubles();
        if let Err(error) = asked.archive.catalog().events(&EventFilter { limit: 1, ..EventFilter::default() }) {
            tracing::error!(error = %error, "the catalog does not answer");
            troubles.push("the catalog does not answer".to_owned());
        }
        troubles
    });
    match troubles.await {
        Some(troubles) if troubles.is_empty() => json_of(StatusCode::OK, &json!({ "status": "ok" })),
        Some(troubles) => json_of(StatusCode::SERVICE_UNAVAILABLE, &json!({ "status": "degraded", "why": troubles })),
        None => json_of(StatusCode::SERVICE_UNAVAILABLE, &json!({ "status": "degraded", "why": ["overloaded"] })),
    }
}

fn json_of(status: StatusCode, value: &serde_json::Value) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], format!("{value}\n")).into_response()
}

/// `GET /metrics`, in the text format of Prometheus.
pub(crate) async fn metrics(State(shared): State<Shared>) -> Response {
    let asked = shared.clone();
    match shared.blocking(move || asked.health.metrics()).await {
        Some(text) => ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response(),
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}
