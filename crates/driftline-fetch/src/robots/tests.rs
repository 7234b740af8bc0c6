//! robots.txt as RFC 9309 has it, against a slow oracle, and as hostile servers write it.

use std::time::{Duration, Instant};

use driftline::time::Time;
use proptest::prelude::*;
use reqwest::Version;
use reqwest::header::HeaderMap;
use url::Url;

use super::{Answer, MOST_BYTES, Robots, RobotsTxt, Verdict};

fn answer(status: u16, body: &[u8]) -> Answer {
    Answer {
        url: url("/robots.txt"),
        sent: HeaderMap::new(),
        credentials: driftline_archive::capture::Credentials::None,
        status,
        headers: HeaderMap::new(),
        body: body.to_vec(),
        is_cut: false,
        ip: None,
        version: Version::HTTP_11,
    }
}

fn at(seconds: i64) -> Time {
    Time::from_microseconds(seconds * 1_000_000)
}

fn url(path: &str) -> Url {
    Url::parse("https://a.example").unwrap().join(path).unwrap()
}

#[test]
fn what_robots_txt_says_counts_for_a_day() {
    let robots = Robots::default();
    assert_eq!(robots.verdict(&url("/x"), at(0)), Verdict::Unknown);
    let body = b"User-agent: *\nDisallow: /\n\nUser-agent: driftline\nDisallow: /in\nAllow: /in/out$\nCrawl-delay: 2.5";
    assert_eq!(robots.learn(&url("/in/x"), at(0), &answer(200, body)).unwrap(), Verdict::Refused);
    assert_eq!(robots.verdict(&url("/x"), at(86_399)), Verdict::Allowed);
    assert_eq!(robots.verdict(&url("/in/out"), at(1)), Verdict::Allowed);
    assert_eq!(robots.verdict(&url("/x"), at(86_400)), Verdict::Unknown);
    assert_eq!(robots.verdict(&Url::parse("http://a.example/x").unwrap(), at(1)), Verdict::Unknown);
    assert_eq!(robots.delay("a.example").unwrap().to_string(), "3s");
}

#[test]
fn a_server_without_one_allows_everything_and_one_that_fails_nothing() {
    let robots = Robots::default();
    for status in [500, 503, 429] {
        assert!(robots.learn(&url("/"), at(0), &answer(status, b"")).unwrap_err().is_transient(), "{status}");
    }
    assert_eq!(robots.learn(&url("/"), at(0), &answer(404, b"Disallow: /")).unwrap(), Verdict::Allowed);
    assert_eq!(robots.learn(&url("/"), at(90_000), &answer(503, b"")).unwrap(), Verdict::Allowed, "the earlier copy");
}

#[test]
fn a_file_that_is_made_to_hurt_is_read_as_far_as_it_goes() {
    let robots = Robots::default();
    let mut body = format!("User-agent: *\nAllow: /{}$\nDisallow: /end\n", "*a".repeat(4_000)).into_bytes();
    for number in 0..20_000 {
        body.extend_from_slice(format!("Disallow: /*{number}*a*b$\n").as_bytes());
    }
    assert_eq!(robots.learn(&url("/end"), at(0), &answer(200, &body)).unwrap(), Verdict::Refused);
    assert_eq!(robots.learn(&url("/"), at(0), &answer(200, &[0xff; 4_096])).unwrap(), Verdict::Allowed);
    assert!(robots.kept().weight <= super::MOST_WEIGHT);
}

#[test]
fn the_oldest_origins_are_forgotten_first() {
    let robots = Robots::default();
    let body = b"User-agent: *\nCrawl-delay: 9\nDisallow: /in\n#".repeat(10_000);
    for number in 0..120 {
        let page = Url::parse(&format!("https://h{number}.example/")).unwrap();
        robots.learn(&page, at(number), &answer(200, &body)).unwrap();
    }
    assert_eq!(robots.verdict(&Url::parse("https://h0.example/").unwrap(), at(0)), Verdict::Unknown);
    assert_eq!(robots.delay("h0.example"), None);
    assert_eq!(robots.verdict(&Url::parse("https://h119.example/in").unwrap(), at(120)), Verdict::Refused);
    let kept = robots.kept();
    assert!(kept.weight <= super::MOST_WEIGHT && kept.rules.len() == kept.order.len());
}

