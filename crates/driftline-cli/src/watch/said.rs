//! What do options say about a watch? Keys of its entry, and their values.

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use driftline_watch::watches::Assignment;
use toml::{Table, Value};

use crate::args::{CountsArgs, FetchArgs, MembersArgs, SaidArgs};

/// All that was said, key by key.
pub(super) fn assignments(args: &SaidArgs) -> Result<Vec<Assignment>> {
    let mut said = Said::default();
    said.text("name", args.name.as_ref());
    said.texts("tags", &args.tags);
    said.put("schedule", args.schedule.as_ref().map(Value::try_from).transpose()?);
    said.texts("schedule.windows", &args.windows);
    said.text("schedule.zone", args.time_zone.as_ref());
    said.texts("zone", &args.zones);
    said.texts("ignore", &args.ignores);
    said.texts("normalise", &args.normalisers);
    said.texts("targets", &args.targets);
    said.put("paused", args.paused.map(Value::Boolean));
    said.text("note", args.note.as_ref());
    said.text("hold", args.hold.as_ref());
    let keep = args.keep.and_then(|keep| keep.to_possible_value()).map(|keep| keep.get_name().to_owned());
    said.text("keep", keep.as_ref());
    said.put("retention", args.retention.as_ref().map(Value::try_from).transpose()?);
    said.put("learn", args.learn.map(Value::Boolean));
    said.counts(&args.counts)?;
    said.fetch(&args.fetch)?;
    said.members(&args.members);
    Ok(said.0)
}

/// A key and its text.
pub(super) fn text(key: &str, text: &str) -> Assignment {
    Assignment { key: key.to_owned(), value: Some(Value::String(text.to_owned())) }
}

#[derive(Default)]
struct Said(Vec<Assignment>);

impl Said {
    fn put(&mut self, key: &str, value: Option<Value>) {
        self.0.extend(value.map(|value| Assignment { key: key.to_owned(), value: Some(value) }));
    }

    fn text(&mut self, key: &str, text: Option<&impl ToString>) {
        self.put(key, text.map(|text| Value::String(text.to_string())));
    }

    fn texts(&mut self, key: &str, texts: &[impl ToString]) {
        let texts: Vec<Value> = texts.iter().map(|text| Value::String(text.to_string())).collect();
        self.put(key, (!texts.is_empty()).then_some(Value::Array(texts)));
    }

    fn flag(&mut self, key: &str, is_set: bool) {
        self.put(key, is_set.then_some(Value::Boolean(true)));
    }

    fn counts(&mut self, args: &CountsArgs) -> Result<()> {
        for (key, share) in [("counts.degree", args.degree), ("counts.importance", args.importance)] {
            if let Some(share) = share.filter(|share| !(0.0..=1.0).contains(share)) {
                bail!("`--{}` is from 0 to 1, not {share}", &key["counts.".len()..]);
            }
            self.put(key, share.map(Value::Float));
        }
        self.texts("counts.operations", &args.operations);
        self.texts("counts.trigger", &args.triggers);
        self.texts("counts.contains", &args.contains);
        self.texts("counts.not-contains", &args.not_contains);
        self.texts("counts.ignore-text", &args.ignore_texts);
        self.texts("counts.ignore-lines", &args.ignore_lines);
        self.texts("counts.only-text", &args.only_texts);
        self.texts("counts.only-lines", &args.only_lines);
        self.text("counts.only", args.only.as_ref());
        Ok(())
    }

    fn fetch(&mut self, args: &FetchArgs) -> Result<()> {
        let inner = |key: &str| format!("fetch.{key}");
        let before = self.0.len();
        self.pairs(&inner("headers"), &args.headers, ':')?;
        self.pairs(&inner("cookies"), &args.cookies, '=')?;
        self.text(&inner("proxy"), args.proxy.as_ref());
        if let Some(basic) = &args.basic {
            let (user, password) = basic.split_once(':').context("`--basic` is USER:PASSWORD")?;
            let who = [("user", user), ("password", password)].map(|(key, text)| (key.to_owned(), text.into()));
            self.put(&inner("auth"), Some(Value::Table(Table::from_iter([("basic".to_owned(), table(who))]))));
        }
        if let Some(token) = &args.bearer {
            let token = table([("token".to_owned(), token.as_str().into())]);
            self.put(&inner("auth"), Some(Value::Table(Table::from_iter([("bearer".to_owned(), token)]))));
        }
        self.flag(&inner("ignore-robots"), args.ignore_robots);
        self.text(&inner("timeout"), args.timeout.as_ref());
        let bytes = args.most_bytes.map(i64::try_from).transpose().context("`--most-bytes` is too large")?;
        self.put(&inner("most-bytes"), bytes.map(Value::Integer));
        self.text(&inner("wait.selector"), args.wait_for.as_ref());
        self.text(&inner("wait.extra"), args.wait.as_ref());
        self.flag(&inner("wait.idle"), args.wait_idle);
        // Short if nothing else is said.
        let key = if self.0.len() == before { "fetch".to_owned() } else { inner("with") };
        self.text(&key, args.fetch.as_ref());
        Ok(())
    }

    /// Names and values, with a sign between them.
    fn pairs(&mut self, key: &str, texts: &[String], sign: char) -> Result<()> {
        if texts.is_empty() {
            return Ok(());
        }
        let pair = |text: &String| {
            let (name, value) = text.split_once(sign)?;
            Some((name.trim().to_owned(), value.trim().into())).filter(|(name, _)| !name.is_empty())
        };
        // The value may be a secret, so it is not told.
        let pairs: Option<Vec<(String, Value)>> = texts.iter().map(pair).collect();
        let pairs = pairs
            .with_context(|| format!("headers are `Name: value`, cookies are `name=value`: one has no `{sign}`"))?;
        self.put(key, Some(table(pairs)));
        Ok(())
    }

    fn members(&mut self, args: &MembersArgs) {
        self.flag("follow", args.follow);
        self.flag("feeds", args.feeds);
        self.texts("members.include", &args.includes);
        self.texts("members.exclude", &args.excludes);
        self.put("members.most", args.most.map(|most| Value::Integer(most.into())));
        self.flag("members.other-hosts", args.other_hosts);
    }
}

fn table(pairs: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Table(pairs.into_iter().collect())
}
