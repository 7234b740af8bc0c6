//! What can be wrong with an archive, and what helps?

use serde::Serialize;

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    /// The file.
    pub segment: String,
    /// The byte in it, if it has to do with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// What it is.
    pub fault: Fault,
    /// The address of the capture that it concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// More about it.
    pub detail: String,
    /// What helps.
    pub cure: &'static str,
}

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Fault {
    /// A segment of the catalog has no file.
    FileMissing,
    /// A file is shorter than the catalog acknowledged.
    FileShort,
    /// A file is longer than the catalog knows.
    FileLong,
    /// A file that the catalog does not know.
    FileUnknown,
    /// An open segment whose writer is gone.
    Abandoned,
    /// A file that an interrupted compaction left.
    Leftover,
    /// An object that an interrupted compaction left in the store.
    StoredLeftover,
    /// Bytes in the middle of a segment that are no record.
    Damaged,
    /// Bytes at the end of a segment that are no record.
    TornTail,
    /// The block of a record has another digest than it says.
    BlockDigest,
    /// The payload of a record has another digest than it says.
    PayloadDigest,
    /// A record has fewer bytes than it says.
    RecordCut,
    /// A record that the catalog does not know.
    RowMissing,
    /// The catalog names a record that is not there.
    RecordMissing,
    /// The catalog says something else than the record.
    RowDiffers,
    /// The capture that a revisit refers to is not there.
    OriginalMissing,
}

impl Fault {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::FileMissing => "the file is not there",
            Self::FileShort => "the file is shorter than what was acknowledged",
            Self::FileLong => "the file is longer than the catalog knows",
            Self::FileUnknown => "the catalog does not know the file",
            Self::Abandoned => "its writer is gone, and nobody closed it",
            Self::Leftover => "an interrupted compaction left it",
            Self::StoredLeftover => "an interrupted compaction left it in the store",
            Self::Damaged => "damaged bytes",
            Self::TornTail => "the end is torn",
            Self::BlockDigest => "the record is not what was written: its block has another digest",
            Self::PayloadDigest => "the payload has another digest than the record says",
            Self::RecordCut => "the record has fewer bytes than it says",
            Self::RowMissing => "the catalog does not know the record",
            Self::RecordMissing => "the catalog names a record that is not there",
            Self::RowDiffers => "the catalog says something else than the record",
            Self::OriginalMissing => "the capture that it refers to is not in the archive",
        }
    }

    /// What helps.
    #[must_use]
    pub fn cure(self) -> &'static str {
        match self {
            Self::FileMissing | Self::FileShort | Self::Damaged | Self::RecordCut => {
                "bring the file back from a backup; captures in whole records can still be read"
            }
            Self::BlockDigest => {
                "bring the file back from a backup; if an older driftline imported it so, `driftline archive import \
                 --again` with the same input notes that"
            }
            Self::FileLong | Self::FileUnknown => "run `driftline archive rebuild`, which indexes it",
            Self::Abandoned | Self::TornTail => {
                "any command that writes to the archive puts it in order, such as `driftline archive rebuild`"
            }
            Self::Leftover => "any command that writes to the archive removes it, such as `driftline archive rebuild`",
            Self::StoredLeftover => {
                "run `driftline archive compact`, which removes it; without rules, nothing else goes"
            }
            Self::PayloadDigest => {
                "if the block's digest is right, its writer computed the payload's differently; `driftline archive import \
                 --again` with the same input notes that"
            }
            Self::RowMissing | Self::RecordMissing | Self::RowDiffers => {
                "move the catalog away and run `driftline archive rebuild`, which makes it anew from the segments"
            }
            Self::OriginalMissing => "import the WARC file that holds it",
        }
    }
}

impl Problem {
    pub(super) fn new(fault: Fault, segment: &str, detail: impl Into<String>) -> Self {
        let segment = segment.to_owned();
        Self { segment, offset: None, fault, url: None, detail: detail.into(), cure: fault.cure() }
    }

    pub(super) fn at(self, offset: u64) -> Self {
        Self { offset: Some(offset), ..self }
    }

    pub(super) fn of(self, url: &str) -> Self {
        Self { url: Some(url.to_owned()), ..self }
    }
}
