//! Ids of imported watches, each once.

use std::collections::{HashMap, HashSet};

/// The ids that are taken.
#[derive(Debug, Default)]
pub(super) struct Ids {
    taken: HashSet<String>,
    /// By the id that was wanted, the number to try next: 16,000 watches of one address would try 128,000,000 otherwise.
    next: HashMap<String, usize>,
}

impl Ids {
    /// The id itself, or the first of `ID-2`, `ID-3` … that is free.
    pub(super) fn take(&mut self, id: &str) -> String {
        if self.taken.insert(id.to_owned()) {
            return id.to_owned();
        }
        let next = self.next.entry(id.to_owned()).or_insert(2);
        loop {
            let numbered = format!("{id}-{next}");
            *next += 1;
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watches_of_one_address_are_numbered_past_ids_that_others_have() {
        let mut ids = Ids::default();
        let taken: Vec<String> = ["a", "a-3", "a", "a", "b", "a", "a-3"].into_iter().map(|id| ids.take(id)).collect();
        assert_eq!(taken, ["a", "a-3", "a-2", "a-4", "b", "a-5", "a-3-2"]);
    }

    #[test]
    fn a_hundred_thousand_watches_of_one_address_get_their_ids_at_once() {
        let mut ids = Ids::default();
        let last = (0..100_000).map(|_| ids.take("page")).last();
        assert_eq!(last.as_deref(), Some("page-100000"));
    }
}
