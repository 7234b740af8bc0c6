//! The client against a WebSocket server on loopback that plays Chromium.

use std::future::Future;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Bytes, Message};
use tokio_tungstenite::{WebSocketStream, accept_async};

use super::super::protocol::{CreateTarget, EnablePage, GetVersion, LoadingFailed};
use super::{Connection, DevtoolsError, MOST_EVENTS, MOST_MESSAGE, host_and_port};

/// A test that takes longer hangs.
const LONG: Duration = Duration::from_secs(30);

/// Chromium's end of the connection.
struct Peer(WebSocketStream<TcpStream>);

impl Peer {
    /// The next command.
    async fn command(&mut self) -> Value {
        let message = self.0.next().await.unwrap().unwrap();
        serde_json::from_str(message.to_text().unwrap()).unwrap()
    }

    /// Keeps the connection open until the test is over.
    async fn stay(&mut self) {
        let _ = self.0.next().await;
    }

    async fn send(&mut self, message: impl ToString) {
        self.0.send(Message::text(message.to_string())).await.unwrap();
    }
}

/// Runs a client against a peer, with this time limit for replies.
async fn run<P, C, O>(limit: Duration, peer: impl FnOnce(Peer) -> P, client: impl FnOnce(Connection) -> C) -> O
where
    P: Future<Output = ()> + Send + 'static,
    C: Future<Output = O>,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("ws://{}/devtools/browser/1", listener.local_addr().unwrap());
    let (connection, accepted) = tokio::join!(Connection::open(&address, limit), async {
        accept_async(listener.accept().await.unwrap().0).await.unwrap()
    });
    let playing = tokio::spawn(peer(Peer(accepted)));
    let outcome = timeout(LONG, client(connection.unwrap())).await.expect("the client hangs");
    playing.abort();
    outcome
}

fn version(agent: &str) -> Value {
    json!({ "userAgent": agent, "product": "a field that is not used" })
}

