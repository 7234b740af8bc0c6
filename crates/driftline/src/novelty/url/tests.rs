//! Spellings of one address, and the laws of a canonical form.

use proptest::prelude::*;

use super::{Canonical, LONGEST, host_of, plain};

fn key(url: &str) -> String {
    Canonical::of(url).unwrap_or_else(|| panic!("{url} is no address")).key
}

fn canonical(url: &str) -> String {
    Canonical::of(url).unwrap_or_else(|| panic!("{url} is no address")).url()
}

#[test]
fn all_spellings_of_an_address_have_one_key() {
    let same = [
        "https://example.org/a/",
        "http://example.org/a/",
        "HTTPS://Example.ORG/a/",
        "https://www.example.org/a/",
        "https://example.org./a/",
        "https://example.org:443/a/",
        "http://example.org:80/a/",
        "http://example.org:443/a/",
        "https://user:secret@example.org/a/",
        "https://example.org/a/#there",
        "https://example.org/a/?",
        "https://example.org/a/?#",
        "https://example.org/a/index.html",
        "https://example.org/a/index%2Ehtml",
        "https://example.org/%61/",
        "https://example.org/b/../a/./",
        "https://example.org/b/%2E%2e/a/",
        " https://example.org/\na/ ",
        "https:\\\\example.org\\a\\",
    ];
    for url in same {
        assert_eq!(key(url), "org.example/a/", "{url}");
    }
    assert_eq!(canonical("http://www.example.org/a/#x"), "https://www.example.org/a/");
}

#[test]
fn the_key_begins_with_the_host_from_its_end() {
    assert_eq!(key("https://flink.apache.org/news/?page=2"), "org.apache.flink/news/?page=2");
    assert_eq!(key("https://flink.apache.org:8081/"), "org.apache.flink:8081/");
    assert_eq!(key("http://127.0.0.1:8000/admin/"), "127.0.0.1:8000/admin/");
    assert_eq!(key("http://0x7f.1/"), "127.0.0.1/");
    assert_eq!(key("http://[2001:DB8::1]:8080/"), "[2001:db8::1]:8080/");
    assert_eq!(key("http://localhost"), "localhost/");
    assert_eq!(key("https://bücher.example/ä"), "example.xn--bcher-kva/%C3%A4");
    assert_eq!(Canonical::of("https://a.b.org:81/c/d").unwrap().host_key(), "org.b.a:81");
    assert_eq!(host_of("org.example"), "org.example");
}

#[test]
fn www_is_an_addition_to_a_name_that_stands_by_itself() {
    assert!(Canonical::of("https://www.example.org/").unwrap().www());
    for alone in ["https://www/", "https://www.com/", "https://www.www.example.org/", "https://www2.example.org/"] {
        assert!(!Canonical::of(alone).unwrap().www(), "{alone}");
        assert_eq!(canonical(alone), alone);
    }
}

#[test]
fn only_index_html_is_the_folder_itself() {
    assert_eq!(canonical("https://a.org/index.html?x"), "https://a.org/?x");
    assert_eq!(canonical("https://a.org/index.html/index.html"), "https://a.org/index.html/");
    for other in [
        "https://a.org/index.htm",
        "https://a.org/aindex.html",
        "https://a.org/index.html/",
        "https://a.org/Index.html",
        "https://a.org/?/index.html",
    ] {
        assert_eq!(canonical(other), other);
    }
}

#[test]
fn a_character_is_escaped_where_it_may_not_stand_for_itself() {
    assert_eq!(canonical("https://a.org/FLIP-11%3A%20x"), "https://a.org/FLIP-11:%20x");
    assert_eq!(canonical("https://a.org/a[1]|{x}^`%5b"), "https://a.org/a%5B1%5D%7C%7Bx%7D%5E%60%5B");
    assert_eq!(canonical("https://a.org/%2f%3f%23%25%e4"), "https://a.org/%2F%3F%23%25%E4");
    assert_eq!(canonical("https://a.org/%26%3D%2B%3B%27'"), "https://a.org/&=+;''");
    assert_eq!(canonical("https://a.org/?a=%26%3D%2B%3B%27'&b=%3A"), "https://a.org/?a=%26%3D%2B%3B%27%27&b=:");
    assert_eq!(canonical("https://a.org/?u=/x?%2F%3f"), "https://a.org/?u=/x?%2F%3F");
    assert_eq!(canonical("https://a.org/100%"), "https://a.org/100%25");
    assert_eq!(canonical("https://a.org/%%32e%2"), "https://a.org/%252e%252");
}

