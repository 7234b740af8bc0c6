//! In which form do the scores come out? As it was asked for, or by the name of the file; the two must not contradict.

use std::path::Path;

use anyhow::{Result, bail};

use crate::args::{NoveltyArgs, NoveltyFormat};

pub(super) fn of(args: &NoveltyArgs) -> Result<NoveltyFormat> {
    let asked = if args.json { Some(NoveltyFormat::Json) } else { args.format };
    let named = args.output.as_deref().and_then(ending);
    if args.why.is_some() {
        return of_words(asked, named.as_deref());
    }
    let by_name = named.as_deref().map(by_ending);
    match (asked, by_name, named) {
        (None, Some(None), Some(ending)) => {
            bail!("`.{ending}` is no format of scores\nhint: write to .tsv, .jsonl or .parquet, or add `--format`")
        }
        (Some(asked), Some(named), Some(ending)) if is_known(&ending) && named != Some(asked) => {
            bail!(
                "`--output` ends in `.{ending}`, which is another format than was asked for\nhint: leave out one of both"
            )
        }
        (Some(format), ..) | (None, Some(Some(format)), _) => Ok(format),
        (None, ..) => Ok(NoveltyFormat::Tsv),
    }
}

/// What is known of one page is no table: words, or a JSON object.
fn of_words(asked: Option<NoveltyFormat>, ending: Option<&str>) -> Result<NoveltyFormat> {
    let is_json = ending.and_then(by_ending) == Some(NoveltyFormat::Json);
    match asked {
        Some(NoveltyFormat::Json) if is_json || !ending.is_some_and(is_known) => Ok(NoveltyFormat::Json),
        None if is_json => Ok(NoveltyFormat::Json),
        None if !ending.is_some_and(is_known) => Ok(NoveltyFormat::Tsv),
        _ => bail!(
            "`--why` tells of one page, in words or as JSON\nhint: write to .txt, or add `--json` and write to .json"
        ),
    }
}

fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_string_lossy().to_ascii_lowercase())
}

fn by_ending(ending: &str) -> Option<NoveltyFormat> {
    match ending {
        "tsv" | "tab" | "txt" => Some(NoveltyFormat::Tsv),
        "json" | "jsonl" | "ndjson" => Some(NoveltyFormat::Json),
        "parquet" => Some(NoveltyFormat::Parquet),
        _ => None,
    }
}

/// Does it promise a format, be it one that is not written here?
fn is_known(ending: &str) -> bool {
    let is_text = ending == "txt";
    !is_text && (by_ending(ending).is_some() || matches!(ending, "csv" | "gz" | "zst" | "xlsx" | "html"))
}
