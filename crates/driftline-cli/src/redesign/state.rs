//! Where the last run ended: a file from which the next one goes on.

mod place;

use std::fmt::Display;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use driftline::redesign::Detector;
use driftline::redesign::stream::Stream;
use driftline_archive::settings::plain_json;
use driftline_report::redesign::Course;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::asked::Asked;
use super::watch::Watch;
use place::Place;

/// The version of the file. Format 1 has one detector with a certainty, and is still read.
const FORMAT: u32 = 2;
/// The most bytes of a state: its history has a thousand templates at most.
const MOST_BYTES: u64 = 1 << 30;

/// The cure of a state that cannot be used.
const ANEW: &str = "hint: name another file to begin anew, or put back a copy of this one";

/// The file of a state, which only this run uses.
pub(super) struct State {
    place: Place,
}

#[derive(Serialize)]
struct Saved<'a> {
    format: u32,
    #[serde(flatten)]
    watch: &'a Watch,
}

/// The first that is looked at: a file of another version may have anything else.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

/// What [`Saved`] wrote, and nothing else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Loaded {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    asked: Asked,
    stream: Stream,
    course: Course,
    cut: usize,
}

impl State {
    /// Takes the file for this run, whether it is there already or not.
    pub(super) fn take(path: &Path) -> Result<Self> {
        Ok(Self { place: Place::take(path)? })
    }

    /// Where the last run ended, if there was one. `asks` says what is asked now, given what was then.
    pub(super) fn load(&self, asks: impl FnOnce(Asked) -> Result<Asked>) -> Result<Option<Watch>> {
        let name = self.place.path().display();
        let file = match File::open(self.place.path()) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened.with_context(|| format!("cannot read the state `{name}`"))?,
        };
        let watch = read(file).with_context(|| format!("cannot use the state `{name}`"))?;
        if let Some(other) = difference(&watch.asked, &asks(watch.asked.clone())?) {
            bail!(
                "the state `{name}` was made with other parameters: {other}\nhint: leave them out, or name a new file"
            );
        }
        let resumed = Some(watch.course.documents());
        Ok(Some(Watch { resumed, ..watch }))
    }

    /// Saves the state: beside its name first, so that under its name there is always a whole one.
    pub(super) fn save(self, watch: &Watch) -> Result<()> {
        let name = self.place.path().display().to_string();
        let write = |file: &File| -> Result<()> {
            let mut file = BufWriter::new(file);
            serde_json::to_writer(&mut file, &Saved { format: FORMAT, watch })?;
            Ok(file.flush()?)
        };
        self.place.replace(write).with_context(|| format!("cannot write the state `{name}`"))
    }
}

fn read(file: impl Read) -> Result<Watch> {
    let mut text = String::new();
    file.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    ensure!(text.len() as u64 <= MOST_BYTES, "it has more than {MOST_BYTES} bytes");
    let no_state = |error| anyhow!("it is not a state of `driftline redesign`: {}\n{ANEW}", plain_json(&error));
    let Version { format } = serde_json::from_str(&text).map_err(no_state)?;
    if !(1..=FORMAT).contains(&format) {
        bail!(
            "it has the format {format}, and this driftline knows 1 to {FORMAT}\nhint: use the driftline that wrote it"
        );
    }
    let damaged = |why: &dyn Display| anyhow!("it is damaged: {why}\n{ANEW}");
    let loaded = match format {
        1 => serde_json::from_str(&text).and_then(|state| serde_json::from_value(upgraded(state))),
        _ => serde_json::from_str(&text),
    };
    let Loaded { asked, stream, course, cut, .. } = loaded.map_err(|error| damaged(&plain_json(&error)))?;
    let stream = stream.checked().map_err(|error| damaged(&error))?;
    asked.parameters.checked().map_err(|error| damaged(&error))?;
    let fits = *stream.parameters() == asked.parameters
        && *course.parameters() == asked.parameters
        && stream.detectors() == asked.detectors
        && course.detectors() == asked.detectors
        && stream.stripe().history() == asked.parameters.history
        && course.documents() == stream.stripe().documents();
    if !fits {
        return Err(damaged(&"its parts do not belong together"));
    }
    Ok(Watch { asked, stream, course, cut, resumed: None })
}

/// A state of format 1 as one of format 2: what was suspected is now kept by detector.
fn upgraded(mut state: Value) -> Value {
    for part in ["suspected", "earlier"] {
        if let Some(driftlines) = state.pointer_mut(&format!("/course/{part}")) {
            *driftlines = json!({ Detector::Driftline.name(): driftlines.take() });
        }
    }
    state
}

/// In what two ways of watching differ, the saved one first.
fn difference(saved: &Asked, asked: &Asked) -> Option<String> {
    let pairs = |asked: &Asked| match serde_json::to_value(asked) {
        Ok(Value::Object(mut all)) => {
            let parameters = all.remove("parameters");
            all.extend(parameters.and_then(|inner| inner.as_object().cloned()).into_iter().flatten());
            all
        }
        _ => serde_json::Map::new(),
    };
    let (saved, asked) = (pairs(saved), pairs(asked));
    let other = |(name, value): (&String, &Value)| {
        let now = &asked[name.as_str()];
        (value != now).then(|| format!("`{}` was {value} and is {now}", name.replace('_', "-")))
    };
    let others: Vec<_> = saved.iter().filter_map(other).collect();
    (!others.is_empty()).then(|| others.join(", "))
}
