//! A client of the Chrome `DevTools` Protocol: JSON messages over one WebSocket on loopback.
//!
//! Each command has an id, and Chromium sends one reply with the same id. Everything else is an event. A [`Session`] is
//! the browser itself or one target that is attached to (`Target.attachToTarget` with `flatten`): its commands, replies
//! and events carry its `sessionId`, and all sessions share the connection.
//!
//! Limits: a message has at most [`MOST_MESSAGE`] bytes, at most [`MOST_EVENTS`] events of a session wait to be read,
//! and a reply has to arrive within the time that [`Connection::open`] is given. A longer message, or one that is not of
//! the protocol, closes the connection, and every caller that waits gets an error. A session whose events are not read
//! loses its event stream, and the reader of the stream sees its end.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::net::TcpStream;
use tokio::select;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::protocol::Command;

/// A Chromium that takes longer to open the WebSocket hangs.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// The most bytes of a message: a body of 1,000,000,000 bytes, the most that a watch may ask for, is 1.34 GB in base64.
const MOST_MESSAGE: usize = 2_000_000_000;

/// The most events of a session that wait to be read.
const MOST_EVENTS: usize = 20_000;

/// The most commands that wait to be sent; further callers wait.
const MOST_UNSENT: usize = 64;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(super) enum DevtoolsError {
    /// The WebSocket could not be opened.
    #[error("cannot connect to `{address}`: {source}")]
    Connect { address: String, source: Box<tungstenite::Error> },
    /// Chromium replied with an error; the message is Chromium's own.
    #[error("{method}: {message} (code {code})")]
    Refused { method: &'static str, code: i64, message: String },
    /// The reply has another form than the protocol says.
    #[error("cannot read the reply to {method}: {source}")]
    Reply { method: &'static str, source: serde_json::Error },
    /// No reply arrived within the time limit.
    #[error("no reply to {0} in time")]
    Timeout(&'static str),
    /// The connection was closed before the reply arrived.
    #[error("the connection to Chromium was closed: {0}")]
    Closed(String),
}

/// A connection to a running Chromium, until it is dropped.
#[derive(Debug)]
pub(super) struct Connection {
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

/// The browser or one attached target, to send commands to. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Session {
    shared: Arc<Shared>,
    /// `None` for the browser.
    id: Option<Arc<str>>,
}

/// The events of a session, in the order in which they arrived, until it is dropped.
#[derive(Debug)]
pub(super) struct Events {
    shared: Arc<Shared>,
    session: Arc<str>,
    queue: mpsc::Receiver<Event>,
}

/// An event that is not read yet.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) method: String,
    text: Utf8Bytes,
}

/// The state that the connection's task and all sessions share.
#[derive(Debug)]
struct Shared {
    unsent: mpsc::Sender<Message>,
    limit: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    last_id: u64,
    pending: HashMap<u64, (&'static str, oneshot::Sender<Exchanged>)>,
    subscribers: HashMap<Arc<str>, Subscriber>,
    /// Why the connection was closed, if it was.
    closed: Option<String>,
}

#[derive(Debug)]
struct Subscriber {
    methods: &'static [&'static str],
    queue: mpsc::Sender<Event>,
}

/// A reply that is not read yet.
type Exchanged = Result<Utf8Bytes, DevtoolsError>;

/// The routing fields of a message from Chromium. Its content is read by the receiver, with the types of [`Command`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    id: Option<u64>,
    method: Option<String>,
    session_id: Option<String>,
    error: Option<Refusal>,
}

/// An error reply.
#[derive(Debug, Deserialize)]
struct Refusal {
    code: i64,
    message: String,
}

/// A command as it is sent.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outgoing<'a, C> {
    id: u64,
    method: &'static str,
    params: &'a C,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a str>,
}

/// The result in a reply, or the parameters of an event.
#[derive(Deserialize)]
struct Content<T> {
    #[serde(alias = "params")]
    result: T,
}

