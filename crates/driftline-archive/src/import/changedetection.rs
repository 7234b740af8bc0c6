//! What did changedetection.io keep? Its backup: a zip, or its folder as it is.
//!
//! Today it has `changedetection.json` with the settings, and for each watch a folder `{uuid}` with `watch.json`,
//! `history.txt` (a line `seconds,file` for each version) and a file for each version, packed by brotli if it is
//! long. Of the newest two versions the HTML is there too, as `{seconds}.html.br`. Up to 0.52, all watches stood
//! in `url-watches.json`, and old histories have absolute paths; only the last part of any path counts here.

mod files;
mod watch;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use serde_json::Value;

use super::Error;
use super::format::Format;
use super::kept::{Kept, Take, Version, Watched, moment};
use super::summary::{Reason, Skip};
use files::Files;
pub use files::Seekable;
pub use watch::Settings;
use watch::watched;

/// One of these stands in every backup.
pub const INDEXES: [&str; 2] = ["changedetection.json", "url-watches.json"];

/// The most lines of all histories, and this many more for each file of the backup: a line names a file of its own.
/// 2,000,000 lines of one file, packed to 83 kB, took more than a minute.
const LINES_ALWAYS_READ: usize = 20_000;
const LINES_PER_FILE: usize = 4;

const TEXT: &str = "text/plain; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";

/// A backup of changedetection.io.
pub struct Backup {
    files: Files,
    watches: Vec<(String, Settings)>,
    /// Names of tags by their ids.
    tags: HashMap<String, String>,
    /// What is set for tags, by their ids.
    tag_settings: BTreeMap<String, Settings>,
    /// What is set for all watches.
    general: Value,
    skips: Vec<Skip>,
    /// How many lines of histories may be read, and how many still may.
    most_lines: usize,
    lines_left: usize,
}

/// What is watched, without any history.
#[derive(Debug, Clone, Default)]
pub struct Inventory {
    /// Each watch, and all that is set for it: passwords too, so that is never shown.
    pub watches: Vec<(Watched, Settings)>,
    /// What is set for tags, by their ids; passwords too.
    pub tags: BTreeMap<String, Settings>,
    /// What is set for all watches, passwords too.
    pub general: Value,
    /// Files with more headers for a watch, for those of a tag or for all. They are not read.
    pub headers: Vec<String>,
    /// What cannot be used.
    pub skips: Vec<Skip>,
}

