//! How alike are two elements? By path, by attributes and by words, then all three in one number.
//!
//! Equations 1 to 4 of Artail and Fawaz. A similarity of exactly 1 means "no difference" to the
//! paper's detector, so it must never come out of rounding: whatever falls short of 1, however
//! little, stays below it here.

use serde::{Deserialize, Serialize};

use super::weights::AttributeWeights;

/// How much path, attributes and words count in one similarity: they sum to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    alpha: f64,
    beta: f64,
    gamma: f64,
}

/// Weights that are none.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// One of them is negative or no number.
    #[error("a weight must be from 0 to 1, not {0}")]
    Range(f64),
    /// They do not sum to 1.
    #[error("the three weights must sum to 1, not {0}")]
    Sum(f64),
}

impl Weights {
    /// The paper's "balanced configuration (4,3,3)".
    pub const PAPER: Self = Self { alpha: 0.4, beta: 0.3, gamma: 0.3 };

    /// The weights of paths, attributes and words.
    ///
    /// # Errors
    /// If one of them is not from 0 to 1, or if they do not sum to 1 within 1e-9.
    pub fn new(alpha: f64, beta: f64, gamma: f64) -> Result<Self, WeightsError> {
        if let Some(&value) = [alpha, beta, gamma].iter().find(|value| !(0.0..=1.0).contains(*value)) {
            return Err(WeightsError::Range(value));
        }
        let sum = alpha + beta + gamma;
        if (sum - 1.0).abs() > 1e-9 {
            return Err(WeightsError::Sum(sum));
        }
        Ok(Self { alpha, beta, gamma })
    }

    /// The weight of the paths ("type"), `α`.
    #[must_use]
    pub fn alpha(self) -> f64 {
        self.alpha
    }

    /// The weight of the attributes, `β`.
    #[must_use]
    pub fn beta(self) -> f64 {
        self.beta
    }

    /// The weight of the words ("content"), `γ`.
    #[must_use]
    pub fn gamma(self) -> f64 {
        self.gamma
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self::PAPER
    }
}

/// The two readings of equation 3, the similarity of paths (rule S7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Typedist {
    /// Products, as printed, over the names that the paths share from the root down. It cannot see
    /// a difference in the last name.
    #[default]
    Product,
    /// Sums, over the names that they share from the elements up. Any difference shows.
    Sum,
}

impl Typedist {
    /// Its name in options: `product`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Product => "product",
            Self::Sum => "sum",
        }
    }

    /// The value for paths that share `common` names (`suf`), the longer having `longest` (`max`).
    ///
    /// The powers of two are never formed: both forms shorten to a few exponents, so that paths of
    /// any length neither overflow nor become `NaN`.
    #[must_use]
    pub fn of(self, common: usize, longest: usize) -> f64 {
        if common >= longest {
            return 1.0;
        }
        match self {
            // What remains of the denominator: 2^(0 + 1 + … + (missing - 1)).
            Self::Product => {
                let missing = longest - common;
                (-((missing * (missing - 1) / 2) as f64)).exp2()
            }
            // (2^(max+1) - 2^(max-suf)) / (2^(max+1) - 1), both divided by 2^(max+1).
            Self::Sum => {
                let short = |names: usize| 1.0 - (-((names + 1) as f64)).exp2();
                short_of_one(short(common) / short(longest))
            }
        }
    }
}

/// How alike two paths are, given as names from the root down (equation 3).
#[must_use]
pub fn typedist<T: PartialEq>(form: Typedist, older: &[T], newer: &[T]) -> f64 {
    let longest = older.len().max(newer.len());
    let common = match form {
        Typedist::Product => older.iter().zip(newer).take_while(|(older, newer)| older == newer).count(),
        Typedist::Sum => older.iter().rev().zip(newer.iter().rev()).take_while(|(older, newer)| older == newer).count(),
    };
    form.of(common, longest)
}

/// How alike two lists of attributes are: the weight of those that are equal in the weight of all
/// names (equation 2, rule S6). Nothing to compare is full likeness.
#[must_use]
pub fn attdist(older: &[(&str, &str)], newer: &[(&str, &str)], weights: &AttributeWeights) -> f64 {
    weighted_attdist(&weigh(older, weights), &weigh(newer, weights))
}

fn weigh<'a>(attributes: &[(&'a str, &'a str)], weights: &AttributeWeights) -> Vec<(&'a str, &'a str, u32)> {
    let mut list: Vec<_> = attributes.iter().map(|&(name, value)| (name, value, weights.of(name))).collect();
    list.sort_by_key(|&(name, ..)| name);
    list.dedup_by(|next, kept| next.0 == kept.0);
    list
}

