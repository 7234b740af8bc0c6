//! The `driftline` command: parse, call, print.

mod args;
mod demo;
mod diff;
mod evaluate;
mod exit;
mod input;
mod lines;
mod measure;
mod progress;
mod redesign;
mod settings;
mod sheets;
mod site;
mod versions;
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
        Command::Diff(args) => diff::run(&args),
        Command::Demo(args) => demo::run(&args),
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
    anstream::eprintln!("{}error{}: {}", ERROR.render(), ERROR.render_reset(), chain(error));
    Exit::Failed
}

const ERROR: anstyle::Style = anstyle::AnsiColor::Red.on_default().effects(anstyle::Effects::BOLD);

/// `what: why: why`, with the hints, which stand on lines of their own, last.
fn chain(error: &anyhow::Error) -> String {
    let (mut causes, mut hints) = (Vec::new(), Vec::new());
    for cause in error.chain() {
        let text = cause.to_string();
        let (message, hint) = text.split_once("\nhint: ").unwrap_or((&text, ""));
        causes.push(message.to_owned());
        hints.extend((!hint.is_empty()).then(|| format!("\nhint: {hint}")));
    }
    causes.dedup();
    causes.join(": ") + &hints.concat()
}
