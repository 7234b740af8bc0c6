//! How is a target asked over HTTP? Once, without following redirects, and not for ever.
//!
//! Targets come from the operator, so that their addresses may be private. What they answer does not: it is read only
//! as far as it helps to say what is wrong.

mod trust;

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, redirect};
use tokio::runtime::{Builder, Runtime};

use driftline::span::Span;
use driftline::time::Time;
use driftline_fetch::{reason, retry};

use super::parcel::{Failure, Parcel};
use super::target::Targets;
use super::{Target, TellerError};

/// The most bytes of an answer that are read.
const MOST_OF_ANSWER: usize = 64 << 10;
/// The most seconds that a target may ask for.
const MOST_ASKED: u64 = 86_400;
/// The longest that a connection may take.
const CONNECT: Duration = Duration::from_secs(10);

/// Asks targets over HTTP.
#[derive(Debug)]
pub(super) struct Http {
    runtime: Runtime,
    /// By the authorities that are trusted besides the machine's.
    clients: HashMap<Option<PathBuf>, Client>,
}

/// What is sent.
#[derive(Debug)]
pub(super) struct Post<'a> {
    pub(super) parcel: &'a Parcel<'a>,
    pub(super) url: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl<'a> Post<'a> {
    /// A message as JSON, with the key by which the target knows it again.
    pub(super) fn json(parcel: &'a Parcel<'a>, url: String, message: &serde_json::Value) -> Self {
        let headers = vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("idempotency-key".to_owned(), parcel.key.clone()),
        ];
        Self { parcel, url, headers, body: message.to_string().into_bytes() }
    }
}

/// What a target said when it took a message, or did not.
#[derive(Debug)]
pub(super) struct Answer {
    status: u16,
    body: Vec<u8>,
    after: Option<Span>,
}

impl Http {
    pub(super) fn new(targets: &Targets) -> Result<Self, TellerError> {
        let wrong = |error: String| TellerError::Connections(error);
        let runtime = Builder::new_multi_thread().worker_threads(1).thread_name("tell").enable_all().build();
        let runtime = runtime.map_err(|error| wrong(error.to_string()))?;
        let mut clients = HashMap::new();
        for target in targets.iter() {
            let authorities = target.authorities();
            if !clients.contains_key(&authorities) {
                clients.insert(authorities.clone(), client(target, authorities.as_ref())?);
            }
        }
        Ok(Self { runtime, clients })
    }

    /// Sends something; what is not taken is a failure.
    pub(super) fn post(&self, post: Post<'_>) -> Result<Answer, Failure> {
        let answer = self.ask(post)?;
        if (200..300).contains(&answer.status) { Ok(answer) } else { Err(answer.failure()) }
    }

    /// Sends something, and says what was answered.
    fn ask(&self, post: Post<'_>) -> Result<Answer, Failure> {
        let (target, now) = (post.parcel.target, post.parcel.now);
        let client = self.clients.get(&target.authorities());
        let client = client.ok_or_else(|| Failure::Never("the target is not one of this teller".to_owned()))?;
        let headers = headers(&post.headers)?;
        let timeout = target.timeout().duration();
        self.runtime.block_on(async {
            let request = client.post(&post.url).headers(headers).body(post.body);
            // Of the whole of it: an answer that comes drop by drop ends too.
            let all = async { Ok::<_, reqwest::Error>(read(request.send().await?, now).await) };
            match tokio::time::timeout(timeout, all).await {
                Ok(Ok(answer)) => Ok(answer),
                Ok(Err(error)) if error.is_builder() => Err(Failure::Never("its address is not valid".to_owned())),
                Ok(Err(error)) => Err(Failure::again(told(error))),
                Err(_) => Err(Failure::again(format!("no answer within {}", target.timeout()))),
            }
        })
    }
}

fn client(target: &Target, authorities: Option<&PathBuf>) -> Result<Client, TellerError> {
    let tls = trust::config(authorities).map_err(|why| TellerError::File {
        target: target.name().to_owned(),
        path: authorities.cloned().unwrap_or_default(),
        why,
    })?;
    let client = Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(redirect::Policy::none())
        .no_proxy()
        .user_agent(concat!("driftline/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .build();
    client.map_err(|error| TellerError::Connections(told(error)))
}

fn headers(written: &[(String, String)]) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    for (name, value) in written {
        let never = || Failure::Never(format!("`{name}` is no header, or its value is none"));
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| never())?;
        headers.insert(name, HeaderValue::from_str(value).map_err(|_| never())?);
    }
    Ok(headers)
}

async fn read(mut response: Response, now: Time) -> Answer {
    let status = response.status().as_u16();
    let after = retry::after(response.headers(), now);
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = MOST_OF_ANSWER - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if body.len() == MOST_OF_ANSWER {
            break;
        }
    }
    Answer { status, body, after }
}

impl Answer {
    /// What it says as JSON.
    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Why it is no success.
    pub(super) fn failure(&self) -> Failure {
        let error = format!("answered {}{}", self.status, self.told());
        match self.status {
            // The message is at fault, and stays so.
            400 | 413 | 422 => Failure::Never(error),
            300..400 => {
                Failure::again(format!("{error}\nhint: redirects are not followed; write the address that it leads to"))
            }
            // The target is, or how it is reached, and may be mended: a token that has run out, a hook that was moved.
            _ => Failure::Again { error, after: self.after.or_else(|| self.asked()) },
        }
    }

    /// How long a service asks to be left alone in what it says: Discord and Telegram do.
    fn asked(&self) -> Option<Span> {
        let json = self.json();
        let seconds = json.get("retry_after").or_else(|| json.pointer("/parameters/retry_after"))?.as_f64()?;
        let wait = Duration::try_from_secs_f64(seconds).ok()?;
        Some(Span::from_seconds(wait.as_secs().min(MOST_ASKED) + u64::from(wait.subsec_nanos() > 0)))
    }

    /// What it says, in one line. It is cut short once secrets are out of it.
    fn told(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let line: String = line.chars().filter(|char| !char.is_control()).collect();
        if line.is_empty() { line } else { format!(": {line}") }
    }
}

/// An error and its causes, without the address, which may hold a secret.
fn told(error: reqwest::Error) -> String {
    reason::plain_line(&error.without_url())
}
