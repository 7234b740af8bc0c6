//! Where is the archive? The data directory, and what `driftline.toml` in it says.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use driftline_archive::Archive;
use driftline_archive::settings::{Secrets, Settings};
use driftline_catalog::{Catalog, Place};

use super::recovery;
use crate::tell;

/// Opens the archive to write to it, and makes it if it is not there. What a crash left behind is reported.
pub(crate) fn open(data: Option<&Path>) -> Result<Archive> {
    let settings = settings(data)?;
    let archive = Archive::open(&settings.archive)?;
    recovery::tell(archive.recovery());
    Ok(archive)
}

/// Opens the archive to read it; nothing is written.
pub(crate) fn open_to_read(data: Option<&Path>) -> Result<Archive> {
    let settings = settings(data)?;
    check(&settings, data)?;
    Ok(Archive::open_to_read(&settings.archive)?)
}

/// Opens only the catalog to write to it; none is begun.
pub(crate) fn catalog(data: Option<&Path>) -> Result<Catalog> {
    let settings = settings(data)?;
    check(&settings, data)?;
    Ok(Catalog::open(settings.archive.catalog)?)
}

/// The settings of a data directory.
pub(crate) fn settings(data: Option<&Path>) -> Result<Settings> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let secrets = Secrets {
        catalog: variable("DRIFTLINE_CATALOG"),
        access_key_id: variable("AWS_ACCESS_KEY_ID"),
        secret_access_key: variable("AWS_SECRET_ACCESS_KEY"),
        session_token: variable("AWS_SESSION_TOKEN"),
    };
    Ok(Settings::read(&directory(data)?, &secrets)?)
}

/// The data directory: as it was typed or stands in `DRIFTLINE_DATA`, or else the user's own.
pub(crate) fn directory(data: Option<&Path>) -> Result<PathBuf> {
    let found = match data {
        Some(data) => Some(data.to_owned()),
        None => users_own(|name| std::env::var_os(name).filter(|value| !value.is_empty())),
    };
    found.context("there is no data directory\nhint: name one with `--data DIR` or in DRIFTLINE_DATA")
}

/// Where the platform keeps data of a user's programs.
fn users_own(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let home = |folder: &str| variable("HOME").map(|home| PathBuf::from(home).join(folder));
    let folder = if cfg!(windows) {
        variable("LOCALAPPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        home("Library/Application Support")
    } else {
        // A relative one is to be ignored, says the specification.
        let set = variable("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        set.or_else(|| home(".local/share"))
    };
    folder.map(|folder| folder.join("driftline"))
}

/// What to do if there are watches and no check has been made.
pub(crate) const CHECK: &str =
    "hint: `driftline watch check --all` checks once, `driftline serve --headless` from now on";

/// Whether there are watches and no check has been made, so that there is no archive yet; then a note says so.
pub(crate) fn is_unchecked(data: Option<&Path>) -> Result<bool> {
    let settings = settings(data)?;
    let is_unchecked = matches!(&settings.archive.catalog, Place::File(file) if !file.exists())
        && !has_segments(&settings.archive.folder)
        && has_watches(data)?;
    if is_unchecked {
        tell::note(format_args!("nothing has been checked yet\n{CHECK}"));
    }
    Ok(is_unchecked)
}

/// Whether there are files of watches.
fn has_watches(data: Option<&Path>) -> Result<bool> {
    let folder = directory(data)?.join(driftline_watch::watches::FOLDER);
    let mut files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    Ok(files.any(|file| file.path().extension().is_some_and(|extension| extension == "toml")))
}

/// Reading does not begin an archive.
fn check(settings: &Settings, data: Option<&Path>) -> Result<()> {
    if let Place::File(file) = &settings.archive.catalog
        && !file.exists()
    {
        let hint = if has_segments(&settings.archive.folder) {
            "its WARC files are there: bring the catalog back from a backup, or run `driftline archive rebuild`"
        } else if has_watches(data)? {
            bail!("nothing has been checked yet: there is no catalog `{}`\n{CHECK}", file.display());
        } else {
            "name the data directory with `--data DIR`, or fill one with `driftline archive import`"
        };
        bail!("there is no archive: no catalog `{}`\nhint: {hint}", file.display());
    }
    Ok(())
}

/// Are there WARC files in a folder?
fn has_segments(folder: &Path) -> bool {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.into_iter().any(|file| file.file_name().to_string_lossy().contains(".warc."))
}

#[cfg(all(test, unix, not(target_os = "macos")))]
mod tests {
    use std::path::Path;

    use super::users_own;

    #[test]
    fn the_user_has_a_data_directory() {
        let with = |set: &'static [(&str, &str)]| {
            users_own(move |name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
        };
        assert_eq!(with(&[("HOME", "/home/me")]).unwrap(), Path::new("/home/me/.local/share/driftline"));
        assert_eq!(with(&[("XDG_DATA_HOME", "/d"), ("HOME", "/home/me")]).unwrap(), Path::new("/d/driftline"));
        assert_eq!(with(&[("XDG_DATA_HOME", "d"), ("HOME", "/h")]).unwrap(), Path::new("/h/.local/share/driftline"));
        assert_eq!(with(&[]), None);
    }
}
