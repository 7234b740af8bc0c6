//! What is set for all watches of changedetection.io?

use serde_json::Value;

use super::unknown::Unknown;
use super::{is_browser, is_said, texts};
use crate::watches::import::Note;
use crate::watches::import::fate::Fate::{self, Kept, Needless, Told};

const FEED: Fate = Needless("the feed that it offers itself");
const LOOK: Fate = Needless("how its own pages look");
const ACCESS: Fate = Needless("who may use it");
const MESSAGE: Fate = Needless("only of use to `notification_urls`: a target may have a template");
const WHOSE: &str = "the settings of all";
const GROUPS: [&str; 2] = ["requests", "application"];

/// Every setting for all watches in version 0.60.10. What is in tables within them goes with its table.
pub(in crate::watches::import) const SETTINGS: [(&str, Fate); 48] = [
    ("application.active_base_url", Needless("its own address")),
    ("application.all_muted", Told("targets for all watches are notified: name `targets`, or pause the watches")),
    ("application.all_paused", Told("the watches are not paused here; `driftline watch edit ID --paused` does it")),
    ("application.api_access_token", ACCESS),
    ("application.api_access_token_enabled", ACCESS),
    ("application.base_url", Needless("its own address")),
    ("application.empty_pages_are_a_change", Needless("a page without words is compared like any other")),
    ("application.fetch_backend", Kept("fetch.with")),
    ("application.filter_failure_notification_threshold_attempts", Needless("a lost zone is always reported")),
    ("application.global_ignore_text", Kept("counts.ignore-lines")),
    ("application.global_subtractive_selectors", Kept("ignore")),
    ("application.history_snapshot_max_length", super::fields::LENGTH),
    ("application.ignore_status_codes", Told("answers that say \"error\" are never compared")),
    ("application.ignore_whitespace", Needless("white space never counts")),
    ("application.llm", Told("no language model is used")),
    ("application.min_change_percentage", Needless("only of use to `processor`")),
    ("application.notification_body", MESSAGE),
    ("application.notification_format", MESSAGE),
    ("application.notification_title", MESSAGE),
    ("application.notification_urls", Told("who is notified: write them as targets into driftline.toml")),
    ("application.pager_size", LOOK),
    ("application.password", ACCESS),
    ("application.render_anchor_tag_content", Needless("links are compared anyway")),
    ("application.rss_access_token", FEED),
    ("application.rss_content_format", FEED),
    ("application.rss_diff_length", FEED),
    ("application.rss_hide_muted_watches", FEED),
    ("application.rss_reader_mode", Told("a feed is compared item by item if its `kind` is `feed`")),
    ("application.rss_template_override", FEED),
    ("application.rss_template_type", FEED),
    ("application.scheduler_timezone_default", Kept("schedule.zone")),
    ("application.schema_version", Needless("how its files are written")),
    ("application.shared_diff_access", ACCESS),
    ("application.ssim_threshold", Needless("only of use to `processor`")),
    ("application.strip_ignored_lines", Needless("how a version is shown there")),
    ("application.tags", Kept("tags, and what they add to their watches")),
    ("application.ui", LOOK),
    ("application.webdriver_delay", Kept("fetch.wait.extra")),
    ("headers", Kept("fetch.headers")),
    ("requests.default_ua", Told("the name that a fetch gives itself; `user-agent` under `[fetch]` is for all")),
    ("requests.extra_browsers", Told("the browser is Chromium, started by driftline")),
    ("requests.extra_proxies", Told("if there are any, every watch uses one; `proxy` under `[fetch]` names one here")),
    ("requests.jitter_seconds", Needless("checks are spread anyway")),
    ("requests.proxy", Told("it names a proxy of that installation; `proxy` under `[fetch]` names one here")),
    ("requests.time_between_check", Kept("schedule")),
    ("requests.time_schedule_limit", Kept("schedule.windows, schedule.zone")),
    ("requests.timeout", Told("`timeout` under `[fetch]` is for all, `fetch.timeout` for one watch")),
    ("requests.workers", Needless("how many checks there are at once; `[watch]` says it here")),
];

/// How many seconds a fetch may take unless somebody says otherwise.
const USUAL_TIMEOUT: u64 = 45;

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
    /// How many versions are kept.
    pub(super) length: Option<&'a Value>,
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
            length: application("history_snapshot_max_length"),
            between: requests("time_between_check"),
            hours: requests("time_schedule_limit"),
            time_zone: time_zone.filter(|zone| !zone.trim().is_empty()),
        }
    }

    /// What has no counterpart, by its name.
    pub(super) fn left_behind(&self) -> impl Iterator<Item = Note> {
        SETTINGS.into_iter().filter_map(|(path, fate)| match fate {
            Told(why) if self.is_meant(path) => {
                let key = path.rsplit('.').next().unwrap_or_default();
                Some(Note { entry: "settings of all".to_owned(), what: format!("`{key}`: {why}") })
            }
            _ => None,
        })
    }

    /// Names the settings that no table names.
    pub(super) fn find_unknown(&self, unknown: &mut Unknown) {
        let Some(settings) = self.settings.as_object() else { return };
        let is_known = |path: &str| SETTINGS.iter().any(|(known, _)| *known == path);
        unknown.look(WHOSE, "settings", settings, |key| GROUPS.contains(&key) || is_known(key));
        for group in GROUPS {
            let Some(own) = settings.get(group).and_then(Value::as_object) else { continue };
            unknown.look(WHOSE, group, own, |key| is_known(&format!("{group}.{key}")));
        }
    }

    /// Whether a setting says something else than what every installation says.
    fn is_meant(&self, path: &str) -> bool {
        let value = path.split('.').try_fold(self.settings, |value, key| value.get(key));
        match (path, value) {
            ("requests.timeout", Some(seconds)) => is_said(seconds) && *seconds != USUAL_TIMEOUT,
            ("requests.default_ua", Some(Value::Object(agents))) => agents
                .values()
                .any(|agent| is_said(agent) && !agent.as_str().is_some_and(|agent| agent.ends_with(USUAL_AGENT))),
            ("application.llm", value) => value.and_then(|llm| llm.get("model")).is_some_and(is_said),
            (_, value) => value.is_some_and(is_said),
        }
    }
}
