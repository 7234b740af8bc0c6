//! What is known of an address? Whatever its sources say of it, united in any order to the same.

use std::io::{self, BufRead, Read, Write};

use driftline::novelty::sketch::Sketch;

use crate::sort::varint;

/// What is known of an address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Known {
    /// A table names it, so that it is in V even if nothing links to it.
    pub(super) is_listed: bool,
    /// A link, a redirect or a table names it without `www.`.
    pub(super) is_bare: bool,
    /// It was crawled.
    pub(super) page: Option<Page>,
}

/// What was crawled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page {
    /// In microseconds since the beginning of 1970, as the next.
    pub(super) fetched: Option<i64>,
    pub(super) last_modified: Option<i64>,
    pub(super) is_bare: bool,
    pub(super) sketch: Option<Box<Sketch>>,
}

const LISTED: u8 = 1;
const BARE: u8 = 2;
const PAGE: u8 = 4;
const PAGE_BARE: u8 = 8;
const FETCHED: u8 = 16;
const LAST_MODIFIED: u8 = 32;
const SKETCH: u8 = 64;

impl Known {
    /// Takes in what another source says.
    pub(super) fn unite(&mut self, other: Self) {
        self.is_listed |= other.is_listed;
        self.is_bare |= other.is_bare;
        match (&mut self.page, other.page) {
            (Some(page), Some(other)) => page.unite(other),
            (page @ None, other) => *page = other,
            (Some(_), None) => {}
        }
    }

    pub(super) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let bit = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        let flags = bit(self.is_listed, LISTED) | bit(self.is_bare, BARE);
        let Some(page) = &self.page else { return to.write_all(&[flags]) };
        let flags = flags | PAGE | bit(page.is_bare, PAGE_BARE) | bit(page.fetched.is_some(), FETCHED);
        let flags = flags | bit(page.last_modified.is_some(), LAST_MODIFIED) | bit(page.sketch.is_some(), SKETCH);
        to.write_all(&[flags])?;
        for time in [page.fetched, page.last_modified].into_iter().flatten() {
            // Times before 1970 are large numbers here, and rare.
            varint::write(time.cast_unsigned(), to)?;
        }
        if let Some(sketch) = &page.sketch {
            to.write_all(&sketch.to_bytes())?;
        }
        Ok(())
    }

    pub(super) fn read(from: &mut impl BufRead) -> io::Result<Self> {
        let mut flags = [0];
        from.read_exact(&mut flags)?;
        let has = |bit| flags[0] & bit != 0;
        let mut known = Self { is_listed: has(LISTED), is_bare: has(BARE), page: None };
        if has(PAGE) {
            let mut time = |bit| has(bit).then(|| varint::read(from).map(u64::cast_signed)).transpose();
            let (fetched, last_modified) = (time(FETCHED)?, time(LAST_MODIFIED)?);
            let sketch = has(SKETCH).then(|| read_sketch(from).map(Box::new)).transpose()?;
            known.page = Some(Page { fetched, last_modified, is_bare: has(PAGE_BARE), sketch });
        }
        Ok(known)
    }
}

impl Page {
    /// The latest fetch counts. Of two at the same time each gives what the other lacks.
    fn unite(&mut self, other: Self) {
        if other.fetched != self.fetched {
            if other.fetched > self.fetched {
                *self = other;
            }
            return;
        }
        self.last_modified = self.last_modified.max(other.last_modified);
        self.is_bare |= other.is_bare;
        if order(other.sketch.as_deref()) > order(self.sketch.as_deref()) {
            self.sketch = other.sketch;
        }
    }
}

fn order(sketch: Option<&Sketch>) -> Option<[u8; Sketch::SIZE]> {
    sketch.map(Sketch::to_bytes)
}

fn read_sketch(from: &mut impl Read) -> io::Result<Sketch> {
    let mut bytes = [0; Sketch::SIZE];
    from.read_exact(&mut bytes)?;
    Ok(Sketch::from_bytes(&bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Known, Page, Sketch};

    fn page() -> impl Strategy<Value = Page> {
        let time = || prop::option::of(prop_oneof![0..3_i64, any::<i64>()]);
        let sketch = prop::option::of(0..3_u8);
        (time(), time(), any::<bool>(), sketch).prop_map(|(fetched, last_modified, is_bare, sketch)| {
            let sketch = sketch.map(|byte| Box::new(Sketch::from_bytes(&[byte; Sketch::SIZE])));
            Page { fetched, last_modified, is_bare, sketch }
        })
    }

    fn known() -> impl Strategy<Value = Known> {
        (any::<bool>(), any::<bool>(), prop::option::of(page())).prop_map(|(is_listed, is_bare, page)| Known {
            is_listed,
            is_bare,
            page,
        })
    }

    fn united(all: &[Known]) -> Known {
        all.iter().cloned().fold(Known::default(), |mut sum, next| {
            sum.unite(next);
            sum
        })
    }

    proptest! {
        #[test]
        fn sources_say_the_same_in_any_order_and_grouping(
            mut all in prop::collection::vec(known(), 1..8),
            cut in any::<prop::sample::Index>(),
        ) {
            let straight = united(&all);
            let (one, other) = all.split_at(cut.index(all.len()));
            prop_assert_eq!(united(&[united(one), united(other), united(one)]), straight.clone());
            all.reverse();
            prop_assert_eq!(united(&all), straight);
        }

        #[test]
        fn what_is_known_comes_back_as_it_was_written(known in known()) {
            let mut bytes = Vec::new();
            known.write(&mut bytes).unwrap();
            prop_assert_eq!(Known::read(&mut bytes.as_slice()).unwrap(), known);
        }
    }
}
