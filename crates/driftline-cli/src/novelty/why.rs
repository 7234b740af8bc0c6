//! Why is a page new, or not? Its evidence, in words or as a JSON object.

use std::io::Write;

use anyhow::{Context, Result, bail};
use driftline::novelty::url::Canonical;
use driftline::novelty::{Class, Novelty};
use driftline::time::Time;
use driftline_graph::novelty::{Evidence, InLink, evidence};
use driftline_graph::snapshot::Node;
use driftline_report::summary::safe::for_terminal;
use serde_json::{Value, json};

use super::Scored;
use super::extras::Extras;
use crate::args::NoveltyArgs;
use crate::output::Output;

/// The most links that are told in words; `--json` tells all.
const MOST_TOLD: usize = 10;

pub(super) fn tell(scored: &Scored<'_>, url: &str, args: &NoveltyArgs, is_json: bool, output: &Output) -> Result<()> {
    let at = scored.snapshot.at();
    let canonical = Canonical::of(url).with_context(|| {
        format!("`{url}` is no address of a page\nhint: write it whole, such as https://example.org/")
    })?;
    let node = scored.snapshot.node(&canonical, scored.series)?;
    let Some(node) = node else {
        bail!(
            "`{url}` was neither crawled nor linked to at {at}\nhint: `{}` was looked for; of an address that redirects, only where it leads is known",
            canonical.url()
        );
    };
    let Some(evidence) = evidence(scored.series, scored.place, node, scored.scores)? else {
        bail!(
            "`{url}` was linked to but not crawled at {at}\nhint: only crawled pages have a novelty; `driftline snapshot links` shows who links to it"
        );
    };
    let extras = Extras::find(scored, &args.with)?;
    let mut page = Page { scored, node, url: scored.snapshot.url(node, scored.series)?.url(), evidence, extras };
    let links = &mut page.evidence.in_links;
    links.sort_by(|one, other| other.contribution.total_cmp(&one.contribution).then(one.source.cmp(&other.source)));
    let mut output = output.writer()?;
    if is_json {
        writeln!(output, "{}", page.json()?)?;
    } else {
        page.in_words()
            .context("cannot read the addresses of the series")?
            .iter()
            .try_for_each(|line| writeln!(output, "{}", for_terminal(line)))?;
    }
    output.flush()?;
    if !args.quiet {
        page.extras.summarise();
    }
    Ok(())
}

struct Page<'a> {
    scored: &'a Scored<'a>,
    node: Node,
    url: String,
    evidence: Evidence,
    extras: Extras,
}

impl Page<'_> {
    fn in_words(&self) -> Result<Vec<String>> {
        let last = self.previous();
        let mut lines = vec![self.verdict()];
        lines.extend(self.evidence.seen.iter().map(|seen| {
            let how = if seen.is_crawled { "crawled" } else { "linked to" };
            format!("  old: {how} at {}", self.scored.series.snapshots()[seen.place].at())
        }));
        lines.extend(self.evidence.last_modified.map(|time| format!("  old: last modified {time}, before {last}")));
        for link in self.unmodified() {
            let since = link.unmodified_since.map_or(String::new(), |time| time.to_string());
            lines.push(format!("  old: linked to by {}, which has not changed since {since}", self.source(link)?));
        }
        if self.evidence.class == Class::Unidentified {
            lines.push(format!(
                "  not old: not known before {last}, by address, by Last-Modified, or by a link of an unchanged page"
            ));
            lines.extend(self.links_in_words()?);
        }
        lines.extend(self.extras.in_words(self.scored, self.node)?);
        Ok(lines)
    }

    fn verdict(&self) -> String {
        let url = &self.url;
        let count = self.evidence.in_links.len();
        match (self.evidence.novelty, self.evidence.class) {
            (Novelty::Unidentified(score), _) => {
                let links = if count == 1 { "1 link".to_owned() } else { format!("{count} links") };
                format!("{url} is unidentified (U), with novelty {score:.4} by {links}")
            }
            (Novelty::Old, Class::SeenTwice) => format!("{url} is old, and was crawled both last time and now (L2)"),
            (Novelty::Old, _) => format!("{url} is old (O)"),
        }
    }

    fn links_in_words(&self) -> Result<Vec<String>> {
        let links = &self.evidence.in_links;
        let mut told = Vec::new();
        for link in links.iter().take(MOST_TOLD) {
            let source = self.source(link)?;
            told.push(match link.class {
                Class::SeenTwice => format!("  1.0000 new link: {source} was crawled last time, without it"),
                Class::Unidentified => {
                    format!(
                        "  {:.4} perhaps new: {source} is unidentified itself, with this novelty",
                        link.contribution
                    )
                }
                Class::Old => format!("  0.0000 of unknown age: {source} is old, but was not crawled last time"),
            });
        }
        if links.len() > MOST_TOLD {
            told.push(format!("  … {} more; `--json` names all", links.len() - MOST_TOLD));
        }
        if links.is_empty() {
            told.push("  no page that was crawled links to it: nothing is known".to_owned());
        }
        if !links.is_empty() {
            let delta = self.scored.scores.delta().get();
            told.push(format!("  novelty is the mean of these times 1 - {delta}, for links that no crawl saw (delta)"));
        }
        Ok(told)
    }

    fn json(&self) -> Result<Value> {
        let novelty = match self.evidence.novelty {
            Novelty::Unidentified(score) => Some(score),
            Novelty::Old => None,
        };
        let mut links = Vec::new();
        for link in &self.evidence.in_links {
            links.push(json!({
                "source": self.source(link)?,
                "class": link.class.code(),
                "contribution": link.contribution,
                "unmodified_since": link.unmodified_since.map(text),
            }));
        }
        let seen = self.evidence.seen.iter().map(
            |seen| json!({ "at": text(self.scored.series.snapshots()[seen.place].at()), "crawled": seen.is_crawled }),
        );
        let mut told = json!({
            "url": self.url,
            "at": text(self.scored.snapshot.at()),
            "previous": text(self.previous()),
            "class": self.evidence.class.code(),
            "novelty": novelty,
            "delta": self.scored.scores.delta().get(),
            "seen": seen.collect::<Vec<_>>(),
            "last_modified": self.evidence.last_modified.map(text),
            "links": links,
        });
        for (name, value) in self.extras.members(self.scored, self.node)? {
            told[name] = value;
        }
        Ok(told)
    }

    /// The time of the snapshot before; a first one has no scores.
    fn previous(&self) -> Time {
        let before = self.scored.place.saturating_sub(1);
        self.scored.series.snapshots()[before].at()
    }

    fn unmodified(&self) -> impl Iterator<Item = &InLink> {
        self.evidence.in_links.iter().filter(|link| link.unmodified_since.is_some()).take(MOST_TOLD)
    }

    fn source(&self, link: &InLink) -> Result<String> {
        Ok(self.scored.snapshot.url(link.source, self.scored.series)?.url())
    }
}

fn text(time: Time) -> String {
    time.to_string()
}
