//! Does a watch come back as it was written?

use std::collections::BTreeSet;
use std::sync::Arc;

use driftline::span::Span;
use driftline_archive::care::Retention;
use driftline_fetch::{Auth, How, With};
use proptest::prelude::*;

use super::written;
use crate::watches::edit::entry_of;
use crate::watches::file::Reader;
use crate::watches::{Counts, Keep, Kind, Members, Only, Operation, Settings, Watch, made_of};

fn some<T: Clone + std::fmt::Debug + 'static>(values: Vec<T>) -> impl Strategy<Value = Vec<T>> {
    let most = values.len();
    proptest::sample::subsequence(values, 0..=most)
}

fn texts(values: &[&str]) -> impl Strategy<Value = Vec<String>> + use<> {
    some(values.iter().map(|&text| text.to_owned()).collect())
}

fn counts() -> impl Strategy<Value = Counts> {
    let operations = some(vec![Operation::Add, Operation::Drop, Operation::Markup, Operation::Links]);
    let only = proptest::option::of(prop_oneof![Just(Only::Added), Just(Only::Removed)]);
    let patterns = || texts(&[r"\d+ \w", "(?i)\"sold\"", "é\\\\"]);
    let shares = (proptest::option::of(0.0..=1.0), proptest::option::of(0.0..=1.0));
    let texts = (patterns(), patterns(), patterns(), patterns(), patterns(), patterns(), patterns());
    (shares, operations, texts, only).prop_map(|((degree, importance), operations, texts, only)| {
        let (trigger, contains, not_contains, ignore_text, ignore_lines, only_text, only_lines) = texts;
        Counts {
            degree,
            importance,
            operations,
            trigger,
            contains,
            not_contains,
            ignore_text,
            ignore_lines,
            only_text,
            only_lines,
            only,
        }
    })
}

fn how() -> impl Strategy<Value = How> {
    let auth = prop_oneof![
        Just(None),
        ".{0,10}".prop_map(|token| Some(Auth::Bearer { token: token.into() })),
        (".{0,10}", ".{0,10}").prop_map(|(user, password)| Some(Auth::Basic { user, password: password.into() })),
    ];
    let with = prop_oneof![Just(With::Http), Just(With::Browser)];
    let headers = proptest::collection::btree_map("[A-Za-z .-]{1,8}", ".{0,20}".prop_map_into(), 0..3);
    let timeout = proptest::option::of((1..100_000_u64).prop_map(Span::from_seconds));
    (with, headers, auth, timeout, any::<bool>(), proptest::option::of(0..1_000_000_u64)).prop_map(
        |(with, headers, auth, timeout, ignore_robots, most_bytes)| How {
            with,
            headers,
            auth,
            ignore_robots,
            timeout,
            most_bytes,
            ..How::default()
        },
    )
}

fn settings() -> impl Strategy<Value = Settings> {
    let kind = prop_oneof![Just(Kind::Page), Just(Kind::Feed), Just(Kind::Sitemap), Just(Kind::Opml)];
    let schedule =
        prop_oneof![Just("auto"), Just("10m"), Just("0 9 * * mon-fri")].prop_map(|text| text.parse().unwrap());
    let members = (texts(&["/news/"]), proptest::option::of(1..9_usize), any::<bool>())
        .prop_map(|(include, most, other_hosts)| Members { include, most, other_hosts, ..Members::default() });
    let lists = (
        texts(&["main", "#a > .b", "[x=\"'\"]"]),
        texts(&[".ad"]),
        texts(&["case", "dates"]),
        texts(&["a", "b c", "ü\""]),
    );
    let rest = (
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        proptest::option::of((0..9_999_u64).prop_map(Span::from_seconds)),
        proptest::option::of(".{0,20}"),
    );
    (kind, lists, how(), schedule, counts(), members, rest).prop_map(
        |(
            kind,
            (zone, ignore, normalise, tags),
            fetch,
            schedule,
            counts,
            members,
            (follow, checks, paused, hold, note),
        )| {
            Settings {
                kind,
                zone,
                ignore,
                normalise,
                fetch,
                schedule,
                counts,
                tags,
                targets: if follow { vec!["me".to_owned()] } else { Vec::new() },
                follow,
                feeds: checks && matches!(kind, Kind::Page | Kind::Sitemap),
                members,
                hold,
                keep: if checks {
                    Keep::Checks
                } else if follow {
                    Keep::Versions
                } else {
                    Keep::Changes
                },
                retention: if paused && hold.is_some() {
                    "keep=7,older-than=90d,most-bytes=1500kB,thin,reported-too".parse().unwrap()
                } else {
                    Retention::default()
                },
                learn: note.as_ref().map(|_| follow),
                paused,
                note,
            }
        },
    )
}

proptest! {
    #[test]
    fn a_watch_comes_back_as_it_was_written(settings in settings(), id in proptest::option::of("[a-z][a-z0-9-]{0,20}"), name in proptest::option::of(".{1,20}")) {
        let url = "https://example.org/a?b=c";
        let id = id.unwrap_or_else(|| made_of(settings.kind, url));
        let watch = Watch { id: id.into(), url: url.into(), name: name.map(Into::into), settings: Arc::new(settings) };
        let text = format!("[[watch]]\n{}", entry_of(&written(&watch)).unwrap());
        let targets = BTreeSet::from(["me".to_owned()]);
        let entries = Reader::new(&targets).read(&text);
        let entries = entries.map_err(|fault| TestCaseError::fail(format!("{fault:?} in {text}")))?;
        prop_assert_eq!(&entries[0].watch, &watch, "{}", text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(\\[\\[watch\\]\\]\n|url = 'http://a/'\n|[a-z.]{1,6} = |\\[[a-z]{1,8}\\]\n|'[^']{0,5}'\n|\\PC){0,12}") {
        let _ = Reader::new(&BTreeSet::new()).read(&text);
    }
}

#[test]
fn what_is_usual_is_not_said() {
    let settings = Settings { fetch: How { with: With::Browser, ..How::default() }, ..Settings::default() };
    let url = "https://example.org/";
    let watch =
        Watch { id: made_of(Kind::Page, url).into(), url: url.into(), name: None, settings: Arc::new(settings) };
    let text = entry_of(&written(&watch)).unwrap().to_string();
    assert_eq!(text, "url = \"https://example.org/\"\nfetch = \"browser\"\n");
}
