//! How is a row written as Parquet? Collected into columns, written in groups of rows.
//!
//! The `parquet` crate's low-level writer is used without its `arrow` feature: the arrow
//! crates would add nothing to the four kinds of value there are here. A group is written
//! when it has 65,536 rows or 64 MiB of text, so memory does not grow with the table.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use super::{Column, Heading, Kind, RowWriter, TableError, Value};

/// The most rows in a group.
const GROUP_ROWS: usize = 65_536;
/// The most bytes of text in a group, but for the last row.
const GROUP_TEXT: usize = 64 << 20;

/// A Parquet table in the making.
pub(super) struct Columnar<W: Write + Send> {
    heading: Heading,
    file: SerializedFileWriter<W>,
    group: Vec<Cells>,
    rows: usize,
    text: usize,
}

impl<W: Write + Send> Columnar<W> {
    pub(super) fn new(out: W, columns: &[Column]) -> Result<Self, TableError> {
        let heading = Heading::new(columns)?;
        let zstd = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(zstd).build();
        let schema = schema(columns).map_err(into_io)?;
        let file = SerializedFileWriter::new(out, schema, Arc::new(properties)).map_err(into_io)?;
        let group = columns.iter().map(|column| Cells::new(column.kind)).collect();
        Ok(Self { heading, file, group, rows: 0, text: 0 })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        for cells in &mut self.group {
            let mut column = group.next_column()?.expect("the file has a column for these cells");
            cells.write(&mut column)?;
            column.close()?;
        }
        group.close()?;
        (self.rows, self.text) = (0, 0);
        Ok(())
    }
}

impl<W: Write + Send> RowWriter for Columnar<W> {
    fn write(&mut self, row: &[Value]) -> Result<(), TableError> {
        self.heading.admit(row)?;
        for (cells, value) in self.group.iter_mut().zip(row) {
            cells.push(value);
            self.text += if let Value::Text(text) = value { text.len() } else { 0 };
        }
        self.rows += 1;
        if self.rows >= GROUP_ROWS || self.text >= GROUP_TEXT {
            self.write_group().map_err(into_io)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), TableError> {
        if self.rows > 0 {
            self.write_group().map_err(into_io)?;
        }
        self.file.finish().map_err(into_io)?;
        Ok(())
    }
}

/// The cells of one column that wait for their group to be written.
#[derive(Debug)]
struct Cells {
    /// For each row 1 if it has a value, 0 if it is null: Parquet's definition level.
    present: Vec<i16>,
    values: Values,
}

/// The values of one column without the nulls.
#[derive(Debug)]
enum Values {
    Text(Vec<ByteArray>),
    Integer(Vec<i64>),
    Real(Vec<f64>),
    Flag(Vec<bool>),
}

impl Cells {
    fn new(kind: Kind) -> Self {
        let values = match kind {
            Kind::Text => Values::Text(Vec::new()),
            Kind::Integer => Values::Integer(Vec::new()),
            Kind::Real => Values::Real(Vec::new()),
            Kind::Flag => Values::Flag(Vec::new()),
        };
        Self { present: Vec::new(), values }
    }

    fn push(&mut self, value: &Value) {
        self.present.push(i16::from(*value != Value::Null));
        match (&mut self.values, value) {
            (_, Value::Null) => {}
            (Values::Text(values), Value::Text(text)) => values.push(text.as_str().into()),
            (Values::Integer(values), Value::Integer(integer)) => values.push(*integer),
            (Values::Real(values), Value::Real(real)) => values.push(*real),
            (Values::Flag(values), Value::Flag(flag)) => values.push(*flag),
            _ => unreachable!("the heading admits only values of the column's kind"),
        }
    }

    /// Writes the cells and forgets them.
    fn write(&mut self, column: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let present = std::mem::take(&mut self.present);
        match &mut self.values {
            Values::Text(values) => write::<ByteArrayType>(column, values, &present),
            Values::Integer(values) => write::<Int64Type>(column, values, &present),
            Values::Real(values) => write::<DoubleType>(column, values, &present),
            Values::Flag(values) => write::<BoolType>(column, values, &present),
        }
    }
}

fn write<T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    values: &mut Vec<T::T>,
    present: &[i16],
) -> Result<(), ParquetError> {
    column.typed::<T>().write_batch(values, Some(present), None)?;
    values.clear();
    Ok(())
}

fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let fields = columns.iter().map(|column| field(column).map(Arc::new));
    let fields = fields.collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("driftline").with_fields(fields).build().map(Arc::new)
}

fn field(column: &Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.kind {
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Integer => (Physical::INT64, None),
        Kind::Real => (Physical::DOUBLE, None),
        Kind::Flag => (Physical::BOOLEAN, None),
    };
    Type::primitive_type_builder(column.name, physical)
        .with_logical_type(logical)
        .with_repetition(Repetition::OPTIONAL)
        .build()
}

/// The output's own error where there is one, so that callers see its kind.
fn into_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(source) => io::Error::other(source),
        },
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use ::parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::Field;

    use super::super::parquet;
    use super::*;

    const COLUMNS: [Column; 4] = [
        Column::new("text", Kind::Text),
        Column::new("integer", Kind::Integer),
        Column::new("real", Kind::Real),
        Column::new("flag", Kind::Flag),
    ];

    fn written(rows: impl Iterator<Item = Vec<Value>>) -> SerializedFileReader<File> {
        let mut out = tempfile::tempfile().unwrap();
        let mut writer = parquet(&mut out, &COLUMNS).unwrap();
        rows.for_each(|row| writer.write(&row).unwrap());
        writer.finish().unwrap();
        SerializedFileReader::new(out).unwrap()
    }

    fn read(reader: &SerializedFileReader<File>) -> Vec<Vec<Value>> {
        let value = |(_, field): (&String, &Field)| match field {
            Field::Null => Value::Null,
            Field::Str(text) => Value::Text(text.clone()),
            Field::Long(integer) => Value::Integer(*integer),
            Field::Double(real) => Value::Real(*real),
            Field::Bool(flag) => Value::Flag(*flag),
            other => panic!("{other:?}"),
        };
        let rows = reader.get_row_iter(None).unwrap();
        rows.map(|row| row.unwrap().get_column_iter().map(value).collect()).collect()
    }

    fn numbered(row: i64) -> Vec<Value> {
        let text = (row % 3 > 0).then(|| format!("page {}", row % 10));
        vec![text.into(), row.into(), (row as f64 / 7.0).into(), (row % 2 == 0).into()]
    }

    #[test]
    fn rows_are_read_back_as_they_were_written() {
        let rows = vec![
            vec!["".into(), i64::MIN.into(), f64::INFINITY.into(), true.into()],
            vec![Value::Null, Value::Null, Value::Null, Value::Null],
            vec!["ü \" ,\n".into(), i64::MAX.into(), (-0.1).into(), false.into()],
        ];
        assert_eq!(read(&written(rows.clone().into_iter())), rows);
    }

    #[test]
    fn a_long_table_is_written_in_groups_of_rows() {
        let reader = written((0..150_000).map(numbered));
        let groups = reader.metadata().row_groups().iter();
        assert_eq!(groups.map(RowGroupMetaData::num_rows).collect::<Vec<_>>(), [65_536, 65_536, 18_928]);
        assert_eq!(read(&reader), (0..150_000).map(numbered).collect::<Vec<_>>());
    }

    #[test]
    fn long_texts_make_shorter_groups() {
        let page = "x".repeat(16 << 20);
        let row = || vec![page.as_str().into(), Value::Null, Value::Null, Value::Null];
        let reader = written((0..5).map(|_| row()));
        let groups = reader.metadata().row_groups().iter();
        assert_eq!(groups.map(RowGroupMetaData::num_rows).collect::<Vec<_>>(), [4, 1]);
    }

    #[test]
    fn a_table_without_rows_still_has_its_columns() {
        let reader = written(std::iter::empty());
        assert_eq!(read(&reader), Vec::<Vec<Value>>::new());
        assert_eq!(reader.metadata().file_metadata().schema_descr().num_columns(), 4);
    }

    #[test]
    fn columns_are_optional_and_compressed() {
        let reader = written((0..10).map(numbered));
        let group = reader.metadata().row_group(0);
        let zstd = |column: &ColumnChunkMetaData| matches!(column.compression(), Compression::ZSTD(_));
        assert!(group.columns().iter().all(zstd));
        assert!(group.schema_descr().columns().iter().all(|column| column.max_def_level() == 1));
    }
}
