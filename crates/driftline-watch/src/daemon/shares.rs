//! Who takes how many checks? For the [plan](crate::schedule::plan::Plan): what is fixed, and what `auto` may choose.

use crate::schedule::plan::Demand;

/// What each watch takes of the budget.
#[derive(Debug, Default)]
pub(super) struct Shares {
    by_slot: Vec<Share>,
    demand: Demand,
    fixed: f64,
}

/// What a watch takes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) enum Share {
    /// Nothing.
    #[default]
    Nothing,
    /// So many checks an hour, whatever the plan says.
    Fixed(f32),
    /// What the plan gives to a page that changes so often a second.
    Auto(f32),
}

impl Shares {
    pub(super) fn set(&mut self, slot: u32, share: Share) {
        let place = slot as usize;
        if self.by_slot.len() <= place {
            self.by_slot.resize(place + 1, Share::Nothing);
        }
        match std::mem::replace(&mut self.by_slot[place], share) {
            Share::Nothing => {}
            Share::Fixed(per_hour) => self.fixed -= f64::from(per_hour),
            Share::Auto(per_second) => self.demand.remove(per_second),
        }
        match share {
            Share::Nothing => {}
            Share::Fixed(per_hour) => self.fixed += f64::from(per_hour),
            Share::Auto(per_second) => self.demand.add(per_second),
        }
    }

    pub(super) fn demand(&self) -> &Demand {
        &self.demand
    }

    /// Checks an hour that are not for the plan to give.
    pub(super) fn fixed(&self) -> f64 {
        self.fixed.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Share, Shares};

    #[test]
    fn what_a_watch_took_before_is_given_back() {
        let mut shares = Shares::default();
        shares.set(2, Share::Fixed(6.0));
        shares.set(0, Share::Auto(1e-4));
        assert_eq!((shares.fixed(), shares.demand().count()), (6.0, 1));
        shares.set(2, Share::Auto(1e-5));
        shares.set(0, Share::Nothing);
        assert_eq!((shares.fixed(), shares.demand().count()), (0.0, 1));
    }
}