impl Connection {
    /// Opens a connection to an address `ws://HOST:PORT/PATH`; each reply has to arrive within `limit`, and the
    /// handshake within [`HANDSHAKE`] too.
    pub(super) async fn open(address: &str, limit: Duration) -> Result<Self, DevtoolsError> {
        let opened = timeout(limit.min(HANDSHAKE), connect(address)).await;
        let (sink, stream) = opened.map_err(|_| DevtoolsError::Timeout("the handshake"))??.split();
        let (unsent, to_send) = mpsc::channel(MOST_UNSENT);
        let shared = Arc::new(Shared { unsent, limit, state: Mutex::default() });
        let own = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            let why = select! {
                why = read(stream, &own) => why,
                why = write(sink, to_send) => why,
            };
            own.close(&why);
        });
        Ok(Self { shared, task })
    }

    /// The session of the browser itself.
    pub(super) fn browser(&self) -> Session {
        Session { shared: Arc::clone(&self.shared), id: None }
    }

    /// The session of an attached target, and its events of these methods.
    pub(super) fn session(&self, id: &str, methods: &'static [&'static str]) -> (Session, Events) {
        let (session, shared): (Arc<str>, _) = (id.into(), &self.shared);
        let (sender, queue) = mpsc::channel(MOST_EVENTS);
        let mut state = shared.state();
        if state.closed.is_none() {
            state.subscribers.insert(Arc::clone(&session), Subscriber { methods, queue: sender });
        }
        let events = Events { shared: Arc::clone(shared), session: Arc::clone(&session), queue };
        (Session { shared: Arc::clone(shared), id: Some(session) }, events)
    }

    /// Whether commands can be sent.
    pub(super) fn is_open(&self) -> bool {
        self.shared.state().closed.is_none()
    }
}

async fn connect(address: &str) -> Result<WebSocketStream<TcpStream>, DevtoolsError> {
    let failed = |source| DevtoolsError::Connect { address: address.to_owned(), source: Box::new(source) };
    let stream = TcpStream::connect(host_and_port(address)).await.map_err(|error| failed(error.into()))?;
    stream.set_nodelay(true).map_err(|error| failed(error.into()))?;
    let config = WebSocketConfig::default().max_message_size(Some(MOST_MESSAGE)).max_frame_size(Some(MOST_MESSAGE));
    let (socket, _) = client_async_with_config(address, stream, Some(config)).await.map_err(failed)?;
    Ok(socket)
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.task.abort();
        self.shared.close("it is no longer needed");
    }
}

impl Session {
    /// Sends a command and waits for its reply.
    pub(super) async fn send<C: Command>(&self, command: &C) -> Result<C::Reply, DevtoolsError> {
        let exchanged = timeout(self.shared.limit, self.exchange(command)).await;
        let text = exchanged.map_err(|_| DevtoolsError::Timeout(C::METHOD))??;
        let unreadable = |source| DevtoolsError::Reply { method: C::METHOD, source };
        Ok(serde_json::from_str::<Content<C::Reply>>(&text).map_err(unreadable)?.result)
    }

    async fn exchange<C: Command>(&self, command: &C) -> Exchanged {
        let method = C::METHOD;
        let (pending, reply) = Pending::new(&self.shared, method)?;
        let outgoing = Outgoing { id: pending.id, method, params: command, session_id: self.id.as_deref() };
        let text = serde_json::to_string(&outgoing).map_err(|source| DevtoolsError::Reply { method, source })?;
        // If it cannot be sent, the connection is being closed, and the reply says why.
        let _ = self.shared.unsent.send(text.into()).await;
        reply.await.unwrap_or_else(|_| Err(DevtoolsError::Closed("a reply was lost".to_owned())))
    }
}

impl Events {
    /// The next event; `None` when the connection is closed, or when too many events were left unread.
    pub(super) async fn next(&mut self) -> Option<Event> {
        self.queue.recv().await
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.shared.state().subscribers.remove(&self.session);
    }
}

