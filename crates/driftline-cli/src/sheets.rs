//! Which style sheets lie beside a saved page? Those in its folder or below, and no others.
//!
//! A page names its style sheets, and a page is written by strangers: an address with `..`, an
//! absolute one or a link of the file system out of the folder could show files that are nobody's
//! business.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use driftline::page::{ReadOptions, Source};
use driftline_report::view;

use crate::input;
use crate::tell;

/// The most style sheets that are read for a page.
const MOST_SHEETS: usize = 64;
/// The most bytes of one.
const MOST_BYTES: u64 = 2 << 20;

/// Style sheets, by the address as the page has it.
type Sheets = HashMap<String, String>;

/// The style sheets that a page links to, as far as they lie beside it; warns of those left out.
pub(crate) fn beside(path: &Path, source: Source<'_>, read_options: &ReadOptions) -> Sheets {
    let folder = match path.parent() {
        Some(folder) if !input::is_stdin(path) => folder,
        _ => return Sheets::new(),
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(folder) = folder.canonicalize() else { return Sheets::new() };
    let (sheets, warnings) = in_folder(&folder, view::linked_sheets(source, read_options));
    for warning in warnings {
        tell::warning(format_args!("{}: {warning}", path.display()));
    }
    sheets
}

/// The style sheets of a folder at addresses, and what there is to say of those left out.
fn in_folder(folder: &Path, addresses: Vec<String>) -> (Sheets, Vec<String>) {
    let (mut sheets, mut warnings) = (Sheets::new(), Vec::new());
    let mut seen = HashSet::new();
    let found = addresses.into_iter().filter(|address| seen.insert(address.clone()));
    let mut found = found.filter_map(|address| Some((file(folder, &address)?, address)));
    for (file, address) in found.by_ref().take(MOST_SHEETS) {
        match read(&file) {
            Some(rules) => drop(sheets.insert(address, rules)),
            None => warnings.push(format!(
                "style sheet `{}` is longer than {} MiB or cannot be read, and is left out",
                address.escape_debug(),
                MOST_BYTES >> 20
            )),
        }
    }
    let more = found.count();
    if more > 0 {
        warnings.push(format!("{more} of its style sheets are left out: {MOST_SHEETS} are used at most"));
    }
    (sheets, warnings)
}

/// The file at an address, if it lies in the folder.
fn file(folder: &Path, address: &str) -> Option<PathBuf> {
    let path = folder.join(inside(address)?).canonicalize().ok()?;
    (path.starts_with(folder) && path.is_file()).then_some(path)
}

/// The whole of a style sheet, or nothing: half a rule could mean anything.
fn read(file: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    let length = File::open(file).ok()?.take(MOST_BYTES + 1).read_to_end(&mut bytes).ok()?;
    (length as u64 <= MOST_BYTES).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// The path that an address names, if it leads down from the folder.
fn inside(address: &str) -> Option<PathBuf> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let is_plain = !path.is_empty() && !path.contains([':', '\\', '\0']);
    let path = PathBuf::from(percent_decoded(path));
    let leads_down = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    (is_plain && leads_down).then_some(path)
}

fn percent_decoded(path: &str) -> String {
    let mut parts = path.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let byte = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(b'%'));
        bytes.extend_from_slice(&part.as_bytes()[if byte.is_some() { 2 } else { 0 }..]);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_lead_down_are_paths() {
        for address in ["style.css", "./a/b.css?v=3", "page%20files/a.css", "a%.css"] {
            assert!(inside(address).is_some(), "{address}");
        }
        for address in [
            "",
            "../a.css",
            "a/../../b.css",
            "/etc/passwd",
            "//x/a.css",
            "http://x/a.css",
            "%2e%2e/a.css",
            "C:\\a",
            "a%00b:",
        ] {
            assert!(inside(address).is_none(), "{address}");
        }
        assert_eq!(inside("page%20files/a.css"), Some(PathBuf::from("page files/a.css")));
    }

    fn written(files: &[(&str, usize)]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        files.iter().for_each(|(name, length)| std::fs::write(folder.path().join(name), " ".repeat(*length)).unwrap());
        let path = folder.path().canonicalize().unwrap();
        (folder, path)
    }

    #[test]
    fn a_sheet_that_is_too_long_is_left_out_whole_and_told() {
        let (_folder, path) = written(&[("long.css", 2 * 1024 * 1024 + 1), ("full.css", 2 * 1024 * 1024)]);
        let (sheets, warnings) = in_folder(&path, vec!["long.css?\u{1b}".to_owned(), "full.css".to_owned()]);
        assert_eq!(sheets.keys().collect::<Vec<_>>(), ["full.css"]);
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].contains("`long.css?\\u{1b}` is longer than 2 MiB"), "{warnings:?}");
    }

    #[test]
    fn sheets_beyond_the_most_are_told_and_those_elsewhere_take_no_place() {
        let (_folder, path) = written(&[("a.css", 1)]);
        let addresses =
            |most| (0..most).flat_map(|at| [format!("http://x/{at}.css"), format!("a.css?{at}"), "a.css?0".to_owned()]);
        let (sheets, warnings) = in_folder(&path, addresses(64).collect());
        assert_eq!((sheets.len(), warnings.len()), (64, 0));
        let (sheets, warnings) = in_folder(&path, addresses(67).collect());
        assert_eq!((sheets.len(), warnings.len()), (64, 1));
        assert!(warnings[0].starts_with("3 of its style sheets"), "{warnings:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_of_the_file_system_out_of_the_folder_is_refused() {
        let (_outside, outside) = written(&[("secret.css", 1)]);
        let (_folder, path) = written(&[("own.css", 1)]);
        let link = |to: PathBuf, name: &str| std::os::unix::fs::symlink(to, path.join(name)).unwrap();
        link(outside.join("secret.css"), "out.css");
        link(outside.clone(), "out");
        link(path.join("own.css"), "in.css");
        let addresses = ["out.css", "out/secret.css", "in.css"].map(ToOwned::to_owned).to_vec();
        assert_eq!(in_folder(&path, addresses).0.into_keys().collect::<Vec<_>>(), ["in.css"]);
    }
}
