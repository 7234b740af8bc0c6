//! The holes of others: a test for each way that a monitor was made to read what only its machine can reach. Names of
//! advisories are those of changedetection.io unless said otherwise.

use driftline_fetch::guard::{Guard, GuardError};
use driftline_fetch::{FetchDefaults, FetchError, How};
use driftline_testkit::server::{Response, Server};

use super::{Names, fetch, fetcher, guard, plainly, with};

/// Is this refused for its scheme, or because it is no address at all?
fn is_no_page(url: &str) -> bool {
    matches!(guard().check_url(url), Err(GuardError::Scheme { .. } | GuardError::NotAUrl { .. }))
}

fn refused(url: &str) -> String {
    match fetch(&with(FetchDefaults::default()), url, &plainly()) {
        Err(FetchError::Refused(why)) => why,
        other => panic!("{url}: {other:?}"),
    }
}

/// CVE-2026-27696: a name was not looked up before it was asked, and what came was stored and shown.
#[test]
fn cve_2026_27696_names_that_lead_inside_are_refused_wherever_inside() {
    let server = Server::start(|_| Response::html("secret"));
    for address in [
        "127.0.0.1",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.0.1",
        "169.254.169.254",
        "224.0.0.1",
        "255.255.255.255",
        "240.0.0.1",
        "192.0.0.192",
        "198.18.0.1",
        "203.0.113.1",
        "::",
        "::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "2002:7f00:1::",
        "2001:0:4136:e378::1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::a9fe:a9fe",
        "2001:db8::1",
    ] {
        let names = Names::new("innocent.example", &[&[address]]);
        let fetcher = with(FetchDefaults::default()).with_lookup(names.clone());
        let url = format!("http://innocent.example:{}/", server.address().port());
        let error = fetch(&fetcher, &url, &plainly()).unwrap_err();
        assert!(matches!(error, FetchError::Refused(_)) && !error.is_transient(), "{address}: {error}");
        assert_eq!(names.asked(), 1);
    }
    assert_eq!(server.connections(), 0);
}

/// CVE-2026-27696 again, without a name: every spelling of an address is that address.
#[test]
fn cve_2026_27696_spellings_of_addresses_are_read_as_browsers_read_them() {
    for host in [
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "017700000001",
        "127.0.0.1.",
        "①②⑦.⓪.⓪.①",
        "%31%32%37.0.0.1",
        "127。0。0。1",
        "0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[0:0:0:0:0:ffff:7f00:1]",
        "[::127.0.0.1]",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "a.localhost",
        "metadata.google.internal",
        "169.254.169.254",
        "0xa9fea9fe",
        "[fd00:ec2::254]",
        "100.100.100.200",
    ] {
        for url in [format!("http://{host}/"), format!("HTTPS://{host}:8080/latest/meta-data/")] {
            assert!(matches!(guard().check_url(&url), Err(GuardError::Inside { .. })), "{url}");
        }
    }
}

/// GHSA-gwph-fp79-379w: addresses behind a carrier's NAT (100.64.0.0/10) were taken for public ones.
#[test]
fn ghsa_gwph_fp79_379w_addresses_behind_a_carriers_nat_are_refused() {
    for address in ["100.64.0.0", "100.100.100.200", "100.127.255.255"] {
        assert!(refused(&format!("http://{address}/")).contains(address));
    }
    for address in ["100.63.255.255", "100.128.0.0"] {
        assert!(guard().check_url(&format!("http://{address}/")).is_ok());
    }
}

/// GHSA-rph4-96w6-q594: the check and the fetcher read one address as two different hosts.
#[test]
fn ghsa_rph4_96w6_q594_the_host_that_is_judged_is_the_host_that_is_asked() {
    let server = Server::start(|_| Response::html("secret"));
    let port = server.address().port();
    for url in [
        format!("http://127.0.0.1:{port}\\@example.org/"),
        format!("http://example.org@127.0.0.1:{port}/"),
        format!("http://example.org#@127.0.0.1:{port}/"),
        format!("http://example.org?@127.0.0.1:{port}/"),
        format!("http:\\\\127.0.0.1:{port}/"),
        format!("http:127.0.0.1:{port}/"),
        format!("http:////127.0.0.1:{port}/"),
        format!("ht\ntp://127.0.0\t.1:{port}/"),
        format!("\u{1}  http://127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port} &@example.org#@example.com/"),
    ] {
        let names = Names::new("example.org", &[&["10.0.0.1"]]);
        let result = fetch(&with(FetchDefaults::default()).with_lookup(names), &url, &plainly());
        assert!(matches!(result, Err(FetchError::Refused(_))), "{url:?}: {result:?}");
    }
    assert_eq!(server.connections(), 0);
    let judged = guard().check_url("http://1.1.1.1\\@2.2.2.2/").unwrap();
    assert_eq!((judged.host_str(), judged.path()), (Some("1.1.1.1"), "/@2.2.2.2/"));
}

/// GHSA-56fq-63vj-9992: other ways to the network did not go through the check. Ours are the page, its redirects,
/// robots.txt, its redirects, and the proxy of a watch (`proxies.rs`); the browser has tests of its own.
#[test]
fn ghsa_56fq_63vj_9992_redirects_are_judged_as_addresses_are() {
    let secret = Server::start(|_| Response::html("secret"));
    let inside = format!("http://127.0.0.2:{}/", secret.address().port());
    for to in [
        inside.as_str(),
        "http://169.254.169.254/",
        "//[::1]/",
        "http://2130706434/",
        "http://localhost/",
        "http://a:25/",
    ] {
        let (robots, page) = (to.to_owned(), to.to_owned());
        let server = Server::start(move |request| match request.path.as_str() {
            "/by-robots" => Response::html("a"),
            "/robots.txt" => Response::redirect(&robots),
            _ => Response::redirect(&page),
        });
        let fetcher = fetcher();
        let result = fetch(&fetcher, &server.url("/by-robots"), &How::default());
        assert!(matches!(result, Err(FetchError::Refused(_))), "{to}: {result:?}");
        let result = fetch(&fetcher, &server.url("/"), &plainly());
        assert!(matches!(result, Err(FetchError::Refused(_))), "{to}: {result:?}");
    }
    assert_eq!(secret.connections(), 0);
}

