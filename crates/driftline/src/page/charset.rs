//! Which charset are these bytes in? What is declared, as browsers read it; else the likeliest.
//!
//! The order is from who knows best to who guesses best:
//!
//! 1. A byte order mark travels with the bytes; no server or template can get it wrong.
//! 2. The HTTP header beats the page: a proxy that recodes a page changes only the header.
//! 3. The page's own `<meta>` or XML declaration (`prescan.rs`).
//! 4. UTF-16 without a mark: its NULs occur in no other charset, and would pass for valid UTF-8.
//! 5. ISO-2022-JP: it is pure ASCII with escapes, so it too would pass for UTF-8.
//! 6. UTF-8: legacy text of more than a few letters is not valid UTF-8 by chance.
//! 7. Firefox's detector for the rest.
//!
//! The first three are what browsers do, so what is compared is what a reader saw. A page that is
//! UTF-8 but for a few bytes stays UTF-8: taking it for windows-1252 would change every accented
//! word, and be reported as a rewrite. Labels that browsers blank out for safety (`iso-2022-kr`,
//! `hz-gb-2312`) count as unknown, since two blank pages never differ.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use crate::written::written_as_text;

mod prescan;

/// How much of a page the detector reads, from the first byte that says anything. It scores every
/// byte under 27 charsets, and is sure long before that.
const SAMPLE_BYTES: usize = 64 * 1024;

/// How many byte pairs are searched for the NULs of UTF-16; a doctype alone has a dozen.
const UTF_16_SAMPLE_PAIRS: usize = 256;

/// How many valid characters beyond ASCII (bytes from 0xC0 start one) outweigh a broken sequence.
const UTF_8_CHARS_PER_ERROR: usize = 10;

/// A charset by one of its names on the web: `euc-kr`, `latin1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset(&'static Encoding);

/// A name that no charset of the web has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no charset of the web is called `{name}`; try `utf-8`, `windows-1252`, `euc-kr`, `shift_jis` or `gb18030`")]
pub struct UnknownCharset {
    /// The name.
    pub name: String,
}

impl FromStr for Charset {
    type Err = UnknownCharset;

    fn from_str(name: &str) -> Result<Self, UnknownCharset> {
        Encoding::for_label(name.as_bytes()).map(Self).ok_or_else(|| UnknownCharset { name: name.to_owned() })
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.0.name())
    }
}

written_as_text!(Charset);

impl Charset {
    /// Decodes `bytes` from this charset, whatever they say of themselves.
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> Decoded<'_> {
        let (text, had_errors) = self.0.decode_with_bom_removal(bytes);
        Decoded { text, charset: self.0.name(), source: CharsetSource::Told, had_errors }
    }
}

/// Where the charset of a page was learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CharsetSource {
    /// The user said so.
    Told,
    /// The first two or three bytes.
    ByteOrderMark,
    /// The `charset` of the HTTP header `Content-Type`.
    Header,
    /// A `<meta>` element or an XML declaration in the first 1024 bytes.
    Meta,
    /// Nobody said; the bytes look like it.
    Detected,
    /// Nobody said, and the bytes are plain ASCII (or none at all), which reads the same in UTF-8.
    Assumed,
}

/// A body as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text without its byte order mark; borrowed if the bytes were valid UTF-8.
    pub text: Cow<'a, str>,
    /// The name of the charset in the Encoding Standard, such as `EUC-KR`.
    pub charset: &'static str,
    /// Where the charset was learned.
    pub source: CharsetSource,
    /// Whether some bytes meant nothing in this charset and became U+FFFD.
    pub had_errors: bool,
}

/// Decodes `bytes`; `content_type` is the value of the HTTP header `Content-Type` if there was one.
#[must_use]
pub fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Decoded<'a> {
    let mark = || Some((Encoding::for_bom(bytes)?.0, CharsetSource::ByteOrderMark));
    let header = || Some((header_charset(content_type?)?, CharsetSource::Header));
    let meta = || Some((prescan::declared_charset(bytes)?, CharsetSource::Meta));
    let declared = mark().or_else(header).or_else(meta);
    let (encoding, source) = declared.unwrap_or_else(|| detect(bytes));
    let (text, encoding, had_errors) = encoding.decode(bytes);
    Decoded { text, charset: encoding.name(), source, had_errors }
}

