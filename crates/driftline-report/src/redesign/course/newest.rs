//! How is a list without end kept in bounded memory, when the newest count most? Of older ones only the
//! number is kept.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// The newest things, and how many earlier ones there were.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Newest<T> {
    earlier: usize,
    items: VecDeque<T>,
}

impl<T> Default for Newest<T> {
    fn default() -> Self {
        Self { earlier: 0, items: VecDeque::new() }
    }
}

impl<T> Newest<T> {
    /// Adds a thing; of more than `most` the oldest go.
    pub(super) fn push(&mut self, thing: T, most: usize) {
        self.items.push_back(thing);
        while self.items.len() > most {
            self.items.pop_front();
            self.earlier += 1;
        }
    }

    /// What was kept, the newest last.
    pub(super) fn items(&self) -> impl Iterator<Item = &T> {
        self.items.iter()
    }

    /// How many were not.
    pub(super) fn earlier(&self) -> usize {
        self.earlier
    }
}
