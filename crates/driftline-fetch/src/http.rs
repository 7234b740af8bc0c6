//! How does a page come over HTTP? Hop by hop: each address is read, judged, looked up and pinned anew, robots.txt is
//! asked, and only then the page.

use std::sync::Arc;

use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::Capture;
use tokio::runtime::Runtime;
use tokio::time::timeout;
use url::Url;

use super::client::Clients;
use super::headers::{self, Sent};
use super::hop::{self, Answer, Patience};
use super::proxy::Proxy;
use super::robots::{self, Robots, Verdict};
use super::{Fetch, FetchDefaults, FetchError, Fetched, FetcherError, Request, Validators, arrival, record, tls};
use crate::guard::{Guard, Lookup};

/// The most redirects that are followed, as in browsers.
const MOST_REDIRECTS: usize = 20;

/// Threads that move bytes; whoever asks waits on a thread of its own.
const THREADS: usize = 2;

/// Brings pages over HTTP.
#[derive(Debug)]
pub struct HttpFetcher {
    runtime: Runtime,
    clients: Clients,
    guard: Guard,
    robots: Robots,
    defaults: FetchDefaults,
}

/// One way from an address to a page.
struct Journey<'a> {
    /// Where it begins.
    start: &'a str,
    at: Time,
    validators: Option<&'a Validators>,
    proxy: Option<Proxy>,
    patience: Patience,
    most_bytes: usize,
    most_redirects: usize,
    asks_robots: bool,
}

impl HttpFetcher {
    /// A fetcher by what the operator says.
    ///
    /// # Errors
    /// If something there cannot be used.
    pub fn new(defaults: &FetchDefaults) -> Result<Self, FetcherError> {
        defaults.check()?;
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(THREADS).thread_name("driftline-fetch").enable_io().enable_time();
        Ok(Self {
            runtime: builder.build().map_err(FetcherError::Runtime)?,
            clients: Clients::new(tls::config(defaults.ca.as_deref())?),
            guard: Guard::new(&defaults.allow)?,
            robots: Robots::default(),
            defaults: defaults.clone(),
        })
    }

    /// The same fetcher, which looks names up elsewhere.
    #[must_use]
    pub fn with_lookup(self, lookup: Arc<dyn Lookup>) -> Self {
        Self { guard: self.guard.with_lookup(lookup), ..self }
    }

    /// Who says what may be asked.
    #[must_use]
    pub fn guard(&self) -> &Guard {
        &self.guard
    }

    async fn fetch_page(&self, request: &Request<'_>) -> Result<Fetched, FetchError> {
        let how = request.how;
        let url = self.guard.check_url(request.url)?;
        refuse_password(request.url, &url)?;
        let mut sent = Sent::new(how, &self.defaults.agent(), &headers::home(request, &url)?)?;
        let journey = self.journey(request)?;
        let mut captures = Vec::new();
        let answer = self.follow(&journey, url, &mut sent, &mut captures).await?;
        arrival::fetched(answer, captures, request, journey.most_bytes)
    }

