//! Who is told in a test? A receiver of webhooks that remembers what it got, and answers as it is bidden.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::server::{Request, Response, Server};

/// A receiver on loopback.
#[derive(Debug)]
pub struct Receiver {
    server: Server,
    script: Arc<Mutex<VecDeque<u16>>>,
}

impl Default for Receiver {
    fn default() -> Self {
        Self::start()
    }
}

impl Receiver {
    /// A receiver that takes everything: it answers 200.
    #[must_use]
    pub fn start() -> Self {
        Self::scripted([])
    }

    /// A receiver that answers with these statuses first, and then with 200.
    #[must_use]
    pub fn scripted(statuses: impl IntoIterator<Item = u16>) -> Self {
        let script = Arc::new(Mutex::new(statuses.into_iter().collect::<VecDeque<_>>()));
        let answers = Arc::clone(&script);
        let server = Server::start(move |_| {
            let status = answers.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            Response::new(status.unwrap_or(200), "ok")
        });
        Self { server, script }
    }

    /// Answers the next requests with these statuses.
    pub fn answer(&self, statuses: impl IntoIterator<Item = u16>) {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).extend(statuses);
    }

    /// Where to send.
    #[must_use]
    pub fn url(&self) -> String {
        self.server.url("/hook")
    }

    /// The server itself.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// What came since this was last called, be it taken or not.
    #[must_use]
    pub fn take(&self) -> Vec<Request> {
        self.server.take_requests()
    }

    /// The same as JSON; `null` for what is none.
    #[must_use]
    pub fn take_json(&self) -> Vec<Value> {
        self.take().iter().map(|request| serde_json::from_slice(&request.body).unwrap_or_default()).collect()
    }
}
