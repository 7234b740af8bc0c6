//! Text that looks natural to a metric: few words stand often, many stand once.

use fastrand::Rng;

/// `length` words as numbers, drawn from `vocabulary` words by Zipf's law.
#[must_use]
pub fn zipf_words(rng: &mut Rng, length: usize, vocabulary: usize) -> Vec<u32> {
    let harmonic = (vocabulary as f64 + 1.0).ln();
    let most = vocabulary as u32 - 1;
    // The inverse of the law's smooth form: word r comes with probability about 1 / (r ln n).
    #[expect(clippy::cast_sign_loss, reason = "a power of e minus 1 is not below zero")]
    (0..length).map(|_| (((rng.f64() * harmonic).exp() - 1.0) as u32).min(most)).collect()
}

/// The same words with a share of them replaced, each by a word drawn anew; places are random.
#[must_use]
pub fn edited(rng: &mut Rng, words: &[u32], share: f64, vocabulary: usize) -> Vec<u32> {
    let fresh = zipf_words(rng, words.len(), vocabulary);
    words.iter().zip(fresh).map(|(&word, new)| if rng.f64() < share { new } else { word }).collect()
}
