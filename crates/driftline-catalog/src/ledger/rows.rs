//! What does the ledger hold? The rows, as those who watch see them.

use serde_json::Value;

use crate::Time;
use crate::{Change, Cursor, Watch};

/// Where a watch stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WatchState {
    /// When it is checked next, if that is known.
    pub next: Option<Time>,
    /// When it was checked last.
    pub checked: Option<Time>,
    /// When its newest version was captured.
    pub version_at: Option<Time>,
    /// Since when its checks fail.
    pub failing_since: Option<Time>,
    /// Since when its page is missing.
    pub absent_since: Option<Time>,
    /// All else that a check has to know about the ones before.
    pub body: Value,
}

/// When a watch is checked: all that the queue of a million of them has to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its number in this catalog.
    pub number: i64,
    /// Its name for ever.
    pub watch: String,
    /// When it is checked next.
    pub next: Option<Time>,
    /// When it was checked last.
    pub checked: Option<Time>,
}

/// What a check leaves behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The watch; its row is written only if it is new or differs. When it was created stays as it was.
    pub watch: Watch,
    /// Where it stands now.
    pub state: WatchState,
    /// What changed; left out if a capture of it is no longer there.
    pub change: Option<Change>,
    /// What happened.
    pub events: Vec<NewEvent>,
    /// What is known about the site from now on.
    pub stream: Option<Stream>,
    /// The pages of the list from now on, if it is a list and they differ.
    pub members: Option<Vec<Member>>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    /// Its name for ever, made of its cause. An event whose key is there already is not added again.
    pub key: String,
    /// When it was found.
    pub at: Time,
    /// What it is, such as `changed` or `page-gone`.
    pub kind: String,
    /// The address that it is about.
    pub url: String,
    /// The site that it is about: a host.
    pub site: String,
    /// The watch that it belongs to.
    pub watch: Option<String>,
    /// The tags under which it is listed.
    pub tags: Vec<String>,
    /// The capture that shows it.
    pub capture: Option<i64>,
    /// The capture that this one was compared with.
    pub older: Option<i64>,
    /// How both pages were read, as text; empty if they were read as a whole and as they are.
    pub reading: String,
    /// How much it matters, from 0 to 1.
    pub importance: f64,
    /// It is held until then; `None` if it is not held at all.
    pub release: Option<Time>,
    /// All that is to be told.
    pub body: Value,
}

/// An event in the catalog.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEvent {
    /// Its number in this catalog.
    pub id: i64,
    /// Its name for ever; empty if an earlier format had none.
    pub key: String,
    /// When it was found.
    pub at: Time,
    /// What it is.
    pub kind: String,
    /// The address that it is about.
    pub url: String,
    /// The site that it is about.
    pub site: String,
    /// The watch that it belongs to.
    pub watch: Option<String>,
    /// The capture that shows it, while it is there.
    pub capture: Option<i64>,
    /// The capture that this one was compared with, while it is there.
    pub older: Option<i64>,
    /// How both pages were read, as text; empty if they were read as a whole and as they are.
    pub reading: String,
    /// How much it matters, from 0 to 1.
    pub importance: f64,
    /// It is held until then; `None` once it is released.
    pub held_until: Option<Time>,
    /// The key of the event that explains it.
    pub folded_into: Option<String>,
    /// What happened, in one line.
    pub summary: String,
    /// When somebody read it.
    pub read_at: Option<Time>,
    /// Whether somebody keeps it for later.
    pub is_kept: bool,
    /// All that is to be told.
    pub body: Value,
}

/// Which events are wanted; what is `None` or empty does not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct EventFilter {
    /// Of one of these kinds.
    pub kinds: Vec<String>,
    /// About this address.
    pub url: Option<String>,
    /// About this site.
    pub site: Option<String>,
    /// Of this watch.
    pub watch: Option<String>,
    /// With this tag.
    pub tag: Option<String>,
    /// At this time or later.
    pub from: Option<Time>,
    /// Before this time.
    pub to: Option<Time>,
    /// Those that matter at least so much.
    pub importance: Option<f64>,
    /// Also those that are still held, and those that another event explains.
    pub all: bool,
    /// Those that nobody has read.
    pub unread: bool,
    /// Those whose summary or address contains this text.
    pub text: Option<String>,
    /// The next ones after this position.
    pub after: Option<Cursor>,
    /// At most this many, at least one, the latest first.
    pub limit: u32,
}

impl Default for EventFilter {
    /// All events that are shown, 1,000 on a page.
    fn default() -> Self {
        Self {
            kinds: Vec::new(),
            url: None,
            site: None,
            watch: None,
            tag: None,
            from: None,
            to: None,
            importance: None,
            all: false,
            unread: false,
            text: None,
            after: None,
            limit: 1_000,
        }
    }
}

/// What becomes of events that were held.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settlement {
    /// Events that are made now, of several others. They come first, so that all else can name them.
    pub new: Vec<NewEvent>,
    /// The numbers of events that say something else now, with all that is to be told.
    pub updated: Vec<(i64, Value)>,
    /// The numbers of events that another one explains, with its key. They are not held any more.
    pub folded: Vec<(i64, String)>,
    /// The numbers of events that are not held any more.
    pub released: Vec<i64>,
    /// Who is told about what.
    pub deliveries: Vec<NewDelivery>,
    /// What is known about sites from now on.
    pub streams: Vec<Stream>,
}

/// What is known about a site, as the detector of redesigns keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// The host.
    pub site: String,
    /// The detector's own bytes.
    pub body: Vec<u8>,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// Its address.
    pub url: String,
    /// What the list calls it.
    pub title: String,
}

/// A target that is to be told about an event: once, however often it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDelivery {
    /// The key of the event.
    pub event: String,
    /// The name of the target.
    pub target: String,
    /// What the receiver knows a repeat by.
    pub key: String,
    /// Not before.
    pub due: Time,
    /// Those of the same target and batch go in one message.
    pub batch: String,
}

/// A delivery in the catalog.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    /// Its number in this catalog.
    pub id: i64,
    /// The key of the event.
    pub event: String,
    /// The name of the target.
    pub target: String,
    /// What the receiver knows a repeat by.
    pub key: String,
    /// Those of the same target and batch go in one message.
    pub batch: String,
    /// How far it has come.
    pub state: DeliveryState,
    /// When it is sent; while it is being sent, when another may try.
    pub due: Time,
    /// How often it was begun.
    pub attempts: u32,
    /// Since when it is acknowledged or dead.
    pub settled: Option<Time>,
    /// Why the last attempt failed; empty if none did.
    pub error: String,
    /// All that is to be told.
    pub body: Value,
}

/// How far a delivery has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryState {
    /// It waits for its time.
    Pending,
    /// Somebody sends it.
    Sending,
    /// The target has it.
    Acknowledged,
    /// It was given up.
    Dead,
}
