//! The command that does it again, for the report.

use std::path::Path;

use driftline::time::Time;

use crate::args::{
    EvaluateMetricsArgs, EvaluateNoveltyArgs, EvaluateRedesignArgs, EvaluateRegionsArgs, PageArgs, Words,
};

/// `driftline evaluate metrics`, with every parameter that the numbers depend on.
pub(super) fn metrics(args: &EvaluateMetricsArgs) -> String {
    let options = [
        ("alpha", args.alpha.to_string()),
        ("beta", args.beta.to_string()),
        ("shingle", args.shingle.to_string()),
        ("seed", args.report.seed.to_string()),
    ];
    line("metrics", &options, args.report.versions.as_deref(), &args.report.page)
}

/// `driftline evaluate regions`, the same way.
pub(super) fn regions(args: &EvaluateRegionsArgs) -> String {
    let nodes = args.nodes.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let runs = ("runs", args.runs.to_string());
    if args.report.versions.is_some() {
        return line("regions", &[runs], args.report.versions.as_deref(), &args.report.page);
    }
    let options = [("nodes", nodes), runs, ("pairs", args.pairs.to_string()), ("seed", args.report.seed.to_string())];
    line("regions", &options, None, &args.report.page)
}

/// `driftline evaluate redesign`, the same way.
pub(super) fn redesign(args: &EvaluateRedesignArgs) -> String {
    let history = args.history.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let mut options = vec![("history", history)];
    if args.dir.is_none() {
        options.extend([("streams", args.streams.to_string()), ("seed", args.seed.to_string())]);
    }
    words("redesign", &options, args.dir.as_deref(), None)
}

/// `driftline evaluate novelty`, the same way.
pub(super) fn novelty(args: &EvaluateNoveltyArgs) -> String {
    let mut options = Vec::new();
    if !args.at.is_empty() {
        options.push(("at", args.at.iter().map(Time::to_string).collect::<Vec<_>>().join(",")));
    }
    let deltas = args.deltas.iter().map(|delta| delta.get().to_string()).collect::<Vec<_>>().join(",");
    options.extend([("delta", deltas), ("miss-delta", args.miss_delta.get().to_string())]);
    options.push(("iterations", args.iterations.to_string()));
    options.extend(args.truth.as_ref().map(|file| ("truth", file.display().to_string())));
    options.extend(args.data.data.as_ref().map(|data| ("data", data.display().to_string())));
    words("novelty", &options, Some(Path::new(&args.series)), None)
}

/// One line for a shell.
fn line(what: &str, options: &[(&str, String)], folder: Option<&Path>, page: &PageArgs) -> String {
    words(what, options, folder, Some(page))
}

fn words(what: &str, options: &[(&str, String)], folder: Option<&Path>, page: Option<&PageArgs>) -> String {
    let mut words: Vec<String> = ["driftline", "evaluate", what].map(str::to_owned).into();
    let mut option = |name: &str, value: &str| words.extend([format!("--{name}"), quoted(value)]);
    options.iter().for_each(|(name, value)| option(name, value));
    if let (Some(_), Some(page)) = (folder, page) {
        page_options(page, &mut option);
    }
    option("output", "report");
    words.extend(folder.map(|folder| quoted(&folder.display().to_string())));
    words.join(" ")
}

fn page_options(page: &PageArgs, option: &mut impl FnMut(&str, &str)) {
    if page.words == Words::Whitespace {
        option("words", "whitespace");
    }
    page.zones.iter().for_each(|zone| option("zone", &zone.to_string()));
    page.ignores.iter().for_each(|zone| option("ignore", &zone.to_string()));
    page.normalisers.iter().for_each(|normaliser| option("normalise", &normaliser.to_string()));
    if page.max_bytes != driftline::page::Limits::DEFAULT.bytes {
        option("max-bytes", &page.max_bytes.to_string());
    }
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || "-_./,:=+@%".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Command, Evaluation};

    fn repeated(what: &str, arguments: &[&str]) -> String {
        let typed = ["driftline", "evaluate", what].into_iter().chain(arguments.iter().copied());
        let Command::Evaluate(args) = Cli::try_parse_from(typed).unwrap().command else { unreachable!() };
        match args.what {
            Evaluation::Metrics(args) => metrics(&args),
            Evaluation::Regions(args) => regions(&args),
            Evaluation::Redesign(args) => redesign(&args),
            Evaluation::Novelty(args) => novelty(&args),
        }
    }

    #[test]
    fn all_parameters_are_named() {
        let command = "driftline evaluate metrics --alpha 0.75 --beta 0.5 --shingle 10 --seed 1 --output report";
        assert_eq!(repeated("metrics", &["--beta", "0.5"]), command);
        let command = "driftline evaluate regions --nodes 64,100 --runs 10 --pairs 400 --seed 1 --output report";
        assert_eq!(repeated("regions", &["--nodes", "64,100"]), command);
        let command = "driftline evaluate redesign --history 5,10,20 --streams 3 --seed 2 --output report";
        assert_eq!(repeated("redesign", &["--seed", "2"]), command);
        let command = "driftline evaluate redesign --history 8 --output report 'my streams'";
        assert_eq!(repeated("redesign", &["--history", "8", "my streams"]), command);
    }

    #[test]
    fn the_series_of_a_data_directory_is_named() {
        let command =
            "driftline evaluate novelty --delta 0,0.1,0.2 --miss-delta 0.1 --iterations 20 --output report news";
        assert_eq!(repeated("novelty", &["news"]), command);
        let typed = ["news", "--at", "2019-07", "--delta", "0.3", "--truth", "my births.tsv", "--data", "here"];
        let command = "driftline evaluate novelty --at 2019-07-01T00:00:00Z --delta 0.3 --miss-delta 0.1 --iterations 20 \
            --truth 'my births.tsv' --data here --output report news";
        assert_eq!(repeated("novelty", &typed), command);
    }

    #[test]
    fn pages_are_read_the_same_way_again() {
        let typed = ["--zone", "#news > p", "--normalise", "dates,case", "--words", "whitespace", "it's"];
        let read =
            r"--words whitespace --zone '#news > p' --normalise dates --normalise case --output report 'it'\''s'";
        for what in ["metrics", "regions"] {
            let command = repeated(what, &typed);
            assert!(command.ends_with(read), "{command}");
        }
    }
}
