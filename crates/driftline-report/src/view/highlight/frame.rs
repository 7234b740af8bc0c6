//! How is one version shown? As a document of its own in a frame in which nothing can happen.
//!
//! The frame is sandboxed without scripts, forms, popups and navigation of the page around it. It
//! keeps the origin of that page (`allow-same-origin`) so that its script, known by hash, can scroll
//! to a region and see where it stands; without `allow-scripts` that gives the page inside nothing.
//! Its addresses are relative to `about:srcdoc`, so that links to places on the page work, and no
//! others.

use std::fmt::Write as _;

use driftline::page::Page;
use driftline::page::markup::{Attributes, Markup, Rules, Sheet};
use maud::{Escaper, Markup as Html, html as html_markup};

use super::Original;
use super::marks::Side;
use super::{clean, css};

const STYLE: &str = include_str!("frame.css");
/// What a browser does to pages of the time before standards; a frame made like ours never does it.
const QUIRKS: &str = ":where(table){font-size:medium;font-weight:normal;font-style:normal;line-height:normal;\
    text-align:start;white-space:normal}:where(body){min-height:100vh}";
/// Icons are as large as the page when the style sheet that sizes them is not there.
const UNSTYLED: &str = ":where(svg:not([width],[height],[style])){max-width:6rem;max-height:6rem}";
/// Shapes and colours, nothing else.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";

/// The frame of one version.
pub(super) fn frame(side: Side, name: &str, markup: &Markup, original: &Original<'_>, page: &Page) -> Html {
    let document = document(markup, original, page);
    html_markup! {
        iframe name=(side.name()) title=(name) sandbox="allow-same-origin" referrerpolicy="no-referrer" srcdoc=(document) {}
    }
}

fn document(markup: &Markup, original: &Original<'_>, page: &Page) -> String {
    let mut out = String::with_capacity(markup.content.len() + 16_384);
    out.push_str("<!DOCTYPE html><html");
    push_attributes(&mut out, &clean::attributes(&markup.html));
    out.push_str("><head><meta charset=\"utf-8\"><base href=\"about:srcdoc\">");
    let _ = write!(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    out.push_str("<meta name=\"referrer\" content=\"no-referrer\">");
    out.push_str("<meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">");
    if markup.quirks {
        push_style(&mut out, "", QUIRKS);
    }
    let is_missing =
        |sheet: &Sheet| matches!(&sheet.rules, Rules::Linked(address) if !original.sheets.contains_key(address));
    if markup.sheets.iter().any(is_missing) {
        push_style(&mut out, "", UNSTYLED);
    }
    markup.sheets.iter().for_each(|sheet| push_sheet(&mut out, sheet, original));
    push_style(&mut out, "", STYLE);
    out.push_str("</head><body");
    push_attributes(&mut out, &clean::attributes(&markup.body));
    out.push('>');
    out.push_str(&clean::content(&markup.content, page));
    out.push_str("</body></html>");
    out
}

fn push_sheet(out: &mut String, sheet: &Sheet, original: &Original<'_>) {
    match &sheet.rules {
        Rules::Own(rules) => push_style(out, &sheet.media, rules),
        Rules::Linked(address) => {
            if let Some(rules) = original.sheets.get(address) {
                push_style(out, &sheet.media, &css::clean(rules));
            }
        }
    }
}

fn push_style(out: &mut String, media: &str, rules: &str) {
    out.push_str("<style");
    if !media.is_empty() {
        push_attribute(out, "media", media);
    }
    let _ = write!(out, ">{rules}</style>");
}

fn push_attributes(out: &mut String, attributes: &Attributes) {
    attributes.iter().for_each(|(name, value)| push_attribute(out, name, value));
}

fn push_attribute(out: &mut String, name: &str, value: &str) {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.')) {
        let _ = write!(out, " {name}=\"");
        let _ = Escaper::new(out).write_str(value);
        out.push('"');
    }
}
