//! `--format` of commands that write tables: any format of tables, or one of the command's own.

use std::path::Path;

use anyhow::Result;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use driftline_report::table;

use crate::output::Output;

/// What a command writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableOr<T> {
    /// A format that only this command has.
    Own(T),
    /// A table.
    Table(table::Format),
}

impl<T: ValueEnum + 'static> TableOr<T> {
    /// All of them: the command's own first.
    fn all() -> impl Iterator<Item = (PossibleValue, Self)> {
        let own = T::value_variants().iter();
        let own = own.filter_map(|own| Some((own.to_possible_value()?, Self::Own(own.clone()))));
        let named = |format: table::Format| PossibleValue::new(format.name()).help(format.describe());
        own.chain(table::Format::ALL.iter().map(move |&format| (named(format), Self::Table(format))))
    }

    /// The names of all, for a hint.
    pub(crate) fn names() -> Vec<String> {
        Self::all().map(|(value, _)| value.get_name().to_owned()).collect()
    }

    fn named(name: &str) -> Option<Self> {
        Self::all().find(|(value, _)| value.matches(name, true)).map(|(_, format)| format)
    }
}

impl<T> TableOr<T> {
    /// The table whose files have this name.
    pub(crate) fn table_of(path: &Path) -> Option<Self> {
        let ending = path.extension()?;
        let format = table::Format::ALL.iter().find(|format| ending.eq_ignore_ascii_case(format.name()))?;
        Some(Self::Table(*format))
    }
}

/// A parser of the names of all formats.
pub(super) fn table_or<T: ValueEnum + Send + Sync + 'static>() -> impl TypedValueParser<Value = TableOr<T>> {
    let names = TableOr::<T>::all().map(|(value, _)| value).collect::<Vec<_>>();
    PossibleValuesParser::new(names).try_map(|name| TableOr::named(&name).ok_or("there is no such format"))
}

/// Where a table goes.
pub(crate) fn table_output(format: table::Format, path: Option<&Path>) -> Result<Output> {
    if format.is_binary() { Output::of_bytes(path, format.describe()) } else { Ok(Output::new(path)) }
}
