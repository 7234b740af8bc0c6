//! What happens to one page? A profile and a proxy of its own, the page, a wait, and then both are thrown away.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::browser::{
    BrowserContextId, SetDownloadBehaviorBehavior, SetDownloadBehaviorParams,
};
use chromiumoxide::cdp::browser_protocol::emulation::SetUserAgentOverrideParams;
use chromiumoxide::cdp::browser_protocol::fetch::{EnableParams as EnableGate, RequestPattern};
use chromiumoxide::cdp::browser_protocol::network::{
    CookieParam, CookieSourceScheme, EnableParams as EnableNetwork, SetCookiesParams,
};
use chromiumoxide::cdp::browser_protocol::page::NavigateParams;
use chromiumoxide::cdp::browser_protocol::target::{CreateBrowserContextParams, CreateTargetParams};
use chromiumoxide::error::CdpError;
use chromiumoxide::page::Page;
use reqwest::header::COOKIE;
use tokio::select;
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use super::super::headers::Sent;
use super::super::proxy::Proxy as Chosen;
use super::super::{FetchError, Fetched, HttpFetcher, Request};
use super::engine::{Engine, LAST, broken};
use super::gate::Gate;
use super::traffic::Traffic;
use super::{ready, result};
use crate::guard::proxy::{Limits, Proxy, Upstream};

/// Nothing went over a connection for so long.
const IDLE: Duration = Duration::from_secs(30);

/// A page with all its pictures and scripts has so many times the bytes of its document.
const PARTS: u64 = 10;

/// A page that is open.
pub(super) struct Tab<'a> {
    pub(super) page: Page,
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
    let context = CreateBrowserContextParams::builder()
        .dispose_on_detach(true)
        .proxy_server(format!("http://{}", proxy.address()))
        .proxy_bypass_list("<-loopback>")
        .build();
    let [.., most] = http.defaults().timeouts(request.how);
    let late = || FetchError::Timeout(format!("`{}` was not ready within {most}", request.url));
    let end = Instant::now() + left;
    let context = timeout_at(end, engine.browser.create_browser_context(context)).await.map_err(|_| late())?;
    let context = context.map_err(|error| broken(&error))?;
    let fetched = timeout_at(end, visit(engine, http, request, &url, proxy, context.clone(), end)).await;
    // The popups of the page go too. If Chromium does not answer, the next page finds that out.
    let _ = timeout(LAST, engine.browser.dispose_browser_context(context)).await;
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
    context: BrowserContextId,
    end: Instant,
) -> Result<Fetched, FetchError> {
    let failed = |error: CdpError| broken(&error);
    let deny = SetDownloadBehaviorParams::builder()
        .behavior(SetDownloadBehaviorBehavior::Deny)
        .browser_context_id(context.clone());
    let deny = deny.build().map_err(|why| broken(&CdpError::msg(why)))?;
    engine.browser.execute(deny).await.map_err(failed)?;
    let target = CreateTargetParams::builder().url("about:blank").browser_context_id(context).build();
    let target = target.map_err(|why| broken(&CdpError::msg(why)))?;
    let page = engine.browser.new_page(target).await.map_err(failed)?;
    let sent = Sent::new(request.how, &engine.agent, url)?;
    let most_bytes = http.defaults().most_bytes(request.how);
    prepare(&page, &sent, url, most_bytes).await.map_err(failed)?;
    let gate = Gate::new(Arc::clone(http), request, url, &sent);
    let traffic = Traffic::watch(&page, gate).await.map_err(failed)?;
    let tab = Tab { page, proxy, traffic, request, most_bytes, end };
    open(&tab, url).await?;
    result::check(&tab, None)?;
    result::take(&tab).await
}

/// Opens the page and waits until it is ready.
///
/// That the navigation is answered is not waited for: chromiumoxide keeps the answer back until every frame is loaded,
/// which never happens with a download or a frame that is refused. The traffic tells how far the page is.
async fn open(tab: &Tab<'_>, url: &Url) -> Result<(), FetchError> {
    let navigated = tab.page.execute(NavigateParams::new(url.as_str()));
    let mut ready = pin!(ready::wait(tab));
    let navigated = select! {
        navigated = navigated => navigated,
        ready = &mut ready => return ready,
    };
    match navigated {
        Ok(navigated) => result::check(tab, navigated.error_text.as_deref())?,
        // Its limit is not that of the page.
        Err(CdpError::Timeout) => {}
        Err(error) => return Err(broken(&error)),
    }
    ready.await
}

/// Who asks, with which cookies, and what Chromium tells us.
async fn prepare(page: &Page, sent: &Sent, url: &Url, most_bytes: usize) -> Result<(), CdpError> {
    let headers = sent.to(url, None);
    let text = |name| headers.get(name).and_then(|value: &reqwest::header::HeaderValue| value.to_str().ok());
    let agent = text(reqwest::header::USER_AGENT).unwrap_or_default();
    page.execute(SetUserAgentOverrideParams::new(agent)).await?;
    let cookies = text(COOKIE).unwrap_or_default().split("; ").filter_map(|cookie| cookie.split_once('='));
    let cookies: Vec<_> = cookies.map(|(name, value)| own_cookie(name, value, url)).collect();
    if !cookies.is_empty() {
        page.execute(SetCookiesParams::new(cookies)).await?;
    }
    let most = i64::try_from(most_bytes).unwrap_or(i64::MAX);
    let network = EnableNetwork::builder().max_resource_buffer_size(most).max_total_buffer_size(most.saturating_mul(2));
    page.execute(network.build()).await?;
    let all = RequestPattern::builder().url_pattern("*").build();
    page.execute(EnableGate::builder().pattern(all).build()).await?;
    Ok(())
}

/// A cookie that goes to the origin of an address, all of it and no other.
fn own_cookie(name: &str, value: &str, url: &Url) -> CookieParam {
    let is_secure = url.scheme() == "https";
    CookieParam {
        url: Some(url.to_string()),
        path: Some("/".to_owned()),
        secure: Some(is_secure),
        source_scheme: Some(if is_secure { CookieSourceScheme::Secure } else { CookieSourceScheme::NonSecure }),
        source_port: url.port_or_known_default().map(i64::from),
        ..CookieParam::new(name, value)
    }
}