#[test]
fn a_rule_that_was_cut_is_no_rule() {
    let mut body = b"User-agent: *\nDisallow: /in\n#".to_vec();
    body.resize(MOST_BYTES - 13, b'.');
    body.extend_from_slice(b"\nDisallow: /out/of/the/way");
    let robots = Robots::default();
    assert_eq!(robots.learn(&url("/out"), at(0), &answer(200, &body)).unwrap(), Verdict::Allowed);
    assert_eq!(robots.verdict(&url("/in"), at(0)), Verdict::Refused);
    body.truncate(MOST_BYTES - 13);
    body.extend_from_slice(b"\nDisallow: /");
    assert_eq!(robots.learn(&url("/out"), at(0), &answer(200, &body)).unwrap(), Verdict::Refused, "it ends there");
}

#[test]
fn a_delay_is_rounded_up_and_at_most_an_hour() {
    for (said, delay) in
        [("2.5", Some("3s")), ("10", Some("10s")), ("1e9", Some("1h")), ("0", None), ("-1", None), ("x", None)]
    {
        let robots = Robots::default();
        let body = format!("User-agent: *\nCrawl-delay: {said}");
        robots.learn(&url("/"), at(0), &answer(200, body.as_bytes())).unwrap();
        assert_eq!(robots.delay("a.example").map(|span| span.to_string()).as_deref(), delay, "{said}");
    }
}

/// Whether a file allows a path.
fn allows(file: &str, path: &str) -> bool {
    RobotsTxt::parse(file.as_bytes()).allows(&url(path))
}

/// Section 5.1, for each of its crawlers.
#[test]
fn the_simple_example_of_the_standard() {
    let file = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n\
        User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n\
        User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\n\
        User-Agent: quxbot\n";
    let check = |crawler: &str, expected: [bool; 5]| {
        let file = file.replace(crawler, "driftline");
        let paths = ["/example/page.html", "/example/allowed.gif", "/publications/a", "/a.gif", "/a"];
        assert_eq!(paths.map(|path| allows(&file, path)), expected, "{crawler}");
    };
    check("nobody", [false, false, true, false, true]);
    check("foobot", [true, true, false, false, false]);
    check("barbot", [false, true, true, true, true]);
    check("bazbot", [false, true, true, true, true]);
    check("quxbot", [true, true, true, true, true]);
}

/// Section 5.2.
#[test]
fn the_longest_match_of_the_standard() {
    let file = "User-Agent: driftline\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
    assert!(allows(file, "/example/page/allowed.gif") && !allows(file, "/example/page/disallowed.gif"));
    let tie = "User-Agent: *\nDisallow: /a\nAllow: /a\n";
    assert!(allows(tie, "/a"), "the least strict of two that are equally long");
}

/// Section 2.2.1: names in any case, several groups of one name are one, and rules before any group are nobody's.
#[test]
fn groups_of_the_standard() {
    let file = "Disallow: /nobody\nUser-agent: *\nDisallow: /\n\nUSER-AGENT: DriftLine\nDisallow: /a\n\n\
        User-agent: other\nDisallow: /c\nUser-agent: driftline\nDisallow: /b\n";
    let paths = ["/a", "/b", "/c", "/nobody", "/"];
    assert_eq!(paths.map(|path| allows(file, path)), [false, false, true, true, true]);
    let several = "User-agent: a\nUser-agent: driftline\nSitemap: https://a.example/map\nUser-agent: b\nDisallow: /x\n";
    assert!(!allows(several, "/x"), "a sitemap ends no group");
    assert!(allows("User-agent: drift\nDisallow: /\n", "/"), "the beginning of our name is not our name");
    assert_eq!(RobotsTxt::parse(several.as_bytes()).sitemaps(), [url("/map")]);
}

