//! Is what is written read again?

use std::sync::Arc;

use driftline_fetch::{Auth, How};

use super::*;
use crate::watches::import::{self, Imported};
use crate::watches::{Counts, Settings};

fn watch(url: &str, name: Option<&str>, settings: Settings) -> Watch {
    let id = crate::watches::made_of(settings.kind, url);
    Watch { id: id.into(), url: url.into(), name: name.map(Into::into), settings: Arc::new(settings) }
}

fn some() -> Vec<Watch> {
    let tags = vec!["news".to_owned()];
    let texts = |text: &str| vec![text.to_owned()];
    let counts = Counts {
        only_lines: texts("price"),
        ignore_lines: texts("^old"),
        ignore_text: texts("VAT"),
        only_text: texts(r"\d+"),
        ..Counts::default()
    };
    vec![
        watch(
            "https://a.example/",
            Some("A & <B>"),
            Settings { zone: vec!["main".to_owned()], tags: tags.clone(), counts, ..Settings::default() },
        ),
        watch(
            "https://b.example/feed?a=1&b=2",
            Some("Feed"),
            Settings { kind: Kind::Feed, tags, ..Settings::default() },
        ),
    ]
}

fn exported(watches: &[Watch], format: Format) -> (String, Vec<Note>) {
    let mut output = Vec::new();
    let notes = export(watches.iter(), format, &mut output).unwrap();
    (String::from_utf8(output).unwrap(), notes)
}

#[test]
fn feeds_come_back_from_opml() {
    let watches = some();
    let (text, notes) = exported(&watches, Format::Opml);
    let back = Imported::parse(text.as_bytes(), import::Format::Opml).unwrap();
    assert_eq!(back.watches, watches[1..]);
    assert_eq!(notes.len(), 1, "the page is told");
    assert_eq!(notes[0].what, "it is a page and left out: OPML has feeds only");
}

#[test]
fn what_opml_and_a_list_leave_out_or_cannot_say_is_told_by_name() {
    let feed = Settings { kind: Kind::Feed, follow: true, paused: true, ..Settings::default() };
    let sitemap = Settings { kind: Kind::Sitemap, ..Settings::default() };
    let watches = [watch("https://a.example/feed", None, feed), watch("https://a.example/map.xml", None, sitemap)];
    let told = |format| exported(&watches, format).1.into_iter().map(|note| note.what).collect::<Vec<_>>();
    assert_eq!(
        told(Format::Opml),
        ["OPML cannot say: follow, paused", "it is a sitemap and left out: OPML has feeds only"]
    );
    assert_eq!(
        told(Format::List),
        ["a list cannot say: follow, kind, paused", "it is a sitemap and left out: a list has pages and feeds only"]
    );
    assert_eq!(
        told(Format::Urlwatch),
        ["a job cannot say: follow, kind", "it is a sitemap and left out: urlwatch has pages and feeds only"]
    );
    assert!(told(Format::Toml).is_empty() && told(Format::Json).is_empty());
}

#[test]
fn addresses_come_back_from_a_list() {
    let watches = some();
    let (text, _) = exported(&watches, Format::List);
    let back = Imported::parse(text.as_bytes(), import::Format::List).unwrap();
    let told = |watches: &[Watch]| -> Vec<String> {
        watches.iter().map(|watch| format!("{} {:?} {:?}", watch.url, watch.name, watch.settings.tags)).collect()
    };
    assert_eq!(told(&back.watches), told(&watches));
}

#[test]
fn pages_come_back_from_jobs() {
    let watches = some();
    let (text, notes) = exported(&watches, Format::Urlwatch);
    let back = Imported::parse(text.as_bytes(), import::Format::Urlwatch).unwrap();
    assert_eq!(back.watches[0], watches[0]);
    assert!(notes.iter().any(|note| note.entry == "Feed" && note.what.contains("kind")), "{notes:?}");
}

#[test]
fn secrets_are_left_out_but_not_where_they_are_kept() {
    let fetch = How {
        headers: [("X-Token".to_owned(), "hush".into()), ("X-Other".to_owned(), "env:OTHER".into())].into(),
        auth: Some(Auth::Basic { user: "me".to_owned(), password: "hush".into() }),
        ..How::default()
    };
    let secret = watch("https://a.example/", None, Settings { fetch, ..Settings::default() });
    assert!(has_secrets(&secret));
    let plain = without_secrets(&secret);
    assert!(!has_secrets(&plain));
    for format in [Format::Toml, Format::Urlwatch, Format::Json] {
        let (text, _) = exported(std::slice::from_ref(&plain), format);
        assert!(!text.contains("hush") && text.contains("env:OTHER"), "{text}");
    }
}
