//! How much does each sign of age count? Logistic regression, held to what is believed beforehand.
//!
//! Most labels only hint: a page with a recent Last-Modified may be new, or old and changed. So an example does not say
//! what a page is but how much likelier its label is on a new page than on an old one, and the weights are those that
//! make all labels likeliest (expectation maximisation; each step is Newton's). A normal prior holds each weight to a
//! belief, which is all there is when nothing is labelled, and none may cross zero to the side that makes no sense:
//! a page with new links is never the older for it.

/// A labelled page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Example<const D: usize> {
    /// What is seen of it; the first is 1.
    pub(super) features: [f64; D],
    /// How much likelier its label is if the page is new than if it is old: 0 says old.
    pub(super) ratio: f64,
    /// For how many pages it stands.
    pub(super) weight: f64,
}

/// What is believed beforehand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prior<const D: usize> {
    /// The weights.
    pub(super) centre: [f64; D],
    /// How firmly, in about as many examples.
    pub(super) strength: [f64; D],
    /// Whether a weight must keep the side of zero that its centre is on.
    pub(super) keeps_side: [bool; D],
}

const EXPECTATIONS: usize = 40;
const STEPS: usize = 60;
const SETTLED: f64 = 1e-6;

/// The probability that a page is new.
pub(super) fn probability<const D: usize>(weights: &[f64; D], features: &[f64; D]) -> f64 {
    logistic(dot(weights, features))
}

/// The weights that the examples and the prior agree on.
pub(super) fn fit<const D: usize>(examples: &[Example<D>], prior: &Prior<D>) -> [f64; D] {
    let mut weights = prior.centre;
    let mut targets = vec![0.0; examples.len()];
    for _ in 0..EXPECTATIONS {
        for (target, example) in targets.iter_mut().zip(examples) {
            *target = updated(probability(&weights, &example.features), example.ratio);
        }
        let better = Problem { examples, targets: &targets, prior }.solve(weights);
        let moved = distance(&weights, &better);
        weights = better;
        if moved < SETTLED {
            break;
        }
    }
    weights
}

/// Bayes' rule: a probability after a label that is `ratio` times likelier if it holds.
pub(super) fn updated(probability: f64, ratio: f64) -> f64 {
    let (new, old) = (probability * ratio, 1.0 - probability);
    if new + old > 0.0 { new / (new + old) } else { 0.5 }
}

/// Examples whose targets are settled for a while: a concave function to climb.
struct Problem<'a, const D: usize> {
    examples: &'a [Example<D>],
    targets: &'a [f64],
    prior: &'a Prior<D>,
}

impl<const D: usize> Problem<'_, D> {
    /// Newton's method, never downhill.
    fn solve(&self, from: [f64; D]) -> [f64; D] {
        let (mut weights, mut value) = (from, self.value(&from));
        for _ in 0..STEPS {
            let Some((better, reached)) = self.step(&weights, value) else { break };
            let moved = distance(&weights, &better);
            (weights, value) = (better, reached);
            if moved < SETTLED {
                break;
            }
        }
        weights
    }

    /// A step uphill: Newton's, halved until it does not overshoot.
    fn step(&self, weights: &[f64; D], value: f64) -> Option<([f64; D], f64)> {
        let (mut gradient, mut curvature) = self.slopes(weights);
        for place in 0..D {
            // At its bound, and pushed against it: it stays.
            if self.prior.keeps_side[place] && weights[place] == 0.0 && gradient[place] * self.prior.centre[place] < 0.0
            {
                gradient[place] = 0.0;
                curvature[place] = [0.0; D];
                curvature.iter_mut().for_each(|row| row[place] = 0.0);
                curvature[place][place] = 1.0;
            }
        }
        let direction = solved(&curvature, &gradient)?;
        let scales = std::iter::successors(Some(1.0), |scale| Some(scale / 2.0)).take(30);
        scales
            .map(|scale| self.bounded(std::array::from_fn(|place| weights[place] + scale * direction[place])))
            .map(|there| (there, self.value(&there)))
            .find(|(_, reached)| *reached >= value)
    }

    fn bounded(&self, weights: [f64; D]) -> [f64; D] {
        std::array::from_fn(|place| {
            let crossed = weights[place] * self.prior.centre[place] < 0.0;
            if self.prior.keeps_side[place] && crossed { 0.0 } else { weights[place] }
        })
    }

    fn value(&self, weights: &[f64; D]) -> f64 {
        let labels = self.examples.iter().zip(self.targets).map(|(example, target)| {
            let score = dot(weights, &example.features);
            example.weight * (target * score - softplus(score))
        });
        let beliefs = (0..D).map(|place| {
            let off = weights[place] - self.prior.centre[place];
            self.prior.strength[place] * off * off / 2.0
        });
        labels.sum::<f64>() - beliefs.sum::<f64>()
    }

    /// The gradient, and the curvature with its sign turned.
    fn slopes(&self, weights: &[f64; D]) -> ([f64; D], [[f64; D]; D]) {
        let prior = self.prior;
        let mut gradient = std::array::from_fn(|place| prior.strength[place] * (prior.centre[place] - weights[place]));
        let mut curvature = [[0.0; D]; D];
        for (place, row) in curvature.iter_mut().enumerate() {
            row[place] = prior.strength[place];
        }
        for (example, target) in self.examples.iter().zip(self.targets) {
            let expected = probability(weights, &example.features);
            let (error, spread) = (example.weight * (target - expected), example.weight * expected * (1.0 - expected));
            for (place, &feature) in example.features.iter().enumerate() {
                gradient[place] += error * feature;
                for (cell, other) in curvature[place].iter_mut().zip(&example.features) {
                    *cell += spread * feature * other;
                }
            }
        }
        (gradient, curvature)
    }
}

