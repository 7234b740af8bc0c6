//! What stands in an XML file? Elements one after the other, in little memory; nothing outside the file is looked at.

use std::collections::HashMap;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::NotAList;

/// Deeper nesting is an attack.
const MOST_DEPTH: usize = 64;
/// The longest text of an element that is kept.
const MOST_TEXT: usize = 16_384;

/// Something that is seen in its turn. Names are without their prefix, in lower case.
pub(super) enum Seen {
    /// An element began.
    Opened { name: String, attributes: HashMap<String, String> },
    /// An element ended; its own text since the last tag.
    Closed { name: String, text: String },
}

/// Shows what stands in a text to `visit`, until it says `false`.
pub(super) fn walk(bytes: &[u8], mut visit: impl FnMut(Seen) -> bool) -> Result<(), NotAList> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    reader.config_mut().allow_unmatched_ends = true;
    reader.config_mut().allow_dangling_amp = true;
    let (mut depth, mut own) = (0_usize, String::new());
    loop {
        let event = reader.read_event().map_err(|_| {
            let end = usize::try_from(reader.error_position()).unwrap_or(usize::MAX).min(text.len());
            let line = text.as_bytes()[..end].split(|byte| *byte == b'\n').count();
            NotAList::Xml(format!("a tag, a comment or the like is not well-formed or does not end, in line {line}"))
        })?;
        let goes_on = match event {
            Event::Start(tag) => {
                depth += 1;
                own.clear();
                visit(opened(&tag))
            }
            Event::Empty(tag) => {
                own.clear();
                visit(opened(&tag))
                    && visit(Seen::Closed { name: name(tag.local_name().as_ref()), text: String::new() })
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                let text = std::mem::take(&mut own).trim().to_owned();
                visit(Seen::Closed { name: name(tag.local_name().as_ref()), text })
            }
            Event::Text(text) => push(&mut own, &text),
            Event::CData(text) => push(&mut own, &text),
            Event::GeneralRef(entity) => push(&mut own, &resolved(&entity)),
            Event::Eof => return Ok(()),
            _ => true,
        };
        if depth > MOST_DEPTH {
            return Err(NotAList::Xml(format!("its elements are nested more than {MOST_DEPTH} deep")));
        }
        if !goes_on {
            return Ok(());
        }
    }
}

fn opened(tag: &BytesStart<'_>) -> Seen {
    let mut attributes = tag.html_attributes();
    let attributes = attributes.with_checks(false).flatten().map(|attribute| {
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_or_else(|_| attribute.value.to_string(), std::borrow::Cow::into_owned);
        (name(attribute.key.local_name().as_ref()), value)
    });
    Seen::Opened { name: name(tag.local_name().as_ref()), attributes: attributes.collect() }
}

fn name(text: &str) -> String {
    text.to_ascii_lowercase()
}

fn push(own: &mut String, text: &str) -> bool {
    if own.len() + text.len() <= MOST_TEXT {
        own.push_str(text);
    }
    true
}

/// One of XML's own entities, or a number; others stay as they are written.
fn resolved(entity: &str) -> String {
    let written = format!("&{entity};");
    quick_xml::escape::unescape(&written).map(std::borrow::Cow::into_owned).unwrap_or(written)
}

#[cfg(test)]
mod tests {
    use super::walk;

    #[test]
    fn xml_that_breaks_off_is_named_with_its_line_and_no_words_of_the_parser() {
        for text in ["<opml>\n<body>\n<!-- no end", "<opml>\n\n<outline text='a"] {
            let error = walk(text.as_bytes(), |_| true).unwrap_err().to_string();
            assert!(error.starts_with("it is no XML: a tag, a comment or the like is not well-formed"), "{error}");
            assert!(error.ends_with(", in line 3"), "{error}");
        }
        assert!(walk(b"<a><b/></a>", |_| true).is_ok());
    }
}