#[tokio::test]
async fn a_reply_reaches_its_command_whatever_the_order() {
    let peer = |mut peer: Peer| async move {
        let (first, second) = (peer.command().await, peer.command().await);
        assert_eq!(first["method"], "Browser.getVersion");
        assert_eq!(second["params"], json!({ "url": "about:blank", "browserContextId": "c" }));
        assert!(first.get("sessionId").is_none(), "the browser has no session");
        peer.send(json!({ "id": second["id"], "result": { "targetId": "t" } })).await;
        peer.send(json!({ "id": 999, "result": {} })).await;
        peer.send(json!({ "id": first["id"], "result": version("Mine/1") })).await;
        peer.stay().await;
    };
    run(LONG, peer, async |connection| {
        let browser = connection.browser();
        let create = CreateTarget { url: "about:blank", browser_context_id: "c".to_owned() };
        let (version, target) = tokio::join!(browser.send(&GetVersion {}), browser.send(&create));
        assert_eq!((version.unwrap().user_agent, target.unwrap().target_id), ("Mine/1".to_owned(), "t".to_owned()));
        assert!(connection.shared.state().pending.is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_event_reaches_its_session_and_no_other() {
    let failed = |session: &str, error: &str| {
        let params = json!({ "requestId": "1", "errorText": error, "blockedReason": "other" });
        json!({ "method": "Network.loadingFailed", "sessionId": session, "params": params })
    };
    let peer = move |mut peer: Peer| async move {
        let command = peer.command().await;
        assert_eq!(command["sessionId"], "a");
        peer.send(failed("b", "of b")).await;
        peer.send(failed("c", "of nobody")).await;
        peer.send(json!({ "method": "Network.dataReceived", "sessionId": "a", "params": {} })).await;
        peer.send(json!({ "method": "Target.targetCreated", "params": {} })).await;
        // A lone surrogate, which is not a character, in a field that is used, and in one that is not.
        peer.send(
            r#"{"method":"Network.loadingFailed","sessionId":"a","params":{"requestId":"1","errorText":"\ud800"}}"#,
        )
        .await;
        let odd = r#"{"requestId":"1","errorText":"of a","type":"\ud800"}"#;
        peer.send(format!(r#"{{"method":"Network.loadingFailed","sessionId":"a","params":{odd}}}"#)).await;
        peer.send(json!({ "id": command["id"], "sessionId": "a", "result": {} })).await;
        peer.stay().await;
    };
    run(LONG, peer, async |connection| {
        let (a, mut of_a) = connection.session("a", &["Network.loadingFailed"]);
        let (_b, mut of_b) = connection.session("b", &["Network.loadingFailed"]);
        a.send(&EnablePage {}).await.unwrap();
        let unreadable = of_a.next().await.unwrap();
        assert!(unreadable.params::<LoadingFailed>().is_none());
        assert_eq!(of_a.next().await.unwrap().params::<LoadingFailed>().unwrap().error_text, "of a");
        assert_eq!(of_b.next().await.unwrap().params::<LoadingFailed>().unwrap().error_text, "of b");
        drop(of_a);
        assert_eq!(connection.shared.state().subscribers.len(), 1, "that of a is forgotten");
    })
    .await;
}

#[tokio::test]
async fn an_error_reply_carries_the_message_of_chromium() {
    let peer = |mut peer: Peer| async move {
        let refused = peer.command().await;
        let error = json!({ "code": -32000, "message": "Target crashed", "data": null });
        peer.send(json!({ "id": refused["id"], "error": error })).await;
        let odd = peer.command().await;
        peer.send(json!({ "id": odd["id"], "result": { "userAgent": 7 } })).await;
        peer.stay().await;
    };
    run(LONG, peer, async |connection| {
        let error = connection.browser().send(&GetVersion {}).await.unwrap_err();
        assert!(matches!(error, DevtoolsError::Refused { code: -32000, .. }), "{error}");
        assert_eq!(error.to_string(), "Browser.getVersion: Target crashed (code -32000)");
        let error = connection.browser().send(&GetVersion {}).await.unwrap_err();
        assert!(matches!(error, DevtoolsError::Reply { .. }) && connection.is_open(), "{error}");
    })
    .await;
}

#[tokio::test]
async fn a_connection_that_closes_ends_all_waits() {
    let peer = |mut peer: Peer| async move {
        peer.command().await;
        peer.command().await;
        // Without a closing handshake, as when Chromium is killed.
    };
    run(LONG, peer, async |connection| {
        let browser = connection.browser();
        let (session, mut events) = connection.session("a", &["Page.lifecycleEvent"]);
        let (first, second, event) =
            tokio::join!(browser.send(&GetVersion {}), session.send(&EnablePage {}), events.next());
        assert!(matches!(first.unwrap_err(), DevtoolsError::Closed(_)));
        assert!(matches!(second.unwrap_err(), DevtoolsError::Closed(_)));
        assert!(event.is_none() && !connection.is_open());
        assert!(matches!(browser.send(&GetVersion {}).await.unwrap_err(), DevtoolsError::Closed(_)), "and later ones");
        assert!(connection.session("b", &[]).1.next().await.is_none());
    })
    .await;
}

#[tokio::test]
async fn a_session_that_outlives_its_connection_gets_an_error() {
    let peer = |mut peer: Peer| async move {
        peer.command().await;
        peer.command().await;
    };
    run(LONG, peer, async |connection| {
        let browser = connection.browser();
        let waiting = tokio::spawn(async move { browser.send(&GetVersion {}).await });
        tokio::task::yield_now().await;
        drop(connection);
        assert!(matches!(waiting.await.unwrap().unwrap_err(), DevtoolsError::Closed(_)));
    })
    .await;
}

#[tokio::test]
async fn a_malformed_message_ends_the_connection_and_not_the_program() {
    for bad in ["", "nonsense", "[1]", "{}", "7", r#"{"id": -1}"#, r#"{"id": "1"}"#, r#"{"method": {}}"#, "{\"id\":1"] {
        let peer = move |mut peer: Peer| async move {
            peer.command().await;
            peer.send(bad).await;
            peer.stay().await;
        };
        let error = run(LONG, peer, async |connection| connection.browser().send(&GetVersion {}).await).await;
        let error = error.unwrap_err();
        assert!(matches!(&error, DevtoolsError::Closed(why) if why.contains("malformed")), "{bad}: {error}");
    }
    let binary = |mut peer: Peer| async move {
        peer.command().await;
        peer.0.send(Message::Binary(Bytes::from_static(&[0xff; 9]))).await.unwrap();
        peer.stay().await;
    };
    let error = run(LONG, binary, async |connection| connection.browser().send(&GetVersion {}).await).await;
    assert!(matches!(error.unwrap_err(), DevtoolsError::Closed(_)));
}

/// The head of a frame that announces more bytes than are allowed; none of them has to be sent.
#[tokio::test]
async fn an_oversized_message_ends_the_connection_before_it_is_read() {
    let peer = |mut peer: Peer| async move {
        peer.command().await;
        let mut head = vec![0x81, 127];
        head.extend((MOST_MESSAGE as u64 + 1).to_be_bytes());
        tokio::io::AsyncWriteExt::write_all(peer.0.get_mut(), &head).await.unwrap();
        peer.stay().await;
    };
    let error = run(LONG, peer, async |connection| connection.browser().send(&GetVersion {}).await).await;
    let error = error.unwrap_err();
    assert!(matches!(&error, DevtoolsError::Closed(why) if why.contains("too long")), "{error}");
}

#[tokio::test]
async fn a_reply_that_does_not_come_is_given_up_and_forgotten() {
    let peer = |mut peer: Peer| async move {
        let late = peer.command().await;
        let next = peer.command().await;
        peer.send(json!({ "id": late["id"], "result": version("late") })).await;
        peer.send(json!({ "id": next["id"], "result": version("in time") })).await;
        peer.stay().await;
    };
    run(Duration::from_millis(300), peer, async |connection| {
        let browser = connection.browser();
        let error = browser.send(&GetVersion {}).await.unwrap_err();
        assert!(matches!(error, DevtoolsError::Timeout("Browser.getVersion")), "{error}");
        assert!(connection.shared.state().pending.is_empty());
        assert_eq!(browser.send(&GetVersion {}).await.unwrap().user_agent, "in time");
    })
    .await;
}

#[tokio::test]
async fn events_that_nobody_reads_end_their_stream_and_nothing_else() {
    let peer = |mut peer: Peer| async move {
        let command = peer.command().await;
        for _ in 0..=MOST_EVENTS {
            let event = r#"{"method":"Page.lifecycleEvent","sessionId":"a","params":{}}"#;
            peer.0.feed(Message::text(event)).await.unwrap();
        }
        peer.send(json!({ "id": command["id"], "result": version("still there") })).await;
        peer.stay().await;
    };
    run(LONG, peer, async |connection| {
        let (_a, mut events) = connection.session("a", &["Page.lifecycleEvent"]);
        assert_eq!(connection.browser().send(&GetVersion {}).await.unwrap().user_agent, "still there");
        let mut read = 0;
        while events.next().await.is_some() {
            read += 1;
        }
        assert_eq!(read, MOST_EVENTS);
    })
    .await;
}

#[tokio::test]
async fn a_handshake_that_never_ends_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("ws://{}/devtools/browser/1", listener.local_addr().unwrap());
    let (opened, silent) = tokio::join!(Connection::open(&address, Duration::from_millis(200)), listener.accept());
    assert!(matches!(opened, Err(DevtoolsError::Timeout(_))) && silent.is_ok());
}

#[tokio::test]
async fn an_address_where_nobody_answers_is_an_error() {
    let error = Connection::open("ws://127.0.0.1:1/devtools/browser/1", LONG).await.unwrap_err();
    assert!(matches!(error, DevtoolsError::Connect { .. }), "{error}");
    for (address, host) in [("ws://127.0.0.1:7/a/b", "127.0.0.1:7"), ("ws://[::1]:7", "[::1]:7"), ("nonsense", "")] {
        assert_eq!(host_and_port(address), host);
    }
}