impl Event {
    /// The parameters; `None` if they have another form than the protocol says.
    pub(super) fn params<T: DeserializeOwned>(&self) -> Option<T> {
        let read = serde_json::from_str::<Content<T>>(&self.text);
        read.inspect_err(|error| tracing::debug!(method = self.method, %error, "cannot read an event of Chromium"))
            .ok()
            .map(|read| read.result)
    }
}

/// A command without a reply yet; forgotten when its caller no longer waits.
struct Pending<'a> {
    shared: &'a Shared,
    id: u64,
}

impl<'a> Pending<'a> {
    fn new(shared: &'a Shared, method: &'static str) -> Result<(Self, oneshot::Receiver<Exchanged>), DevtoolsError> {
        let (sender, reply) = oneshot::channel();
        let mut state = shared.state();
        if let Some(why) = &state.closed {
            return Err(DevtoolsError::Closed(why.clone()));
        }
        state.last_id += 1;
        let id = state.last_id;
        state.pending.insert(id, (method, sender));
        Ok((Self { shared, id }, reply))
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        self.shared.state().pending.remove(&self.id);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends every wait for a reply or an event. The first reason is kept.
    fn close(&self, why: &str) {
        let mut state = self.state();
        let why = state.closed.get_or_insert_with(|| why.to_owned()).clone();
        state.subscribers.clear();
        for (_, (_, reply)) in state.pending.drain() {
            // A caller that no longer waits needs no reply.
            let _ = reply.send(Err(DevtoolsError::Closed(why.clone())));
        }
    }

    /// Hands a message to the command or the session that it is for.
    fn route(&self, text: Utf8Bytes) -> Result<(), String> {
        let envelope: Envelope = serde_json::from_str(&text).map_err(|error| format!("malformed message: {error}"))?;
        let mut state = self.state();
        match envelope {
            Envelope { id: Some(id), error, .. } => {
                if let Some((method, reply)) = state.pending.remove(&id) {
                    let refused = |Refusal { code, message }| DevtoolsError::Refused { method, code, message };
                    let _ = reply.send(error.map(refused).map_or(Ok(text), Err));
                }
            }
            Envelope { method: Some(method), session_id, .. } => {
                let Some(id) = session_id else { return Ok(()) };
                let Some(subscriber) = state.subscribers.get(id.as_str()) else { return Ok(()) };
                let is_wanted = subscriber.methods.contains(&method.as_str());
                if is_wanted && subscriber.queue.try_send(Event { method, text }).is_err() {
                    state.subscribers.remove(id.as_str());
                }
            }
            _ => return Err("malformed message: neither a reply nor an event".to_owned()),
        }
        Ok(())
    }
}

/// Routes all messages, and returns why there are no more.
async fn read(mut stream: SplitStream<WebSocketStream<TcpStream>>, shared: &Shared) -> String {
    while let Some(message) = stream.next().await {
        let routed = match message {
            Ok(Message::Text(text)) => shared.route(text),
            Ok(Message::Binary(_)) => Err("malformed message: not text".to_owned()),
            Ok(Message::Close(_)) => break,
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_)) => Ok(()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(why) = routed {
            return why;
        }
    }
    "Chromium ended it".to_owned()
}

/// Sends commands, and returns why it cannot any more.
async fn write(
    mut sink: SplitSink<WebSocketStream<TcpStream>, Message>,
    mut to_send: mpsc::Receiver<Message>,
) -> String {
    while let Some(message) = to_send.recv().await {
        if let Err(error) = sink.send(message).await {
            return error.to_string();
        }
    }
    "no session is left".to_owned()
}

/// The `HOST:PORT` of an address.
pub(super) fn host_and_port(address: &str) -> &str {
    address.split('/').nth(2).unwrap_or_default()
}