/// Cholesky's decomposition: `matrix · x = right` for a positive definite matrix, nothing for any other.
fn solved<const D: usize>(matrix: &[[f64; D]; D], right: &[f64; D]) -> Option<[f64; D]> {
    let mut lower = [[0.0; D]; D];
    for row in 0..D {
        for column in 0..=row {
            let known: f64 = (0..column).map(|place| lower[row][place] * lower[column][place]).sum();
            let rest = matrix[row][column] - known;
            lower[row][column] = if row == column { rest.sqrt() } else { rest / lower[column][column] };
        }
        if !(lower[row][row] > 0.0 && lower[row][row].is_finite()) {
            return None;
        }
    }
    let mut solution = *right;
    for row in 0..D {
        let known: f64 = (0..row).map(|place| lower[row][place] * solution[place]).sum();
        solution[row] = (solution[row] - known) / lower[row][row];
    }
    for row in (0..D).rev() {
        let known: f64 = (row + 1..D).map(|place| lower[place][row] * solution[place]).sum();
        solution[row] = (solution[row] - known) / lower[row][row];
    }
    Some(solution)
}

fn dot<const D: usize>(weights: &[f64; D], features: &[f64; D]) -> f64 {
    weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
}

fn distance<const D: usize>(from: &[f64; D], to: &[f64; D]) -> f64 {
    from.iter().zip(to).map(|(from, to)| (from - to).abs()).fold(0.0, f64::max)
}

fn logistic(score: f64) -> f64 {
    1.0 / (1.0 + (-score).exp())
}

/// ln(1 + e^x), without overflow.
fn softplus(score: f64) -> f64 {
    score.max(0.0) + (-score.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FREE: Prior<2> = Prior { centre: [0.0; 2], strength: [1e-3; 2], keeps_side: [false; 2] };

    fn labelled(feature: f64, ratio: f64, weight: f64) -> Example<2> {
        Example { features: [1.0, feature], ratio, weight }
    }

    #[test]
    fn without_examples_the_belief_stays() {
        let prior = Prior { centre: [0.5, -2.0], strength: [5.0, 30.0], keeps_side: [false, true] };
        assert_eq!(fit(&[], &prior), [0.5, -2.0]);
    }

    #[test]
    fn certain_labels_give_their_shares() {
        // Of the pages with the feature three in four are new, of those without it one in four.
        let examples =
            [labelled(0.0, 1e12, 1.0), labelled(0.0, 0.0, 3.0), labelled(1.0, 1e12, 3.0), labelled(1.0, 0.0, 1.0)];
        let weights = fit(&examples, &FREE);
        assert!((probability(&weights, &[1.0, 0.0]) - 0.25).abs() < 1e-3);
        assert!((probability(&weights, &[1.0, 1.0]) - 0.75).abs() < 1e-3);
    }

    #[test]
    fn a_probability_is_updated_by_bayes_rule() {
        assert_eq!(updated(0.5, 3.0), 0.75);
        assert_eq!(updated(0.2, 0.0), 0.0);
        assert_eq!(updated(0.2, 1.0), 0.2);
        assert_eq!(updated(1.0, 0.0), 0.5, "a label that cannot be: nothing is known");
    }

    #[test]
    fn a_label_that_is_as_likely_on_either_teaches_nothing() {
        let prior = Prior { strength: [1.0; 2], centre: [0.3, 1.0], ..FREE };
        let weights = fit(&[labelled(1.0, 1.0, 100.0)], &prior);
        assert!(distance(&weights, &prior.centre) < 1e-3, "{weights:?}");
    }

    #[test]
    fn half_hidden_labels_are_seen_through() {
        // Half of all pages are new. A recent time is on all new pages and on half of the old ones: three in four.
        let examples = [labelled(0.0, 2.0, 75.0), labelled(0.0, 0.0, 25.0)];
        let weights = fit(&examples, &FREE);
        assert!((probability(&weights, &[1.0, 0.0]) - 0.5).abs() < 0.01, "{weights:?}");
    }

    #[test]
    fn no_weight_crosses_to_the_side_that_makes_no_sense() {
        let prior = Prior { centre: [0.0, 1.0], strength: [0.1, 0.1], keeps_side: [false, true] };
        let examples = [labelled(0.0, 1e9, 50.0), labelled(1.0, 0.0, 50.0)];
        let weights = fit(&examples, &prior);
        assert_eq!(weights[1], 0.0);
        assert!((probability(&weights, &[1.0, 1.0]) - 0.5).abs() < 0.01);
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_is_refused() {
        assert_eq!(solved(&[[1.0, 2.0], [2.0, 1.0]], &[1.0, 1.0]), None);
        assert_eq!(solved(&[[4.0, 2.0], [2.0, 5.0]], &[8.0, 12.0]), Some([1.0, 2.0]));
    }

    proptest! {
        #[test]
        fn whatever_the_labels_the_weights_are_finite_and_keep_their_sides(
            labels in prop::collection::vec((-50.0_f64..50.0, 0.0_f64..1e6, 0.0_f64..100.0), 0..40)
        ) {
            let examples: Vec<_> =
                labels.iter().map(|&(feature, ratio, weight)| labelled(feature, ratio, weight)).collect();
            let prior = Prior { centre: [0.0, -1.0], strength: [1.0, 1.0], keeps_side: [false, true] };
            let weights = fit(&examples, &prior);
            prop_assert!(weights.iter().all(|weight| weight.is_finite()));
            prop_assert!(weights[1] <= 0.0);
            prop_assert_eq!(weights, fit(&examples, &prior));
        }
    }
}
