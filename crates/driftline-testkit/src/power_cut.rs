//! A disk that forgets what was not synchronised, for programs that are killed.
//!
//! `kill -9` leaves everything that a program wrote, because the kernel still has it. A power cut leaves what was
//! synchronised. [`Disk`] loads a library (`power_cut/shim.c`, compiled by `cc` when it is first needed) into a program,
//! which notes what each `fsync` made durable; after the program was killed, [`Disk::cut`] makes its folder anew from
//! that. What a kernel *may* have written besides is gone, as it is in the worst case.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use tempfile::TempDir;

const SHIM: &str = include_str!("power_cut/shim.c");

/// What a file system promises of a synchronised file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// ext4 with its defaults: an fsync makes all earlier changes of all folders durable, and a file that replaces
    /// another one by rename is written with it.
    Ext4,
    /// POSIX to the letter: the bytes of a file, or the entries of a folder, and nothing else.
    Strict,
}

/// A folder on a disk that forgets.
#[derive(Debug)]
pub struct Disk {
    data: PathBuf,
    image: TempDir,
    rules: Rules,
}

impl Disk {
    /// The disk of a folder.
    ///
    /// # Panics
    /// If the folder is not there, or the library cannot be compiled.
    #[must_use]
    pub fn new(data: &Path, rules: Rules) -> Self {
        let data = data.canonicalize().expect("the folder is there");
        Self { data, image: tempfile::tempdir().expect("a temporary folder"), rules }
    }

    /// Loads the library into a program before it is started. What is in the folder now is durable.
    ///
    /// # Panics
    /// If the folder cannot be read.
    pub fn attach(&self, program: &mut Command) {
        for folder in ["contents", "entries"] {
            let path = self.image.path().join(folder);
            let _ = fs::remove_dir_all(&path);
            fs::create_dir(&path).expect("a folder of the image");
        }
        let mut tree = Vec::new();
        self.note(&self.data, &mut tree).expect("the folder can be read");
        fs::write(self.image.path().join("tree"), tree).expect("the image can be written");
        program
            .env("LD_PRELOAD", library())
            .env("POWER_CUT_DATA", &self.data)
            .env("POWER_CUT_IMAGE", self.image.path())
            .env("POWER_CUT_RULES", if self.rules == Rules::Strict { "strict" } else { "ext4" });
    }

    /// Puts into the image what is in a folder.
    fn note(&self, folder: &Path, tree: &mut Vec<u8>) -> io::Result<()> {
        let id = id(&fs::metadata(folder)?);
        let (mut entries, mut below) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (status, path) = (entry.metadata()?, entry.path());
            let (letter, id) = (if status.is_dir() { 'd' } else { 'f' }, self::id(&status));
            writeln!(entries, "{letter} {id} {}", entry.file_name().to_str().expect("a name in UTF-8"))?;
            if status.is_dir() {
                below.push(path);
            } else {
                fs::copy(path, self.image.path().join("contents").join(id))?;
            }
        }
        fs::write(self.image.path().join("entries").join(&id), &entries)?;
        writeln!(tree, ". {id}")?;
        tree.extend(entries);
        below.iter().try_for_each(|path| self.note(path, tree))
    }

    /// Cuts the power, after the program was killed: the folder has from now on what was durable. Returns how many
    /// files and folders were lost or are older than they were.
    ///
    /// # Panics
    /// If the folder cannot be written.
    #[must_use]
    pub fn cut(&self) -> usize {
        let tree = self.tree().expect("the image can be read");
        let root = id(&fs::metadata(&self.data).expect("the folder is there"));
        let before = census(&self.data);
        for entry in fs::read_dir(&self.data).expect("the folder can be read") {
            let path = entry.expect("an entry").path();
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.expect("the folder can be emptied");
        }
        self.restore(&root, &self.data, &tree).expect("the folder can be written");
        let after = census(&self.data);
        before.difference(&after).count()
    }

    /// The durable entries of all folders.
    fn tree(&self) -> io::Result<HashMap<String, String>> {
        let mut tree: HashMap<String, String> = HashMap::new();
        if self.rules == Rules::Strict {
            for entry in fs::read_dir(self.image.path().join("entries"))? {
                let entry = entry?;
                tree.insert(entry.file_name().into_string().expect("an ID"), fs::read_to_string(entry.path())?);
            }
            return Ok(tree);
        }
        let mut folder = String::new();
        for line in fs::read_to_string(self.image.path().join("tree"))?.lines() {
            if let Some(id) = line.strip_prefix(". ") {
                id.clone_into(&mut folder);
                tree.entry(folder.clone()).or_default();
            } else {
                let entries = tree.get_mut(&folder).expect("a folder begins with its ID");
                entries.push_str(line);
                entries.push('\n');
            }
        }
        Ok(tree)
    }

    /// Makes a folder with its durable entries.
    fn restore(&self, id: &str, path: &Path, tree: &HashMap<String, String>) -> io::Result<()> {
        for line in tree.get(id).map(String::as_str).unwrap_or_default().lines() {
            let mut words = line.splitn(3, ' ');
            let (Some(letter), Some(id), Some(name)) = (words.next(), words.next(), words.next()) else {
                panic!("no entry: {line}");
            };
            let path = path.join(name);
            if letter == "d" {
                fs::create_dir(&path)?;
                self.restore(id, &path, tree)?;
                continue;
            }
            let content = self.image.path().join("contents").join(id);
            // The entry is durable and the bytes are not: the file is there, and empty.
            if content.exists() { fs::copy(content, path).map(|_| ())? } else { File::create(path).map(|_| ())? }
        }
        Ok(())
    }
}

