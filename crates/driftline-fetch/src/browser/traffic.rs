//! What went over the network for the page itself? Each exchange of its document, and how far it has come.
//!
//! Chromium tells the same exchange in several messages, in no certain order: what it meant to send and what it sent,
//! what it understood and what it got. Of those for one request, the first of each kind belong together, then the
//! second, for each redirect.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::devtools::{Event, Events, Session};
use super::gate::Gate;
use super::protocol::{
    HandleJavaScriptDialog, LifecycleEvent, LoadingFailed, RequestPaused, RequestSent, RequestWillBeSent, Response,
    ResponseArrived, ResponseReceived,
};

/// The events that are read.
pub(super) const METHODS: &[&str] = &[
    "Network.requestWillBeSent",
    "Network.requestWillBeSentExtraInfo",
    "Network.responseReceived",
    "Network.responseReceivedExtraInfo",
    "Network.loadingFailed",
    "Page.lifecycleEvent",
    "Fetch.requestPaused",
    "Page.javascriptDialogOpening",
];

/// A page that leads to more documents than this leads nowhere.
const MOST_DOCUMENTS: usize = 50;

/// Of so many requests is remembered what was really sent and received.
const MOST_REQUESTS: usize = 2_000;

/// One exchange of the page's document.
#[derive(Debug, Clone)]
pub(super) struct Document {
    pub(super) id: String,
    /// Which navigation it belongs to.
    loader: String,
    pub(super) asked: Arc<RequestWillBeSent>,
    pub(super) answer: Option<Response>,
    /// What was really sent.
    pub(super) sent: Option<Arc<RequestSent>>,
    /// What really came.
    pub(super) came: Option<Arc<ResponseArrived>>,
    /// Does it lead to the next one by itself, so that Chromium keeps no body of it?
    pub(super) is_redirect: bool,
}

/// What is known so far.
#[derive(Debug, Default)]
struct Known {
    documents: Vec<Document>,
    sent: HashMap<String, Vec<Arc<RequestSent>>>,
    came: HashMap<String, Vec<Arc<ResponseArrived>>>,
    failed: HashMap<String, String>,
    /// Navigations and how far they have come: `load`, `networkIdle`.
    reached: HashSet<(String, String)>,
    /// Chromium has closed the connection, or sent events faster than they were read.
    is_lost: bool,
}

/// The traffic of a page, until it is dropped.
#[derive(Debug)]
pub(super) struct Traffic {
    main: String,
    gate: Arc<Gate>,
    known: Mutex<Known>,
    news: Notify,
    listening: Mutex<Option<JoinHandle<()>>>,
}

/// An event of Chromium.
enum Seen {
    Asked(RequestWillBeSent),
    Sent(RequestSent),
    Answered(ResponseReceived),
    Came(ResponseArrived),
    Failed(LoadingFailed),
    Reached(LifecycleEvent),
    Paused(RequestPaused),
    Dialog,
}

impl Seen {
    fn read(event: &Event) -> Option<Self> {
        match event.method.as_str() {
            "Network.requestWillBeSent" => event.params().map(Self::Asked),
            "Network.requestWillBeSentExtraInfo" => event.params().map(Self::Sent),
            "Network.responseReceived" => event.params().map(Self::Answered),
            "Network.responseReceivedExtraInfo" => event.params().map(Self::Came),
            "Network.loadingFailed" => event.params().map(Self::Failed),
            "Page.lifecycleEvent" => event.params().map(Self::Reached),
            "Fetch.requestPaused" => event.params().map(Self::Paused),
            "Page.javascriptDialogOpening" => Some(Self::Dialog),
            _ => None,
        }
    }
}

impl Traffic {
    /// Begins to listen to the events of a page with this main frame.
    pub(super) fn watch(session: Session, mut events: Events, main: String, gate: Gate) -> Arc<Self> {
        let traffic = Arc::new(Self {
            main,
            gate: Arc::new(gate),
            known: Mutex::default(),
            news: Notify::new(),
            listening: Mutex::default(),
        });
        let weak = Arc::downgrade(&traffic);
        let listening = tokio::spawn(async move {
            while let Some(event) = events.next().await {
                let Some(traffic) = weak.upgrade() else { return };
                if let Some(seen) = Seen::read(&event) {
                    traffic.take(seen, &session);
                }
            }
            if let Some(traffic) = weak.upgrade() {
                traffic.known().is_lost = true;
                traffic.news.notify_one();
            }
        });
        *traffic.listening.lock().unwrap_or_else(PoisonError::into_inner) = Some(listening);
        traffic
    }

