//! `driftline events show`: everything about one event, as it is told.

use std::io::{self, Write};

use anyhow::Result;
use driftline_catalog::Delivery;
use driftline_report::message::{self, Templates};
use driftline_report::summary::Markup;
use driftline_report::summary::safe::for_terminal;

use super::{deliveries, find, line};
use crate::archive::data;
use crate::args::ShowEventArgs;
use crate::exit::Exit;

/// So many deliveries of one event are shown: more targets than anybody has.
const MOST_DELIVERIES: u32 = 1_000;

pub(super) fn run(args: &ShowEventArgs) -> Result<Exit> {
    let archive = data::open_to_read(args.data.data.as_deref())?;
    let event = find(archive.catalog(), &args.key)?;
    let sent = archive.catalog().deliveries(Some(&event.key), None, None, MOST_DELIVERIES)?.items;
    let mut output = io::stdout().lock();
    if args.json {
        let mut body = line::json(&event);
        body["deliveries"] = sent.iter().map(deliveries::json).collect();
        writeln!(output, "{body}")?;
        return Ok(Exit::Same);
    }
    writeln!(output, "{}", line::text(&event))?;
    writeln!(output, "key: {}", for_terminal(&event.key))?;
    if let Some(told) = line::told(&event.body) {
        let message = message::compose(&[told], &Markup::PLAIN, &Templates::default());
        writeln!(output)?;
        for text in message.text.lines() {
            writeln!(output, "{}", for_terminal(text))?;
        }
    }
    told_to(&mut output, &sent)?;
    Ok(Exit::Same)
}

fn told_to(output: &mut impl Write, sent: &[Delivery]) -> io::Result<()> {
    if !sent.is_empty() {
        writeln!(output)?;
    }
    sent.iter().try_for_each(|delivery| deliveries::print(output, delivery))
}
