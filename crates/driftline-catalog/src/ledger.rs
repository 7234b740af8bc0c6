//! Where does each watch stand, what happened, and who has been told? What a check, a release and a delivery leave
//! behind, each in one transaction: a crash finds all of it or nothing.
//!
//! An event is known by its key, which is made of its cause, so one that is found again is not added again. A
//! delivery is pending, then sent, then acknowledged or dead. It is *claimed* for a while before it is sent: whoever
//! dies meanwhile leaves a claim that ends by itself, and two processes never send the same one at once.

mod deliveries;
mod held;
mod members;
mod rebase;
mod record;
mod rows;
mod settle;
mod states;
mod streams;

pub(super) use held::{COLUMNS, EVENT, event};
pub use rows::{
    Delivery, DeliveryState, EventFilter, Member, NewDelivery, NewEvent, Record, Settlement, Standing, StoredEvent,
    Stream, WatchState,
};

/// So long may the name of a site be where it is looked up: hosts are shorter, but a list may claim anything.
const LONGEST_SITE: usize = 255;

pub(super) fn site(name: &str) -> String {
    let name = super::row::text(name);
    name[..name.floor_char_boundary(LONGEST_SITE)].to_owned()
}
