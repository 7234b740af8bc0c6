//! Gottron's table 2, as printed.

use driftline::redesign::Detector;

/// A row as it is printed.
pub(super) struct Printed {
    pub(super) detector: Detector,
    pub(super) history: usize,
    /// TP, TN, FP, FN.
    pub(super) cells: [usize; 4],
}

/// Table 2. Each row sums to 4,491 documents, while table 1 lists 4,256.
pub(super) const TABLE_2: [Printed; 12] = [
    printed(Detector::NewAvgDrop, 5, [4, 4263, 222, 2]),
    printed(Detector::NewAvgDrop, 10, [4, 4308, 177, 2]),
    printed(Detector::NewAvgDrop, 20, [6, 4327, 158, 0]),
    printed(Detector::MaxAvgDiff, 5, [6, 4352, 133, 0]),
    printed(Detector::MaxAvgDiff, 10, [6, 4480, 5, 0]),
    printed(Detector::MaxAvgDiff, 20, [6, 4481, 4, 0]),
    printed(Detector::Statistics, 5, [4, 4316, 169, 2]),
    printed(Detector::Statistics, 10, [5, 4329, 159, 1]),
    printed(Detector::Statistics, 20, [5, 4268, 217, 1]),
    printed(Detector::Cluster, 5, [4, 4475, 10, 2]),
    printed(Detector::Cluster, 10, [4, 4482, 3, 2]),
    printed(Detector::Cluster, 20, [6, 4482, 3, 0]),
];

const fn printed(detector: Detector, history: usize, cells: [usize; 4]) -> Printed {
    Printed { detector, history, cells }
}
