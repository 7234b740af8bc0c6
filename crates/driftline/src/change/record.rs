//! The record of how two pages were compared: the options that a change has with it.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::degree::cosine::Idf;
use crate::degree::ied::{CostError, Costs};
use crate::degree::shingle;
use crate::region::similarity::{Typedist, Weights, WeightsError};
use crate::region::{AttributeWeights, RegionOptions};

/// The usual options, whose table of attributes is read once.
static USUAL: LazyLock<RegionOptions> = LazyLock::new(RegionOptions::default);

/// How two pages were compared; the variant of IED is in the measurement.
///
/// A corpus and the blocks of a site are too large for every change: only their sizes are here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Form", into = "Form")]
pub struct CompareRecord {
    /// The prices of copy and move.
    pub costs: Costs,
    /// The words in a shingle.
    pub shingle_length: usize,
    /// The weights of words in COS.
    pub idf: IdfRecord,
    /// How much paths, attributes and words count.
    pub weights: Weights,
    /// How paths are compared.
    pub typedist: Typedist,
    /// How much each attribute counts, if not as usual.
    pub attribute_weights: Option<AttributeWeights>,
    /// The number of blocks that were known of the page's site.
    pub site_blocks: usize,
}

/// Where the weights of words in COS came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IdfRecord {
    /// Every word weighs 1.
    #[default]
    None,
    /// From the two pages.
    Pair,
    /// From a corpus of this size.
    Corpus {
        /// The number of its documents.
        documents: u64,
        /// The number of its distinct words.
        words: usize,
    },
}

impl Default for CompareRecord {
    fn default() -> Self {
        Self::of(Costs::PAPER, shingle::LENGTH, &Idf::None, &USUAL)
    }
}

impl CompareRecord {
    /// The record of these options.
    pub(crate) fn of(costs: Costs, shingle_length: usize, idf: &Idf, regions: &RegionOptions) -> Self {
        let RegionOptions { weights, typedist, attribute_weights, site } = regions;
        Self {
            costs,
            shingle_length,
            idf: match idf {
                Idf::None => IdfRecord::None,
                Idf::Pair => IdfRecord::Pair,
                Idf::Corpus(corpus) => IdfRecord::Corpus { documents: corpus.documents(), words: corpus.words() },
            },
            weights: *weights,
            typedist: *typedist,
            attribute_weights: (*attribute_weights != USUAL.attribute_weights).then(|| attribute_weights.clone()),
            site_blocks: site.shared_blocks.len(),
        }
    }
}

/// The members that differ from the usual.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Form {
    #[serde(skip_serializing_if = "Option::is_none")]
    copy_cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    move_cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shingle: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idf: Option<IdfRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    typedist: Option<Typedist>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute_weights: Option<AttributeWeights>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site_blocks: Option<usize>,
}

impl From<CompareRecord> for Form {
    fn from(record: CompareRecord) -> Self {
        fn other<T: PartialEq>(own: T, usual: &T) -> Option<T> {
            (own != *usual).then_some(own)
        }
        let usual = CompareRecord::default();
        let numbers = |weights: Weights| [weights.alpha(), weights.beta(), weights.gamma()];
        Self {
            copy_cost: other(record.costs.copy(), &usual.costs.copy()),
            move_cost: other(record.costs.moving(), &usual.costs.moving()),
            shingle: other(record.shingle_length, &usual.shingle_length),
            idf: other(record.idf, &usual.idf),
            weights: other(record.weights, &usual.weights).map(numbers),
            typedist: other(record.typedist, &usual.typedist),
            attribute_weights: record.attribute_weights,
            site_blocks: other(record.site_blocks, &usual.site_blocks),
        }
    }
}

/// Why a record is invalid.
#[derive(Debug, thiserror::Error)]
enum FormError {
    #[error(transparent)]
    Costs(#[from] CostError),
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

impl TryFrom<Form> for CompareRecord {
    type Error = FormError;

    fn try_from(form: Form) -> Result<Self, FormError> {
        let usual = Self::default();
        let weights = form.weights.map(|[alpha, beta, gamma]| Weights::new(alpha, beta, gamma)).transpose()?;
        Ok(Self {
            costs: Costs::new(
                form.copy_cost.unwrap_or(usual.costs.copy()),
                form.move_cost.unwrap_or(usual.costs.moving()),
            )?,
            shingle_length: form.shingle.unwrap_or(usual.shingle_length),
            idf: form.idf.unwrap_or_default(),
            weights: weights.unwrap_or(usual.weights),
            typedist: form.typedist.unwrap_or(usual.typedist),
            attribute_weights: form.attribute_weights,
            site_blocks: form.site_blocks.unwrap_or_default(),
        })
    }
}
