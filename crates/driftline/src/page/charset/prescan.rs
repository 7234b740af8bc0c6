//! Which charset does the page itself declare? Read from 1024 raw bytes, before it is parsed.
//!
//! Parsing needs text and text needs a charset, so HTML says how to look for a declaration in raw
//! bytes ("prescan a byte stream to determine its encoding", with "get an attribute", "extract a
//! character encoding from a meta element" and "get an XML encoding"). We follow it, because a guess
//! of our own would disagree with browsers on exactly the pages that are malformed. In one point
//! we do not: `replacement` labels (`iso-2022-kr`, `hz-gb-2312`) count as unknown, as in `decode`.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// How far browsers look; authors are told to declare within it.
const PRESCAN_BYTES: usize = 1024;

/// The charset that a `<meta>` element, or failing that an XML declaration, claims.
pub(super) fn declared_charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(PRESCAN_BYTES)];
    let declared = meta_charset(head).or_else(|| xml_charset(head))?;
    Some(believable(declared))
}

/// What a declaration means that was readable as ASCII: then the page cannot be UTF-16, and
/// `x-user-defined` was only ever a trick of scripts to fetch binary files.
fn believable(declared: &'static Encoding) -> &'static Encoding {
    if declared == UTF_16LE || declared == UTF_16BE {
        UTF_8
    } else if declared == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        declared
    }
}

/// The first usable `<meta>` outside comments; `None` as soon as the bytes run out.
fn meta_charset(head: &[u8]) -> Option<&'static Encoding> {
    let mut scan = Scan { rest: head };
    loop {
        scan.take_until(|byte| byte == b'<')?;
        match scan.rest {
            [_, b'!', b'-', b'-', ..] => scan.skip_comment()?,
            [_, name @ ..] if is_meta(name) => {
                scan.advance(b"<meta".len());
                if let Some(charset) = charset_of_meta(&scan.attributes()?) {
                    return Some(charset);
                }
            }
            [_, b'/', first, ..] | [_, first, ..] if first.is_ascii_alphabetic() => {
                // Its attributes are read too: a `<meta` within one of them is no element.
                scan.take_until(|byte| byte.is_ascii_whitespace() || byte == b'>')?;
                scan.attributes()?;
            }
            [_, b'!' | b'/' | b'?', ..] => scan.take_until(|byte| byte == b'>').map(drop)?,
            _ => scan.advance(1),
        }
    }
}

/// `meta` as a whole name: `<metadata>` is another element.
fn is_meta(name: &[u8]) -> bool {
    matches!(name.split_at_checked(4), Some((word, [next, ..]))
        if word.eq_ignore_ascii_case(b"meta") && (next.is_ascii_whitespace() || *next == b'/'))
}

/// `charset=` decides alone, even with an unknown label; `content=` counts only as a content type.
fn charset_of_meta(attributes: &[Attribute<'_>]) -> Option<&'static Encoding> {
    let value = |name: &[u8]| {
        let mut all = attributes.iter();
        let first = all.find(|attribute| attribute.name.eq_ignore_ascii_case(name));
        first.map(|attribute| attribute.value)
    };
    if let Some(label) = value(b"charset") {
        return Encoding::for_label_no_replacement(label);
    }
    value(b"http-equiv").filter(|kind| kind.eq_ignore_ascii_case(b"content-type"))?;
    Encoding::for_label_no_replacement(charset_in_content(value(b"content")?)?)
}

/// The label in `text/html; charset=label`: after the first `charset` that an `=` follows.
fn charset_in_content(mut content: &[u8]) -> Option<&[u8]> {
    const WORD: &[u8] = b"charset";
    loop {
        let mut places = content.windows(WORD.len());
        let start = places.position(|place| place.eq_ignore_ascii_case(WORD))?;
        content = content[start + WORD.len()..].trim_ascii_start();
        if let Some(value) = content.strip_prefix(b"=") {
            return label_at_start(value.trim_ascii_start());
        }
    }
}

/// A label in quotes, which must be closed, or up to a space or semicolon.
fn label_at_start(value: &[u8]) -> Option<&[u8]> {
    if matches!(value.first()?, b'"' | b'\'') {
        return quoted(value);
    }
    let mut words = value.split(|byte| byte.is_ascii_whitespace() || *byte == b';');
    words.next()
}

/// What stands between the quote that `value` starts with and the next one of its kind.
fn quoted(value: &[u8]) -> Option<&[u8]> {
    let (quote, inside) = value.split_first()?;
    let end = inside.iter().position(|byte| byte == quote)?;
    matches!(quote, b'"' | b'\'').then(|| &inside[..end])
}

/// The `encoding` of `<?xml … encoding="label"?>` at the very start.
fn xml_charset(head: &[u8]) -> Option<&'static Encoding> {
    const WORD: &[u8] = b"encoding";
    let declaration = head.strip_prefix(b"<?xml")?;
    let end = declaration.iter().position(|byte| *byte == b'>')?;
    let declaration = &declaration[..end];
    let mut places = declaration.windows(WORD.len());
    let start = places.position(|place| place == WORD)?;
    let value = declaration[start + WORD.len()..].trim_ascii_start();
    let label = quoted(value.strip_prefix(b"=")?.trim_ascii_start())?;
    let is_one_word = label.iter().all(|byte| *byte > b' ');
    Encoding::for_label_no_replacement(label).filter(|_| is_one_word)
}

/// One attribute; a missing value is empty.
struct Attribute<'a> {
    name: &'a [u8],
    value: &'a [u8],
}

