//! The host of a URL as a key has it: in ASCII and lower case, without `www.`, addresses in four numbers.

use super::escape::{escape, unescape};

/// The longest label of a domain name.
const MOST_LABEL: usize = 63;

pub(super) fn canonical(host: Vec<u8>, scheme: &[u8]) -> Vec<u8> {
    let plain = unescape(host);
    let ascii = if plain.is_ascii() { plain } else { international(&plain).unwrap_or(plain) };
    let single = without_double_dots(&ascii);
    let trimmed = trim_dots(&single);
    let mut host = address(trimmed).unwrap_or_else(|| escape(&trimmed.to_ascii_lowercase()));
    host.make_ascii_lowercase();
    if scheme != b"dns"
        && let Some(rest) = host.strip_prefix(b"www")
    {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if let Some(rest) = rest[digits..].strip_prefix(b".") {
            return rest.to_vec();
        }
    }
    host
}

/// A name in another script, written in ASCII by the rules of 2003; none if they do not allow it.
fn international(host: &[u8]) -> Option<Vec<u8>> {
    let text: String = host.utf8_chunks().map(|chunk| chunk.valid()).collect();
    if text.is_ascii() {
        let labels: Vec<_> = text.split('.').collect();
        let (last, others) = labels.split_last()?;
        let is_fine = last.len() <= MOST_LABEL && others.iter().all(|label| (1..=MOST_LABEL).contains(&label.len()));
        return is_fine.then_some(text.into_bytes());
    }
    let (text, dot) = text.strip_suffix(is_dot).map_or((text.as_str(), ""), |text| (text, "."));
    let labels: Option<Vec<_>> = text.split(is_dot).map(label).collect();
    Some((labels?.join(".") + dot).into_bytes())
}

fn is_dot(character: char) -> bool {
    matches!(character, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}')
}

fn label(label: &str) -> Option<String> {
    // The rules of 2003 have no letters of their own for these; the ones of today do.
    let old = if label.is_ascii() {
        label.to_owned()
    } else {
        label.replace('ß', "ss").replace('ς', "σ").replace(['\u{200c}', '\u{200d}'], "")
    };
    let ascii = if old.is_ascii() {
        old
    } else {
        let rules = idna::uts46::Uts46::new();
        let (deny, hyphens, length) =
            (idna::AsciiDenyList::EMPTY, idna::uts46::Hyphens::Allow, idna::uts46::DnsLength::Ignore);
        rules.to_ascii(old.as_bytes(), deny, hyphens, length).ok()?.into_owned()
    };
    (1..=MOST_LABEL).contains(&ascii.len()).then_some(ascii)
}

/// Two dots are one; of four, two are left.
fn without_double_dots(host: &[u8]) -> Vec<u8> {
    let mut single = Vec::with_capacity(host.len());
    let mut rest = host;
    while let Some((&byte, after)) = rest.split_first() {
        single.push(byte);
        rest = if byte == b'.' { after.strip_prefix(b".").unwrap_or(after) } else { after };
    }
    single
}

fn trim_dots(host: &[u8]) -> &[u8] {
    let start = host.iter().position(|&byte| byte != b'.').unwrap_or(host.len());
    let end = host.iter().rposition(|&byte| byte != b'.').map_or(start, |last| last + 1);
    &host[start..end]
}

/// An IPv4 address in any of its spellings: one number, or up to four, decimal or octal.
fn address(host: &[u8]) -> Option<Vec<u8>> {
    let dotted = |number: u32| std::net::Ipv4Addr::from(number).to_string().into_bytes();
    if !host.is_empty() && host.iter().all(u8::is_ascii_digit) {
        let number = host.iter().fold(0_u32, |sum, digit| sum.wrapping_mul(10).wrapping_add(u32::from(digit - b'0')));
        return Some(dotted(number));
    }
    if host.starts_with(b"0") && host.iter().any(|byte| b"89".contains(byte)) {
        return None;
    }
    let parts: Vec<_> = host.split(|&byte| byte == b'.').map(number).collect::<Option<_>>()?;
    let (&last, others) = parts.split_last()?;
    if others.len() > 3 || others.iter().any(|&part| part > 0xff) {
        return None;
    }
    let room = 32 - 8 * u32::try_from(others.len()).ok()?;
    let high = others.iter().fold(0_u64, |sum, part| sum << 8 | part);
    let fits = last.checked_shr(room).is_none_or(|over| over == 0);
    u32::try_from(high << room | last).ok().filter(|_| fits).map(dotted)
}

/// A part of an address: octal if it begins with a zero.
fn number(part: &[u8]) -> Option<u64> {
    let radix = if part.starts_with(b"0") { 8 } else { 10 };
    let digits = str::from_utf8(part).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    u64::from_str_radix(digits, radix).ok().filter(|&number| u32::try_from(number).is_ok())
}
