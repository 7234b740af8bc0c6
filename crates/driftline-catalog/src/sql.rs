//! A statement that is put together from the conditions that are wanted, with the values that it binds.

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe};

use crate::row::text;

/// A statement and its values. Only texts of this crate become a part of it; what users say is bound.
#[derive(Debug, Default)]
pub(crate) struct Sql {
    text: String,
    values: Vec<Value>,
}

#[derive(Debug)]
enum Value {
    Text(String),
    Number(i64),
    Real(f64),
}

impl Sql {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), values: Vec::new() }
    }

    /// Adds a part of the statement.
    pub(crate) fn add(&mut self, part: &str) {
        self.text.push_str(part);
    }

    /// Adds a part in which each `?` stands for a text.
    pub(crate) fn texts(&mut self, part: &str, values: &[&str]) {
        self.bind(part, values.iter().map(|value| Value::Text(text(value))));
    }

    /// Adds a part in which each `?` stands for a number.
    pub(crate) fn numbers(&mut self, part: &str, values: &[i64]) {
        self.bind(part, values.iter().copied().map(Value::Number));
    }

    /// Adds a part in which `?` stands for a number with a fraction.
    pub(crate) fn real(&mut self, part: &str, value: f64) {
        self.bind(part, std::iter::once(Value::Real(value)));
    }

    fn bind(&mut self, part: &str, values: impl Iterator<Item = Value>) {
        let mut pieces = part.split('?');
        self.text.push_str(pieces.next().unwrap_or_default());
        for (piece, value) in pieces.zip(values) {
            self.values.push(value);
            self.text.push_str(&format!("${}{piece}", self.values.len()));
        }
    }

    pub(crate) fn query<'q>(self) -> Query<'q, Any, AnyArguments> {
        let query = sqlx::query(AssertSqlSafe(self.text));
        self.values.into_iter().fold(query, |query, value| match value {
            Value::Text(text) => query.bind(text),
            Value::Number(number) => query.bind(number),
            Value::Real(real) => query.bind(real),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Sql;

    #[test]
    fn values_are_bound_in_the_order_of_their_places() {
        let mut sql = Sql::new("SELECT 1 WHERE true");
        sql.texts(" AND a = ?", &["x"]);
        sql.numbers(" AND (b, c) < (?, ?)", &[1, 2]);
        sql.real(" AND d >= ?", 0.5);
        assert_eq!(sql.text, "SELECT 1 WHERE true AND a = $1 AND (b, c) < ($2, $3) AND d >= $4");
        assert_eq!(sql.values.len(), 4);
    }
}
