//! Who writes the messages that the daemon sends? Templates of driftline-report, or a target's own.

use driftline::event::Event;
use driftline_report::message::{self, Templates};
use driftline_report::summary::{Markup, Message};
use driftline_watch::tell::{Compose, Own};

/// Writes messages.
pub(crate) struct Composer;

impl Compose for Composer {
    fn compose(&self, events: &[Event], markup: &Markup, own: &Own) -> Result<Message, String> {
        let templates = Templates::read(own.subject.as_deref(), own.text.as_deref(), own.html.as_deref());
        Ok(message::compose(events, markup, &templates.map_err(|error| error.to_string())?))
    }
}