/// Sections 2.2.2 and 2.2.3: the tables of encoded paths and of special characters.
#[test]
fn paths_of_the_standard_match_as_encoded() {
    for (path, asked, matches) in [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz", true),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar", true),
        ("/foo/bar/\u{30c4}", "/foo/bar/%E3%83%84", true),
        ("/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84", true),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", true),
        ("/foo/bar/baz", "/foo/bar/%62%61%7A", true),
        ("/foo%2fbar", "/foo/bar", false),
        ("/this/path/exactly$", "/this/path/exactly", true),
        ("/this/path/exactly$", "/this/path/exactly/not", false),
        ("/this/*/exactly", "/this/a/b/exactly?x", true),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-%2a.html", true),
        ("/a$b", "/a$b", true),
        ("", "/anything", false),
    ] {
        let file = format!("User-agent: *\nDisallow: {path} # that is all\n");
        assert_eq!(allows(&file, asked), !matches, "{path} {asked}");
    }
    assert!(allows("User-agent: *\nDisallow: /\n", "/robots.txt"), "it is always allowed (2.2.2)");
    assert!(!allows("User-agent: *\nDisallow: /a\n", "/a?b#/c"));
}

#[test]
fn line_ends_blanks_and_marks_of_any_kind_are_understood() {
    for end in ["\n", "\r", "\r\n", "\n\n"] {
        let file = ["\u{feff}User-agent:*", "  Crawl-delay : 4", "disallow:\t/in \t", "odd line", "Allow"].join(end);
        let read = RobotsTxt::parse(file.as_bytes());
        assert!(!read.allows(&url("/in")) && read.allows(&url("/")), "{end:?}");
        assert_eq!(read.crawl_delay(), Some(Duration::from_secs(4)), "{end:?}");
    }
}

#[test]
fn hostile_patterns_take_linear_time() {
    let mut file = "User-agent: *\n".to_owned();
    while file.len() < MOST_BYTES - 10_000 {
        file.push_str(&format!("Disallow: /{}b\nDisallow: {}\n", "*a".repeat(2_000), "/*a*a*a*b"));
    }
    let asked = format!("/{}", "a".repeat(8_000));
    let began = Instant::now();
    assert!(allows(&file, &asked));
    // By backtracking it would not end.
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// Whether a pattern matches, tried in every way: by the words of the standard, and slowly.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|skipped| matches(rest, &path[skipped..])),
        [byte, rest @ ..] => path.first() == Some(byte) && matches(rest, &path[1..]),
    }
}

/// The agents of a group, and its rules: whether each allows, and its pattern.
type Group<'a> = (Vec<&'a str>, Vec<(bool, String)>);

/// Whether the standard allows a path.
fn oracle(groups: &[Group<'_>], path: &str) -> bool {
    let is_named = |agents: &[&str], name: &str| agents.iter().any(|agent| agent.eq_ignore_ascii_case(name));
    let is_ours = groups.iter().any(|(agents, _)| is_named(agents, "driftline"));
    let name = if is_ours { "driftline" } else { "*" };
    let rules = groups.iter().filter(|(agents, _)| is_named(agents, name)).flat_map(|(_, rules)| rules);
    let matching = rules.filter(|(_, pattern)| !pattern.is_empty() && matches(pattern.as_bytes(), path.as_bytes()));
    matching.max_by_key(|(is_allow, pattern)| (pattern.len(), *is_allow)).is_none_or(|(is_allow, _)| *is_allow)
}

proptest! {
    #[test]
    fn the_verdict_is_that_of_the_slow_oracle(
        groups in prop::collection::vec(
            (
                prop::collection::vec(prop::sample::select(vec!["driftline", "DriftLine", "*", "other"]), 1..3),
                prop::collection::vec((any::<bool>(), "(/[ab/*$]{0,7})?"), 1..5),
            ),
            0..4,
        ),
        path in "/[ab/]{0,9}",
    ) {
        let mut file = String::new();
        for (agents, rules) in &groups {
            agents.iter().for_each(|agent| file.push_str(&format!("User-agent: {agent}\n")));
            for (is_allow, pattern) in rules {
                file.push_str(&format!("{}: {pattern}\n", if *is_allow { "Allow" } else { "Disallow" }));
            }
        }
        // Two slashes would begin a host.
        let asked = Url::parse(&format!("https://a.example{path}")).unwrap();
        prop_assert_eq!(RobotsTxt::parse(file.as_bytes()).allows(&asked), oracle(&groups, asked.path()), "{}", file);
    }

    #[test]
    fn any_bytes_are_read(body in prop::collection::vec(any::<u8>(), 0..400), path in "/\\PC{0,20}") {
        let asked = url("/").join(&path).unwrap_or_else(|_| url("/"));
        let read = RobotsTxt::parse(&body);
        prop_assert_eq!(read.allows(&asked), RobotsTxt::parse(&body).allows(&asked));
    }
}
