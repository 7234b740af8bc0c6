//! Where does a redirect lead in the end? Chains are followed, and circles lead nowhere.
//!
//! An address that was crawled is a page, even if it redirected at another moment of the crawl (to a question about
//! cookies, say): links to it stay links to it.

use std::io;

use super::addresses::Addresses;
use super::bits::Bits;
use super::{Block, Build};
use crate::add::AddError;
use crate::add::block::{pair, parts};
use crate::sort::varint::Summed;

/// As many hops as browsers follow (the Fetch standard).
const MOST_HOPS: usize = 20;
/// So many bytes of redirects are always allowed.
const LEAST_BYTES: usize = 1 << 20;

/// All redirects that count, by the address that is redirected.
pub(super) struct Redirects {
    /// From and where it leads in the end, in 32 bits each; sorted.
    all: Vec<u64>,
    /// Which addresses are redirected: hardly any, so that hardly any has to be looked for.
    from: Bits,
}

impl Redirects {
    pub(super) fn read(build: &Build<'_>, blocks: &[Block], addresses: &Addresses) -> Result<Self, AddError> {
        let count: u64 = blocks.iter().map(|block| block.written.redirects.items).sum();
        // Each is there twice while chains are followed.
        let most = ((build.budget / 4).max(LEAST_BYTES) / (2 * size_of::<u64>())) as u64;
        if count > most {
            return Err(AddError::TooManyRedirects { count, most });
        }
        let mut steps = Vec::with_capacity(count as usize);
        for (number, block) in blocks.iter().enumerate().filter(|(_, block)| block.written.redirects.items > 0) {
            read_block(block, number, addresses, &mut steps).map_err(build.staging.failed("read redirects in"))?;
        }
        Ok(Self::followed(steps, addresses.keys.len()))
    }

    /// Follows chains through steps. Of several from the same address the first by key counts.
    fn followed(mut steps: Vec<u64>, addresses: u32) -> Self {
        steps.sort_unstable();
        steps.dedup_by_key(|step| parts(*step).0);
        let mut from = Bits::default();
        let mut next = steps.iter().map(|step| parts(*step).0).peekable();
        (0..addresses).for_each(|place| from.push(place, next.next_if_eq(&place).is_some()));
        let all = steps.iter().map(|step| {
            let (from, to) = parts(*step);
            pair(from, end_of(&steps, to).unwrap_or(from))
        });
        Self { all: all.collect(), from }
    }

    /// Where a link to an address leads.
    pub(super) fn follow(&self, place: u32) -> u32 {
        if self.from.contains(place) { step(&self.all, place).unwrap_or(place) } else { place }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.all.len() as u64
    }
}

/// Where a chain ends; none if it is too long, as a circle is.
fn end_of(steps: &[u64], mut place: u32) -> Option<u32> {
    for _ in 0..MOST_HOPS {
        match step(steps, place) {
            Some(next) => place = next,
            None => return Some(place),
        }
    }
    None
}

fn step(steps: &[u64], from: u32) -> Option<u32> {
    let found = steps.binary_search_by_key(&from, |step| parts(*step).0).ok()?;
    Some(parts(steps[found]).1)
}

fn read_block(block: &Block, number: usize, addresses: &Addresses, steps: &mut Vec<u64>) -> io::Result<()> {
    let places = addresses.places(number)?;
    let section = block.written.redirects;
    for redirect in Summed::new(section.open(&block.path)?, section.items) {
        let (from, to) = parts(redirect?);
        let (from, to) = (places[from as usize], places[to as usize]);
        if !addresses.crawled.contains(from) {
            steps.push(pair(from, to));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Redirects;
    use crate::add::block::pair;

    fn ends(steps: &[(u32, u32)], addresses: u32) -> Vec<u32> {
        let redirects = Redirects::followed(steps.iter().map(|(from, to)| pair(*from, *to)).collect(), addresses);
        (0..addresses).map(|place| redirects.follow(place)).collect()
    }

    #[test]
    fn chains_are_followed_to_their_end() {
        assert_eq!(ends(&[(0, 3), (3, 1), (1, 4)], 5), [4, 4, 2, 4, 4]);
    }

    #[test]
    fn a_circle_leads_nowhere_and_so_does_a_chain_into_one() {
        assert_eq!(ends(&[(0, 1), (1, 0), (2, 1), (3, 4)], 5), [0, 1, 2, 4, 4]);
    }

    #[test]
    fn a_chain_of_more_than_twenty_hops_leads_nowhere() {
        let chain: Vec<_> = (0..30).map(|place| (place, place + 1)).collect();
        let ends = ends(&chain, 31);
        assert_eq!((ends[9], ends[10]), (9, 30), "the last 20 hops are followed, and no more");
    }

    #[test]
    fn of_two_redirects_from_one_address_the_first_by_key_counts() {
        assert_eq!(ends(&[(0, 2), (0, 1)], 3), [1, 1, 2]);
    }
}
