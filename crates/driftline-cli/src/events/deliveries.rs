//! `driftline events deliveries` and `retry`: who was told, and who is to be told again?

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use driftline_catalog::{Catalog, Delivery, DeliveryState};
use driftline_report::summary::safe::for_terminal;
use driftline_watch::clock::{Clock, SystemClock};
use serde_json::{Value, json};

use super::{find, line, open};
use crate::archive::data;
use crate::args::{DeliveriesArgs, RetryArgs};
use crate::exit::Exit;
use crate::tell;

/// So many deliveries are revived at once.
const PAGE: u32 = 1_000;

pub(super) fn run(args: &DeliveriesArgs) -> Result<Exit> {
    let Some(archive) = open(args.data.data.as_deref())? else { return Ok(Exit::Same) };
    let event = args.event.as_deref().map(|key| find(archive.catalog(), key)).transpose()?;
    let state = args.dead.then_some(DeliveryState::Dead);
    let event = event.as_ref().map(|event| event.key.as_str());
    let found = latest(archive.catalog(), event, state, args.limit as usize)?;
    let mut output = BufWriter::new(io::stdout().lock());
    for delivery in &found {
        if args.json {
            writeln!(output, "{}", json(delivery))?;
        } else {
            print(&mut output, delivery)?;
        }
    }
    output.flush()?;
    Ok(if found.is_empty() { Exit::Same } else { Exit::Changed })
}

/// The latest of these deliveries.
fn latest(catalog: &Catalog, event: Option<&str>, state: Option<DeliveryState>, most: usize) -> Result<Vec<Delivery>> {
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let limit = u32::try_from(most - found.len()).unwrap_or(PAGE).min(PAGE);
        let page = catalog.deliveries(event, state, after.as_ref(), limit)?;
        found.extend(page.items);
        after = page.next;
        if after.is_none() || found.len() >= most {
            return Ok(found);
        }
    }
}

/// `2026-01-31T12:00:00Z  acknowledged  1 attempt   mail  3f2a91c0d4e1 Opening hours: 9–17 → 9–18`
pub(super) fn print(output: &mut impl Write, delivery: &Delivery) -> io::Result<()> {
    let attempts =
        if delivery.attempts == 1 { "1 attempt".to_owned() } else { format!("{} attempts", delivery.attempts) };
    writeln!(
        output,
        "{:<27}  {:<12}  {attempts:<11}  {}  {} {}",
        delivery.settled.unwrap_or(delivery.due).to_string(),
        state(delivery.state),
        for_terminal(&delivery.target),
        line::short(&delivery.event),
        for_terminal(&line::headline(&delivery.body, "")),
    )?;
    if delivery.error.is_empty() {
        return Ok(());
    }
    writeln!(output, "    {}", for_terminal(&delivery.error))
}

pub(super) fn json(delivery: &Delivery) -> Value {
    json!({
        "event": delivery.event,
        "target": delivery.target,
        "key": delivery.key,
        "state": state(delivery.state),
        "due": delivery.due,
        "attempts": delivery.attempts,
        "settled": delivery.settled,
        "error": delivery.error,
    })
}

fn state(state: DeliveryState) -> &'static str {
    match state {
        DeliveryState::Pending => "pending",
        DeliveryState::Sending => "sending",
        DeliveryState::Acknowledged => "acknowledged",
        DeliveryState::Dead => "dead",
    }
}

pub(super) fn retry(args: &RetryArgs) -> Result<Exit> {
    let catalog = data::catalog(args.data.data.as_deref())?;
    let event = args.key.as_deref().map(|key| find(&catalog, key)).transpose()?;
    let (now, mut revived) = (SystemClock.now(), 0);
    loop {
        let found = match &event {
            Some(event) => catalog.deliveries(Some(&event.key), None, None, PAGE)?,
            None => catalog.deliveries(None, Some(DeliveryState::Dead), None, PAGE)?,
        };
        let ids: Vec<i64> = found.items.iter().map(|delivery| delivery.id).collect();
        let done = catalog.revive(&ids, now)?;
        revived += done;
        if done == 0 {
            break;
        }
    }
    tell::note(match revived {
        0 => "nothing of it failed".to_owned(),
        1 => "1 delivery will be tried again".to_owned(),
        many => format!("{many} deliveries will be tried again"),
    });
    Ok(Exit::Same)
}
