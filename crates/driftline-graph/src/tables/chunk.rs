//! What does a column of a Parquet file hold? Texts, numbers, flags or times, in the ways that others write them.

use driftline::time::Time;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescriptor;

use super::cells::{Cell, LONGEST};

/// How the values of a column are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// As they are: texts, numbers, flags.
    Plain,
    /// Numbers that count units of this many nanoseconds since 1970.
    Since1970(i64),
}

const DAY: i64 = 86_400_000_000_000;

impl Meaning {
    /// Of a column; or what it holds if that is not understood.
    pub(super) fn of(column: &ColumnDescriptor) -> Result<Self, String> {
        if column.max_rep_level() > 0 || column.path().parts().len() > 1 {
            return Err("lists or groups".to_owned());
        }
        if !matches!(
            column.physical_type(),
            Physical::BYTE_ARRAY | Physical::BOOLEAN | Physical::INT32 | Physical::INT64 | Physical::INT96
        ) {
            return Err(format!("values of type {}", column.physical_type()));
        }
        let unit = match (column.logical_type_ref(), column.converted_type()) {
            (Some(LogicalType::Timestamp(timestamp)), _) => match timestamp.unit {
                TimeUnit::MILLIS => 1_000_000,
                TimeUnit::MICROS => 1_000,
                TimeUnit::NANOS => 1,
            },
            (_, ConvertedType::TIMESTAMP_MILLIS) => 1_000_000,
            (_, ConvertedType::TIMESTAMP_MICROS) => 1_000,
            (Some(LogicalType::Date), _) | (_, ConvertedType::DATE) => DAY,
            _ => return Ok(Self::Plain),
        };
        Ok(Self::Since1970(unit))
    }

    fn number(self, number: i64) -> Value {
        match self {
            Self::Plain => Value::Number(number),
            Self::Since1970(unit) => {
                let microseconds = i128::from(number) * i128::from(unit) / 1_000;
                i64::try_from(microseconds).map_or(Value::Odd, |time| Value::Time(Time::from_microseconds(time)))
            }
        }
    }
}

enum Value {
    Empty,
    Text(ByteArray),
    Number(i64),
    Flag(bool),
    Time(Time),
    /// A time beyond all calendars.
    Odd,
}

/// A column within a group of rows, and a batch of its values.
pub(super) struct Chunk {
    reader: ColumnReader,
    meaning: Meaning,
    values: Vec<Value>,
}

impl Chunk {
    pub(super) fn new(reader: ColumnReader, meaning: Meaning) -> Self {
        Self { reader, meaning, values: Vec::new() }
    }

    /// Reads this many values more.
    pub(super) fn fill(&mut self, rows: usize) -> Result<(), ParquetError> {
        let (meaning, into) = (self.meaning, &mut self.values);
        into.clear();
        match &mut self.reader {
            ColumnReader::ByteArrayColumnReader(reader) => read(reader, rows, into, Value::Text),
            ColumnReader::BoolColumnReader(reader) => read(reader, rows, into, Value::Flag),
            ColumnReader::Int32ColumnReader(reader) => read(reader, rows, into, |value| meaning.number(value.into())),
            ColumnReader::Int64ColumnReader(reader) => read(reader, rows, into, |value| meaning.number(value)),
            // Older Spark writes times so.
            ColumnReader::Int96ColumnReader(reader) => {
                read(reader, rows, into, |value| Value::Time(Time::from_microseconds(value.to_micros())))
            }
            _ => Err(ParquetError::General("a column changed its type".to_owned())),
        }
    }

    /// Where in memory a text of the batch is, and its length.
    pub(super) fn place(&self, row: usize) -> Option<(usize, usize)> {
        match &self.values[row] {
            Value::Text(bytes) if !bytes.is_empty() => Some((bytes.data().as_ptr() as usize, bytes.len())),
            _ => None,
        }
    }

    /// A value of the batch.
    pub(super) fn cell(&self, row: usize) -> Cell<'_> {
        match &self.values[row] {
            Value::Empty => Cell::Empty,
            Value::Text(bytes) if bytes.len() > LONGEST => Cell::TooLong,
            Value::Text(bytes) => std::str::from_utf8(bytes.data()).map_or(Cell::NotText, Cell::Text),
            Value::Number(number) => Cell::Number(*number),
            Value::Flag(flag) => Cell::Flag(*flag),
            Value::Time(time) => Cell::Time(*time),
            Value::Odd => Cell::NotText,
        }
    }
}

fn read<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    into: &mut Vec<Value>,
    value: impl Fn(T::T) -> Value,
) -> Result<(), ParquetError> {
    let (mut levels, mut found) = (Vec::new(), Vec::new());
    let (read, _, _) = reader.read_records(rows, Some(&mut levels), None, &mut found)?;
    if read != rows {
        return Err(ParquetError::EOF("a column has fewer values than the table rows".to_owned()));
    }
    let mut found = found.into_iter();
    if levels.is_empty() {
        into.extend(found.map(value));
    } else {
        let next = |level| if level > 0 { found.next().map_or(Value::Empty, &value) } else { Value::Empty };
        into.extend(levels.into_iter().map(next));
    }
    if into.len() == rows { Ok(()) } else { Err(ParquetError::General("rows and values do not agree".to_owned())) }
}
