//! The command that does it again, for the report.

use crate::args::{EvaluateMetricsArgs, PageArgs, Words};

/// One line for a shell, with every parameter that the numbers depend on.
pub(super) fn line(args: &EvaluateMetricsArgs) -> String {
    let mut words: Vec<String> = ["driftline", "evaluate", "metrics"].map(str::to_owned).into();
    let mut option = |name: &str, value: &str| words.extend([format!("--{name}"), quoted(value)]);
    option("alpha", &args.alpha.to_string());
    option("beta", &args.beta.to_string());
    option("shingle", &args.shingle.to_string());
    option("seed", &args.seed.to_string());
    if let Some(folder) = &args.versions {
        page_options(&args.page, &mut option);
        option("output", "report");
        words.push(quoted(&folder.display().to_string()));
    } else {
        option("output", "report");
    }
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

    fn repeated(arguments: &[&str]) -> String {
        let typed = ["driftline", "evaluate", "metrics"].iter().chain(arguments);
        let Command::Evaluate(args) = Cli::try_parse_from(typed).unwrap().command else { unreachable!() };
        let Evaluation::Metrics(args) = args.what;
        line(&args)
    }

    #[test]
    fn all_parameters_are_named() {
        let command = "driftline evaluate metrics --alpha 0.75 --beta 0.5 --shingle 10 --seed 1 --output report";
        assert_eq!(repeated(&["--beta", "0.5"]), command);
    }

    #[test]
    fn pages_are_read_the_same_way_again() {
        let typed = ["--zone", "#news > p", "--normalise", "dates,case", "--words", "whitespace", "it's"];
        let read =
            r"--words whitespace --zone '#news > p' --normalise dates --normalise case --output report 'it'\''s'";
        assert!(repeated(&typed).ends_with(read), "{}", repeated(&typed));
    }
}