/// CVE-2024-51483: `source:file:///etc/passwd` passed, because a prefix of its own was looked at first.
#[test]
fn cve_2024_51483_a_prefix_does_not_open_files() {
    for url in
        ["source:file:///etc/passwd", "view-source:file:///etc/passwd", "source:http://example.org/", "url:file:///x"]
    {
        assert!(is_no_page(url), "{url}");
    }
}

/// CVE-2024-51998: `file:/etc/passwd` passed, because only `file://` was looked for.
#[test]
fn cve_2024_51998_files_are_files_with_one_slash_too() {
    for url in ["file:/etc/passwd", "file:etc/passwd", "file:\\\\etc\\passwd", "FILE:/etc/passwd", "fi\tle:/etc/passwd"]
    {
        assert!(is_no_page(url), "{url}");
    }
}

/// CVE-2024-56509: `file:../../etc/passwd` passed.
#[test]
fn cve_2024_56509_files_are_files_with_dots_too() {
    for url in ["file:../../etc/passwd", "file:.", " file:..", "../etc/passwd", "/etc/passwd", "etc/passwd"] {
        assert!(is_no_page(url), "{url}");
    }
}

/// `file://` in the browser's fetcher (2022); in the diff server of EDGI, where only a variable of the environment
/// closed it; in the live rewriting of pywb (2015). Only http and https are asked, and there is no switch.
#[test]
fn only_http_and_https_are_asked_and_there_is_no_switch() {
    for url in [
        "file:///etc/passwd",
        "ftp://example.org/",
        "gopher://example.org/",
        "data:text/html,x",
        "javascript:alert(1)",
        "about:blank",
        "chrome://settings",
        "jar:http://example.org!/",
        "dict://example.org/",
        "blob:http://example.org/",
        "ws://example.org/",
        "ldap://example.org/",
        "http://",
        "http:///",
        "",
        "example.org",
    ] {
        assert!(is_no_page(url), "{url}");
    }
    let open = Guard::new(&["0.0.0.0/0", "::/0"]).unwrap();
    assert!(open.check_url("file:///etc/passwd").is_err());
}

/// A redirect to a file is no way to it either.
#[test]
fn redirects_to_other_schemes_are_refused() {
    for to in [
        "file:///etc/passwd",
        "file:/etc/passwd",
        "source:file:///etc/passwd",
        "javascript:alert(1)",
        "ftp://example.org/",
    ] {
        let server = Server::start(move |_| Response::redirect(to));
        let error = fetch(&fetcher(), &server.url("/"), &plainly()).unwrap_err();
        assert!(matches!(error, FetchError::Refused(_)), "{to}: {error}");
    }
}

/// Ports where a request could be read as commands of another protocol.
#[test]
fn ports_of_other_protocols_are_refused() {
    for port in [22, 25, 110, 143, 465, 587, 6000, 6667] {
        assert!(
            matches!(guard().check_url(&format!("http://example.org:{port}/")), Err(GuardError::Port { .. })),
            "{port}"
        );
    }
    for port in [80, 443, 8080, 3000] {
        assert!(guard().check_url(&format!("http://example.org:{port}/")).is_ok(), "{port}");
    }
    assert!(Guard::new(&["example.org:25"]).unwrap().check_url("http://example.org:25/").is_ok());
}

/// What the operator allows is asked; nothing else beside it.
#[test]
fn the_operator_opens_just_what_is_named() {
    let server = Server::start(|_| Response::html("mine"));
    let port = server.address().port();
    let allow = vec![format!("intranet.example:{port}"), "64:ff9b::/96".to_owned()];
    let names = Names::new("intranet.example", &[&["127.0.0.1"]]);
    let fetcher = with(FetchDefaults { allow, ..FetchDefaults::default() }).with_lookup(names);
    assert_eq!(fetch(&fetcher, &format!("http://intranet.example:{port}/"), &plainly()).unwrap().status, 200);
    for url in [format!("http://127.0.0.1:{port}/"), "http://intranet.example:8080/".to_owned()] {
        assert!(matches!(fetch(&fetcher, &url, &plainly()), Err(FetchError::Refused(_))), "{url}");
    }
    let guard = fetcher.guard();
    assert!(guard.check_url("http://[64:ff9b::808:808]/").is_ok(), "public behind an allowed gateway");
    assert!(guard.check_url("http://[64:ff9b::7f00:1]/").is_err(), "inside behind it");
}

/// What is told about a refused address is short, on one line, and without its password.
#[test]
fn what_is_refused_is_told_without_its_password() {
    for url in ["ftp://me:hush@example.org/", "http://me:hush@[::1]/", "ftp://me:hush@h\\@x/", "http://me:hush@"] {
        let error = guard().check_url(url).unwrap_err().to_string();
        assert!(!error.contains("hush"), "{error}");
    }
    let error = guard().check_url(&format!("x:{}", "\u{1b}[31m".repeat(10_000))).unwrap_err().to_string();
    assert!(error.len() < 1_000 && !error.contains('\u{1b}'), "{error}");
}
