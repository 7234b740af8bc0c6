//! What a first check kept, in a line.

use driftline_report::summary::numbers::counted;
use driftline_watch::check::{FirstLook, ZoneLook};
use driftline_watch::watches::Watch;

use crate::tell;

/// At most this many first checks are named one by one.
const MOST_NAMED: u64 = 20;

/// Says what the first check of a watch kept: it is the `number`th of them.
pub(super) fn tell(watch: &Watch, look: FirstLook, number: u64) {
    if number <= MOST_NAMED {
        tell::note(format_args!("{}: kept for the first time, {}", watch.title(), described(watch, look)));
    }
}

/// Says how many were kept, if not all of them were named.
pub(super) fn tell_rest(count: u64) {
    if count > MOST_NAMED {
        tell::note(format_args!("{count} watches in all were kept for the first time"));
    }
}

fn described(watch: &Watch, look: FirstLook) -> String {
    match look {
        FirstLook::Page { words, zone: None } => counted(words, "word"),
        FirstLook::Page { words, zone: Some(zone) } => {
            let selectors = watch.settings.zone.join("`, `");
            let has = match zone {
                ZoneLook { matches: 0, .. } => "matches nothing".to_owned(),
                ZoneLook { words, .. } => format!("has {words}"),
            };
            format!("{}; the zone `{selectors}` {has}", counted(words, "word"))
        }
        FirstLook::Feed(items) => counted(items, "item"),
        FirstLook::FeedAsPage(items) => format!(
            "a feed with {} that is watched as a page\nhint: `kind = 'feed'` in its entry, by `driftline watch edit {}`, \
             watches it item by item",
            counted(items, "item"),
            watch.id
        ),
        FirstLook::List(members) => format!("{} in the list", counted(members, "address")),
        FirstLook::File(bytes) => counted(bytes, "byte"),
    }
}