impl Backup {
    /// The backup at this path: a zip, or a folder.
    ///
    /// # Errors
    /// If it cannot be read, or is no backup.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::of(path, Files::open(path)?)
    }

    /// The backup that these bytes are, which is called `path` in messages.
    ///
    /// # Errors
    /// If they are no backup.
    pub fn from_zip(path: &Path, input: Box<dyn Seekable>) -> Result<Self, Error> {
        Self::of(path, Files::zip(path, input)?)
    }

    fn of(path: &Path, files: Files) -> Result<Self, Error> {
        let not = |detail: &str| Error::Not {
            path: path.to_owned(),
            format: Format::Changedetection,
            detail: detail.to_owned(),
        };
        if !INDEXES.iter().any(|index| files.has(index)) {
            return Err(not("it has neither `changedetection.json` nor `url-watches.json`"));
        }
        let most_lines = LINES_ALWAYS_READ + LINES_PER_FILE * files.count();
        let mut backup = Self {
            files,
            most_lines,
            lines_left: most_lines,
            watches: Vec::new(),
            tags: HashMap::new(),
            tag_settings: BTreeMap::new(),
            general: Value::Null,
            skips: Vec::new(),
        };
        backup.skips.append(&mut backup.files.refused);
        backup.read_legacy()?;
        backup.read_folders()?;
        Ok(backup)
    }

    /// Passes all that was kept on, watch by watch, each with its versions in the order of its history.
    ///
    /// # Errors
    /// If the backup unpacks to far too much, or `take` fails.
    pub fn read(mut self, take: &mut Take<'_>) -> Result<(), Error> {
        for skip in std::mem::take(&mut self.skips) {
            take(Kept::Skipped(skip))?;
        }
        for (id, settings) in std::mem::take(&mut self.watches) {
            let Some(watch) = watched(&id, &settings, &self.tags) else {
                take(Kept::Skipped(no_address(&self.files, &id)))?;
                continue;
            };
            let url = watch.url.clone();
            take(Kept::Watch(watch))?;
            self.read_histories(&id, &url, take)?;
        }
        Ok(())
    }

    /// What is watched.
    #[must_use]
    pub fn inventory(self) -> Inventory {
        let Self { files, watches, tags, tag_settings, general, skips, .. } = self;
        let headers = files.names("").filter(|name| is_of_headers(name)).map(|name| files.told(name)).collect();
        let mut inventory = Inventory { watches: Vec::new(), tags: tag_settings, general, headers, skips };
        for (id, settings) in watches {
            match watched(&id, &settings, &tags) {
                Some(watch) => inventory.watches.push((watch, settings)),
                None => inventory.skips.push(no_address(&files, &id)),
            }
        }
        inventory
    }

    /// Watches and tags of `url-watches.json`.
    fn read_legacy(&mut self) -> Result<(), Error> {
        for index in INDEXES {
            let Some(mut json) = self.json(index)? else { continue };
            if let Some(Value::Object(watches)) = json.get_mut("watching").map(Value::take) {
                let watches = watches.into_iter().filter_map(|(id, watch)| match watch {
                    Value::Object(watch) => Some((id, watch)),
                    _ => None,
                });
                self.watches.extend(watches);
            }
            if let Some(settings) = json.get("settings") {
                self.general = settings.clone();
            }
            let tags = json.pointer("/settings/application/tags").and_then(Value::as_object);
            for (id, tag) in tags.into_iter().flatten().filter_map(|(id, tag)| Some((id, tag.as_object()?))) {
                self.tags.extend(tag.get("title").and_then(Value::as_str).map(|title| (id.clone(), title.to_owned())));
                self.tag_settings.insert(id.clone(), tag.clone());
            }
        }
        Ok(())
    }

    /// Watches and tags that have files of their own.
    fn read_folders(&mut self) -> Result<(), Error> {
        let names: Vec<String> = self.files.names("").map(str::to_owned).collect();
        let mut own = Vec::new();
        for name in names {
            let Some((id, file @ ("watch.json" | "tag.json"))) = name.split_once('/') else { continue };
            let Some(Value::Object(settings)) = self.json(&name)? else { continue };
            if file == "tag.json" {
                let title = settings.get("title").and_then(Value::as_str).unwrap_or(id);
                self.tags.insert(id.to_owned(), title.to_owned());
                self.tag_settings.insert(id.to_owned(), settings);
            } else {
                own.push((id.to_owned(), settings));
            }
        }
        let ids: HashSet<&str> = own.iter().map(|(id, _)| id.as_str()).collect();
        self.watches.retain(|(known, _)| !ids.contains(known.as_str()));
        self.watches.append(&mut own);
        Ok(())
    }

    /// A file of JSON, if it is there and can be read.
    fn json(&mut self, name: &str) -> Result<Option<Value>, Error> {
        if !self.files.has(name) {
            return Ok(None);
        }
        let read = self.files.read(name)?.and_then(|bytes| {
            serde_json::from_slice(&bytes)
                .map_err(|error| Skip::new(self.files.told(name), Reason::Malformed, error.to_string()))
        });
        Ok(read.map_err(|skip| self.skips.push(skip)).ok())
    }

    /// Every `history.txt` of a watch; those of other processors have their names in theirs.
    fn read_histories(&mut self, id: &str, url: &str, take: &mut Take<'_>) -> Result<(), Error> {
        let prefix = format!("{id}/history");
        let is_history = |name: &&str| name.strip_suffix(".txt").is_some();
        let histories: Vec<String> = self.files.names(&prefix).filter(is_history).map(str::to_owned).collect();
        for name in histories {
            let lines = match self.files.read(&name)? {
                Ok(lines) => lines,
                Err(skip) => {
                    take(Kept::Skipped(skip))?;
                    continue;
                }
            };
            let mut offset = 0;
            for line in lines.split_inclusive(|&byte| byte == b'\n') {
                let text = String::from_utf8_lossy(line);
                if self.lines_left == 0 {
                    let detail = format!(
                        "the histories have more than {} lines, {LINES_PER_FILE} for each file of the backup; \
                         the rest is not read",
                        self.most_lines
                    );
                    take(Kept::Skipped(Skip::new(self.files.told(&name), Reason::TooLarge, detail).at(offset)))?;
                    break;
                }
                if let Some(kept) = self.line(id, url, text.trim())? {
                    self.lines_left -= 1;
                    take(kept.unwrap_or_else(|skip| {
                        Kept::Skipped(Skip { file: self.files.told(&name), ..skip }.at(offset))
                    }))?;
                }
                offset += line.len() as u64;
            }
        }
        Ok(())
    }

    /// What a line of a history names; nothing if it is empty.
    fn line(&mut self, id: &str, url: &str, line: &str) -> Result<Option<Result<Kept, Skip>>, Error> {
        if line.is_empty() {
            return Ok(None);
        }
        let skip = |reason, detail: String| Ok(Some(Err(Skip::new("", reason, detail))));
        let Some((seconds, file)) = line.split_once(',') else {
            return skip(Reason::Malformed, "the line is no `seconds,file`".to_owned());
        };
        let Some(at) = seconds.trim().parse().ok().and_then(moment) else {
            return skip(Reason::NoTime, "the line has no time".to_owned());
        };
        // Whatever path it is, only a file of the watch's own folder can be meant.
        let file = file.trim().rsplit(['/', '\\']).next().unwrap_or_default();
        let own = |file: &str| format!("{id}/{file}");
        let snapshot = [own(file), own(&format!("{file}.br")), own(file.trim_end_matches(".br"))];
        let name = snapshot.iter().find(|name| self.files.has(name)).unwrap_or(&snapshot[0]).clone();
        let body = match self.files.read(&name)? {
            Ok(body) => body,
            Err(skip) => return Ok(Some(Err(Skip { detail: format!("`{file}`: {}", skip.detail), ..skip }))),
        };
        let content_type = content_type(&name);
        let html = if content_type == TEXT { self.html(id, seconds.trim())? } else { None };
        let version = match html {
            Some(html) => {
                Version { url: url.to_owned(), at, content_type: HTML.to_owned(), body: html, text: Some(body) }
            }
            None => Version { url: url.to_owned(), at, content_type: content_type.to_owned(), body, text: None },
        };
        Ok(Some(Ok(Kept::Version(version))))
    }

    /// The HTML of a version, if it is there and whole.
    fn html(&mut self, id: &str, seconds: &str) -> Result<Option<Vec<u8>>, Error> {
        let names = [format!("{id}/{seconds}.html.br"), format!("{id}/{seconds}.html")];
        let Some(name) = names.iter().find(|name| self.files.has(name)) else {
            return Ok(None);
        };
        Ok(self.files.read(name)?.ok().filter(|html| !html.is_empty()))
    }
}

/// Whether a file adds headers to those that a watch sends.
fn is_of_headers(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let of_tag = |file: &str| file.strip_prefix("headers-")?.strip_suffix(".txt").map(str::len);
    file == "headers.txt" || file == name && of_tag(file).is_some()
}

fn no_address(files: &Files, id: &str) -> Skip {
    Skip::new(files.told(id), Reason::NoAddress, "the watch has no id or no address of the web")
}

/// What a snapshot is, by the end of its name. Texts are what nearly all of them are.
fn content_type(name: &str) -> &'static str {
    let name = name.trim_end_matches(".br");
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "txt" => TEXT,
        "html" => HTML,
        "json" => "application/json",
        "pdf" => "application/pdf",
        "png" => "image/png",
        "jpg" | "jpeg" | "jfif" => "image/jpeg",
        "webp" => "image/webp",
        "gif" => "image/gif",
        _ => "application/octet-stream",
    }
}
