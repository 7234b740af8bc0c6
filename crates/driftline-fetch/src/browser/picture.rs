//! What does the page look like now? Its markup, and a picture of it.
//!
//! Both are taken from outside the page's own scripts, in a world of their own, where the page cannot have replaced
//! what is asked.

use data_encoding::BASE64;
use serde::Deserialize;
use serde_json::Value;

use super::super::FetchError;
use super::devtools::DevtoolsError;
use super::engine::broken;
use super::protocol::{CaptureScreenshot, Clip, CreateIsolatedWorld, Evaluate, GetLayoutMetrics};
use super::tab::Tab;

/// A picture shows at most so much of a page, in pixels: with noise in all of them it has some 50 MB.
const MOST_PIXELS: (f64, f64) = (1_920.0, 10_000.0);

/// A larger picture is not kept.
const MOST_BYTES: usize = 20_000_000;

/// The page as markup; longer ones are cut.
const MARKUP: &str = "(() => { const type = document.doctype, root = document.documentElement; \
    const text = (type ? new XMLSerializer().serializeToString(type) + '\\n' : '') + (root ? root.outerHTML : ''); \
    return { is_cut: text.length > MOST, text: text.slice(0, MOST).toWellFormed() }; })()";

/// A page as markup.
#[derive(Debug, Deserialize)]
pub(super) struct Markup {
    pub(super) text: String,
    pub(super) is_cut: bool,
}

/// The page as it stands.
pub(super) async fn markup(tab: &Tab<'_>) -> Result<Markup, FetchError> {
    let value = evaluate(tab, MARKUP.replace("MOST", &tab.most_bytes.min(1 << 30).to_string())).await;
    let value = value.map_err(|error| broken(&error))?.map_err(FetchError::Answer)?;
    let mut markup: Markup = serde_json::from_value(value).map_err(|error| broken(&error))?;
    if markup.text.len() > tab.most_bytes {
        markup.text.truncate(markup.text.floor_char_boundary(tab.most_bytes));
        markup.is_cut = true;
    }
    Ok(markup)
}

/// Is there such an element?
pub(super) async fn has(tab: &Tab<'_>, selector: &str) -> Result<bool, FetchError> {
    let question = format!("document.querySelector({}) !== null", Value::from(selector));
    match evaluate(tab, question).await {
        Ok(Ok(found)) => Ok(found == Value::Bool(true)),
        Ok(Err(_)) => Err(FetchError::How(format!("Chromium cannot read the selector `{selector}`"))),
        Err(error @ DevtoolsError::Closed(_)) => Err(broken(&error)),
        // The page has just led elsewhere: the next look finds it.
        Err(_) => Ok(false),
    }
}

/// A picture of the page, as PNG, if one could be taken.
pub(super) async fn png(tab: &Tab<'_>) -> Option<Vec<u8>> {
    let size = tab.session.send(&GetLayoutMetrics {}).await.ok()?.css_content_size;
    let (width, height) = (size.width.clamp(1.0, MOST_PIXELS.0), size.height.clamp(1.0, MOST_PIXELS.1));
    let clip = Clip { x: 0.0, y: 0.0, width, height, scale: 1.0 };
    let taken = tab.session.send(&CaptureScreenshot { format: "png", clip, capture_beyond_viewport: true }).await;
    let taken =
        taken.inspect_err(|error| tracing::warn!(url = tab.request.url, %error, "no picture was taken")).ok()?;
    let png = BASE64.decode(taken.data.as_bytes()).ok()?;
    (png.len() <= MOST_BYTES).then_some(png)
}

/// What an expression yields, or what it throws.
async fn evaluate(tab: &Tab<'_>, expression: String) -> Result<Result<Value, String>, DevtoolsError> {
    let world = tab.session.send(&CreateIsolatedWorld { frame_id: tab.frame.clone() }).await?;
    let question = Evaluate { expression, context_id: world.execution_context_id, return_by_value: true };
    let answer = tab.session.send(&question).await?;
    Ok(match answer.exception_details {
        Some(thrown) => Err(thrown.text),
        None => Ok(answer.result.value.unwrap_or_default()),
    })
}
