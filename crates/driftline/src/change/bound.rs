//! The bounded form of a change: at most 1.2 MB of JSON for any two pages, which is what is stored.

use std::io;

use serde::Serialize;

use super::Change;
use crate::limit::Limit;
use crate::region::Region;
use crate::region::importance::{Importance, Reason};

/// The most edits of a bounded change: the first ones. Each takes at most 80 bytes.
pub const MOST_EDITS: usize = 5_000;
/// The most bytes of JSON for its regions: the most important ones.
pub const MOST_REGION_BYTES: usize = 400_000;
/// The most bytes of JSON for its resources: the first ones.
pub const MOST_RESOURCE_BYTES: usize = 250_000;
/// The most bytes of a title, an address, a path, or a name in a reason; the rest is cut off. Selectors have a limit of
/// their own, so that several regions always fit into [`MOST_REGION_BYTES`].
pub const MOST_TEXT_BYTES: usize = 8_000;

impl Change {
    /// The change with at most 1.2 MB of JSON, however much differs. Limits name what was left out ([`Limit::Edits`],
    /// [`Limit::Regions`], [`Limit::Resources`], [`Limit::Texts`]); degree, operations and importance are those of the
    /// whole change.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        let had_long_texts = self.cut_texts();
        let regions = self.keep_most_important_regions();
        let resources = fitting(&self.resources, MOST_RESOURCE_BYTES);
        let exceeded = [
            (Limit::Edits, self.edits.len() > MOST_EDITS),
            (Limit::Regions, regions),
            (Limit::Resources, resources < self.resources.len()),
            (Limit::Texts, had_long_texts),
        ];
        self.edits.truncate(MOST_EDITS);
        self.resources.truncate(resources);
        let limits = &mut self.measurement.limits;
        limits.extend(exceeded.into_iter().filter(|(_, is_exceeded)| *is_exceeded).map(|(limit, _)| limit));
        limits.sort_unstable();
        limits.dedup();
        self
    }

    /// Cuts all long texts; returns whether there were any.
    fn cut_texts(&mut self) -> bool {
        let mut was_cut = false;
        let mut cut = |text: &mut String| was_cut |= cut(text);
        if let Some(title) = &mut self.title {
            cut(&mut title.older);
            cut(&mut title.newer);
        }
        self.resources.iter_mut().for_each(|resource| cut(&mut resource.url));
        cut_names(&mut self.importance, &mut cut);
        for region in &mut self.regions {
            cut_names(&mut region.importance, &mut cut);
            region.change.places_mut().into_iter().flatten().for_each(|place| cut(&mut place.path));
        }
        was_cut
    }

    /// Drops the least important regions if all together are too large; returns whether they are.
    fn keep_most_important_regions(&mut self) -> bool {
        let sizes: Vec<usize> = self.regions.iter().map(size).collect();
        if sizes.iter().sum::<usize>() <= MOST_REGION_BYTES {
            return false;
        }
        let weight = |region: &Region| (region.importance.score, region.severity);
        let mut ranks: Vec<usize> = (0..sizes.len()).collect();
        ranks.sort_by(|&one, &other| {
            let (one, other) = (weight(&self.regions[one]), weight(&self.regions[other]));
            other.0.total_cmp(&one.0).then(other.1.total_cmp(&one.1))
        });
        let (mut room, mut is_kept) = (MOST_REGION_BYTES, vec![false; sizes.len()]);
        for at in ranks {
            let Some(rest) = room.checked_sub(sizes[at]) else { break };
            (room, is_kept[at]) = (rest, true);
        }
        let mut is_kept = is_kept.into_iter();
        self.regions.retain(|_| is_kept.next().unwrap_or_default());
        true
    }
}

/// Cuts the names of resources in reasons.
fn cut_names(importance: &mut Importance, cut: &mut impl FnMut(&mut String)) {
    for reason in &mut importance.reasons {
        if let Reason::Resource { name, .. } = reason {
            cut(name);
        }
    }
}

/// Cuts a long text, with a sign that it goes on; returns whether it was long.
fn cut(text: &mut String) -> bool {
    const SIGN: char = '…';
    let is_long = text.len() > MOST_TEXT_BYTES;
    if is_long {
        text.truncate(text.floor_char_boundary(MOST_TEXT_BYTES - SIGN.len_utf8()));
        text.push(SIGN);
    }
    is_long
}

/// The number of the first values that fit into this many bytes of JSON.
fn fitting<T: Serialize>(values: &[T], most: usize) -> usize {
    let mut used = 0;
    let fits = |value: &&T| {
        used += size(*value);
        used <= most
    };
    values.iter().take_while(fits).count()
}

/// The bytes of a value in a list of JSON.
fn size<T: Serialize>(value: &T) -> usize {
    let mut counter = Counter::default();
    // A counter takes all bytes, and no part of a change has maps with keys other than text.
    serde_json::to_writer(&mut counter, value).map_or(0, |()| counter.bytes + 1)
}

/// A writer that counts bytes.
#[derive(Default)]
struct Counter {
    bytes: usize,
}

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
