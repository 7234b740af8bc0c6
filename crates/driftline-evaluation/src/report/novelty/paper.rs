//! What the paper printed, for comparison: table 2 in millions of pages, table 3 in addresses.

/// A snapshot of the paper.
pub(super) struct Printed {
    pub(super) at: &'static str,
    /// `W`, `L2`, `O \ L2`, `U`, in millions.
    pub(super) sizes: [u32; 4],
    /// Old, new and future addresses.
    pub(super) ages: [usize; 3],
}

pub(super) const SNAPSHOTS: [Printed; 3] = [
    Printed { at: "Jul 2003", sizes: [97, 49, 23, 25], ages: [299_591, 593_317, 24_286] },
    Printed { at: "Jan 2004", sizes: [81, 61, 14, 6], ages: [87_878, 270_355, 7_679] },
    Printed { at: "May 2004", sizes: [96, 46, 20, 30], ages: [402_365, 776_360, 36_476] },
];
