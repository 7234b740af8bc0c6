//! Admission of requests: what a reserved place and a client behind a proxy may request. `/health` has no share of its own:
//! it is answered on every place.

use std::sync::atomic::Ordering;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{CONNECTION, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::client::{Client, is_trusted};
use crate::listener::Peer;
use crate::routes::Shared;

/// The path that is answered on every place.
const HEALTH: &str = "/health";

/// Lets a request through, unless its connection has only a reserved place, or its client has its share.
pub(crate) async fn admit(
    State(shared): State<Shared>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let is_health = request.uri().path() == HEALTH;
    if let Some(is_asking) = peer.reserved {
        is_asking.store(true, Ordering::Relaxed);
        let mut response = if is_health {
            next.run(request).await
        } else {
            later(StatusCode::SERVICE_UNAVAILABLE, "all connections are taken, or all that one client may have\n")
        };
        // The place is for the next one.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        return response;
    }
    let trusted = shared.places.trusted();
    let is_shared = !is_health && is_trusted(peer.address, trusted);
    let client = Client::forwarded(request.headers(), trusted).filter(|_| is_shared);
    let Some(client) = client else { return next.run(request).await };
    match shared.places.request(client) {
        Some(_share) => next.run(request).await,
        None => later(StatusCode::TOO_MANY_REQUESTS, "too many requests at the same time\n"),
    }
}

/// Notes on the connection that a request is answered now: its time is over.
pub(crate) async fn note_answer(ConnectInfo(peer): ConnectInfo<Peer>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    peer.answers.fetch_add(1, Ordering::Relaxed);
    response
}

fn later(status: StatusCode, text: &'static str) -> Response {
    (status, [(RETRY_AFTER, "1")], text).into_response()
}
