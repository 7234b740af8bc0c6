//! What is to be told of one item of a feed, if anything is?

use driftline::event::key::Cause;
use driftline::event::{Event, Kind};
use driftline::feed::compare::{ItemChange, ItemKind, MatchedBy};
use driftline::feed::{Feed, Item};
use driftline::page::{Page, ReadOptions};
use driftline_report::summary::LengthLimit;
use driftline_report::summary::excerpt::of_item;
use driftline_report::summary::line;
use driftline_report::summary::replaced::MOST_CHARACTERS;

use super::expiry::{Expiry, name};
use super::is_address;
use crate::check::CheckError;
use crate::check::case::Case;
use crate::check::counts::ItemRule;

/// Two versions of a feed, and all that is known of both before the first item is looked at.
pub(super) struct Items<'a> {
    case: &'a Case<'a>,
    before: &'a Feed,
    now: &'a Feed,
    expiry: Expiry,
    rule: ItemRule<'a>,
}

impl<'a> Items<'a> {
    pub(super) fn of(case: &'a Case<'a>, before: &'a Feed, now: &'a Feed) -> Result<Self, CheckError> {
        let (expiry, rule) = (Expiry::of(&before.items, &now.items), ItemRule::of(case.watch)?);
        Ok(Self { case, before, now, expiry, rule })
    }

    /// Items that only resemble each other, and that the feed itself tells apart, are not one that was altered: the
    /// older one went, the newer one came.
    pub(super) fn told_apart(&self, change: ItemChange) -> Vec<ItemChange> {
        let (Some(MatchedBy::Similarity), Some(older), Some(newer)) = (change.matched, change.older, change.newer)
        else {
            return vec![change];
        };
        let (was, is) = (&self.before.items[older], &self.now.items[newer]);
        let names = [(&was.guid, &is.guid), (&was.link, &is.link)];
        let mut known = names.iter().filter(|(was, is)| was.is_some() && is.is_some()).peekable();
        if known.peek().is_none() || known.any(|(was, is)| was == is) {
            return vec![change];
        }
        let half = ItemChange { matched: None, reordered: false, differs: Vec::new(), words: None, ..change };
        let title = Page::read(was.title.as_str(), &ReadOptions::default()).text().trim().to_owned();
        let went = ItemChange { kind: ItemKind::Removed, newer: None, title, link: was.link.clone(), ..half.clone() };
        vec![ItemChange { kind: ItemKind::Added, older: None, ..half }, went]
    }

    /// What is to be told of an item.
    pub(super) fn event(&self, change: &ItemChange) -> Option<Event> {
        let (kind, item, verb) = match (change.kind, change.newer, change.older) {
            (ItemKind::Added, Some(at), _) => (Kind::ItemAdded, &self.now.items[at], "new item"),
            (ItemKind::Modified, Some(at), _) => (Kind::ItemModified, &self.now.items[at], "changed item"),
            (ItemKind::Removed, _, Some(at)) if !self.expiry.is_over(at) => {
                (Kind::ItemRemoved, &self.before.items[at], "item taken back")
            }
            _ => return None,
        };
        let text = Page::read(item.description(), &ReadOptions::default()).text().to_owned();
        let importance = match (&change.words, kind) {
            (Some(words), _) => words.change.importance.score,
            (None, Kind::ItemModified) => 0.2,
            (None, _) => 0.5,
        };
        let degree = change.words.as_ref().map(|words| words.degree.get());
        if !self.rule.counts(kind, &[&change.title, &text], degree, importance) {
            return None;
        }
        let event = self.case.event(kind, &self.cause(kind, item));
        let title = if change.title.is_empty() { name(item) } else { &change.title };
        let summary = match line::item(change) {
            Some(what) => format!("{verb}: {}: {what}", LengthLimit::Characters(MOST_CHARACTERS).cut(title)),
            None => format!("{verb}: {title}"),
        };
        Some(Event {
            summary,
            importance,
            degree,
            url: item.link.clone().filter(|link| is_address(link)).unwrap_or(event.url),
            excerpts: of_item(change, Some(item)),
            why: change.words.as_ref().map(|words| words.change.importance.why()).unwrap_or_default(),
            ..event
        })
    }

    /// The same item may be altered more than once, but it comes and goes once.
    fn cause(&self, kind: Kind, item: &Item) -> Cause {
        let cause = Cause::new(kind, &self.case.watch.id).and(name(item));
        let says = [item.title.as_str(), &item.summary, &item.content, item.link.as_deref().unwrap_or_default()];
        if kind == Kind::ItemModified { says.iter().fold(cause, |cause, text| cause.and(text)) } else { cause }
    }
}
