//! What may a template do? Name fields, and repeat or leave out a part; nothing else.
//!
//! A subset of mustache: `{{name}}` is a field, `{{#name}}…{{/name}}` is written for each entry of a list, or if a field
//! says anything, `{{^name}}…{{/name}}` if it says nothing, `{{! … }}` is a remark. There are no expressions, calls, partials,
//! unescaped fields or other delimiters: notifications of other monitors were hacked through their templates
//! (CVE-2024-32651). A name that does not exist is an error when the template is read, not a blank in a message.

mod parse;
#[cfg(test)]
mod tests;

use super::fields::{Field, Fields};

/// The most bytes of a template.
pub const MOST_BYTES: usize = 64 << 10;
/// The most sections inside each other.
pub const MOST_DEPTH: usize = 16;
/// The most bytes of what is written by one.
pub const MOST_WRITTEN: usize = 4 << 20;

/// A template that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Field(String),
    Section { name: String, is_inverted: bool, parts: Vec<Part> },
}

/// Why a template cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot use the {what}template: line {line}: {why}")]
pub struct TemplateError {
    what: String,
    line: usize,
    why: String,
}

impl TemplateError {
    /// The same, of a template with a name.
    #[must_use]
    pub(super) fn of(self, name: &str) -> Self {
        Self { what: format!("{name} "), ..self }
    }
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// If it is too long or too deep, a section is not closed, or a name is not known.
    pub fn read(text: &str) -> Result<Self, TemplateError> {
        parse::parse(text).map(|parts| Self { parts })
    }

    /// Writes it; fields are escaped.
    pub(super) fn write(&self, fields: &Fields, escape: fn(&str) -> String) -> String {
        let mut writer = Writer { scopes: vec![fields], escape, written: String::new() };
        writer.parts(&self.parts);
        writer.written
    }
}

struct Writer<'a> {
    scopes: Vec<&'a Fields>,
    escape: fn(&str) -> String,
    written: String,
}

impl<'a> Writer<'a> {
    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            if self.written.len() > MOST_WRITTEN {
                return;
            }
            match part {
                Part::Text(text) => self.written.push_str(text),
                Part::Field(name) => match self.find(name) {
                    Some(Field::Text(text)) => self.written.push_str(&(self.escape)(text)),
                    Some(Field::Sign(sign)) => self.written.push_str(sign),
                    Some(Field::Flag(_) | Field::List(_)) | None => {}
                },
                Part::Section { name, is_inverted, parts } => self.section(name, *is_inverted, parts),
            }
        }
    }

    fn section(&mut self, name: &str, is_inverted: bool, parts: &[Part]) {
        let field = self.find(name);
        if is_inverted {
            if field.is_none_or(Field::is_empty) {
                self.parts(parts);
            }
            return;
        }
        match field {
            Some(Field::List(entries)) => {
                for entry in entries {
                    self.scopes.push(entry);
                    self.parts(parts);
                    self.scopes.pop();
                }
            }
            Some(field) if !field.is_empty() => self.parts(parts),
            _ => {}
        }
    }

    /// The field of the innermost scope that has it.
    fn find(&self, name: &str) -> Option<&'a Field> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }
}
