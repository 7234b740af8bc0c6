//! How is a row written as CSV or TSV? Quoted where needed, numbers so that they read back exactly.
//!
//! Reals always carry a point or an exponent (`1.0`, `1e300`), so tools that guess types do
//! not take a column of whole reals for integers.

use std::io::{self, Write};

use super::{Column, Heading, RowWriter, TableError, Value};

/// A CSV or TSV table in the making.
pub(super) struct Delimited<W: Write> {
    heading: Heading,
    out: csv::Writer<W>,
}

impl<W: Write> Delimited<W> {
    pub(super) fn new(out: W, columns: &[Column], sign: u8) -> Result<Self, TableError> {
        let heading = Heading::new(columns)?;
        let mut out = csv::WriterBuilder::new().delimiter(sign).from_writer(out);
        let names = columns.iter().map(|column| column.name);
        out.write_record(names).map_err(plain)?;
        Ok(Self { heading, out })
    }
}

impl<W: Write + Send> RowWriter for Delimited<W> {
    fn write(&mut self, row: &[Value]) -> Result<(), TableError> {
        self.heading.admit(row)?;
        let written = row.iter().try_for_each(|value| match value {
            Value::Null => self.out.write_field(""),
            Value::Text(text) => self.out.write_field(text),
            Value::Integer(integer) => self.out.write_field(integer.to_string()),
            Value::Real(real) => self.out.write_field(format!("{real:?}")),
            Value::Flag(flag) => self.out.write_field(flag.to_string()),
        });
        // An empty record ends the fields written one by one.
        let ended = written.and_then(|()| self.out.write_record(None::<&[u8]>));
        Ok(ended.map_err(plain)?)
    }

    fn finish(mut self: Box<Self>) -> Result<(), TableError> {
        Ok(self.out.flush()?)
    }
}

/// What happened to the output: wrapped up, nobody would see that its reader went away.
fn plain(error: csv::Error) -> io::Error {
    let kind = match error.kind() {
        csv::ErrorKind::Io(inner) => inner.kind(),
        _ => return error.into(),
    };
    io::Error::new(kind, error)
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, csv};
    use super::*;

    #[test]
    fn a_reader_who_went_away_is_seen() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut writer = csv(Gone, &[Column::new("text", Kind::Text)]).unwrap();
        let row: [Value; 1] = ["x".repeat(1 << 20).as_str().into()];
        let error = writer.write(&row).unwrap_err();
        assert!(matches!(&error, TableError::Write(error) if error.kind() == io::ErrorKind::BrokenPipe), "{error}");
    }

    #[test]
    fn every_kind_is_written_so_that_it_reads_back() {
        let columns = [
            Column::new("text", Kind::Text),
            Column::new("integer", Kind::Integer),
            Column::new("real", Kind::Real),
            Column::new("flag", Kind::Flag),
        ];
        let mut out = Vec::new();
        let mut writer = csv(&mut out, &columns).unwrap();
        writer.write(&["a \"b\", c\nd".into(), i64::MIN.into(), 1.0.into(), true.into()]).unwrap();
        writer.write(&[Value::Null, Value::Null, 1e300.into(), false.into()]).unwrap();
        writer.write(&["ü".into(), 0_u32.into(), f64::NAN.into(), Value::Null]).unwrap();
        writer.finish().unwrap();
        let expected = "text,integer,real,flag\n\
            \"a \"\"b\"\", c\nd\",-9223372036854775808,1.0,true\n\
            ,,1e300,false\n\
            ü,0,NaN,\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