/// The first known `charset` parameter. A comma separates too: it joins repeated headers.
fn header_charset(content_type: &str) -> Option<&'static Encoding> {
    let mut in_quotes = false;
    let mut parameters = content_type.split(|c| {
        in_quotes ^= c == '"';
        !in_quotes && matches!(c, ';' | ',')
    });
    parameters.find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let label = value.trim().trim_matches(['"', '\'']).as_bytes();
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        Encoding::for_label_no_replacement(label).filter(|_| is_charset)
    })
}

/// The charset that undeclared bytes look like.
fn detect(bytes: &[u8]) -> (&'static Encoding, CharsetSource) {
    let ascii = Encoding::ascii_valid_up_to(bytes);
    let found = match utf_16_without_mark(bytes) {
        Some(utf_16) => utf_16,
        None if ascii < bytes.len() => detect_beyond_ascii(bytes, ascii),
        None if is_iso_2022_jp(bytes) => ISO_2022_JP,
        None => return (UTF_8, CharsetSource::Assumed),
    };
    (found, CharsetSource::Detected)
}

/// Markup, digits and spaces have a NUL in every pair: second in UTF-16LE, first in UTF-16BE. A
/// few pairs may say the opposite: U+3000, the Chinese space, is 0x00 0x30 in UTF-16LE, like a `0`.
fn utf_16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let pairs = || bytes.chunks_exact(2).take(UTF_16_SAMPLE_PAIRS);
    let is_ascii = |pair: &[u8], at: usize| is_text(&pair[at]) && pair[1 - at] == 0;
    let little = pairs().filter(|pair| is_ascii(pair, 0)).count();
    let big = pairs().filter(|pair| is_ascii(pair, 1)).count();
    // One pair in eight: Korean without any markup has a space every four syllables.
    let least = (pairs().len() / 8).max(2);
    let beats = |count: usize, other: usize| count >= least && count >= 4 * other;
    let little_endian = beats(little, big).then_some(UTF_16LE);
    little_endian.or(beats(big, little).then_some(UTF_16BE))
}

/// Whether the escapes in ASCII `bytes` are those of ISO-2022-JP, and not of a coloured terminal.
fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    let escape = bytes.iter().position(|byte| *byte == 0x1B);
    escape.is_some_and(|start| guess(sample_from(bytes, start)) == ISO_2022_JP)
}

/// The charset of bytes of which the first `ascii`, and no more, are ASCII.
fn detect_beyond_ascii(bytes: &[u8], ascii: usize) -> &'static Encoding {
    if is_utf_8(&bytes[ascii..]) || is_nearly_utf_8(sample_from(bytes, ascii)) {
        return UTF_8;
    }
    // The detector judges the first letter by the two bytes before it (`n.º`).
    guess(sample_from(bytes, ascii.saturating_sub(2)))
}

fn sample_from(bytes: &[u8], start: usize) -> &[u8] {
    &bytes[start..bytes.len().min(start + SAMPLE_BYTES)]
}

/// Valid to the end, or cut off within the last character, as a download limit does.
fn is_utf_8(bytes: &[u8]) -> bool {
    let error = std::str::from_utf8(bytes).err();
    error.is_none_or(|error| error.error_len().is_none())
}

fn is_nearly_utf_8(sample: &[u8]) -> bool {
    let (mut chars, mut errors) = (0, 0);
    for chunk in sample.utf8_chunks() {
        chars += chunk.valid().bytes().filter(|byte| *byte >= 0xC0).count();
        errors += usize::from(!chunk.invalid().is_empty());
    }
    chars >= errors * UTF_8_CHARS_PER_ERROR
}

