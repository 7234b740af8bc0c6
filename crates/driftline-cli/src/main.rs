//! The `driftline` command: parse, call, print.

mod archive;
mod args;
mod composer;
mod demo;
mod diff;
mod evaluate;
mod events;
mod exit;
mod holdings;
mod input;
mod lines;
mod measure;
mod novelty;
mod output;
mod progress;
mod redesign;
mod serve;
mod settings;
mod sheets;
mod signals;
mod site;
mod snapshot;
mod tell;
mod versions;
mod watch;
mod worker;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use exit::Exit;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let ended = match cli.command {
        Command::Measure(args) => measure::run(&args),
        Command::Redesign(args) => redesign::run(&args),
        Command::Novelty(args) => novelty::run(&args),
        Command::Snapshot(args) => snapshot::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Archive(args) => archive::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Events(args) => events::run(&args),
        Command::Evaluate(args) => evaluate::run(&args),
    };
    ended.unwrap_or_else(|error| report(&error)).into()
}

/// Prints an error with its causes; a reader who went away is not one.
fn report(error: &anyhow::Error) -> Exit {
    let broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        let by_io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let by_json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        by_io.or(by_json) == Some(io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(broken_pipe) {
        return Exit::Same;
    }
    tell::error(chain(error));
    Exit::Failed
}

/// `what: why: why`, with the hints, which stand on lines of their own, last.
fn chain(error: &anyhow::Error) -> String {
    let (mut causes, mut hints) = (Vec::new(), Vec::new());
    for cause in error.chain() {
        let text = cause.to_string();
        let (message, hint) = text.split_once("\nhint: ").unwrap_or((&text, ""));
        // Some messages end in their causes.
        if !causes.last().is_some_and(|last: &String| last.ends_with(message)) {
            causes.push(message.to_owned());
        }
        hints.extend((!hint.is_empty()).then(|| format!("\nhint: {hint}")));
    }
    causes.join(": ") + &hints.concat()
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    #[test]
    fn a_cause_is_told_once_and_hints_last() {
        let cause = std::io::Error::other("Permission denied (os error 13)");
        let error = Err::<(), _>(cause).context("cannot open `a`: Permission denied (os error 13)\nhint: ask");
        let error = error.context("cannot list").unwrap_err();
        assert_eq!(super::chain(&error), "cannot list: cannot open `a`: Permission denied (os error 13)\nhint: ask");
    }
}
