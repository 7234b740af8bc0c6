//! Pages that change by themselves, and are gone now and then.

use super::{Chance, Shown, plain};

/// So many there are.
pub(crate) const PAGES: usize = 5;
/// The least and the most times that a page is not there, once it is gone: some absences are told and some are not.
const ABSENT: [usize; 2] = [2, 9];

#[derive(Default)]
pub(crate) struct Pages([Page; PAGES]);

#[derive(Default)]
struct Page {
    version: u64,
    /// So many times more it is not there.
    absent: usize,
}

impl Pages {
    /// One in fifteen times a page goes for a while, alone or with all others; else it has changed every other time.
    pub(crate) fn ask(&mut self, at: usize, chance: &mut Chance) -> Shown {
        if chance.one_in(15) {
            let absent = ABSENT[0] + chance.below(ABSENT[1] - ABSENT[0]);
            let with_it = if chance.one_in(2) { 0..PAGES } else { at..at + 1 };
            self.0.get_mut(with_it)?.iter_mut().for_each(|page| page.absent = absent);
        }
        let page = self.0.get_mut(at)?;
        if !chance.is_over && page.absent > 0 {
            page.absent -= 1;
            return None;
        }
        page.version += u64::from(chance.one_in(2));
        Some(plain(&format!("page {at}"), page.version))
    }
}