    fn journey<'a>(&self, request: &Request<'a>) -> Result<Journey<'a>, FetchError> {
        let how = request.how;
        let [connect, first_byte, _] = self.defaults.timeouts(how);
        Ok(Journey {
            start: request.url,
            at: request.at,
            validators: request.validators,
            proxy: Proxy::choose(how.proxy.as_ref(), self.defaults.proxy.as_ref())?,
            patience: Patience { connect, first_byte },
            most_bytes: self.defaults.most_bytes(how),
            most_redirects: MOST_REDIRECTS,
            asks_robots: !how.ignore_robots,
        })
    }

    /// The settings of the operator.
    #[cfg(feature = "browser")]
    pub(super) fn defaults(&self) -> &FetchDefaults {
        &self.defaults
    }

    /// Fails if robots.txt refuses an address, for a browser that is about to request it. Blocks.
    #[cfg(feature = "browser")]
    pub(super) fn may_ask(&self, url: &Url, how: &super::How, at: Time) -> Result<(), FetchError> {
        let journey = self.journey(&Request { url: url.as_str(), home: None, how, validators: None, at })?;
        let [.., most] = self.defaults.timeouts(how);
        self.runtime.block_on(async {
            match timeout(most.duration(), self.ask_robots(&journey, url)).await {
                Ok(verdict) => verdict,
                Err(_) => {
                    Err(FetchError::Timeout(format!("robots.txt of `{url}` did not finish loading within {most}")))
                }
            }
        })
    }

    /// Follows redirects to the last answer; each before it is a capture.
    async fn follow(
        &self,
        journey: &Journey<'_>,
        first: Url,
        sent: &mut Sent,
        captures: &mut Vec<Capture>,
    ) -> Result<Answer, FetchError> {
        let mut url = first;
        for _ in 0..=journey.most_redirects {
            if journey.asks_robots {
                self.ask_robots(journey, &url).await?;
            }
            let answer = self.ask(journey, url, sent).await?;
            sent.jar.keep(&answer.headers, &answer.url);
            let Some(next) = answer.location() else { return Ok(answer) };
            url = self.guard.check_url(&next)?;
            let via = captures.last().map(|capture| capture.url.clone());
            captures.push(record::capture(answer, journey.at, via));
        }
        let most = journey.most_redirects;
        Err(FetchError::Answer(format!("`{}` redirects more than {most} times", journey.start)))
    }

    async fn ask(&self, journey: &Journey<'_>, url: Url, sent: &Sent) -> Result<Answer, FetchError> {
        let proxy = journey.proxy.as_ref();
        if let Some(proxy) = proxy {
            proxy.check(&self.guard, &url).await?;
        }
        let port = url.port_or_known_default().unwrap_or_default();
        let client = self.clients.get(&self.guard, proxy, port, journey.patience.connect)?;
        let headers = sent.to(&url, journey.validators);
        let mut answer = hop::ask(&client, proxy, url, headers, journey.patience, journey.most_bytes).await?;
        // A proxy's address is not the server's.
        answer.ip = answer.ip.filter(|_| proxy.is_none());
        answer.credentials = sent.credentials();
        Ok(answer)
    }

    /// Goes on if robots.txt allows it.
    async fn ask_robots(&self, journey: &Journey<'_>, url: &Url) -> Result<(), FetchError> {
        let verdict = match self.robots.verdict(url, journey.at) {
            Verdict::Unknown => match Box::pin(self.read_robots(journey, url)).await {
                Ok(answer) => self.robots.learn(url, journey.at, &answer)?,
                Err(error) => self.robots.fall_back(url, error)?,
            },
            known => known,
        };
        match verdict {
            Verdict::Allowed => Ok(()),
            Verdict::Refused | Verdict::Unknown => Err(FetchError::Robots(robots::origin(url))),
        }
    }

    async fn read_robots(&self, journey: &Journey<'_>, url: &Url) -> Result<Answer, FetchError> {
        let mut file = url.clone();
        file.set_path("/robots.txt");
        file.set_query(None);
        let errand = Journey {
            validators: None,
            proxy: journey.proxy.clone(),
            most_bytes: robots::MOST_BYTES,
            most_redirects: robots::MOST_REDIRECTS,
            asks_robots: false,
            ..*journey
        };
        let mut sent = Sent::plain(&self.defaults.agent(), &file)?;
        self.follow(&errand, file, &mut sent, &mut Vec::new()).await
    }
}

impl Fetch for HttpFetcher {
    fn fetch(&self, request: &Request<'_>) -> Result<Fetched, FetchError> {
        let [.., most] = self.defaults.timeouts(request.how);
        self.runtime.block_on(async {
            match timeout(most.duration(), self.fetch_page(request)).await {
                Ok(fetched) => fetched,
                Err(_) => Err(FetchError::Timeout(format!("`{}` did not finish loading within {most}", request.url))),
            }
        })
    }

    fn delay(&self, host: &str) -> Option<Span> {
        self.robots.delay(host)
    }
}

/// An address is listed, stored and told to others, so that it is no place for a password. One that a redirect leads
/// to may hold one; it is not sent.
pub(super) fn refuse_password(written: &str, url: &Url) -> Result<(), FetchError> {
    let holds = |written: &Url| !written.username().is_empty() || written.password().is_some();
    if Url::parse(written).as_ref().is_ok_and(holds) {
        let cure = "auth = { basic = { user = \"…\", password = \"env:NAME\" } }";
        return Err(FetchError::Refused(format!(
            "the address of `{url}` holds a name or a password\nhint: write `{cure}` in the watch"
        )));
    }
    Ok(())
}
