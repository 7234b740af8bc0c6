//! Metrics: what each is called, what it looks at and what it costs, in one table.

use serde::{Deserialize, Serialize};

use super::Degree;

/// The names of metrics, what is known of them, and a degree for each, from one table: a metric that is added there
/// is in every list, table and record.
macro_rules! metrics {
    ($(
        $(#[$doc:meta])*
        $metric:ident, $field:ident { label: $label:literal, looks_at: $looks_at:literal, answers: $answers:literal, cost: $cost:literal }
    )*) => {
        /// A way to measure change.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Metric {
            $($(#[$doc])* $metric,)*
        }

        impl Metric {
            /// All metrics, the papers' six first.
            pub const ALL: &[Self] = &[$(Self::$metric),*];

            /// Its name in files: `ied_refined`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$metric => stringify!($field),)* }
            }

            /// Its name for people: `IED refined`. Shingling has its length before it, as in `10SH`.
            #[must_use]
            pub const fn label(self) -> &'static str {
                match self { $(Self::$metric => $label,)* }
            }

            /// What it looks at, in a few words.
            #[must_use]
            pub const fn looks_at(self) -> &'static str {
                match self { $(Self::$metric => $looks_at,)* }
            }

            /// What it is, and the question that it answers.
            #[must_use]
            pub const fn answers(self) -> &'static str {
                match self { $(Self::$metric => $answers,)* }
            }

            /// Its rank by the work that it takes, the cheapest first.
            #[must_use]
            pub const fn cost(self) -> u8 {
                match self { $(Self::$metric => $cost,)* }
            }
        }

        /// The degree by every metric.
        #[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
        #[non_exhaustive]
        pub struct Degrees {
            $($(#[$doc])* pub $field: Degree,)*
        }

        impl Degrees {
            /// The degrees that a function gives for each metric.
            pub fn from_fn(degree: impl Fn(Metric) -> Degree) -> Self {
                Self { $($field: degree(Metric::$metric),)* }
            }

            /// The degree by one metric.
            #[must_use]
            pub fn by(&self, metric: Metric) -> Degree {
                match metric { $(Metric::$metric => self.$field,)* }
            }
        }
    };
}

metrics! {
    /// Byte-wise comparison: 0 or 1.
    Bw, bw {
        label: "BW",
        looks_at: "any byte at all",
        answers: "byte-wise comparison: does any byte differ?",
        cost: 1
    }
    /// TF-IDF cosine distance.
    Cos, cos {
        label: "COS",
        looks_at: "which words, in which proportion",
        answers: "TF-IDF cosine distance: which words, how often?",
        cost: 3
    }
    /// Word distance.
    Wd, wd {
        label: "WD",
        looks_at: "which words, how often",
        answers: "word distance: how many words are not on both pages?",
        cost: 2
    }
    /// Edit distance with insertions and deletions.
    Ed, ed {
        label: "ED",
        looks_at: "words in order, added or dropped",
        answers: "edit distance: how many words must be inserted and deleted?",
        cost: 5
    }
    /// k-shingling.
    Shingle, shingle {
        label: "SH",
        looks_at: "runs of words",
        answers: "shingling: how many runs of words are not on both pages?",
        cost: 4
    }
    /// Improved edit distance, by the papers' phases.
    Ied, ied {
        label: "IED",
        looks_at: "words in order, six kinds of change",
        answers: "improved edit distance: what do the six kinds of change cost?",
        cost: 6
    }
    /// IED that takes a replacement wherever it is cheaper (rule R10).
    IedRefined, ied_refined {
        label: "IED refined",
        looks_at: "the same, a replacement where it is cheaper",
        answers: "IED that takes a replacement wherever it is cheaper",
        cost: 7
    }
    /// Refined IED that looks for replacements between the same common words (rule R11).
    IedGap, ied_gap {
        label: "IED gap",
        looks_at: "the same, replacements between the same common words",
        answers: "IED refined, with replacements looked for between the same common words",
        cost: 8
    }
}

impl Metric {
    /// The six of the papers.
    pub const PAPER: [Self; 6] = [Self::Bw, Self::Cos, Self::Wd, Self::Ed, Self::Shingle, Self::Ied];

    /// All metrics, the cheapest first.
    #[must_use]
    pub fn cheapest_first() -> Vec<Self> {
        let mut metrics = Self::ALL.to_vec();
        metrics.sort_by_key(|metric| metric.cost());
        metrics
    }
}
