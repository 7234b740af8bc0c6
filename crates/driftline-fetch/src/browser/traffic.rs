//! What went over the network for the page itself? Each exchange of its document, and how far it has come.
//!
//! Chromium tells the same exchange in several messages, in no certain order: what it meant to send and what it sent,
//! what it understood and what it got. Of those for one request, the first of each kind belong together, then the
//! second, for each redirect.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chromiumoxide::cdp::browser_protocol::fetch::EventRequestPaused;
use chromiumoxide::cdp::browser_protocol::network::{
    EventLoadingFailed, EventRequestWillBeSent, EventRequestWillBeSentExtraInfo, EventResponseReceived,
    EventResponseReceivedExtraInfo, RequestId, Response,
};
use chromiumoxide::cdp::browser_protocol::page::{
    EventJavascriptDialogOpening, EventLifecycleEvent, FrameId, HandleJavaScriptDialogParams,
};
use chromiumoxide::error::CdpError;
use chromiumoxide::page::Page;
use futures_util::stream::{self, BoxStream};
use futures_util::{Stream, StreamExt as _};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::gate::Gate;

/// A page that leads to more documents than this leads nowhere.
const MOST_DOCUMENTS: usize = 50;

/// Of so many requests is remembered what was really sent and received.
const MOST_REQUESTS: usize = 2_000;

/// One exchange of the page's document.
#[derive(Debug, Clone)]
pub(super) struct Document {
    pub(super) id: RequestId,
    /// Which navigation it belongs to.
    loader: String,
    pub(super) asked: Arc<EventRequestWillBeSent>,
    pub(super) answer: Option<Response>,
    /// What was really sent.
    pub(super) sent: Option<Arc<EventRequestWillBeSentExtraInfo>>,
    /// What really came.
    pub(super) came: Option<Arc<EventResponseReceivedExtraInfo>>,
    /// Does it lead to the next one by itself, so that Chromium keeps no body of it?
    pub(super) is_redirect: bool,
}

/// What is known so far.
#[derive(Debug, Default)]
struct Known {
    documents: Vec<Document>,
    sent: HashMap<RequestId, Vec<Arc<EventRequestWillBeSentExtraInfo>>>,
    came: HashMap<RequestId, Vec<Arc<EventResponseReceivedExtraInfo>>>,
    failed: HashMap<RequestId, String>,
    /// Navigations and how far they have come: `load`, `networkIdle`.
    reached: HashSet<(String, String)>,
}

/// The traffic of a page, until it is dropped.
#[derive(Debug)]
pub(super) struct Traffic {
    main: Option<FrameId>,
    gate: Arc<Gate>,
    known: Mutex<Known>,
    news: Notify,
    listening: Mutex<Option<JoinHandle<()>>>,
}

/// A message of Chromium.
enum Seen {
    Asked(Arc<EventRequestWillBeSent>),
    Sent(Arc<EventRequestWillBeSentExtraInfo>),
    Answered(Arc<EventResponseReceived>),
    Came(Arc<EventResponseReceivedExtraInfo>),
    Failed(Arc<EventLoadingFailed>),
    Reached(Arc<EventLifecycleEvent>),
    Paused(Arc<EventRequestPaused>),
    Dialog,
}

