//! The operands of `driftline diff`: OLD, NEW and the files of `--warc`, in any order.
//!
//! `--warc` takes one value, so that `--warc FILE OLD NEW` works; it may be repeated. `--warc *.warc.gz` works as well: the
//! other files are operands, and URL@TIME tells OLD and NEW from them.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use driftline_catalog::Address;

use crate::args::DiffArgs;
use crate::input;

/// What is compared, and where captures are looked for.
#[derive(Debug, PartialEq)]
pub(super) struct Operands<'args> {
    pub(super) old: &'args Path,
    pub(super) new: &'args Path,
    pub(super) warc: Vec<PathBuf>,
}

impl<'args> Operands<'args> {
    /// The operands of a command line.
    pub(super) fn of(args: &'args DiffArgs) -> Result<Self> {
        let all: Vec<&Path> = [&args.old, &args.new].into_iter().chain(&args.more).map(PathBuf::as_path).collect();
        if let (Some(extra), true) = (all.get(2), args.warc.is_empty()) {
            bail!(
                "`{}` is one operand too many: two versions are compared\nhint: `driftline measure FOLDER` compares more",
                extra.display()
            );
        }
        let [old, new] = versions(&all)?;
        if input::is_stdin(all[old]) && input::is_stdin(all[new]) {
            bail!("only one of OLD and NEW can be `-`");
        }
        let others = (0..all.len()).filter(|at| ![old, new].contains(at)).map(|at| all[at].to_owned());
        let warc = args.warc.iter().cloned().chain(others).collect();
        Ok(Self { old: all[old], new: all[new], warc })
    }
}

/// Which operands are OLD and NEW: the two addresses wherever they are, else the first two operands.
fn versions(all: &[&Path]) -> Result<[usize; 2]> {
    let addresses: Vec<usize> = (0..all.len()).filter(|&at| address(all[at]).is_some()).collect();
    match addresses[..] {
        [old, new] => Ok([old, new]),
        [.., last] if last > 1 => bail!(
            "it is not clear which operands are the two versions and which are files of `--warc`\n\
             hint: write `--warc` before each of its files"
        ),
        _ => Ok([0, 1]),
    }
}

/// The address of a capture, if this is one and not a path.
pub(super) fn address(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| Address::is_meant(text))
}
