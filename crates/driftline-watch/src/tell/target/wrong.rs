//! What is wrong in a table, without any value: it may be a password.

use driftline_archive::settings::without_value;

use super::SHARED;

/// Which key, and what it may be.
pub(super) fn told(error: &toml::de::Error) -> String {
    // Behind the message stands the key, such as "in `secret`".
    let all = error.to_string();
    let key = all.lines().rev().find_map(|line| line.strip_prefix("in "));
    let what = without_value(error.message());
    key.map_or_else(|| what.clone(), |key| format!("{key}: {what}"))
}

/// The same of what only targets of a type have.
pub(super) fn told_of_way(error: &toml::de::Error) -> String {
    let told = told(error);
    if told.contains("unknown field") {
        return format!("{told}\nhint: every target may also have {}", SHARED.join(", "));
    }
    told
}
