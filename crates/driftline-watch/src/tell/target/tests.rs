//! What may stand in `[targets.NAME]`.

use driftline::event::Kind;

use super::*;

fn read(text: &str) -> Result<Targets, String> {
    let table: Table = text.parse().unwrap();
    Targets::read(&table).map_err(|error| error.to_string())
}

#[test]
fn every_type_can_be_read() {
    let targets = read(
        "[mail]\ntype = 'email'\nserver = 'mail.example.org'\nfrom = 'Driftline <drift@example.org>'\nto = ['me@example.org']\n\
         user = 'drift'\npassword = 'env:SMTP_PASSWORD'\ntags = ['work']\nkinds = ['changed', 'page-gone']\n\
         digest = 'daily 08:00'\nzone = 'Europe/Berlin'\n\
         [hook]\ntype = 'webhook'\nurl = 'https://example.org/hook'\nsecret = 'file:hook.key'\n\
         [phone]\ntype = 'ntfy'\ntopic = 'env:TOPIC'\n\
         [slack]\ntype = 'slack'\nurl = 'env:SLACK'\nleast-importance = 0.5\n\
         [discord]\ntype = 'discord'\nurl = 'env:DISCORD'\n\
         [telegram]\ntype = 'telegram'\ntoken = 'env:TOKEN'\nchat = '-100'\nall = false\n\
         [other]\ntype = 'apprise'\nurls = ['env:APPRISE']\n",
    );
    let targets = targets.unwrap();
    assert_eq!(targets.iter().count(), 7);
    let mail = targets.get("mail").unwrap();
    assert!(!mail.is_for_all() && mail.digest().is_some());
    assert!(targets.get("hook").unwrap().is_for_all());
    assert!(!targets.get("telegram").unwrap().is_for_all());
    assert_eq!(mail.settings.kinds, [Kind::Changed, Kind::PageGone]);
}

#[test]
fn what_cannot_be_used_is_told_with_what_can() {
    for (text, told) in [
        ("hook = 3", "a target is a table"),
        ("[hook]\nurl = 'x'", "`type` is missing"),
        ("[hook]\ntype = 'fax'", "there are email, webhook"),
        ("['a b']\ntype = 'webhook'\nurl = 'https://a/'", "letters, digits"),
        (
            "[hook]\ntype = 'webhook'\nurl = 'https://a/'\nsecrte = 'x'",
            "unknown key `secrte`; known keys: `type`, `tags`",
        ),
        ("[hook]\ntype = 'webhook'\nurl = 'https://a/'\nsecrte = 'x'", "hint: did you mean `secret`?"),
        ("[hook]\ntype = 'webhook'", "`url` is missing"),
        ("[hook]\ntype = 'webhook'\nurl = 'ftp://a/'", "http"),
        ("[hook]\ntype = 'webhook'\nurl = 'https://a/'\nkinds = ['chnaged']", "expected one of `changed`"),
        ("[hook]\ntype = 'webhook'\nurl = 'https://a/'\ndigest = 'later'", "daily 08:00"),
        ("[hook]\ntype = 'webhook'\nurl = 'https://a/'\nzone = 'UTC'", "there is no `digest`"),
        ("[hook]\ntype = 'webhook'\nurl = 'https://a/'\ndigest = '1h'\nzone = 'Mars'", "no time zone"),
        ("[hook]\ntype = 'webhook'\nurl = 'https://a/'\nleast-importance = 5", "from 0 to 1"),
        ("[hook]\ntype = 'webhook'\nurl = 'https://a/'\ntimeout = '1h'", "at most 5m"),
        ("[hook]\ntype = 'webhook'\nurl = 'https://a/'\nmost-per-minute = 0", "1 or more"),
        ("[m]\ntype = 'email'\nserver = 'h'\nfrom = 'nobody'\nto = ['a@b.example']", "`from`"),
        ("[m]\ntype = 'email'\nserver = 'h'\nfrom = 'a@b.example'\nto = []", "`to`"),
        (
            "[m]\ntype = 'email'\nserver = 'h'\nfrom = 'a@b.example'\nto = ['a@b.example']\nsecurity = 'none'",
            "insecure",
        ),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(told) && error.contains("[targets."), "{text}: {error}");
    }
}

#[test]
fn values_are_never_told() {
    let error = read("[hook]\ntype = 'webhook'\nurl = 'https://a/'\nsecret = 31415926").unwrap_err();
    assert!(!error.contains("31415926") && error.contains("expected a string"), "{error}");
    let targets = read("[hook]\ntype = 'webhook'\nurl = 'https://user:hush@a/'\nsecret = 'hush'").unwrap();
    assert!(!format!("{targets:?}").contains("hush"));
}
