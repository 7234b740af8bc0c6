//! How does what other monitors kept come in? Versions as captures, watches as watches.

use std::path::Path;

use super::batch::Batch;
use super::changedetection::Backup;
use super::kept::Kept;
use super::plan::Options;
use super::summary::{Reason, Summary};
use super::urlwatch::{Database, Jobs};
use super::{Error, Format, Run, made, versions};
use driftline_catalog::Watch;

/// The most bytes of a job file.
const MOST_JOBS: u64 = 64 << 20;
/// Where the jobs of a database may stand if nobody says so: beside it.
const JOB_FILES: [&str; 2] = ["urls.yaml", "jobs.yaml"];

/// Imports a backup, a database or a folder of versions.
pub(super) fn read(run: &Run<'_>, path: &Path, format: Format, options: &Options) -> Result<Summary, Error> {
    let mut batch = Batch::new(run, None);
    let name = path.display().to_string();
    let mut watches = 0;
    let mut take = |kept: Kept| match kept {
        Kept::Version(version) => {
            match made::records(&version, &name) {
                Ok(records) => records.into_iter().for_each(|record| batch.push(record)),
                Err(skip) => batch.skip(skip),
            }
            if batch.is_full() { batch.flush(None) } else { Ok(()) }
        }
        Kept::Watch(own) => {
            watches += 1;
            let Some(archive) = run.archive.filter(|_| !run.is_trial) else { return Ok(()) };
            let watch = Watch {
                uuid: own.id,
                title: own.title.unwrap_or_else(|| own.url.clone()),
                url: own.url,
                tags: own.tags,
                settings: own.settings,
                created: own.since,
                ..Watch::default()
            };
            Ok(archive.catalog().put_watch(&watch)?)
        }
        Kept::Skipped(skip) => {
            batch.skip(skip);
            Ok(())
        }
    };
    match format {
        Format::Changedetection => Backup::open(path)?.read(&mut take)?,
        Format::Versions => versions::read(path, &options.naming, &mut take)?,
        _ => Database::open(path)?.read(&jobs(path, options.jobs.as_deref())?, &mut take)?,
    }
    // No progress is noted: jobs and names may change, and what is known by then is passed over.
    let summary = batch.finish(None)?;
    let is_database = matches!(format, Format::Urlwatch | Format::Webchanges);
    if is_database && summary.records == 0 && summary.skipped.contains_key(&Reason::NoAddress) {
        return Err(Error::NoJobs { path: path.to_owned() });
    }
    Ok(Summary { watches, ..summary })
}

/// The jobs of a database.
fn jobs(database: &Path, named: Option<&Path>) -> Result<Jobs, Error> {
    let beside = JOB_FILES.iter().map(|name| database.with_file_name(name)).find(|path| path.is_file());
    let Some(path) = named.map(Path::to_owned).or(beside) else { return Ok(Jobs::default()) };
    let failed = |error| Error::read(&path, error);
    if path.metadata().map_err(failed)?.len() > MOST_JOBS {
        return Err(failed(std::io::Error::other("it is too large for a file of jobs")));
    }
    let bytes = std::fs::read(&path).map_err(failed)?;
    Ok(Jobs::parse(&String::from_utf8_lossy(&bytes)))
}