#[test]
fn what_is_no_page_on_the_web_has_no_form() {
    let odd = [
        "",
        "example.org",
        "/a",
        "mailto:a@example.org",
        "javascript:void(0)",
        "ftp://example.org/",
        "https://",
        "https://?",
        "https://./",
        "https://a..org/",
        "https://.a.org/",
        "https://a.org../",
        "https://1.2.3.4.5/",
        "https://a b/",
        "https://a.org:99999/",
        "dns:example.org",
    ];
    let read: Vec<_> = odd.iter().filter(|url| Canonical::of(url).is_some()).collect();
    assert!(read.is_empty(), "{read:?}");
}

#[test]
fn an_address_without_end_has_no_form() {
    let of_length = |length: usize, filling: &str| {
        let start = "https://www.a.org/";
        format!("{start}{}", filling.repeat((length - start.len()) / filling.len()))
    };
    assert!(Canonical::of(&of_length(LONGEST, "a")).is_some());
    assert!(Canonical::of(&of_length(LONGEST + 1, "a")).is_none());
    assert!(Canonical::of(&of_length(LONGEST / 2, "ä")).is_none(), "escaped it is longer");
    assert!(Canonical::of(&of_length(LONGEST / 2, "|")).is_none(), "escaped it is longer");
}

/// Labels of hosts, sound and odd.
const LABELS: [&str; 15] =
    ["www", "example", "org", "Com", "xn--bcher-kva", "xn--", "ä", "1", "0x2", "a-b", "a_b", "", "-", "[::1]", "u@"];
/// Pieces of paths and queries, sound and odd.
const PIECES: [&str; 41] = [
    "/",
    "index.html",
    ".",
    "..",
    "a",
    "B",
    "%2e",
    "%2F",
    "%41",
    "%",
    "%2",
    "%%32",
    "%c3%A4",
    "ä",
    "?",
    "#",
    "&",
    "=",
    "+",
    ";",
    "'",
    "%27",
    ":",
    "@",
    "[",
    "|",
    "^",
    "`",
    "{",
    "\\",
    " ",
    "\t",
    "\"",
    "<",
    "%26",
    "%3D",
    "%25",
    "~",
    "!",
    "%0A",
    "\0",
];

/// Addresses of the parts that matter, in all orders.
fn addresses() -> impl Strategy<Value = String> {
    let scheme = prop::sample::select(vec!["https://", "http://", "HTTP://", "https:/", "ftp://", ""]);
    let host = prop::collection::vec(prop::sample::select(&LABELS), 0..5).prop_map(|labels| labels.join("."));
    let port = prop::sample::select(vec!["", "", ":80", ":443", ":8080", ":", ":x"]);
    let rest = prop::collection::vec(prop::sample::select(&PIECES), 0..12).prop_map(|pieces| pieces.concat());
    (scheme, host, port, rest).prop_map(|(scheme, host, port, rest)| format!("{scheme}{host}{port}{rest}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_canonical_address_is_its_own_form(url in addresses()) {
        if let Some(canonical) = Canonical::of(&url) {
            let again = Canonical::of(&canonical.url());
            prop_assert_eq!(again.as_ref(), Some(&canonical));
            let bare = Canonical::from_key(canonical.key().to_owned(), false).url();
            prop_assert_eq!(Canonical::of(&bare).map(Canonical::into_key), Some(canonical.key().to_owned()));
            prop_assert_eq!(Canonical::from_key(canonical.key().to_owned(), canonical.www()).url(), canonical.url());
        }
    }

    #[test]
    fn the_short_way_is_the_long_way(url in addresses()) {
        if let Some(short) = plain::read(&url) {
            prop_assert_eq!(Some(short), Canonical::parsed(&url));
        }
    }

    #[test]
    fn a_canonical_address_of_a_name_goes_the_short_way(path in "[a-zA-Z0-9/_~!'()*+,;=:@-]{0,40}", query in "([a-z]=(%2F|%20|[a-z/?]){0,5}&){0,3}") {
        let url = format!("https://example.org/{path}?{query}");
        prop_assert_eq!(plain::read(&url), Canonical::parsed(&url));
    }

    #[test]
    fn anything_at_all_is_read_without_panic(url in "\\PC{0,60}") {
        let _ = Canonical::of(&format!("https://{url}"));
        let _ = Canonical::of(&url);
        let _ = Canonical::from_key(url, true).url();
    }
}