impl Traffic {
    /// Begins to listen.
    pub(super) async fn watch(page: &Page, gate: Gate) -> Result<Arc<Self>, CdpError> {
        let main = page.mainframe().await?;
        let mut seen = stream::select_all([
            boxed(page.event_listener().await?, Seen::Asked),
            boxed(page.event_listener().await?, Seen::Sent),
            boxed(page.event_listener().await?, Seen::Answered),
            boxed(page.event_listener().await?, Seen::Came),
            boxed(page.event_listener().await?, Seen::Failed),
            boxed(page.event_listener().await?, Seen::Reached),
            boxed(page.event_listener().await?, Seen::Paused),
            boxed(page.event_listener::<EventJavascriptDialogOpening>().await?, |_| Seen::Dialog),
        ]);
        let traffic = Arc::new(Self {
            main,
            gate: Arc::new(gate),
            known: Mutex::default(),
            news: Notify::new(),
            listening: Mutex::default(),
        });
        let (weak, page) = (Arc::downgrade(&traffic), page.clone());
        let listening = tokio::spawn(async move {
            while let Some(seen) = seen.next().await {
                let Some(traffic) = weak.upgrade() else { return };
                traffic.take(seen, &page);
            }
        });
        *traffic.listening.lock().unwrap_or_else(PoisonError::into_inner) = Some(listening);
        Ok(traffic)
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
        known.documents.last().is_some_and(|last| last.answer.is_some() || known.failed.contains_key(&last.id))
    }

    /// Has the last document come so far, and is nothing else under way to replace it?
    pub(super) fn has_reached(&self, milestone: &str) -> bool {
        let known = self.known();
        known.documents.last().is_some_and(|last| {
            known.failed.contains_key(&last.id) || known.reached.contains(&(last.loader.clone(), milestone.to_owned()))
        })
    }

    /// Why the last document did not come, if it did not.
    pub(super) fn failure(&self) -> Option<String> {
        let known = self.known();
        known.failed.get(&known.documents.last()?.id).cloned()
    }

    /// Waits for a change.
    pub(super) async fn changed(&self) {
        self.news.notified().await;
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(self: &Arc<Self>, seen: Seen, page: &Page) {
        match seen {
            Seen::Paused(paused) => {
                let is_main = self.main.as_ref() == Some(&paused.frame_id);
                tokio::spawn(Arc::clone(&self.gate).pass(page.clone(), paused, is_main));
            }
            Seen::Dialog => {
                let page = page.clone();
                // A page that asks the user waits for ever: nobody is there.
                tokio::spawn(async move { page.execute(HandleJavaScriptDialogParams::new(false)).await.map(|_| ()) });
            }
            seen => self.known().take(seen, self.main.as_ref()),
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
    fn take(&mut self, seen: Seen, main: Option<&FrameId>) {
        match seen {
            Seen::Asked(asked) => self.asked(asked, main),
            Seen::Answered(answered) => {
                if let Some(document) = self.last_of(&answered.request_id) {
                    document.answer = Some(answered.response.clone());
                }
            }
            Seen::Sent(sent) if self.sent.len() < MOST_REQUESTS => {
                self.sent.entry(sent.request_id.clone()).or_default().push(sent);
            }
            Seen::Came(came) if self.came.len() < MOST_REQUESTS => {
                self.came.entry(came.request_id.clone()).or_default().push(came);
            }
            Seen::Failed(failed) if self.last_of(&failed.request_id).is_some() => {
                self.failed.insert(failed.request_id.clone(), failed.error_text.clone());
            }
            Seen::Reached(reached) if main == Some(&reached.frame_id) && self.reached.len() < MOST_REQUESTS => {
                self.reached.insert((reached.loader_id.as_ref().to_owned(), reached.name.clone()));
            }
            _ => {}
        }
    }

    /// A document of the main frame is asked for; its request has the name of its navigation.
    fn asked(&mut self, asked: Arc<EventRequestWillBeSent>, main: Option<&FrameId>) {
        let is_document = asked.request_id.as_ref() == asked.loader_id.as_ref() && asked.frame_id.as_ref() == main;
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
            loader: asked.loader_id.as_ref().to_owned(),
            asked,
            answer: None,
            sent: None,
            came: None,
            is_redirect: false,
        });
    }

    fn last_of(&mut self, id: &RequestId) -> Option<&mut Document> {
        self.documents.iter_mut().rev().find(|document| document.id == *id)
    }
}

fn boxed<T>(
    events: impl Stream<Item = Arc<T>> + Send + 'static,
    seen: impl Fn(Arc<T>) -> Seen + Send + 'static,
) -> BoxStream<'static, Seen> {
    events.map(seen).boxed()
}
