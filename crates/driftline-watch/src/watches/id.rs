//! What is a watch called? By an id that a person gave it, or by one made of what it watches.

use data_encoding::BASE32_DNSSEC;
use sha2::{Digest, Sha256};

use super::Kind;

/// The longest id that a person may give.
const MOST_BYTES: usize = 64;
/// So many letters and digits, 60 bits, tell any watches apart: of ten million, two are the same once in 20,000 times,
/// and then it is told.
const LENGTH: usize = 12;

/// May a watch be called so? 1 to 64 letters, digits, `-` and `_`: it is never a path, nor an option.
#[must_use]
pub fn is_id(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=MOST_BYTES).contains(&text.len()) && !text.starts_with('-') && text.bytes().all(is_plain)
}

/// The id of a watch that nobody gave one.
#[must_use]
pub fn made_of(kind: Kind, url: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(kind.name());
    hash.update(" ");
    hash.update(url);
    let mut id = BASE32_DNSSEC.encode(&hash.finalize()[..8]);
    id.truncate(LENGTH);
    id
}

#[cfg(test)]
mod tests {
    use super::{Kind, is_id, made_of};

    #[test]
    fn an_id_is_never_a_path_nor_an_option() {
        for id in ["", ".", "..", "a/b", "a\\b", "-a", "a b", "é", "a.b", &"a".repeat(65)] {
            assert!(!is_id(id), "{id}");
        }
        for id in ["a", "A-b_9", "bc4bd629-5213-4131-af89-99b45a19f8cd", &"a".repeat(64)] {
            assert!(is_id(id), "{id}");
        }
    }

    #[test]
    fn an_id_is_made_of_kind_and_address_for_ever() {
        let page = made_of(Kind::Page, "https://example.org/");
        // By `printf 'page https://example.org/' | sha256sum`, in base 32.
        assert_eq!(page, "mb2nfa325uh4");
        assert!(is_id(&page));
        assert_ne!(page, made_of(Kind::Feed, "https://example.org/"));
    }
}
