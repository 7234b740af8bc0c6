//! Writes the seeds of all fuzz targets to `fuzz/corpus`: `cargo run -p driftline-fuzz --example seeds`.
//!
//! They are made of what the repository has: real pages and archives with their licences, bodies that have broken other
//! tools, blocks of the documents, and a few lines of each format. Seeds that fuzzing found, `found-…`, stay as they are.

#[path = "seeds/archives.rs"]
mod archives;
#[path = "seeds/lines.rs"]
mod lines;
#[path = "seeds/pages.rs"]
mod pages;

use std::fs;
use std::path::{Path, PathBuf};

use driftline_fuzz::TARGETS;

/// No seed is longer: libFuzzer is slow with long ones.
const MOST_SEED: usize = 20_000;
/// What parts two pages in one input.
const PARTING: u8 = 0xff;
/// How seeds begin that were found by fuzzing.
const FOUND: &str = "found-";

/// The seeds of a target.
struct Seeds {
    folder: PathBuf,
}

impl Seeds {
    /// Adds a seed.
    fn add(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        assert!(bytes.len() <= MOST_SEED, "{}/{name} has {} bytes", self.folder.display(), bytes.len());
        fs::write(self.folder.join(name), bytes).expect("the corpus can be written");
    }
}

/// A file of the repository.
fn file(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn text(path: &str) -> String {
    String::from_utf8(file(path)).expect("text")
}

/// The blocks of a language in a document.
fn blocks(path: &str, language: &str) -> Vec<String> {
    let document = text(path);
    let blocks = document.split("```").skip(1).step_by(2);
    let blocks: Vec<String> = blocks.filter_map(|block| block.strip_prefix(language)).map(str::to_owned).collect();
    assert!(!blocks.is_empty(), "{path} has no {language}");
    blocks
}

/// Two pages as one input, as long as a seed may be.
fn pair(choice: &[u8], older: &[u8], newer: &[u8]) -> Vec<u8> {
    let cut = |bytes: &[u8]| bytes[..bytes.len().min(MOST_SEED / 2 - 4)].to_vec();
    [choice, &cut(older), &[PARTING], &cut(newer)].concat()
}

fn main() {
    for (name, _) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        fs::create_dir_all(&folder).expect("the corpus can be written");
        for seed in fs::read_dir(&folder).expect("the corpus can be read").flatten() {
            if !seed.file_name().to_string_lossy().starts_with(FOUND) {
                fs::remove_file(seed.path()).expect("the corpus can be written");
            }
        }
        let seeds = Seeds { folder };
        match *name {
            "backup" => archives::backup(&seeds),
            "compare" => pages::compare(&seeds),
            "feed" => pages::feed(&seeds),
            "heads" => lines::heads(&seeds),
            "highlighted" => pages::highlighted(&seeds),
            "index" => archives::index(&seeds),
            "json" => pages::json(&seeds),
            "messages" => lines::messages(&seeds),
            "robots" => lines::robots(&seeds),
            "selectors" => pages::selectors(&seeds),
            "settings" => lines::settings(&seeds),
            "template" => pages::template(&seeds),
            "urls" => archives::urls(&seeds),
            "wacz" => archives::wacz(&seeds),
            "warc" => archives::warc(&seeds),
            "watches" => lines::watches(&seeds),
            _ => panic!("{name} has no seeds"),
        }
    }
}
