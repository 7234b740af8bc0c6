//! What is set for all watches of changedetection.io?

use serde_json::Value;

use super::{is_browser, is_said, texts};
use crate::watches::import::Note;

/// Whom every installation says it is, unless somebody says otherwise.
const USUAL_AGENT: &str = "Chrome/87.0.4280.66 Safari/537.36";

/// What is set for all watches, as far as each can have it.
pub(super) struct General<'a> {
    settings: &'a Value,
    pub(super) is_browser: bool,
    pub(super) ignores: Vec<&'a str>,
    pub(super) ignore_texts: Vec<&'a str>,
    pub(super) headers: Option<&'a Value>,
    /// Seconds that a browser waits.
    pub(super) delay: Option<u64>,
    /// The time between two checks.
    pub(super) between: Option<&'a Value>,
    /// The hours at which there are checks.
    pub(super) hours: Option<&'a Value>,
    /// Whose clock those hours mean.
    pub(super) time_zone: Option<&'a str>,
}

impl<'a> General<'a> {
    pub(super) fn of(settings: &'a Value) -> Self {
        let application = |key: &str| settings.get("application")?.get(key);
        let requests = |key: &str| settings.get("requests")?.get(key);
        let time_zone = application("scheduler_timezone_default").and_then(Value::as_str);
        Self {
            settings,
            is_browser: application("fetch_backend").and_then(Value::as_str).is_some_and(is_browser),
            ignores: texts(application("global_subtractive_selectors")),
            ignore_texts: texts(application("global_ignore_text")),
            headers: settings.get("headers"),
            delay: application("webdriver_delay").and_then(Value::as_u64),
            between: requests("time_between_check"),
            hours: requests("time_schedule_limit"),
            time_zone: time_zone.filter(|zone| !zone.trim().is_empty()),
        }
    }

    /// What has no counterpart, by its name.
    pub(super) fn left_behind(&self) -> Vec<Note> {
        let keys = [
            ("/application/notification_urls", "who is told: write them as targets into driftline.toml"),
            ("/application/all_paused", "the watches are not paused here; `driftline watch edit ID --paused` does it"),
            (
                "/application/all_muted",
                "whoever is a target for all is told of the watches: name `targets`, or pause them",
            ),
            ("/requests/proxy", "it names a proxy of that installation; `proxy` under `[fetch]` names one here"),
            ("/requests/default_ua", "who asks: `user-agent` under `[fetch]` says it here"),
        ];
        let is_set =
            |place: &str| match self.settings.pointer(place) {
                Some(agents @ Value::Object(_)) => agents.as_object().into_iter().flatten().any(|(_, agent)| {
                    is_said(agent) && !agent.as_str().is_some_and(|agent| agent.ends_with(USUAL_AGENT))
                }),
                value => value.is_some_and(is_said),
            };
        let told = keys.into_iter().filter(|(place, _)| is_set(place)).map(|(place, why)| {
            let key = place.rsplit('/').next().unwrap_or_default();
            Note { entry: "settings of all".to_owned(), what: format!("`{key}`: {why}") }
        });
        told.collect()
    }
}