/// The bytes not yet looked at. Methods answer `None` when these run out: a declaration that is
/// cut off at the 1024th byte is none.
struct Scan<'a> {
    rest: &'a [u8],
}

impl<'a> Scan<'a> {
    /// Goes behind `-->`, whose dashes may be those of `<!--`: `<!-->` is a whole comment.
    fn skip_comment(&mut self) -> Option<()> {
        self.advance(b"<!".len());
        let end = self.rest.windows(3).position(|place| place == b"-->")?;
        self.advance(end + b"-->".len());
        Some(())
    }

    /// All attributes up to the `>` of a tag.
    fn attributes(&mut self) -> Option<Vec<Attribute<'a>>> {
        let mut attributes = Vec::new();
        loop {
            self.take_until(|byte| !byte.is_ascii_whitespace() && byte != b'/')?;
            if self.rest.first()? == &b'>' {
                return Some(attributes);
            }
            attributes.push(self.attribute()?);
        }
    }

    /// `name`, `name=value` or `name="value"`; a `=` in first place belongs to the name.
    fn attribute(&mut self) -> Option<Attribute<'a>> {
        let start = self.rest;
        self.advance(1);
        let more = self.take_until(|byte| byte.is_ascii_whitespace() || b"=/>".contains(&byte))?;
        let name = &start[..=more.len()];
        self.skip_whitespace()?;
        let has_value = self.rest.first()? == &b'=';
        let value = if has_value { self.value()? } else { b"" };
        Some(Attribute { name, value })
    }

    /// The value behind the `=` that comes next.
    fn value(&mut self) -> Option<&'a [u8]> {
        self.advance(1);
        self.skip_whitespace()?;
        if matches!(self.rest.first()?, b'"' | b'\'') {
            let value = quoted(self.rest)?;
            self.advance(value.len() + 2);
            return Some(value);
        }
        self.take_until(|byte| byte.is_ascii_whitespace() || byte == b'>')
    }

    fn skip_whitespace(&mut self) -> Option<()> {
        self.take_until(|byte| !byte.is_ascii_whitespace()).map(drop)
    }

    fn take_until(&mut self, stop: impl Fn(u8) -> bool) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|byte| stop(*byte))?;
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(taken)
    }

    fn advance(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn declared(html: &str) -> Option<&'static str> {
        declared_charset(html.as_bytes()).map(Encoding::name)
    }

    #[track_caller]
    fn assert_each_declares(pages: &str, charset: Option<&str>) {
        for html in pages.split('|') {
            assert_eq!(declared(html), charset, "{html}");
        }
    }

    #[test]
    fn a_meta_charset_is_read_in_any_case_and_with_any_quotes() {
        let pages = "<meta charset=euc-kr>|<META CHARSET='EUC-KR'>|<meta/charset=korean >\
            |<!doctype html><html lang=ko><head><meta\n charset = \" euc-kr\" />";
        assert_each_declares(pages, Some("EUC-KR"));
    }

    #[test]
    fn a_content_type_in_meta_counts_only_with_its_http_equiv() {
        let page = |kind| format!("<meta content='text/html; charset=Shift_JIS' {kind}>");
        assert_eq!(declared(&page("http-equiv=Content-Type")), Some("Shift_JIS"));
        assert_eq!(declared(&page("http-equiv=refresh")), None);
        assert_eq!(declared(&page("name=description")), None);
    }

    #[test]
    fn the_charset_within_content_may_be_quoted_but_the_quote_must_close() {
        let meta = |content| declared(&format!("<meta http-equiv=content-type content={content}>"));
        assert_eq!(meta("\"charset: 'x' charset = 'big5' x\""), Some("Big5"));
        assert_eq!(meta("'text/html;charset=big5;x=y'"), Some("Big5"));
        assert_eq!(meta("\"text/html; charset='big5\""), None);
        assert_eq!(meta("'text/html; charset='"), None);
    }

    #[test]
    fn comments_declarations_and_attribute_values_hide_a_meta() {
        let pages = "<!-- <meta charset=big5> --><meta charset=koi8-r>\
            |<a title='<meta charset=big5>'><meta charset=koi8-r>\
            |<?x <meta charset=big5><meta charset=koi8-r>\
            |<!--><meta charset=koi8-r>-->";
        assert_each_declares(pages, Some("KOI8-R"));
        assert_each_declares("<!-- never closed <meta charset=koi8-r>", None);
    }

    #[test]
    fn a_utf_16_label_means_utf_8_and_x_user_defined_means_windows_1252() {
        assert_each_declares("<meta charset=utf-16be>|<?xml encoding='UTF-16'?>", Some("UTF-8"));
        assert_each_declares("<meta charset=x-user-defined>", Some("windows-1252"));
    }

    #[test]
    fn an_unknown_label_is_passed_over_but_a_repeated_attribute_is_not_read() {
        let pages = "<meta charset=klingon><meta charset=gbk>|<meta charset=gbk charset=big5>\
            |<meta charset=iso-2022-kr><meta charset=gbk>";
        assert_each_declares(pages, Some("GBK"));
        assert_each_declares("<meta charset=klingon charset=gbk>", None);
    }

    #[test]
    fn malformed_declarations_declare_nothing() {
        let metas = "|<|</|<!-|<meta|<meta |<meta charset|<meta charset=|<meta charset=gbk\
            |<meta charset='gbk>|<meta charset=>|<meta =charset=gbk>|<metadata charset=gbk>\
            |< meta charset=gbk>|<meta charset=\"\">|<meta content=charset=gbk>";
        assert_each_declares(metas, None);
        let xml = "<?xml|<?xml?>|<?xml encoding=gbk?>|<?xml encoding='gbk|<?xml encoding='g bk'?>\
            |<?xml encoding'gbk'?>|<?xml?> encoding='gbk'>| <?xml encoding='gbk'?>";
        assert_each_declares(xml, None);
    }

    #[test]
    fn a_meta_that_ends_behind_byte_1024_is_not_seen() {
        let page = |length: usize| format!("{:>length$}", "<meta charset=gbk>");
        assert_eq!(declared(&page(1024)), Some("GBK"));
        assert_eq!(declared(&page(1025)), None);
    }

    #[test]
    fn an_xml_declaration_counts_where_no_meta_does() {
        let xml = "<?xml version=\"1.0\" encoding = 'euc-jp' ?>";
        assert_eq!(declared(&format!("{xml}<rss>")), Some("EUC-JP"));
        assert_eq!(declared(&format!("{xml}<meta charset=gbk>")), Some("GBK"));
    }

    proptest! {
        #[test]
        fn any_markup_is_scanned_without_panic(
            html in "(<|>|<!--|-->|<meta |charset|content|http-equiv|=|'|\"|/|gbk|<\\?xml|encoding){0,60}"
        ) {
            declared(&html);
        }
    }
}
