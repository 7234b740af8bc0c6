//! Are records of ARC, the format before WARC, read as they were meant?

use driftline_archive::warc::{Error, Format, Kind, Reader};

use crate::support::gzip;

/// An ARC file with a good record, one of version 2, one without a length, and one behind nonsense.
#[test]
fn records_of_arc_are_read() {
    let lines = "1 0 X\nURL IP-address Archive-date Content-type Archive-length\n";
    let file = format!(
        "filedesc://x.arc 0.0.0.0 20010101000000 text/plain {}\n{lines}\n\
         http://a.org/b c 1.2.3.4 20010101000000 text/html 7\none\ntwo\n\
         http://a.org/2 1.2.3.4 20010101000000 text/html 200 x - 1 x.arc 5\nthree\n\
         http://a.org/3 1.2.3.4 2001 text/html -9\nwords of no use\n\
         http://a.org/4 1.2.3.4 20010101000000 text/html 4\nfour\n",
        lines.len()
    );
    for file in [file.clone().into_bytes(), gzip(file.as_bytes())] {
        let mut reader = Reader::new(file.as_slice());
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        while let Some(record) = reader.next() {
            match record {
                Ok(record) => {
                    let body = String::from_utf8(reader.body(100).unwrap().bytes).unwrap();
                    assert_eq!((record.format, record.ip().is_some()), (Format::Arc, true));
                    found.push((record.kind, record.target_uri.unwrap(), body));
                }
                Err(error) => errors.push(error),
            }
        }
        let response = |uri: &str, body: &str| (Kind::Response, uri.to_owned(), body.to_owned());
        let expected = [
            (Kind::ArcHeader, "filedesc://x.arc".to_owned(), String::new()),
            response("http://a.org/b%20c", "one\ntwo"),
            response("http://a.org/2", "three"),
            response("http://a.org/3", ""),
            response("http://a.org/4", "four"),
        ];
        assert_eq!(found, expected, "{errors:?}");
        assert!(matches!(errors[..], [Error::Malformed { .. }]), "{errors:?}");
    }
}
