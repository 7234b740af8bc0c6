//! How is a sequence without end kept in bounded memory? Neighbours are merged when there are too many.

use serde::{Deserialize, Serialize};

/// At most so many items, each of which stands for equally many things.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Thinned<T> {
    most: usize,
    each: usize,
    things: usize,
    items: Vec<T>,
}

/// Two neighbours become one.
pub(crate) trait Merge {
    /// Takes in what comes after it.
    fn merge(&mut self, next: Self);
}

impl<T: Merge> Thinned<T> {
    pub(crate) fn new(most: usize) -> Self {
        Self { most: most.max(1), each: 1, things: 0, items: Vec::new() }
    }

    /// Adds the next thing.
    pub(crate) fn push(&mut self, thing: T) {
        match self.items.last_mut() {
            Some(last) if !self.things.is_multiple_of(self.each) => last.merge(thing),
            _ => self.items.push(thing),
        }
        self.things += 1;
        if self.items.len() > self.most {
            self.halve();
        }
    }

    fn halve(&mut self) {
        let mut halved: Vec<T> = Vec::with_capacity(self.most);
        for (place, item) in std::mem::take(&mut self.items).into_iter().enumerate() {
            match halved.last_mut() {
                Some(last) if place % 2 == 1 => last.merge(item),
                _ => halved.push(item),
            }
        }
        self.items = halved;
        self.each *= 2;
    }

    /// What there is, in order.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// How many things an item stands for; the last one may stand for fewer.
    pub(crate) fn each(&self) -> usize {
        self.each
    }

    /// How many things were added.
    pub(crate) fn things(&self) -> usize {
        self.things
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Merge for Vec<u32> {
        fn merge(&mut self, next: Self) {
            self.extend(next);
        }
    }

    #[test]
    fn neighbours_are_merged_when_there_are_too_many() {
        let mut thinned = Thinned::new(4);
        (0..5).for_each(|thing| thinned.push(vec![thing]));
        assert_eq!(thinned.items(), [vec![0, 1], vec![2, 3], vec![4]]);
        (5..9).for_each(|thing| thinned.push(vec![thing]));
        assert_eq!(thinned.items(), [vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8]]);
        assert_eq!((thinned.each(), thinned.things()), (4, 9));
    }

    #[test]
    fn few_things_stay_as_they_are() {
        let mut thinned = Thinned::new(4);
        (0..4).for_each(|thing| thinned.push(vec![thing]));
        assert_eq!(thinned.items().len(), 4);
        assert_eq!(thinned.each(), 1);
    }
}
