//! One page in Chromium, with a profile and a proxy of its own that are removed afterwards.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::COOKIE;
use tokio::select;
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use super::super::headers::{self, Sent};
use super::super::proxy::Proxy as Chosen;
use super::super::{FetchError, Fetched, HttpFetcher, Request};
use super::devtools::{DevtoolsError, Session};
use super::engine::{Engine, LAST, WINDOW, broken};
use super::gate::Gate;
use super::protocol::{
    Cookie, CreateBrowserContext, CreateTarget, DisposeBrowserContext, EnableFetch, EnableNetwork, EnablePage,
    GetFrameTree, Navigate, RequestPattern, ScreenOrientation, SetCookies, SetDeviceMetricsOverride,
    SetDownloadBehavior, SetLifecycleEventsEnabled, SetTouchEmulationEnabled, SetUserAgentOverride,
};
use super::traffic::{METHODS, Traffic};
use super::{ready, result};
use crate::guard::proxy::{Limits, Proxy, Upstream};

/// Nothing went over a connection for so long.
const IDLE: Duration = Duration::from_secs(30);

/// The time for events that the reply to a failed navigation has overtaken.
const AFTER_FAILURE: Duration = Duration::from_secs(1);

/// The bytes of a page with its pictures and scripts, as a multiple of its document's limit.
const PARTS: u64 = 10;

/// A page that is open.
pub(super) struct Tab<'a> {
    pub(super) session: Session,
    /// The id of the main frame.
    pub(super) frame: String,
    pub(super) proxy: Proxy,
    pub(super) traffic: Arc<Traffic>,
    pub(super) request: &'a Request<'a>,
    pub(super) most_bytes: usize,
    /// When it has to be done.
    pub(super) end: Instant,
}

/// Fetches a page in the time that is left of its own, and leaves nothing of it behind in Chromium.
pub(super) async fn fetch(
    engine: &Engine,
    http: &Arc<HttpFetcher>,
    request: &Request<'_>,
    left: Duration,
) -> Result<Fetched, FetchError> {
    let url = http.guard().check_url(request.url)?;
    crate::http::refuse_password(request.url, &url)?;
    let proxy = proxy(engine, http, request).await?;
    let context = CreateBrowserContext {
        dispose_on_detach: true,
        proxy_server: format!("http://{}", proxy.address()),
        proxy_bypass_list: "<-loopback>",
    };
    let [.., most] = http.defaults().timeouts(request.how);
    let late = || FetchError::Timeout(format!("`{}` was not ready within {most}", request.url));
    let end = Instant::now() + left;
    let context = timeout_at(end, engine.browser.send(&context)).await.map_err(|_| late())?;
    let context = context.map_err(|error| broken(&error))?.browser_context_id;
    let fetched = timeout_at(end, visit(engine, http, request, &url, proxy, context.clone(), end)).await;
    // The popups of the page go too. If Chromium does not answer, the next page finds that out.
    let _ = timeout(LAST, engine.browser.send(&DisposeBrowserContext { browser_context_id: context })).await;
    fetched.unwrap_or_else(|_| Err(late()))
}

async fn proxy(engine: &Engine, http: &HttpFetcher, request: &Request<'_>) -> Result<Proxy, FetchError> {
    let (how, defaults) = (request.how, http.defaults());
    let upstream = match Chosen::choose(how.proxy.as_ref(), defaults.proxy.as_ref())? {
        None => None,
        Some(chosen) => Some(Upstream::new(&chosen.url(), chosen.is_trusted()).ok_or_else(|| {
            FetchError::How(
                "Chromium cannot ask this proxy\nhint: write http://host:port or socks5h://host:port".to_owned(),
            )
        })?),
    };
    let [connect, ..] = defaults.timeouts(how);
    let limits = Limits {
        connect: connect.duration(),
        idle: IDLE,
        most_bytes: u64::try_from(defaults.most_bytes(how)).unwrap_or(u64::MAX).saturating_mul(PARTS),
        never: vec![engine.port],
    };
    Proxy::start(http.guard().clone(), upstream, limits).await.map_err(|error| broken(&error))
}