/// Firefox's guess. The sample is never called the last, so that half a character at its end,
/// be it ours or a download limit's doing, does not rule out the right charset.
fn guess(sample: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(sample, false);
    detector.guess(None, Utf8Detection::Allow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use CharsetSource::{Assumed, ByteOrderMark, Detected, Header, Meta};
    use proptest::prelude::*;

    #[track_caller]
    fn assert_decoded(bytes: &[u8], text: &str, charset: &str, source: CharsetSource) {
        let page = decode(bytes, None);
        let found = (&*page.text, page.charset, page.source, page.had_errors);
        assert_eq!(found, (text, charset, source, false));
    }

    /// One test for each line: its name, the charset written, the charset read, the text.
    macro_rules! detects {
        ($($name:ident: $written:ident as $read:ident, $text:expr;)*) => {$(
            #[test]
            fn $name() {
                let text: &str = $text;
                let (bytes, _, unmappable) = encoding_rs::$written.encode(text);
                assert!(!unmappable);
                assert_decoded(&bytes, text, encoding_rs::$read.name(), Detected);
            }
        )*};
    }

    const KOREAN: &str = "<p>오늘 서울에는 비가 내렸다. 내일은 전국이 맑고, 기온은 오늘보다 높겠다";
    const JAPANESE: &str = "<p>今日の東京は雨でした。明日は晴れ、気温は平年より高くなるでしょう。";
    const CHINESE: &str = "<p>今天下午北京下了雨。明天全国天气晴朗，气温比昨天略高。请注意防晒。";
    const RUSSIAN: &str = "<p>Сегодня в Москве шёл дождь. Завтра будет ясно, теплее, чем вчера.";

    detects! {
        korean_in_euc_kr_is_detected: EUC_KR as EUC_KR, KOREAN;
        japanese_in_shift_jis_is_detected: SHIFT_JIS as SHIFT_JIS, JAPANESE;
        japanese_in_euc_jp_is_detected: EUC_JP as EUC_JP, JAPANESE;
        japanese_in_iso_2022_jp_is_detected: ISO_2022_JP as ISO_2022_JP, JAPANESE;
        chinese_in_gbk_is_detected: GBK as GBK, CHINESE;
        chinese_in_gb18030_is_read_as_gbk_even_in_four_bytes: GB18030 as GBK, &format!("{CHINESE}㐀");
        chinese_in_big5_is_detected: BIG5 as BIG5, "今天下午臺北下了雨。明天全國天氣晴朗，氣溫比昨天略高。請注意防曬。";
        russian_in_windows_1251_is_detected: WINDOWS_1251 as WINDOWS_1251, RUSSIAN;
        russian_in_koi8_r_is_read_as_koi8_u_which_has_the_same_letters: KOI8_R as KOI8_U, RUSSIAN;
        polish_in_windows_1250_is_detected: WINDOWS_1250 as WINDOWS_1250, "Dziś w Łodzi padał deszcz. Jutro będzie słonecznie, a później przyjdą też śnieg i mgła.";
        french_in_windows_1252_is_detected: WINDOWS_1252 as WINDOWS_1252, "Il a plu à Paris cet après-midi. Demain, le ciel sera dégagé ; l’été est bientôt terminé.";
        greek_in_windows_1253_is_detected: WINDOWS_1253 as WINDOWS_1253, "Σήμερα έβρεξε στην Αθήνα. Αύριο ο καιρός θα είναι αίθριος σε όλη τη χώρα. Άνεμοι ασθενείς.";
        turkish_in_windows_1254_is_detected: WINDOWS_1254 as WINDOWS_1254, "Bugün İstanbul’da yağmur yağdı. Yarın hava açık olacak, sıcaklık ise artış gösterecek.";
        hebrew_in_windows_1255_is_detected: WINDOWS_1255 as WINDOWS_1255, "היום ירד גשם בירושלים. מחר יהיה בהיר בכל הארץ, והטמפרטורות יעלו במקצת.";
        arabic_in_windows_1256_is_detected: WINDOWS_1256 as WINDOWS_1256, "هطل المطر اليوم في القاهرة. غدا يكون الجو صافيا في جميع أنحاء البلاد، والحرارة أعلى قليلا.";
        lithuanian_in_windows_1257_is_detected: WINDOWS_1257 as WINDOWS_1257, "Šiandien Vilniuje lijo. Rytoj visoje šalyje bus giedra, šiek tiek šilčiau nei užvakar.";
        vietnamese_in_windows_1258_is_detected: WINDOWS_1258 as WINDOWS_1258, "Hôm nay trơ\u{300}i mưa ơ\u{309} Ha\u{300} Nô\u{323}i. Nga\u{300}y mai nă\u{301}ng, nhiê\u{323}t đô\u{323} cao hơn.";
        korean_behind_more_ascii_than_the_sample_is_detected: EUC_KR as EUC_KR, &format!("{}{KOREAN}", "a { b: c }\n".repeat(10_000));
        japanese_behind_more_ascii_than_the_sample_is_detected: ISO_2022_JP as ISO_2022_JP, &format!("{}{JAPANESE}", "a { b: c }\n".repeat(10_000));
    }

    #[test]
    fn utf_16_is_read_with_and_without_its_mark() {
        for text in [KOREAN, JAPANESE, CHINESE, RUSSIAN, "<!doctype html>"] {
            let page = format!("\u{FEFF}<!doctype html>{text}");
            let little: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = page.encode_utf16().flat_map(u16::to_be_bytes).collect();
            for (bytes, charset) in [(little, "UTF-16LE"), (big, "UTF-16BE")] {
                assert_decoded(&bytes, &page[3..], charset, ByteOrderMark);
                assert_decoded(&bytes[2..], &page[3..], charset, Detected);
            }
        }
    }

    #[test]
    fn valid_utf_8_is_borrowed_with_and_without_its_mark() {
        let marked = format!("\u{FEFF}{KOREAN}");
        for (page, source) in [(KOREAN, Detected), (&marked, ByteOrderMark)] {
            assert_decoded(page.as_bytes(), KOREAN, "UTF-8", source);
            let text = decode(page.as_bytes(), None).text;
            assert!(matches!(text, Cow::Borrowed(_)));
        }
    }

    #[test]
    fn ascii_is_assumed_to_be_utf_8_and_so_is_nothing() {
        for text in ["", "<p>Plain.</p>", "\x1B[31mred\x1B[0m"] {
            assert_decoded(text.as_bytes(), text, "UTF-8", Assumed);
        }
    }

    #[test]
    fn a_page_cut_within_its_last_character_keeps_its_charset() {
        for encoding in [UTF_8, encoding_rs::EUC_KR] {
            let (bytes, ..) = encoding.encode(KOREAN);
            let found = decode(&bytes[..bytes.len() - 1], None);
            assert_eq!(found.charset, encoding.name());
            assert!(found.had_errors);
        }
    }

    #[test]
    fn one_broken_byte_becomes_u_fffd_and_leaves_the_page_utf_8() {
        let broken = [KOREAN.as_bytes(), b"\xFF", RUSSIAN.as_bytes()].concat();
        let found = decode(&broken, None).text;
        assert_eq!(found, format!("{KOREAN}\u{FFFD}{RUSSIAN}"));
    }

    #[test]
    fn a_mark_beats_the_header_which_beats_a_meta_which_beats_detection() {
        let learned = |page: &str, header| {
            let found = decode(page.as_bytes(), Some(header));
            (found.charset, found.source)
        };
        let page = format!("<meta charset=windows-1251>{KOREAN}");
        let marked = format!("\u{FEFF}{page}");
        let (silent, big5) = ("text/html", "text/html; charset=big5");
        assert_eq!(learned(&marked, big5), ("UTF-8", ByteOrderMark));
        assert_eq!(learned(&page, big5), ("Big5", Header));
        assert_eq!(learned(&page, silent), ("windows-1251", Meta));
        assert_eq!(learned(KOREAN, silent), ("UTF-8", Detected));
    }

    #[test]
    fn the_header_is_read_in_any_case_quoted_or_not_and_unknown_labels_are_ignored() {
        let korean = r#"a/b;charset=euc-kr|A/B; Charset = "EUC-KR" ; x=y|charset='euc-kr'|
            a/b; x="; charset=big5"; charset=euc-kr|a/b, a/b; charset=ks_c_5601-1987"#;
        for header in korean.split('|') {
            let found = header_charset(header).map(Encoding::name);
            assert_eq!(found, Some("EUC-KR"), "{header}");
        }
        let silent = "|=|a/b|charset|charset=|charset=klingon|xcharset=big5|charset=iso-2022-kr";
        for header in silent.split('|') {
            assert_eq!(header_charset(header), None, "{header}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_decode_without_panic(bytes: Vec<u8>, content_type: Option<String>) {
            let _ = decode(&bytes, content_type.as_deref());
        }
    }
}
