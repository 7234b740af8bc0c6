//! What becomes of an entry of another monitor? What can be used is set, the rest is told.

use std::sync::Arc;

use driftline::page::zone::Selector;
use driftline_fetch::Auth;
use url::Url;

use super::Note;
use crate::watches::export::{is_reference, kept};
use crate::watches::password::without_password;
use crate::watches::{Counts, Operation, Settings, Watch, address, id, pattern, validate};

/// Why an address is not watched that is made anew for each check.
pub(super) const TEMPLATE: &str =
    "its address is a template (`{{ … }}`, `{% … %}`), which is filled in before each check there, and never here";

/// A watch while it is made.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// What people call it.
    pub(super) name: Option<String>,
    /// The address, as it is written there.
    pub(super) url: String,
    /// The id that it has there.
    pub(super) id: Option<String>,
    pub(super) settings: Settings,
    pub(super) notes: Vec<String>,
    /// Why it is paused.
    pub(super) pauses: Vec<String>,
}

impl Draft {
    /// Something is not carried over.
    pub(super) fn tell(&mut self, what: impl Into<String>) {
        self.notes.push(what.into());
    }

    /// Something is not carried over without which the watch would be of something else. It is paused, and its note
    /// says why.
    pub(super) fn pause(&mut self, why: impl Into<String>) {
        let why = why.into();
        if !self.pauses.contains(&why) {
            self.pauses.push(why);
        }
    }

    /// Only this part counts.
    pub(super) fn zone(&mut self, selector: &str) {
        match Selector::parse(selector) {
            Ok(_) => add(&mut self.settings.zone, selector),
            Err(error) => self.pause(format!("a part that counts: {error}")),
        }
    }

    /// This part does not count.
    pub(super) fn ignore(&mut self, selector: &str) {
        match Selector::parse(selector) {
            Ok(_) => add(&mut self.settings.ignore, selector),
            Err(error) => self.pause(format!("a part that does not count: {error}")),
        }
    }

    /// Only what an expression finds counts.
    pub(super) fn choose(&mut self, expression: &str, list: impl FnOnce(&mut Counts) -> &mut Vec<String>) {
        match pattern(expression) {
            Ok(_) => add(list(&mut self.settings.counts), expression),
            Err(error) => self.pause(error.to_string()),
        }
    }

    /// What an expression finds does not count.
    pub(super) fn leave_out(&mut self, expression: &str, list: impl FnOnce(&mut Counts) -> &mut Vec<String>) {
        match pattern(expression) {
            Ok(_) => add(list(&mut self.settings.counts), expression),
            Err(error) => self.pause(error.to_string()),
        }
    }

    /// The order of lines does not count there, by the setting of this name: moved words do not here.
    pub(super) fn count_no_moves(&mut self, setting: &str) {
        let Counts { operations, only, .. } = &mut self.settings.counts;
        if operations.is_empty() && only.is_none() {
            use Operation::{Add, Copy, Drop, Links, Replace, Shrink};
            *operations = vec![Add, Drop, Copy, Shrink, Replace, Links];
            self.tell(format!("`{setting}`: moved words do not count here, there moved lines"));
        }
    }

    /// The rules of a tag hold for its watches too.
    pub(super) fn inherit(&mut self, tag: &Self, title: &str) {
        let (own, other) = (&mut self.settings, &tag.settings);
        for (own, other) in [
            (&mut own.zone, &other.zone),
            (&mut own.ignore, &other.ignore),
            (&mut own.counts.contains, &other.counts.contains),
            (&mut own.counts.not_contains, &other.counts.not_contains),
            (&mut own.counts.ignore_lines, &other.counts.ignore_lines),
            (&mut own.counts.only_text, &other.counts.only_text),
            (&mut own.counts.only_lines, &other.counts.only_lines),
        ] {
            other.iter().for_each(|text| add(own, text));
        }
        tag.pauses.iter().for_each(|why| self.pause(format!("its tag `{title}`: {why}")));
    }