async fn visit(
    engine: &Engine,
    http: &Arc<HttpFetcher>,
    request: &Request<'_>,
    url: &Url,
    proxy: Proxy,
    context: String,
    end: Instant,
) -> Result<Fetched, FetchError> {
    let failed = |error: DevtoolsError| broken(&error);
    let deny = SetDownloadBehavior { behavior: "deny", browser_context_id: context.clone() };
    engine.browser.send(&deny).await.map_err(failed)?;
    let target = CreateTarget { url: "about:blank", browser_context_id: context };
    let target = engine.browser.send(&target).await.map_err(failed)?.target_id;
    let (session, events) = engine.attach(target, METHODS).await.map_err(failed)?;
    let home = headers::home(request, url)?;
    let sent = Sent::new(request.how, &engine.agent, &home)?;
    let most_bytes = http.defaults().most_bytes(request.how);
    prepare(&session, &sent, url, most_bytes).await.map_err(failed)?;
    let frame = session.send(&GetFrameTree {}).await.map_err(failed)?.frame_tree.frame.id;
    let gate = Gate::new(Arc::clone(http), request, &home, &sent);
    let traffic = Traffic::watch(session.clone(), events, frame.clone(), gate);
    let tab = Tab { session, frame, proxy, traffic, request, most_bytes, end };
    open(&tab, url).await?;
    result::check(&tab, None)?;
    result::take(&tab).await
}

/// Opens the page and waits until it is ready.
///
/// Chromium replies to the navigation when the page begins to arrive, or when it does not arrive. A page that is ready
/// before the reply is read is ready.
async fn open(tab: &Tab<'_>, url: &Url) -> Result<(), FetchError> {
    let navigate = Navigate { url: url.to_string() };
    let navigated = tab.session.send(&navigate);
    let mut ready = pin!(ready::wait(tab));
    let navigated = select! {
        navigated = navigated => navigated,
        ready = &mut ready => return ready,
    };
    match navigated {
        Ok(navigated) => {
            if let Some(error) = navigated.error_text {
                // The reply may overtake the events that were sent before it, which say more.
                let _ = timeout(AFTER_FAILURE, ready::answered(tab)).await;
                result::check(tab, Some(&error))?;
            }
        }
        // The limit of a command is not that of the page.
        Err(DevtoolsError::Timeout(_)) => {}
        Err(error) => return Err(broken(&error)),
    }
    ready.await
}

/// Sets the window, the user agent and the cookies, and turns the events on.
async fn prepare(session: &Session, sent: &Sent, url: &Url, most_bytes: usize) -> Result<(), DevtoolsError> {
    session.send(&EnablePage {}).await?;
    session.send(&SetLifecycleEventsEnabled { enabled: true }).await?;
    let ((width, height), kind) = (WINDOW, "portraitPrimary");
    let screen_orientation = ScreenOrientation { kind, angle: 0 };
    let window =
        SetDeviceMetricsOverride { width, height, device_scale_factor: 1.0, mobile: false, screen_orientation };
    session.send(&window).await?;
    // Pages may look different with a touch screen, and captures so far were taken with one.
    session.send(&SetTouchEmulationEnabled { enabled: true }).await?;
    let headers = sent.to(url, None);
    let text = |name| headers.get(name).and_then(|value: &reqwest::header::HeaderValue| value.to_str().ok());
    let user_agent = text(reqwest::header::USER_AGENT).unwrap_or_default().to_owned();
    session.send(&SetUserAgentOverride { user_agent }).await?;
    let cookies = text(COOKIE).unwrap_or_default().split("; ").filter_map(|cookie| cookie.split_once('='));
    let cookies: Vec<_> = cookies.map(|(name, value)| own_cookie(name, value, url)).collect();
    if !cookies.is_empty() {
        session.send(&SetCookies { cookies }).await?;
    }
    let most = i64::try_from(most_bytes).unwrap_or(i64::MAX);
    let network = EnableNetwork { max_resource_buffer_size: most, max_total_buffer_size: most.saturating_mul(2) };
    session.send(&network).await?;
    session.send(&EnableFetch { patterns: vec![RequestPattern { url_pattern: "*" }] }).await?;
    Ok(())
}

/// A cookie that goes to the origin of an address, all of it and no other.
fn own_cookie(name: &str, value: &str, url: &Url) -> Cookie {
    let is_secure = url.scheme() == "https";
    Cookie {
        name: name.to_owned(),
        value: value.to_owned(),
        url: url.to_string(),
        path: "/",
        secure: is_secure,
        source_scheme: if is_secure { "Secure" } else { "NonSecure" },
        source_port: url.port_or_known_default().map_or(-1, i32::from),
    }
}