/// The inode number and the time of birth, as the library prints them.
fn id(status: &Metadata) -> String {
    let born = status.created().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    format!("{}-{}.{:09}", status.ino(), born.as_secs(), born.subsec_nanos())
}

/// All files and folders below a folder, with the lengths of files.
fn census(folder: &Path) -> HashSet<(PathBuf, u64)> {
    let mut found = HashSet::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        let status = fs::metadata(&path).expect("a file");
        if status.is_dir() {
            found.extend(census(&path));
        }
        found.insert((path, if status.is_dir() { 0 } else { status.len() }));
    }
    found
}

/// The library, compiled once per process.
fn library() -> PathBuf {
    static LIBRARY: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = LIBRARY.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (source, library) = (folder.path().join("shim.c"), folder.path().join("shim.so"));
        fs::write(&source, SHIM).expect("a temporary file");
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let mut command = Command::new(&compiler);
        command.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(&source).arg("-ldl").arg("-lpthread");
        let status = command.status().unwrap_or_else(|error| panic!("`{compiler}` does not start: {error}"));
        assert!(status.success(), "`{compiler}` cannot compile the library");
        (folder, library)
    });
    path.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a folder has after a shell did this in it and the power was cut.
    fn after(rules: Rules, script: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("old"), "old\n").unwrap();
        let disk = Disk::new(folder.path(), rules);
        let mut shell = Command::new("python3");
        shell.args(["-c", script]).current_dir(folder.path());
        disk.attach(&mut shell);
        assert!(shell.status().expect("python3 starts").success());
        let _ = disk.cut();
        let mut found: Vec<String> = census(&disk.data)
            .into_iter()
            .map(|(path, length)| format!("{} {length}", path.strip_prefix(&disk.data).unwrap().display()))
            .collect();
        found.sort();
        found
    }

    const SYNC: &str = "
import os
def sync(path):
    file = os.open(path, os.O_RDONLY)
    os.fsync(file)
    os.close(file)
def write(path, text):
    with open(path, 'w') as file: file.write(text)
";

    fn both(script: &str) -> [Vec<String>; 2] {
        let script = format!("{SYNC}{script}");
        [Rules::Ext4, Rules::Strict].map(|rules| after(rules, &script))
    }

    #[test]
    fn what_was_never_synchronised_is_lost() {
        let [ext4, strict] = both("write('new', 'text'); write('old', 'longer than before')");
        assert_eq!(ext4, ["old 4"]);
        assert_eq!(strict, ["old 4"]);
    }

    #[test]
    fn a_synchronised_file_needs_its_folder_under_strict_rules_only() {
        let [ext4, strict] = both("write('new', 'text'); sync('new')");
        assert_eq!(ext4, ["new 4", "old 4"]);
        assert_eq!(strict, ["old 4"]);
        let [_, strict] = both("write('new', 'text'); sync('new'); sync('.')");
        assert_eq!(strict, ["new 4", "old 4"]);
    }

    #[test]
    fn a_folder_that_was_synchronised_with_a_file_that_was_not_has_an_empty_file() {
        let [ext4, strict] = both("os.mkdir('sub'); write('sub/new', 'text'); sync('sub'); sync('.')");
        assert_eq!(ext4, ["old 4", "sub 0", "sub/new 0"]);
        assert_eq!(strict, ["old 4", "sub 0", "sub/new 0"]);
    }

    #[test]
    fn a_rename_over_a_file_keeps_the_old_or_the_new_one() {
        let replaced = "write('new', 'text 2'); os.rename('new', 'old')";
        let [ext4, strict] = both(replaced);
        assert_eq!((ext4, strict), (vec!["old 4".to_owned()], vec!["old 4".to_owned()]));
        let [ext4, strict] = both(&format!("{replaced}; sync('.')"));
        assert_eq!((ext4, strict), (vec!["old 6".to_owned()], vec!["old 0".to_owned()]), "strict: bytes were not kept");
    }
}
