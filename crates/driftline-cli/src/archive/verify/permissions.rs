//! Permissions in the data directory, as `driftline archive verify` reports and restricts them.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use driftline_archive::care::permissions::{Exposed, exposed, restrict};
use driftline_archive::settings;
use driftline_watch::daemon::LOCK_FILE;
use driftline_watch::watches;
use serde::Serialize;

use crate::archive::data;
use crate::snapshot;

/// At most this many paths are named.
const MOST_NAMED: usize = 5;

/// What others may open, and what they could open until now.
#[derive(Debug, Serialize)]
pub(super) struct Permissions {
    /// Files and folders that others may open.
    exposed: Vec<Exposed>,
    /// Those that others could open until now.
    restricted: Vec<Exposed>,
    #[serde(skip)]
    data: PathBuf,
}

impl Permissions {
    /// Looks at the data directory, and restricts what it finds if that is wanted.
    pub(super) fn check(data: Option<&Path>, fix: bool) -> Result<Self> {
        let archive = data::settings(data)?.archive;
        let graph = snapshot::all_series(data)?;
        let data = data::directory(data)?;
        let more = [data.join(settings::FILE), data.join(LOCK_FILE), data.join(watches::FOLDER), graph];
        let found = exposed(&data, &archive, &more).context("cannot look at the permissions of the data directory")?;
        if !fix {
            return Ok(Self { exposed: found, restricted: Vec::new(), data });
        }
        for exposed in &found {
            restrict(exposed).with_context(|| {
                format!("cannot change the permissions of `{}`\nhint: only its owner can", exposed.path.display())
            })?;
        }
        Ok(Self { exposed: Vec::new(), restricted: found, data })
    }

    /// `others may open 2 files and folders: catalog.db (0644), …`, and what helps.
    pub(super) fn print(&self, output: &mut impl Write) -> Result<()> {
        if !self.exposed.is_empty() {
            writeln!(output, "others may open {}", self.names(&self.exposed))?;
            writeln!(output, "  cure: `driftline archive verify --fix-permissions` leaves them to their owner")?;
        }
        if !self.restricted.is_empty() {
            writeln!(output, "only their owner may open these now: {}", self.names(&self.restricted))?;
        }
        Ok(())
    }

    fn names(&self, exposed: &[Exposed]) -> String {
        let name = |Exposed { path, mode, .. }: &Exposed| {
            let short = path.strip_prefix(&self.data).ok().filter(|short| !short.as_os_str().is_empty());
            format!("`{}` ({mode:04o})", short.unwrap_or(path).display())
        };
        let mut names = exposed.iter().take(MOST_NAMED).map(name).collect::<Vec<_>>().join(", ");
        if let Some(more) = exposed.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
            names += &format!(" and {more} more");
        }
        driftline_report::summary::safe::for_terminal(&names).into_owned()
    }
}
