//! `--input similarities`: rows of numbers instead of documents, in whatever form they come.
//!
//! A row has the similarities of a document to those before it, the nearest first.

use std::path::Path;

use anyhow::{Context, Result, bail};
use driftline::redesign::Parameters;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Deserializer, Value};

use crate::input;
use crate::lines::BOM;

/// A stream of rows, and the parameters that it brings along, by the paper's names.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Case {
    /// What it is called, if the input holds several.
    pub(super) id: Option<Value>,
    #[serde(alias = "similarities", rename = "sims")]
    pub(super) rows: Vec<Vec<f64>>,
    h: Option<usize>,
    h2: Option<usize>,
    threshold: Option<f64>,
    rate: Option<f64>,
    theta: Option<f64>,
    level: Option<f64>,
}

/// Several streams.
#[derive(Debug, Deserialize)]
struct Cases {
    cases: Vec<Case>,
}

/// The most bytes of rows: a million documents with a history of 20.
const MOST_BYTES: usize = 1 << 30;

impl Case {
    /// The parameters that it brings along, others as given.
    pub(super) fn parameters(&self, otherwise: Parameters) -> Parameters {
        let mut parameters = self.h.map_or(otherwise, |history| otherwise.with_history(history));
        let Parameters { cluster, new_avg_drop, statistics, .. } = &mut parameters;
        cluster.horizon = self.h2.unwrap_or(cluster.horizon);
        cluster.threshold = self.threshold.unwrap_or(cluster.threshold);
        cluster.rate = self.rate.unwrap_or(cluster.rate);
        new_avg_drop.drop = self.theta.unwrap_or(new_avg_drop.drop);
        statistics.level = self.level.unwrap_or(statistics.level);
        parameters
    }
}

/// All streams of a file, or of stdin for `-`.
pub(super) fn read(path: &Path) -> Result<Vec<Case>> {
    let bytes = input::read(path, MOST_BYTES)?;
    let name = path.display();
    if bytes.len() > MOST_BYTES {
        bail!("`{name}` has more than {MOST_BYTES} bytes of similarities");
    }
    let text = String::from_utf8(bytes).with_context(|| format!("cannot read `{name}`"))?;
    let streams =
        parse(text.trim_start_matches(BOM)).with_context(|| format!("cannot read the similarities in `{name}`"))?;
    if streams.iter().all(|stream| stream.rows.is_empty()) {
        bail!("there are no similarities in `{name}`\nhint: a row of numbers a document, the nearest document first");
    }
    for stream in &streams {
        check(stream).with_context(|| format!("cannot use the similarities in `{name}`"))?;
    }
    Ok(streams)
}

fn parse(text: &str) -> Result<Vec<Case>> {
    let start = text.trim_start();
    // One array a line begins as an array of arrays does not: with a number, or with nothing.
    let is_whole =
        start.starts_with('{') || start.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('['));
    if !is_whole {
        return Ok(vec![Case { rows: lines(text)?, ..Case::default() }]);
    }
    if start.starts_with('[') {
        return Ok(vec![Case { rows: serde_json::from_str(text)?, ..Case::default() }]);
    }
    let mut objects = Deserializer::from_str(text).into_iter::<HasCases>();
    if objects.next().transpose()?.is_some_and(|first| first.cases.is_some()) {
        return Ok(serde_json::from_str::<Cases>(text)?.cases);
    }
    Ok(Deserializer::from_str(text).into_iter().collect::<serde_json::Result<_>>()?)
}

/// Which of the two objects is it?
#[derive(Debug, Deserialize)]
struct HasCases {
    cases: Option<IgnoredAny>,
}

/// One row a line: a JSON array, or numbers between blanks or commas. An empty line is an empty row.
fn lines(text: &str) -> Result<Vec<Vec<f64>>> {
    let row = |line: &str| -> Result<Vec<f64>> {
        if line.trim_start().starts_with('[') {
            return Ok(serde_json::from_str(line)?);
        }
        let numbers = line.split(|c: char| c == ',' || c == ';' || c.is_whitespace()).filter(|part| !part.is_empty());
        numbers.map(|number| number.parse().with_context(|| format!("`{number}` is no number"))).collect()
    };
    let numbered = text.lines().enumerate();
    numbered.map(|(at, line)| row(line).with_context(|| format!("line {}", at + 1))).collect()
}

/// Similarities are from 0 to 1.
fn check(stream: &Case) -> Result<()> {
    for (document, row) in stream.rows.iter().enumerate() {
        if let Some(at) = row.iter().position(|similarity| !(0.0..=1.0).contains(similarity)) {
            let case = stream.id.as_ref().map(|id| format!(" of case {id}")).unwrap_or_default();
            bail!(
                "a similarity is from 0 to 1, not {} (document {document}{case}, value {} of its row)",
                row[at],
                at + 1
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_may_come_in_many_forms() {
        let expected = vec![vec![], vec![0.5], vec![0.25, 1.0]];
        for text in [
            "[]\n[0.5]\n[0.25, 1]\n",
            "[[], [0.5], [0.25, 1.0]]",
            "\n0.5\n0.25 1\n",
            "\n0.5\n0.25,1.0",
            r#"{"sims": [[], [0.5], [0.25, 1]]}"#,
            r#"{"similarities": [[], [0.5], [0.25, 1]], "h": 3}"#,
            r#"{"cases": [{"id": 7, "sims": [[], [0.5], [0.25, 1]], "expect": {}}]}"#,
        ] {
            let streams = parse(text).unwrap();
            assert_eq!(streams.iter().map(|stream| &stream.rows).collect::<Vec<_>>(), [&expected], "{text}");
        }
        let streams = parse("{\"sims\": [[]]}\n{\"sims\": [[], [0.5]], \"id\": 2}\n").unwrap();
        assert_eq!(streams.iter().map(|stream| stream.rows.len()).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn what_is_no_similarity_is_told_with_its_place() {
        for (text, place) in [("0.5\nx", "line 2"), ("[[0.5], [true]]", ""), ("{}", ""), ("[0.1\n", "line 1")] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(place), "{error}");
        }
        for text in ["0.5\n1.5", "0.5\nNaN", "0.5\n-0.1", "0.5\ninf", "[[0.5], [2]]"] {
            let error = check(&parse(text).unwrap()[0]).unwrap_err().to_string();
            assert!(error.contains("document 1, value 1"), "{error}");
        }
    }
}
