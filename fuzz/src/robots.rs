//! Any bytes are read as a robots.txt, and asked about an address that is made of them.

use std::hint::black_box;

use driftline_fetch::RobotsTxt;
use url::Url;

/// One run.
pub fn run(bytes: &[u8]) {
    let read = RobotsTxt::parse(bytes);
    black_box((read.crawl_delay(), read.sitemaps().len()));
    let path = String::from_utf8_lossy(&bytes[bytes.len() / 2..]);
    let home = Url::parse("https://a.example/").expect("an address");
    let Ok(url) = home.join(&path) else { return };
    let is_allowed = read.allows(&url);
    // Another line end says the same. A NUL ends a line too.
    if !bytes.contains(&b'\r') && !bytes.contains(&0) {
        let other: Vec<u8> = bytes.iter().map(|byte| if *byte == b'\n' { b'\r' } else { *byte }).collect();
        assert_eq!(RobotsTxt::parse(&other).allows(&url), is_allowed);
    }
    // A fragment is never sent.
    let mut elsewhere = url.clone();
    elsewhere.set_fragment(Some("/elsewhere"));
    assert_eq!(read.allows(&elsewhere), is_allowed);
}
