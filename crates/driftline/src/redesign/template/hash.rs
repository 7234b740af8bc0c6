//! How is a run of tags hashed, so that the next run costs no more than a step?
//!
//! A run is a polynomial over the field of 2^61 - 1 elements, whose coefficients are the hashes of its tags
//! (Rabin and Karp). What falls out in front is subtracted, so a run of 50 tags costs what a run of 2 does.
//! Two different runs of k tags share a hash with a probability of k / 2^61. The hashes are saved with the
//! state of a stream: they depend on names alone, and on no machine.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A prime, for which a remainder is a shift and an addition.
const PRIME: u64 = (1 << 61) - 1;

/// Where the polynomials are evaluated: a number below the prime that nobody chose (digits of pi).
const POINT: u64 = 0x0314_1592_6535_8979;

/// A start tag of this name.
pub(super) fn start(name: &str) -> u64 {
    xxh3_64_with_seed(name.as_bytes(), 0) % PRIME
}

/// An end tag of this name.
pub(super) fn end(name: &str) -> u64 {
    xxh3_64_with_seed(name.as_bytes(), 1) % PRIME
}

/// The hash of a run with one tag more at its end.
pub(super) fn push(run: u64, tag: u64) -> u64 {
    reduced(times(run, POINT) + tag)
}

/// The hashes of all runs of `length` tags; of fewer tags, that of all; of none, none.
pub(super) fn runs(tags: &[u64], length: usize) -> Vec<u64> {
    if tags.is_empty() {
        return Vec::new();
    }
    let (first, rest) = tags.split_at(length.clamp(1, tags.len()));
    let mut run = first.iter().fold(0, |run, &tag| push(run, tag));
    // What the first tag of a run counts once there is one more.
    let weight = power(first.len());
    let mut runs = Vec::with_capacity(rest.len() + 1);
    runs.push(run);
    for (&gone, &tag) in tags.iter().zip(rest) {
        run = reduced(push(run, tag) + PRIME - times(gone, weight));
        runs.push(run);
    }
    runs
}

fn power(exponent: usize) -> u64 {
    (0..exponent).fold(1, |power, _| times(power, POINT))
}

/// The product, for factors below the prime.
fn times(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    reduced((product as u64 & PRIME) + (product >> 61) as u64)
}

/// The remainder of a number below twice the prime.
fn reduced(number: u64) -> u64 {
    if number >= PRIME { number - PRIME } else { number }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_run_says_what_stands_in_it_and_in_which_order() {
        let tags = ["html", "head", "body", "p", "b"].map(start);
        assert_eq!(runs(&tags, 9), runs(&tags, 5));
        assert_ne!(runs(&tags[..2], 2), runs(&[tags[1], tags[0]], 2));
        assert_ne!(runs(&tags, 5), runs(&tags[1..], 5));
        assert_ne!(start("p"), end("p"));
        assert!(runs(&[], 3).is_empty());
    }

    /// States of streams are saved: another hash would make every template of a site new.
    #[test]
    fn hashes_stay_what_they_are() {
        assert_eq!(runs(&[start("p"), end("p"), start("p")], 2), [411_852_116_328_481_303, 992_498_178_769_948_657]);
    }

    proptest! {
        #[test]
        fn what_rolls_is_what_is_computed_anew(names in "[a-c]{0,40}", length in 1..50_usize) {
            let tags: Vec<u64> = names.chars().map(|name| start(&name.to_string())).collect();
            let anew = |run: &[u64]| run.iter().fold(0, |run, &tag| push(run, tag));
            let expected: Vec<u64> = match tags.len() {
                0 => Vec::new(),
                _ => tags.windows(length.min(tags.len())).map(anew).collect(),
            };
            prop_assert_eq!(runs(&tags, length), expected);
        }
    }
}
