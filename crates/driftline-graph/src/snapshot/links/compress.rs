//! How does a graph become small? Lists in a row are compressed by all threads and put one behind the other.
//!
//! A list is told by how it differs from one of the seven before it (Boldi and Vigna, 2004). Each thread begins with
//! none before, which costs nothing to speak of where a part has thousands of nodes, and keeps its bits in memory:
//! they are a small part of the lists themselves.

use std::fs::File;
use std::io::{self, Cursor};
use std::ops::Range;
use std::path::{Path, PathBuf};

use dsi_bitstream::codes::GammaWrite;
use dsi_bitstream::impls::{BufBitReader, BufBitWriter, WordAdapter};
use dsi_bitstream::traits::{BE, BitWrite};
use dsi_progress_logger::no_logging;
use rayon::prelude::*;
use webgraph::graphs::bvgraph::{BvComp, CompFlags, CompStats, ConstCodesEncoder, OffsetsWriter, store_ef_with_data};

use super::deferred_errors::{DeferredErrorWriter, Failure};
use super::lists::Lists;
use super::{Direction, Node, other};

/// Nodes and links together that a thread takes at once. Not fewer, as each part begins without a list before it;
/// and the same for any number of threads, so that the files are too.
const PART: usize = 1 << 17;

type Bits = BufBitWriter<BE, WordAdapter<u64, DeferredErrorWriter>>;

/// WebGraph's own choice of codes, which its other programs expect.
pub(super) fn flags() -> CompFlags {
    CompFlags::default()
}

/// A graph in the making.
pub(super) struct Compressor {
    base: PathBuf,
    graph: Bits,
    offsets: Bits,
    /// What went wrong with either file.
    failure: Failure,
    stats: CompStats,
}

/// What a thread made of its lists.
struct Part {
    graph: Vec<u8>,
    offsets: Vec<u8>,
    stats: CompStats,
}

impl Compressor {
    pub(super) fn create(folder: &Path, direction: Direction) -> io::Result<Self> {
        let base = folder.join(direction.name());
        let failure = Failure::default();
        let bits = |kind| {
            driftline_files::create(&base.with_added_extension(kind))
                .map(|file| DeferredErrorWriter::new(file, &failure))
        };
        let graph = BufBitWriter::new(WordAdapter::new(bits("graph")?));
        let mut offsets: Bits = BufBitWriter::new(WordAdapter::new(bits("offsets")?));
        offsets.write_gamma(0).map_err(other)?;
        Ok(Self { base, graph, offsets, failure, stats: CompStats::default() })
    }

    /// Adds lists behind those before, without a gap.
    pub(super) fn append(&mut self, lists: &Lists) -> io::Result<()> {
        debug_assert_eq!(self.stats.num_nodes, lists.first.index());
        let parts = lists.parts(PART);
        let parts = parts.into_par_iter().map(|places| compress(lists, places)).collect::<io::Result<Vec<_>>>()?;
        for part in parts {
            append(&mut self.graph, &part.graph, part.stats.written_bits)?;
            append(&mut self.offsets, &part.offsets, part.stats.offsets_written_bits)?;
            self.stats += part.stats;
        }
        self.failure.check()
    }

    /// Waits until all is on disk; how many bits there are.
    pub(super) fn finish(mut self) -> io::Result<u64> {
        self.graph.flush().map_err(other)?;
        self.offsets.flush().map_err(other)?;
        self.failure.check()?;
        let path = |kind: &str| self.base.with_added_extension(kind);
        let properties = flags().to_properties::<BE>(&self.stats).map_err(other)?;
        io::Write::write_all(&mut driftline_files::create(&path("properties"))?, properties.as_bytes())?;
        // webgraph opens it by its path, and leaves the mode of a file that is there.
        driftline_files::create(&path("ef"))?;
        store_ef_with_data(self.stats.num_nodes, path("graph"), path("offsets"), path("ef"), no_logging![])
            .map_err(other)?;
        for kind in ["graph", "offsets", "properties", "ef"] {
            File::open(path(kind))?.sync_all()?;
        }
        Ok(self.stats.written_bits)
    }
}

/// Compresses the lists of some places.
fn compress(lists: &Lists, places: Range<usize>) -> io::Result<Part> {
    let (mut graph, mut offsets) = (Vec::new(), Vec::new());
    let encoder: ConstCodesEncoder<BE, _> =
        ConstCodesEncoder::new(BufBitWriter::new(WordAdapter::<u64, _>::new(&mut graph)));
    let flags = flags();
    let mut compressor = BvComp::new(
        encoder,
        OffsetsWriter::from_write(&mut offsets, false).map_err(other)?,
        flags.compression_window,
        flags.max_ref_count,
        flags.min_interval_length,
        lists.first.index() + places.start,
        (),
    );
    let mut list: Vec<Node> = Vec::new();
    for place in places {
        list.clear();
        list.extend_from_slice(lists.of(place));
        list.sort_unstable();
        compressor.push(list.iter().map(|&node| (node.index(), ()))).map_err(other)?;
    }
    let stats = compressor.flush().map_err(other)?;
    Ok(Part { graph, offsets, stats })
}

/// Puts so many bits behind the others.
fn append(out: &mut Bits, bytes: &[u8], bits: u64) -> io::Result<()> {
    let mut reader: BufBitReader<BE, _> = BufBitReader::new(WordAdapter::<u32, _>::new(Cursor::new(bytes)));
    out.copy_from(&mut reader, bits).map_err(|error| io::Error::other(error.to_string()))
}
