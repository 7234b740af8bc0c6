//! How likely is it that a page is new? A probability beside N, learned from the series itself.
//!
//! N is certain where it speaks, and mostly silent: in the crawls measured 7 to 88 % of the new pages score 0, with
//! all old pages that were missed. Other signs tell those apart. Each is weighed by what the series says of its own
//! pages: an address that names a month, and a Last-Modified time. A Last-Modified before the previous snapshot makes
//! a page old, by the paper's second rule; if no other rule would have, it is a page as unidentified ones are but for
//! its label (as in section 4.6). A Last-Modified since then only hints, the less the more the old pages around
//! change. No truth is needed, and none is used.
//!
//! The signs are few, and each may count in one direction only, so that what is learned on some sites holds on others:
//!
//! - N above 0, and N itself;
//! - the share of in-links from old pages whose links are of unknown age (O without L2);
//! - how recent the Last-Modified times are of other pages never seen before, in the folder and the folders above;
//! - whether the site was ever crawled before;
//! - the month that the address names.
//!
//! Without labels what is believed beforehand remains, and orders pages no worse than N. Fitting reads no truth; but
//! the signs, the prior and the constants of this module were chosen, among about 60 configurations, by true births: on
//! the development series and on random subsets of its sites. What that means for other series is told in
//! `docs/concepts/novelty.md`.

mod candidates;
mod directories;
mod regression;
mod trust;

use driftline::novelty::Class;

use crate::Series;
use crate::snapshot::Node;

use super::hosts::Hosts;
use super::{NoveltyError, Parameters, Scores, score};
use candidates::{Candidates, FEATURES};
use regression::{Prior, fit, probability};
use trust::Labelled;

pub use trust::{Reliance, Trust};

/// So many snapshots teach: the last one and those before it. What was true long ago is not any more.
const SNAPSHOTS: usize = 4;

/// So many labelled pages of a snapshot teach at most; of more, every second, fourth, …
const MOST_LABELS: usize = 1 << 15;

/// What is believed before anything is labelled, in the order of [`Candidates::features`]. A new link makes a page new
/// (e² : 1 for one among others, e⁴ : 1 if there are no others), an old page with a link to it makes it old as much. Chosen
/// on the development series (see above), where it does about as well alone as with what is learned. A site never
/// crawled speaks against novelty: where many sites are really new, that ranks their pages too low.
const PRIOR: Prior<FEATURES> = Prior {
    centre: [0.0, 2.0, 2.0, -2.0, 0.5, -1.5, 0.5],
    strength: [5.0, 30.0, 30.0, 30.0, 30.0, 30.0, 30.0],
    keeps_side: [false, true, true, true, true, true, true],
};

/// How likely the unidentified pages of one snapshot are new.
#[derive(Debug, Clone)]
pub struct Calibration {
    nodes: Vec<Node>,
    probabilities: Vec<f32>,
    trust: Trust,
}

impl Calibration {
    /// How likely it is that a page appeared between the previous snapshot and this one; nothing for a page that is
    /// not unidentified.
    #[must_use]
    pub fn probability(&self, node: Node) -> Option<f64> {
        let place = self.nodes.binary_search(&node).ok()?;
        Some(f64::from(self.probabilities[place]))
    }

    /// All unidentified pages in the order of nodes, with their probabilities.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Node, f64)> {
        self.nodes.iter().zip(&self.probabilities).map(|(node, probability)| (*node, f64::from(*probability)))
    }

    /// How far to trust it in this series.
    #[must_use]
    pub fn trust(&self) -> &Trust {
        &self.trust
    }
}

/// Learns from a series up to its `place`-th snapshot (from 0, in the order of time), whose scores are these, and says
/// how likely each of its unidentified pages is new. Earlier snapshots are scored with `parameters`, which should be
/// those of the scores.
///
/// # Errors
/// As [`score`]: if it is the first, or there is none, or files cannot be read.
pub fn learn(
    series: &Series,
    place: usize,
    scores: &Scores,
    parameters: &Parameters,
) -> Result<Calibration, NoveltyError> {
    let mut known = Hosts::default();
    let mut labelled = Labelled::default();
    let first = (place + 1).saturating_sub(SNAPSHOTS).max(1);
    for (earlier, snapshot) in series.snapshots().iter().enumerate().take(place) {
        if earlier >= first {
            let scores = score(series, earlier, parameters)?;
            labelled.add(&Candidates::find(series, earlier, &scores, &known)?, MOST_LABELS);
        }
        known.add_crawled(series, snapshot)?;
    }
    let candidates = Candidates::find(series, place, scores, &known)?;
    labelled.add(&candidates, MOST_LABELS);
    let weights = fit(&labelled.examples(|_| true), &PRIOR);
    let unidentified = candidates.iter().filter(|page| scores.classes().of(page.node) == Some(Class::Unidentified));
    let (nodes, probabilities) =
        unidentified.map(|page| (page.node, probability(&weights, &candidates.features(page, true)) as f32)).unzip();
    Ok(Calibration { nodes, probabilities, trust: labelled.trust(&PRIOR) })
}
