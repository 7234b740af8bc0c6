//! Are these the same bytes? Digests of payloads and blocks, as WARC files write them: `sha1:BASE32`.
//!
//! The standard leaves algorithm and spelling open. Nearly all files have SHA-1 in base32; some have it in
//! hex, some have SHA-256, and base64 is seen too. Two digests are equal if their bytes are.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use data_encoding::{BASE32_NOPAD, BASE64_NOPAD, HEXLOWER_PERMISSIVE};
use sha1::Digest as _;

/// How a digest is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// SHA-1, the digest of the field.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
}

/// A digest. It is written as `sha1:` and base32.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Digest {
    /// How it was computed.
    pub algorithm: Algorithm,
    bytes: Vec<u8>,
}

/// A digest that a record states, and the one that its bytes have instead.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mismatch {
    /// What the record states.
    pub stated: Digest,
    /// What its bytes have.
    pub found: Digest,
}

/// What cannot be read as a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no digest that is known here\nhint: these are known: sha1, sha256 and sha512, in base32, hex or base64"
)]
pub struct NotADigest(String);

/// Computes a digest of bytes as they come: write them into it.
pub struct Digester(State);

enum State {
    Sha1(sha1::Sha1),
    Sha256(sha2::Sha256),
    Sha512(sha2::Sha512),
}

impl Algorithm {
    const ALL: [(Self, &'static str, usize); 3] =
        [(Self::Sha1, "sha1", 20), (Self::Sha256, "sha256", 32), (Self::Sha512, "sha512", 64)];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(own, ..)| *own == self).map_or("", |(_, name, _)| name)
    }
}

impl Digest {
    /// The SHA-1 of bytes.
    #[must_use]
    pub fn sha1(bytes: &[u8]) -> Self {
        Self { algorithm: Algorithm::Sha1, bytes: sha1::Sha1::digest(bytes).to_vec() }
    }

    /// Its bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// In hex, without the name of the algorithm.
    #[must_use]
    pub fn hex(&self) -> String {
        data_encoding::HEXLOWER.encode(&self.bytes)
    }

    /// Do these spell the same digest? Ones that cannot be read are the same if their letters are.
    #[must_use]
    pub fn same(one: &str, other: &str) -> bool {
        match (one.parse::<Self>(), other.parse::<Self>()) {
            (Ok(one), Ok(other)) => one == other,
            _ => one == other,
        }
    }
}

/// A digest as it is kept, whichever way it was spelled: `sha1:` and base32 in capitals. One that cannot be read
/// stays as it is.
pub(crate) fn normalised(text: &str) -> Cow<'_, str> {
    text.parse::<Digest>().map_or(Cow::Borrowed(text), |digest| Cow::Owned(digest.to_string()))
}

impl Digester {
    /// One that has seen nothing.
    #[must_use]
    pub fn new(algorithm: Algorithm) -> Self {
        Self(match algorithm {
            Algorithm::Sha1 => State::Sha1(sha1::Sha1::new()),
            Algorithm::Sha256 => State::Sha256(sha2::Sha256::new()),
            Algorithm::Sha512 => State::Sha512(sha2::Sha512::new()),
        })
    }

    /// Takes more bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            State::Sha1(state) => state.update(bytes),
            State::Sha256(state) => state.update(bytes),
            State::Sha512(state) => state.update(bytes),
        }
    }

    /// The digest of all that it has seen.
    #[must_use]
    pub fn finish(self) -> Digest {
        let (algorithm, bytes) = match self.0 {
            State::Sha1(state) => (Algorithm::Sha1, state.finalize().to_vec()),
            State::Sha256(state) => (Algorithm::Sha256, state.finalize().to_vec()),
            State::Sha512(state) => (Algorithm::Sha512, state.finalize().to_vec()),
        };
        Digest { algorithm, bytes }
    }
}

impl Write for Digester {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.algorithm.name(), data_encoding::BASE32.encode(&self.bytes))
    }
}

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        parse(text.trim()).ok_or_else(|| NotADigest(text.chars().take(100).collect()))
    }
}

fn parse(text: &str) -> Option<Digest> {
    let (name, value) = text.split_once(':')?;
    let name = name.to_ascii_lowercase().replace('-', "");
    let &(algorithm, _, length) = Algorithm::ALL.iter().find(|(_, own, _)| *own == name)?;
    let value = value.trim_end_matches('=').as_bytes();
    if value.len() > 2 * length {
        return None;
    }
    // The spellings of one digest differ in length, so only one of them can fit.
    let decoded = [
        HEXLOWER_PERMISSIVE.decode(value),
        BASE32_NOPAD.decode(&value.to_ascii_uppercase()),
        BASE64_NOPAD.decode(value),
    ];
    let bytes = decoded.into_iter().flatten().find(|bytes| bytes.len() == length)?;
    Some(Digest { algorithm, bytes })
}

#[cfg(test)]
mod tests {
    use super::{Algorithm, Digest, Digester, normalised};

    #[test]
    fn a_digest_is_written_as_the_field_writes_it() {
        // The digest of nothing, as Heritrix writes it in many thousand files.
        assert_eq!(Digest::sha1(b"").to_string(), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(Digest::sha1(b"").hex(), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    }

    #[test]
    fn all_spellings_are_read() {
        let spellings = [
            "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
            "SHA-1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj",
            "sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
            "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
        ];
        for spelling in spellings {
            assert_eq!(spelling.parse(), Ok(Digest::sha1(b"")), "{spelling}");
            assert!(Digest::same(spelling, spellings[0]));
            assert_eq!(normalised(spelling), spellings[0]);
        }
        assert!(!Digest::same("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYA", spellings[0]));
        assert_eq!(normalised("crc:aB"), "crc:aB");
        assert!(Digest::same("crc:1", "crc:1") && !Digest::same("crc:1", "crc:2"));
    }

    #[test]
    fn what_is_no_digest_is_told() {
        for text in ["", "sha1", "sha1:", "sha1:abc", "md5:d41d8cd98f00b204e9800998ecf8427e", "sha256:3I42"] {
            assert!(text.parse::<Digest>().is_err(), "{text}");
        }
        assert!(format!("sha1:{}", "A".repeat(1 << 20)).parse::<Digest>().is_err());
    }

    #[test]
    fn pieces_give_the_digest_of_the_whole() {
        for algorithm in [Algorithm::Sha1, Algorithm::Sha256, Algorithm::Sha512] {
            let (mut whole, mut pieces) = (Digester::new(algorithm), Digester::new(algorithm));
            whole.update(b"one two");
            b"one two".chunks(2).for_each(|piece| pieces.update(piece));
            let digest = whole.finish();
            assert_eq!(pieces.finish(), digest);
            assert_eq!(digest.to_string().parse(), Ok(digest));
        }
    }
}
