//! Which rule is for which page? That of its watch, or else the general one.

use std::collections::HashMap;

use super::super::retention::{BadRetention, Retention};
use super::CompactError;
use crate::archive::Archive;

/// Which rule is for which page.
pub(super) struct Rules {
    general: Retention,
    of_watch: HashMap<String, Retention>,
}

impl Rules {
    pub(super) fn of(archive: &Archive, general: &Retention) -> Result<Self, CompactError> {
        let mut of_watch = HashMap::new();
        for watch in archive.catalog().watches()? {
            let Some(setting) = watch.settings.get("retention") else { continue };
            let bad = |why: String| BadRetention::Setting { url: watch.url.clone(), why };
            let rule: Retention = serde_json::from_value(setting.clone()).map_err(|error| bad(error.to_string()))?;
            rule.check().map_err(|error| bad(error.to_string()))?;
            of_watch.insert(watch.url.clone(), rule);
        }
        Ok(Self { general: general.clone(), of_watch })
    }

    pub(super) fn of_url(&self, url: &str) -> &Retention {
        self.of_watch.get(url).unwrap_or(&self.general)
    }
}
