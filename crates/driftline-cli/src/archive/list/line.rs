//! How does a capture, or an address, read on one line?

use std::io::{self, Write};

use driftline_catalog::address::is_page;
use driftline_catalog::{CaptureKind, NewCapture, StoredCapture, UrlSummary};
use driftline_report::summary::safe::for_terminal;
use serde_json::json;

/// A capture as it is listed.
pub(super) struct Line<'a> {
    pub(super) stored: &'a StoredCapture,
    pub(super) is_version: bool,
    pub(super) degree: Option<f64>,
}

impl Line<'_> {
    pub(super) fn print(&self, output: &mut impl Write, json: bool) -> io::Result<()> {
        if json { writeln!(output, "{}", self.json()) } else { writeln!(output, "{}", self.text()) }
    }

    fn text(&self) -> String {
        let capture = &self.stored.capture;
        let status = capture.status.map_or_else(|| "-".to_owned(), |status| status.to_string());
        let degree = self.degree.map_or_else(|| "-".to_owned(), |degree| format!("{degree:.4}"));
        format!(
            "{:<27}  {status:>3}  {:<24}  {:>10}  {:<8}  {degree:>6}  {}",
            capture.at.to_string(),
            for_terminal(capture.mime.as_deref().unwrap_or("-")),
            capture.length,
            self.mark(),
            for_terminal(&capture.url)
        )
    }

    /// What it is to the history of its page.
    fn mark(&self) -> &'static str {
        let NewCapture { kind, status, .. } = self.stored.capture;
        match status {
            _ if self.is_version => "version",
            Some(304) => "same",
            _ if is_page(status, kind == CaptureKind::Revisit) => "same",
            Some(300..=399) => "redirect",
            _ => "failed",
        }
    }

    fn json(&self) -> serde_json::Value {
        let capture = &self.stored.capture;
        json!({
            "url": capture.url,
            "at": capture.at.to_string(),
            "kind": kind(capture.kind),
            "status": capture.status,
            "mime": capture.mime,
            "digest": capture.digest,
            "bytes": capture.payload_length,
            "redirect": capture.redirect,
            "version": self.is_version,
            "degree": self.degree,
            "segment": self.stored.segment,
            "offset": capture.offset,
            "length": capture.length,
        })
    }
}

pub(super) fn print_address(output: &mut impl Write, summary: &UrlSummary, json: bool) -> io::Result<()> {
    let UrlSummary { url, captures, first, latest, .. } = summary;
    if json {
        let (first, latest) = (first.to_string(), latest.to_string());
        return writeln!(output, "{}", json!({"url": url, "captures": captures, "first": first, "latest": latest}));
    }
    writeln!(output, "{captures:>8}  {:<27}  {:<27}  {}", first.to_string(), latest.to_string(), for_terminal(url))
}

fn kind(kind: CaptureKind) -> &'static str {
    match kind {
        CaptureKind::Response => "response",
        CaptureKind::Revisit => "revisit",
        CaptureKind::Resource => "resource",
        CaptureKind::Conversion => "conversion",
    }
}
