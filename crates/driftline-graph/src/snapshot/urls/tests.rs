//! Are keys read as they were written, and is a damaged file an error and never a panic?

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn written(keys: &BTreeSet<String>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = UrlsWriter::create(folder.path()).unwrap();
    keys.iter().for_each(|key| writer.push(key).unwrap());
    assert_eq!(writer.finish().unwrap() as usize, keys.len());
    folder
}

/// Reads all there is in every way; what it says does not matter.
fn read_all(folder: &Path) -> io::Result<()> {
    let urls = Urls::open(folder)?;
    for (place, key) in urls.iter().enumerate() {
        let _ = (key, urls.get(place as u32));
    }
    let _ = (urls.find(""), urls.find("org.example/a"), urls.find("z"));
    Ok(())
}

proptest! {
    #[test]
    fn keys_are_found_at_their_places(
        keys in proptest::collection::btree_set("(org|com)\\.[a-c]{1,3}/[a-dä]{0,4}", 0..150),
        other in "(org|com)\\.[a-c]{1,3}/[a-dä]{0,4}",
    ) {
        let folder = written(&keys);
        let urls = Urls::open(folder.path()).unwrap();
        prop_assert_eq!(urls.len() as usize, keys.len());
        prop_assert_eq!(&urls.iter().collect::<io::Result<BTreeSet<_>>>().unwrap(), &keys);
        for (place, key) in keys.iter().enumerate() {
            prop_assert_eq!(&urls.get(place as u32).unwrap(), key);
            prop_assert_eq!(urls.find(key).unwrap(), Some(place as u32));
            let (first, near) = urls.around(place as u32);
            prop_assert_eq!(&near.map(Result::unwrap).nth(place - first as usize).unwrap(), key);
        }
        prop_assert!(urls.get(urls.len()).is_err());
        let place = keys.iter().position(|key| *key == other);
        prop_assert_eq!(urls.find(&other).unwrap(), place.map(|place| place as u32));
    }

    #[test]
    fn damage_is_an_error_or_another_answer(
        count in 0..200_u32,
        cut in 0..3000_usize,
        flips in proptest::collection::vec((0..3000_usize, any::<u8>()), 0..6),
    ) {
        let keys = (0..count).map(|key| format!("org.example/{key}")).collect();
        let folder = written(&keys);
        let path = folder.path().join(Urls::FILE);
        let mut bytes = std::fs::read(&path).unwrap();
        let length = bytes.len();
        for (place, byte) in flips {
            bytes[place % length] = byte;
        }
        if cut % 2 == 0 {
            bytes.drain(..cut % length);
        }
        std::fs::write(&path, bytes).unwrap();
        let _ = read_all(folder.path());
    }
}

#[test]
fn keys_out_of_order_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = UrlsWriter::create(folder.path()).unwrap();
    writer.push("").unwrap();
    assert!(writer.push("").is_err());
    writer.push("b").unwrap();
    assert!(writer.push("a").is_err());
}

#[test]
fn a_file_of_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for bytes in
        [&b""[..], b"dl-urls1", &[0; 24], b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffdl-urls1"]
    {
        std::fs::write(folder.path().join(Urls::FILE), bytes).unwrap();
        assert!(Urls::open(folder.path()).is_err(), "{bytes:?}");
    }
    std::fs::write(folder.path().join(Urls::FILE), [[0; 8], [0; 8], MARK].concat()).unwrap();
    assert!(Urls::open(folder.path()).unwrap().is_empty());
}
