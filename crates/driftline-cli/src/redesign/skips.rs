//! What happens to documents that cannot be read? They are told, and the stream goes on without them.

use anyhow::{Result, bail};

use super::documents::Skipped;
use crate::tell;

/// How many are told one by one.
const TOLD: usize = 10;

/// The documents that were skipped so far.
#[derive(Default)]
pub(super) struct Skips {
    count: usize,
    /// The first, which is not told yet: if it is all there is, it is the error.
    first: Option<Skipped>,
}

impl Skips {
    pub(super) fn add(&mut self, document: Skipped) {
        self.count += 1;
        if self.count == 1 {
            self.first = Some(document);
            return;
        }
        self.tell_first();
        if self.count <= TOLD {
            tell(&document);
        }
    }

    /// Tells what is left to be told, when so many documents were read; none at all is an error.
    pub(super) fn finish(mut self, read: usize) -> Result<()> {
        if let (0, 1, Some(Skipped { name, error })) = (read, self.count, &self.first) {
            let why = crate::chain(error);
            let what = if why.contains(name) { String::new() } else { format!("`{name}` cannot be read: ") };
            bail!("{what}{why}");
        }
        self.tell_first();
        match (read, self.count) {
            (_, 0) => {}
            (0, skipped) => bail!("none of {skipped} documents could be read"),
            (_, skipped) => {
                let all = read + skipped;
                tell::warning(format_args!("{skipped} of {all} documents could not be read and were skipped"));
            }
        }
        Ok(())
    }

    fn tell_first(&mut self) {
        if let Some(first) = self.first.take() {
            tell(&first);
        }
    }
}

fn tell(Skipped { name, error }: &Skipped) {
    tell::warning(format_args!("`{name}` is skipped: {}", crate::chain(error)));
}
