//! When is a page ready? When what the watch waits for is there; if it waits for nothing, when the network is quiet.
//!
//! A page that never becomes quiet is taken as it is after half of its time. An element that does not come is an
//! error: without it, the page would look as if it had gone.

use std::time::Duration;

use driftline::span::Span;
use tokio::time::{Instant, sleep, timeout_at};

use super::super::{FetchError, Wait};
use super::tab::Tab;
use super::{picture, result};

/// Between two looks for an element.
const LOOK: Duration = Duration::from_millis(100);

/// A script that runs when a page is loaded may lead elsewhere at once.
const AFTERTHOUGHT: Duration = Duration::from_millis(100);

/// Waits until the page is ready.
pub(super) async fn wait(tab: &Tab<'_>) -> Result<(), FetchError> {
    let wait = &tab.request.how.wait;
    let milestone = if wait.idle || *wait == Wait::default() { "networkIdle" } else { "load" };
    answered(tab).await;
    let half = Instant::now() + tab.end.saturating_duration_since(Instant::now()) / 2;
    // What is not quiet by then is taken as it is.
    let _ = timeout_at(half, quiet(tab, milestone)).await;
    result::check(tab, None)?;
    if let Some(selector) = &wait.selector {
        element(tab, selector).await?;
    }
    sleep(wait.extra.map_or(AFTERTHOUGHT, Span::duration)).await;
    Ok(())
}

/// Waits until the page begins to arrive, or fails to.
pub(super) async fn answered(tab: &Tab<'_>) {
    while !tab.traffic.has_answered() {
        tab.traffic.changed().await;
    }
}

async fn quiet(tab: &Tab<'_>, milestone: &str) {
    while !tab.traffic.has_reached(milestone) {
        tab.traffic.changed().await;
    }
}

async fn element(tab: &Tab<'_>, selector: &str) -> Result<(), FetchError> {
    // A little before the end, so that the page is told apart from one that hangs.
    let last = tab.end.checked_sub(LOOK * 5).unwrap_or(tab.end);
    while Instant::now() < last {
        if picture::has(tab, selector).await? {
            return Ok(());
        }
        sleep(LOOK).await;
    }
    let url = tab.request.url;
    Err(FetchError::Timeout(format!("`{url}` has no `{selector}`\nhint: `selector` under `wait` names it")))
}
