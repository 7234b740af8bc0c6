//! A writer that records errors, so that they are reported later.
//!
//! A bit writer of dsi-bitstream writes its last bits when it is dropped, and panics if that fails. So it writes to a
//! file that accepts everything, and errors such as a full disk are asked for with [`Failure::check`].

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A file whose write errors are recorded and reported later.
#[derive(Debug)]
pub(super) struct DeferredErrorWriter {
    to: BufWriter<File>,
    failure: Failure,
}

/// The last error, if there was one.
#[derive(Debug, Clone, Default)]
pub(super) struct Failure(Arc<Mutex<Option<io::Error>>>);

impl DeferredErrorWriter {
    pub(super) fn new(file: File, failure: &Failure) -> Self {
        Self { to: BufWriter::new(file), failure: failure.clone() }
    }
}

impl Failure {
    /// Returns the error, once.
    pub(super) fn check(&self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    fn remember(&self, error: io::Error) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }
}

impl Write for DeferredErrorWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write_all(bytes).unwrap_or_else(|error| self.failure.remember(error));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush().unwrap_or_else(|error| self.failure.remember(error));
        Ok(())
    }
}