    /// Who decides about requests.
    pub(super) fn gate(&self) -> &Gate {
        &self.gate
    }

    /// The exchanges of the page's document so far, in the order in which they were asked for.
    pub(super) fn documents(&self) -> Vec<Document> {
        let known = self.known();
        let with = |document: &Document| {
            let at = known.documents.iter().filter(|other| other.id == document.id);
            let at = at.take_while(|other| !Arc::ptr_eq(&other.asked, &document.asked)).count();
            let sent = known.sent.get(&document.id).and_then(|sent| sent.get(at)).cloned();
            let came = known.came.get(&document.id).and_then(|came| came.get(at)).cloned();
            Document { sent, came, ..document.clone() }
        };
        known.documents.iter().map(with).collect()
    }

    /// Has the last document begun to come, or failed to?
    pub(super) fn has_answered(&self) -> bool {
        let known = self.known();
        let has_answered = |last: &Document| last.answer.is_some() || known.failed.contains_key(&last.id);
        known.is_lost || known.documents.last().is_some_and(has_answered)
    }

    /// Has the last document come so far, and is nothing else under way to replace it?
    pub(super) fn has_reached(&self, milestone: &str) -> bool {
        let known = self.known();
        let has_reached = |last: &Document| {
            known.failed.contains_key(&last.id) || known.reached.contains(&(last.loader.clone(), milestone.to_owned()))
        };
        known.is_lost || known.documents.last().is_some_and(has_reached)
    }

    /// Why the last document did not come, if it did not.
    pub(super) fn failure(&self) -> Option<String> {
        let known = self.known();
        known.failed.get(&known.documents.last()?.id).cloned()
    }

    /// Whether events of the page are missing.
    pub(super) fn is_lost(&self) -> bool {
        self.known().is_lost
    }

    /// Waits for a change.
    pub(super) async fn changed(&self) {
        self.news.notified().await;
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, seen: Seen, session: &Session) {
        match seen {
            Seen::Paused(paused) => {
                let is_main = self.main == paused.frame_id;
                tokio::spawn(Arc::clone(&self.gate).pass(session.clone(), paused, is_main));
            }
            Seen::Dialog => {
                let session = session.clone();
                // A page that asks the user waits until somebody answers, and nobody is there.
                tokio::spawn(async move { session.send(&HandleJavaScriptDialog { accept: false }).await.map(|_| ()) });
            }
            seen => self.known().take(seen, &self.main),
        }
        self.news.notify_one();
    }
}

impl Drop for Traffic {
    fn drop(&mut self) {
        if let Some(listening) = self.listening.lock().unwrap_or_else(PoisonError::into_inner).take() {
            listening.abort();
        }
    }
}

impl Known {
    fn take(&mut self, seen: Seen, main: &str) {
        match seen {
            Seen::Asked(asked) => self.asked(Arc::new(asked), main),
            Seen::Answered(answered) => {
                if let Some(document) = self.last_of(&answered.request_id) {
                    document.answer = Some(answered.response);
                }
            }
            Seen::Sent(sent) if self.sent.len() < MOST_REQUESTS => {
                self.sent.entry(sent.request_id.clone()).or_default().push(Arc::new(sent));
            }
            Seen::Came(came) if self.came.len() < MOST_REQUESTS => {
                self.came.entry(came.request_id.clone()).or_default().push(Arc::new(came));
            }
            Seen::Failed(failed) if self.last_of(&failed.request_id).is_some() => {
                self.failed.insert(failed.request_id, failed.error_text);
            }
            Seen::Reached(reached) if main == reached.frame_id && self.reached.len() < MOST_REQUESTS => {
                self.reached.insert((reached.loader_id, reached.name));
            }
            _ => {}
        }
    }

    /// A document of the main frame is asked for; its request has the name of its navigation.
    fn asked(&mut self, asked: Arc<RequestWillBeSent>, main: &str) {
        let is_document = asked.request_id == asked.loader_id && asked.frame_id.as_deref() == Some(main);
        if !is_document || self.documents.len() >= MOST_DOCUMENTS {
            return;
        }
        if let Some(answer) = &asked.redirect_response
            && let Some(before) = self.last_of(&asked.request_id)
        {
            before.answer = Some(answer.clone());
            before.is_redirect = true;
        }
        self.documents.push(Document {
            id: asked.request_id.clone(),
            loader: asked.loader_id.clone(),
            asked,
            answer: None,
            sent: None,
            came: None,
            is_redirect: false,
        });
    }

    fn last_of(&mut self, id: &str) -> Option<&mut Document> {
        self.documents.iter_mut().rev().find(|document| document.id == *id)
    }
}