    /// A tag, without the signs that none may have.
    pub(super) fn tag(&mut self, text: &str) {
        let tag = text.replace(['#', ',', '/', '\\'], " ").trim().to_owned();
        match validate::tag(&tag) {
            Ok(()) if !self.settings.tags.contains(&tag) => self.settings.tags.push(tag),
            Ok(()) => {}
            Err(_) => self.tell("a tag that is empty or too long"),
        }
    }

    /// The watch and what was not carried over; without an address of the web, only `notes` say so.
    pub(super) fn finish(mut self, notes: &mut Vec<Note>) -> Option<(Watch, Vec<Note>)> {
        let is_template = is_template(&self.url);
        self.take_password();
        self.drop_references();
        let entry = self.name.clone().unwrap_or_else(|| without_password(&self.url));
        let note = |what: String| Note { entry: entry.clone(), what };
        let address = if is_template { Err(TEMPLATE.to_owned()) } else { address::address(&self.url) };
        let url = match address {
            Ok(url) => url,
            Err(what) => {
                let what = what.split("\nhint: ").next().unwrap_or_default();
                notes.push(note(format!("it is not watched: {what}")));
                return None;
            }
        };
        if !self.pauses.is_empty() {
            self.settings.paused = true;
            let why = format!("paused by the import: {}", self.pauses.join("; "));
            self.settings.note = Some(match self.settings.note.take() {
                Some(own) => format!("{own} ({why})"),
                None => why,
            });
        }
        let id = self.id.filter(|id| id::is_id(id)).unwrap_or_else(|| id::made_of(self.settings.kind, &url));
        let name = self.name.map(Into::into);
        let watch = Watch { id: id.into(), url: url.into(), name, settings: Arc::new(self.settings) };
        let pauses = self.pauses.into_iter().map(|why| format!("it is paused: {why}"));
        Some((watch, pauses.chain(self.notes).map(note).collect()))
    }

    /// A name and a password in the address become what they are.
    fn take_password(&mut self) {
        let Ok(mut url) = Url::parse(&self.url) else { return };
        let (user, password) = (decoded(url.username()), decoded(url.password().unwrap_or_default()));
        if (user.is_empty() && password.is_empty()) || url.set_username("").is_err() || url.set_password(None).is_err()
        {
            return;
        }
        self.url = url.into();
        self.settings.fetch.auth = Some(Auth::Basic { user, password: password.into() });
    }

    /// `env:NAME` and `file:PATH` would send secrets of this machine to an address that a stranger chose: files from
    /// elsewhere cannot mean them.
    fn drop_references(&mut self) {
        let fetch = &mut self.settings.fetch;
        let headers = fetch.headers.extract_if(.., |_, value| is_reference(value));
        let mut dropped: Vec<String> = headers.map(|(name, _)| format!("the header `{name}`")).collect();
        let cookies = fetch.cookies.extract_if(.., |_, value| is_reference(value));
        dropped.extend(cookies.map(|(name, _)| format!("the cookie `{name}`")));
        dropped.extend(fetch.proxy.take_if(|proxy| is_reference(proxy)).map(|_| "the proxy".to_owned()));
        dropped.extend(fetch.auth.take_if(|auth| is_reference(kept(auth))).map(|_| "the password".to_owned()));
        for what in dropped {
            self.tell(format!("{what}: `env:` and `file:` name secrets of this machine, which no import may use"));
        }
    }
}

/// Is a text filled in before it is used, as Jinja does it? `{%22` is not: that is how an address writes `{"`.
pub(super) fn is_template(text: &str) -> bool {
    let is_block = |rest: &str| {
        let rest = rest.strip_prefix(['-', '+']).unwrap_or(rest).trim_start();
        rest.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_')
    };
    text.contains("{{") || text.split("{%").skip(1).any(is_block)
}

/// Adds a text that is not there yet.
fn add(texts: &mut Vec<String>, text: &str) {
    if !texts.iter().any(|own| own == text) {
        texts.push(text.to_owned());
    }
}

/// Without `%20` and the like.
fn decoded(text: &str) -> String {
    let query = text.replace('+', "%2B").replace('&', "%26");
    url::form_urlencoded::parse(query.as_bytes()).next().map(|(text, _)| text.into_owned()).unwrap_or_default()
}