/// [`attdist`] of names, values and weights, sorted by name and each name once.
pub(crate) fn weighted_attdist<N: Ord, V: PartialEq>(older: &[(N, V, u32)], newer: &[(N, V, u32)]) -> f64 {
    if older.is_empty() && newer.is_empty() {
        return 1.0;
    }
    let (mut same, mut all) = (0_u64, 0_u64);
    let (mut older, mut newer) = (older.iter().peekable(), newer.iter().peekable());
    while let Some(order) = match (older.peek(), newer.peek()) {
        (Some(older), Some(newer)) => Some(older.0.cmp(&newer.0)),
        (Some(_), None) => Some(std::cmp::Ordering::Less),
        (None, Some(_)) => Some(std::cmp::Ordering::Greater),
        (None, None) => None,
    } {
        let left = if order.is_le() { older.next() } else { None };
        let right = if order.is_ge() { newer.next() } else { None };
        let weight = u64::from(left.or(right).map_or(0, |attribute| attribute.2));
        all += weight;
        if let (Some(left), Some(right)) = (left, right)
            && left.1 == right.1
        {
            same += weight;
        }
    }
    share(same, all)
}

/// How many words two sets share, of all their words (equation 1, rule S5): the sets are sorted,
/// without repetition. Two empty sets are alike.
#[must_use]
pub fn intersect<T: Ord + Copy>(older: &[T], newer: &[T]) -> f64 {
    let common = common(older, newer) as u64;
    share(common, older.len() as u64 + newer.len() as u64 - common)
}

/// How many items are in both sorted sets.
fn common<T: Ord + Copy>(older: &[T], newer: &[T]) -> usize {
    let (mut left, mut right, mut common) = (0, 0, 0);
    while left < older.len() && right < newer.len() {
        let (older, newer) = (older[left], newer[right]);
        common += usize::from(older == newer);
        left += usize::from(older <= newer);
        right += usize::from(newer <= older);
    }
    common
}

fn share(part: u64, whole: u64) -> f64 {
    if part == whole { 1.0 } else { short_of_one(part as f64 / whole as f64) }
}

/// The similarity of two elements, from -1 (nothing in common) to 1 (no difference): `CS`,
/// equation 4, of their [`typedist`], [`attdist`] and [`intersect`].
#[must_use]
pub fn cs(path: f64, attributes: f64, content: f64, weights: &Weights) -> f64 {
    let parts = [(weights.alpha, path), (weights.beta, attributes), (weights.gamma, content)];
    if parts.iter().all(|&(weight, part)| weight == 0.0 || part == 1.0) {
        return 1.0;
    }
    let sum: f64 = parts.iter().map(|(weight, part)| weight * part).sum();
    short_of_one(-1.0 + 2.0 * sum).max(-1.0)
}

/// A value that is known to be less than 1, though rounding may have made it 1.
pub(crate) fn short_of_one(value: f64) -> f64 {
    value.min(1.0_f64.next_down())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_shares_of_one() {
        assert_eq!(Weights::new(0.4, 0.3, 0.3), Ok(Weights::PAPER));
        assert_eq!(Weights::new(1.1, -0.1, 0.0), Err(WeightsError::Range(1.1)));
        assert_eq!(Weights::new(0.5, 0.0, 0.0), Err(WeightsError::Sum(0.5)));
        assert!(matches!(Weights::new(f64::NAN, 0.5, 0.5), Err(WeightsError::Range(_))));
    }

    #[test]
    fn long_paths_neither_overflow_nor_vanish_into_nan() {
        assert_eq!(Typedist::Product.of(2, 100_000), 0.0);
        assert_eq!(Typedist::Product.of(99_999, 100_000), 1.0);
        assert_eq!(Typedist::Sum.of(0, 100_000), 0.5);
        assert!(Typedist::Sum.of(99_998, 100_000) < 1.0, "a difference shows");
    }

    #[test]
    fn a_difference_never_rounds_to_likeness() {
        let almost = 1.0_f64.next_down();
        assert!(cs(almost, 1.0, 1.0, &Weights::PAPER) < 1.0);
        assert_eq!(cs(0.0, 1.0, 1.0, &Weights::new(0.0, 0.5, 0.5).unwrap()), 1.0);
        assert_eq!(cs(1.0, 1.0, 1.0, &Weights::PAPER), 1.0);
        assert_eq!(cs(0.0, 0.0, 0.0, &Weights::PAPER), -1.0);
    }

    #[test]
    fn an_attribute_without_weight_does_not_count() {
        let weights = AttributeWeights::parse("class 0").unwrap();
        assert_eq!(attdist(&[("class", "a")], &[("class", "b")], &weights), 1.0);
        assert_eq!(attdist(&[("class", "a"), ("id", "x")], &[("id", "x")], &weights), 1.0);
        assert_eq!(attdist(&[("id", "x"), ("href", "y")], &[("id", "x")], &weights), 0.5);
    }
}
