//! Any bytes are read as the addresses of a snapshot: by place, by key, and all of them.

use std::hint::black_box;

use driftline_graph::snapshot::Urls;

/// One run.
pub fn run(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("urls"), bytes).expect("a temporary file");
    let Ok(urls) = Urls::open(folder.path()) else {
        return;
    };
    for (place, key) in urls.iter().enumerate() {
        // A block by itself is read as it is among the others.
        let alone = urls.get(u32::try_from(place).expect("a place is a u32"));
        assert_eq!(key.is_err(), alone.is_err());
        if let (Ok(key), Ok(alone)) = (key, alone) {
            assert!(key == alone && key.len() <= bytes.len());
            let _ = black_box(urls.find(&key));
        }
    }
    let _ = black_box(urls.find(&String::from_utf8_lossy(bytes)));
}
