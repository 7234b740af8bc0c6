//! Any bytes become a file of watches, and a list or a file of another monitor; what they name is written and read again.
//!
//! The first byte chooses the format.

use driftline_watch::watches::Watch;
use driftline_watch::watches::export::{self, export};
use driftline_watch::watches::import::{Format, Imported};
use driftline_watch::watches::parse;

/// One run.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else {
        return;
    };
    let formats = [Format::Urlwatch, Format::Opml, Format::Sitemap, Format::List];
    let openings = ["url: http://a/\n", "<opml><body>", "<urlset><url><loc>", "http://a/ "];
    let number = usize::from(choice) % (formats.len() + 1);
    let Some(&format) = formats.get(number) else {
        let text = String::from_utf8_lossy(rest);
        let _ = parse(&text).map(|watches| again(&watches));
        let _ = parse(&format!("[[watch]]\nurl = 'http://a/'\n{text}")).map(|watches| again(&watches));
        return;
    };
    for opening in ["", openings[number]] {
        if let Ok(imported) = Imported::parse(&[opening.as_bytes(), rest].concat(), format) {
            again(&imported.watches);
        }
    }
}

/// What is written says the same.
pub(crate) fn again(watches: &[Watch]) {
    let mut output = Vec::new();
    export(watches.iter(), export::Format::Toml, &mut output).expect("memory takes it");
    let text = String::from_utf8(output).expect("TOML is text");
    assert_eq!(parse(&text).expect("what was written is read"), watches);
    export(watches.iter(), export::Format::Opml, Vec::new()).expect("memory takes it");
    export(watches.iter(), export::Format::Urlwatch, Vec::new()).expect("memory takes it");
}
