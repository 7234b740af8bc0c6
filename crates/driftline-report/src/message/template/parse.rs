//! How is a template read? Tag by tag; a tag that stands alone on its line takes the line with it.

use super::super::fields::{KNOWN, Known};
use super::{MOST_BYTES, MOST_DEPTH, Part, TemplateError};

/// A section that is not closed yet.
struct Open {
    name: String,
    is_inverted: bool,
    line: usize,
    /// What stands before it.
    before: Vec<Part>,
    /// Is it a list, so that names of its entries are known inside?
    opens_scope: bool,
}

struct Parser<'a> {
    text: &'a str,
    /// How far it is read.
    at: usize,
    parts: Vec<Part>,
    open: Vec<Open>,
    /// The names that are known, the innermost list last.
    scopes: Vec<&'static [Known]>,
}

pub(super) fn parse(text: &str) -> Result<Vec<Part>, TemplateError> {
    let mut parser = Parser { text, at: 0, parts: Vec::new(), open: Vec::new(), scopes: vec![KNOWN] };
    if text.len() > MOST_BYTES {
        return Err(parser.wrong("it is longer than 65,536 bytes"));
    }
    while parser.tag()? {}
    match parser.open.last() {
        Some(open) => {
            let why = format!("`{{{{#{}}}}}` is not closed\nhint: write `{{{{/{}}}}}`", open.name, open.name);
            Err(TemplateError { line: open.line, ..parser.wrong(&why) })
        }
        None => Ok(parser.parts),
    }
}

impl Parser<'_> {
    /// Reads up to the end of the next tag; false at the end.
    fn tag(&mut self) -> Result<bool, TemplateError> {
        let rest = &self.text[self.at..];
        let Some(start) = rest.find("{{") else {
            self.push_text(rest.to_owned());
            self.at = self.text.len();
            return Ok(false);
        };
        let Some(length) = rest[start..].find("}}") else {
            self.at += start;
            return Err(self.wrong("`{{` is not closed\nhint: write `}}` behind the name"));
        };
        let (mut before, inside) = (&rest[..start], &rest[start + 2..start + length]);
        let mut end = self.at + start + length + 2;
        if inside.starts_with(['#', '^', '/', '!'])
            && let Some((shorter, behind)) = self.alone(before, end)
        {
            (before, end) = (shorter, behind);
        }
        self.push_text(before.to_owned());
        self.at += start;
        let (sign, name) =
            inside.split_at(inside.len() - inside.trim_start_matches(['#', '^', '/', '!', '&', '{', '>', '=']).len());
        self.apply(sign, name.trim())?;
        self.at = end;
        Ok(true)
    }

    fn apply(&mut self, sign: &str, name: &str) -> Result<(), TemplateError> {
        match sign {
            "" => {
                self.known(name)?;
                self.parts.push(Part::Field(name.to_owned()));
                Ok(())
            }
            "#" | "^" => self.begin(name, sign == "^"),
            "/" => self.end(name),
            _ if sign.starts_with('!') => Ok(()),
            _ => Err(self.wrong(&format!(
                "`{{{{{sign}` is not known\nhint: there are {{{{name}}}}, {{{{#name}}}}, {{{{^name}}}}, {{{{/name}}}} and {{{{! remark}}}}"
            ))),
        }
    }

    fn begin(&mut self, name: &str, is_inverted: bool) -> Result<(), TemplateError> {
        let known = self.known(name)?;
        if self.open.len() == MOST_DEPTH {
            return Err(self.wrong("more than 16 sections are inside each other"));
        }
        let inner = if is_inverted { None } else { known.entries };
        if inner.is_some() && self.open.iter().any(|open| open.opens_scope && open.name == name) {
            return Err(self.wrong(&format!("`{name}` is inside itself")));
        }
        self.scopes.extend(inner);
        let open = Open {
            name: name.to_owned(),
            is_inverted,
            line: self.line(),
            before: std::mem::take(&mut self.parts),
            opens_scope: inner.is_some(),
        };
        self.open.push(open);
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<(), TemplateError> {
        match self.open.pop() {
            Some(open) if open.name == name => {
                let parts = std::mem::replace(&mut self.parts, open.before);
                self.parts.push(Part::Section { name: open.name, is_inverted: open.is_inverted, parts });
                if open.opens_scope {
                    self.scopes.pop();
                }
                Ok(())
            }
            Some(open) => Err(self.wrong(&format!("`{{{{/{name}}}}}` closes `{}`", open.name))),
            None => Err(self.wrong(&format!("`{{{{/{name}}}}}` closes nothing"))),
        }
    }

    fn known(&self, name: &str) -> Result<&'static Known, TemplateError> {
        let mut all = self.scopes.iter().rev().flat_map(|scope| scope.iter());
        all.find(|known| known.name == name).ok_or_else(|| {
            let names: Vec<&str> =
                self.scopes.iter().rev().flat_map(|scope| scope.iter().map(|known| known.name)).collect();
            let shown: String = name.chars().take(60).collect();
            self.wrong(&format!("there is no field `{shown}` here\nhint: there are {}", names.join(", ")))
        })
    }

    /// If a tag stands alone on its line: what stands before the line, and where the next line begins.
    fn alone<'a>(&self, before: &'a str, end: usize) -> Option<(&'a str, usize)> {
        let trimmed = before.trim_end_matches([' ', '\t']);
        if !(trimmed.ends_with('\n') || trimmed.is_empty() && (self.at == 0 || self.text[..self.at].ends_with('\n'))) {
            return None;
        }
        let rest = &self.text[end..];
        let line = rest.split_inclusive('\n').next().unwrap_or_default();
        line.trim().is_empty().then_some((trimmed, end + line.len()))
    }

    fn push_text(&mut self, text: String) {
        if !text.is_empty() {
            self.parts.push(Part::Text(text));
        }
    }

    fn line(&self) -> usize {
        self.text[..self.at].matches('\n').count() + 1
    }

    fn wrong(&self, why: &str) -> TemplateError {
        TemplateError { what: String::new(), line: self.line(), why: why.to_owned() }
    }
}
