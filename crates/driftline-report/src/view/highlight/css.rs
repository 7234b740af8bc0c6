//! What of a page's style sheets may be shown? All but what would be fetched.
//!
//! The policy of the frame forbids to fetch anything; this takes the addresses out so that nothing
//! is even tried. Rules are copied as they stand, token by token; addresses that stay get quotes.

use cssparser::{CowRcStr, Delimiter, ParseError, Parser, Token};

/// Deeper nesting is nobody's layout.
const MOST_NESTING: u8 = 40;
/// An image of nothing.
const NOTHING: &str = "url(\"data:,\")";

/// A style sheet, or the declarations of a `style` attribute, without addresses.
pub(super) fn clean(rules: &str) -> String {
    let mut input = Parser::new(rules);
    input.set_nested_block_limit(MOST_NESTING);
    let mut copier = Copier { rules, out: String::with_capacity(rules.len()), kept: 0 };
    copier.copy(&mut input);
    // The end tag of the element that the rules will stand in.
    copier.out.replace("</", "<\\/")
}

/// Does an address lead nowhere else?
pub(super) fn is_harmless(address: &str) -> bool {
    let address = address.trim_start();
    let is_image = address.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("data:image/"));
    let is_font = address.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("data:font/"));
    address.starts_with('#') || is_image || is_font
}

struct Copier<'a> {
    rules: &'a str,
    out: String,
    /// How many addresses stayed.
    kept: usize,
}

impl Copier<'_> {
    fn copy(&mut self, input: &mut Parser<'_>) {
        loop {
            let start = input.position().byte_index();
            let Ok(token) = input.next_including_whitespace_and_comments().cloned() else { return };
            let own = self.rules.get(start..input.position().byte_index()).unwrap_or_default();
            match token {
                Token::UnquotedUrl(address) => self.address(Some(&address)),
                Token::AtKeyword(name) if is_one_of(&name, &["import", "namespace"]) => skip_statement(input),
                Token::AtKeyword(name) if name.eq_ignore_ascii_case("font-face") => self.font(input, own),
                Token::Function(name) if name.eq_ignore_ascii_case("url") => {
                    let quoted: Result<CowRcStr<'_>, ParseError<()>> =
                        input.parse_nested_block(|input| Ok(input.expect_string_cloned()?));
                    self.address(quoted.ok().as_deref());
                }
                Token::Function(name) if is_one_of(&name, &["image-set", "-webkit-image-set", "src", "image"]) => {
                    skip_block(input);
                    self.address(None);
                }
                Token::Function(_) | Token::ParenthesisBlock => self.block(input, own, ')'),
                Token::SquareBracketBlock => self.block(input, own, ']'),
                Token::CurlyBracketBlock => self.block(input, own, '}'),
                Token::Comment(_) => {}
                _ => self.out.push_str(own),
            }
        }
    }

    fn block(&mut self, input: &mut Parser<'_>, own: &str, end: char) {
        self.out.push_str(own);
        let _: Result<(), ParseError<()>> = input.parse_nested_block(|input| {
            self.copy(input);
            Ok(())
        });
        self.out.push(end);
    }

    fn address(&mut self, address: Option<&str>) {
        match address.filter(|address| is_harmless(address)) {
            Some(address) => {
                self.kept += 1;
                self.out.push_str("url(");
                cssparser::serialize_string(address, &mut self.out).unwrap_or_default();
                self.out.push(')');
            }
            None => self.out.push_str(NOTHING),
        }
    }

    /// A font that would be fetched is no font.
    fn font(&mut self, input: &mut Parser<'_>, own: &str) {
        let (start, kept) = (self.out.len(), self.kept);
        let before = Delimiter::CurlyBracketBlock | Delimiter::Semicolon;
        let _: Result<(), ParseError<()>> = input.parse_until_before(before, |input| {
            skip(input);
            Ok(())
        });
        if matches!(input.next(), Ok(Token::CurlyBracketBlock)) {
            self.out.push_str(own);
            self.block(input, "{", '}');
        }
        if self.kept == kept {
            self.out.truncate(start);
        }
    }
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

fn skip(input: &mut Parser<'_>) {
    while input.next().is_ok() {}
}

fn skip_block(input: &mut Parser<'_>) {
    let _: Result<(), ParseError<()>> = input.parse_nested_block(|input| {
        skip(input);
        Ok(())
    });
}

fn skip_statement(input: &mut Parser<'_>) {
    let _: Result<(), ParseError<()>> = input.parse_until_after(Delimiter::Semicolon, |input| {
        skip(input);
        Ok(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_stay_and_addresses_go() {
        assert_eq!(
            clean(
                "@media (min-width:1px){a:hover>b{color:red!important;background:#fff url( http://x/y.png ) no-repeat}}"
            ),
            "@media (min-width:1px){a:hover>b{color:red!important;background:#fff url(\"data:,\") no-repeat}}"
        );
        assert_eq!(clean("@import 'a.css';@import url(b) screen;p{}"), "p{}");
        assert_eq!(clean("a{b:u\\72l(//evil);c:url('//e')}"), "a{b:url(\"data:,\");c:url(\"data:,\")}");
        assert_eq!(clean("a{b:image-set('x.png' 1x)}"), "a{b:url(\"data:,\")}");
        assert_eq!(
            clean("a{fill:url(#g);b:url(data:image/gif;base64,R0)}"),
            "a{fill:url(\"#g\");b:url(\"data:image/gif;base64,R0\")}"
        );
    }

    #[test]
    fn fonts_that_would_be_fetched_go() {
        assert_eq!(clean("@font-face{font-family:x;src:url(x.woff)}p{}"), "p{}");
        let own = "@font-face{src:url(\"data:font/woff2;base64,AA\")}p{}";
        assert_eq!(clean(own), own);
    }

    #[test]
    fn a_font_that_has_data_does_not_keep_other_addresses() {
        for url in
            ["url(data:font/woff2;base64,AA)", "url('data:font/woff2;base64,AA')", "URL( 'DATA:font/woff2;base64,AA' )"]
        {
            let kept =
                clean(&format!("@FONT-FACE {{src:{url},url(//evil.example/f.woff),url('//evil.example/g')}}p{{}}"));
            assert!(kept.contains(":font/woff2;base64,AA\")") || kept.contains("DATA:font/"), "{kept}");
            assert!(!kept.contains("evil") && kept.ends_with("}p{}"), "{kept}");
        }
        assert_eq!(
            clean("@font-face{src:url(//evil.example/f)}q{content:'url(data:font/'}"),
            "q{content:'url(data:font/'}"
        );
        assert_eq!(clean("@font-face{x:'url(data:font/';src:url(//evil.example/f)}p{}"), "p{}");
        assert_eq!(clean("@font-face;p{}"), "p{}");
    }

    #[test]
    fn no_rule_ends_its_element() {
        assert!(!clean("a::after{content:'</style><script>'}").contains("</"));
    }

    #[test]
    fn broken_and_hostile_rules_end() {
        for rules in ["a{", "}}}}", "url(", "a{b:url('", "@font-face", "@import", "\"", "/*"] {
            clean(rules);
        }
        clean(&"(".repeat(100_000));
        clean(&"a{".repeat(100_000));
        clean(&"@font-face ".repeat(100_000));
        clean(&"@font-face{".repeat(100_000));
    }
}
