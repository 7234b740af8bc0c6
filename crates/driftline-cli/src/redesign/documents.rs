//! Which documents does a stream consist of? Folders, lists, JSON lines, WARC files and pages, one document at a time.

pub(crate) mod folder;
mod json_lines;
mod list;
mod warc;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use driftline::page::{ReadOptions, Source};
use driftline::redesign::template::Template;

use crate::input::{self, Advice};

/// A document, or why there is none.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) name: String,
    body: Result<Body>,
}

/// Where the bytes of a document are.
#[derive(Debug)]
enum Body {
    /// In a file, which is not read yet.
    File(PathBuf),
    /// Here, decoded.
    Text { html: String, url: Option<String> },
    /// In the record of a WARC file that begins at a byte, which is not read yet.
    Record { path: Arc<Path>, offset: u64 },
    /// Here, as it was captured.
    Page(warc::Page),
}

impl Document {
    fn file(path: PathBuf) -> Self {
        Self { name: path.display().to_string(), body: Ok(Body::File(path)) }
    }

    fn broken(name: impl Into<String>, error: anyhow::Error) -> Self {
        Self { name: name.into(), body: Err(error) }
    }

    /// How many bytes it keeps.
    pub(super) fn bytes(&self) -> usize {
        match &self.body {
            Ok(Body::Text { html, .. }) => html.len(),
            Ok(Body::Page(page)) => page.bytes.len(),
            _ => 0,
        }
    }

    /// Reads its template, and its name, which may only be known then.
    pub(super) fn read(self, read_options: &ReadOptions, shingle: usize) -> Result<Read, Skipped> {
        let Self { name, body } = self;
        let limit = read_options.limits.bytes;
        let template = |source: Source<'_>| Template::read(source, read_options, shingle);
        let read = body.and_then(|body| {
            Ok(match body {
                Body::File(path) => {
                    let bytes = input::read_or_advise(&path, limit, ADVICE)?;
                    let template = Template::read(bytes.as_slice(), &input::options_of(&path, read_options), shingle);
                    Read { name: name.clone(), template, is_cut: bytes.len() > limit }
                }
                Body::Text { html, url } => {
                    let source = Source { url: url.as_deref(), ..Source::from(html.as_str()) };
                    Read { name: name.clone(), template: template(source), is_cut: html.len() > limit }
                }
                Body::Record { path, offset } => {
                    let page = warc::read(&path, offset, limit)?;
                    let name = page.url.clone().unwrap_or_else(|| name.clone());
                    Read { name, template: template(page.source()), is_cut: page.is_cut }
                }
                Body::Page(page) => Read { name: name.clone(), template: template(page.source()), is_cut: page.is_cut },
            })
        });
        read.map_err(|error| Skipped { name, error })
    }
}

/// What to do about something in a list, or named as a page, that holds pages.
const ADVICE: Advice = Advice {
    folder: "a list names pages; name the folder itself instead",
    warc: "a list names pages; name the WARC file itself instead",
};

/// A document that was read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) name: String,
    pub(super) template: Template,
    /// Is it longer than what was read?
    pub(super) is_cut: bool,
}

/// A document that cannot be read, and why.
#[derive(Debug)]
pub(super) struct Skipped {
    pub(super) name: String,
    pub(super) error: anyhow::Error,
}

/// The documents of all inputs, one input after the other; WARC files beside each other are one.
pub(super) fn of(inputs: &[PathBuf], max_bytes: usize) -> impl Iterator<Item = Document> {
    let groups = inputs.chunk_by(|one, other| warc::is_warc(one) && warc::is_warc(other));
    groups.flat_map(move |group| {
        let opened = open(group, max_bytes);
        let name = || group[0].display().to_string();
        opened.unwrap_or_else(|error| Box::new(std::iter::once(Document::broken(name(), error))))
    })
}

type Documents = Box<dyn Iterator<Item = Document>>;

/// The documents of one input, or of some WARC files.
fn open(group: &[PathBuf], max_bytes: usize) -> Result<Documents> {
    let path = &group[0];
    if path.is_dir() {
        return Ok(Box::new(folder::pages(path)?.into_iter().map(Document::file)));
    }
    match extension(path).as_str() {
        _ if input::is_stdin(path) => Ok(Box::new(json_lines::JsonLines::stdin(max_bytes)?)),
        "jsonl" | "ndjson" => Ok(Box::new(json_lines::JsonLines::open(path, max_bytes)?)),
        "txt" | "lst" => Ok(Box::new(list::files(path)?)),
        _ if warc::is_warc(path) => Ok(Box::new(warc::documents(group, max_bytes))),
        _ => Ok(Box::new(std::iter::once(Document::file(path.to_owned())))),
    }
}

/// What may be done if there are no documents in these inputs.
pub(super) fn hint(inputs: &[PathBuf]) -> &'static str {
    let Some(path) = inputs.first() else { return "" };
    match extension(path).as_str() {
        _ if path.is_dir() => {
            "\nhint: in a folder, the files with names such as `.html`, `.htm`, `.php` or without an extension are \
             documents; name WARC files and lists themselves"
        }
        _ if input::is_stdin(path) => "\nhint: stdin is empty; a document is a line such as `{\"html\": \"…\"}`",
        "jsonl" | "ndjson" => "\nhint: a document is a line such as `{\"html\": \"…\"}`",
        "txt" | "lst" => "\nhint: the list is empty; it has the path of a page a line",
        _ => "\nhint: of a WARC file, the responses with a status from 200 to 299 that are HTML are documents",
    }
}

/// How many documents there are, if that can be known without reading them all.
pub(super) fn count(inputs: &[PathBuf]) -> Option<u64> {
    inputs.iter().try_fold(0, |total, path| match extension(path).as_str() {
        _ if input::is_stdin(path) => None,
        _ if path.is_dir() => Some(total + folder::pages(path).ok()?.len() as u64),
        "jsonl" | "ndjson" | "txt" | "lst" => None,
        _ if warc::is_warc(path) => None,
        _ => Some(total + 1),
    })
}

/// The extension of a name, in lower case.
fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}
