//! CDX, the older kind of index: columns, whose letters the first line says.

use super::Line;

/// What the columns are.
#[derive(Debug, Clone)]
pub(super) struct Columns(Vec<u8>);

/// Without a first line: the columns of the Wayback Machine, and those of its early days.
const ELEVEN: &[u8] = b"NbamskrMSVg";
const NINE: &[u8] = b"NbamskrVg";

impl Columns {
    /// Reads the first line: ` CDX N b a m s k r M S V g`. Its first character parts the columns.
    pub(super) fn parse(header: &str) -> Option<Self> {
        let letters = header.trim_start().strip_prefix("CDX")?.split_ascii_whitespace();
        let letters: Option<Vec<u8>> = letters.map(|letter| letter.bytes().next()).collect();
        letters.filter(|letters| !letters.is_empty()).map(Self)
    }

    /// Reads a line.
    pub(super) fn line(columns: Option<&Self>, text: &str) -> Option<Line> {
        let words: Vec<_> = text.split(' ').collect();
        let letters = match columns {
            Some(columns) => columns.0.as_slice(),
            None if words.len() == NINE.len() => NINE,
            None => ELEVEN,
        };
        if words.len() != letters.len() {
            return None;
        }
        let column = |letter| letters.iter().position(|&own| own == letter).map(|at| words[at]);
        let word = |letter| column(letter).filter(|&word| word != "-").map(str::to_owned);
        let number = |letter| word(letter).map(|word| word.parse().ok());
        Some(Line {
            key: column(b'N').or_else(|| column(b'A'))?.to_owned(),
            at: column(b'b')?.parse().ok()?,
            url: word(b'a'),
            mime: word(b'm'),
            status: word(b's'),
            digest: word(b'k'),
            length: number(b'S').unwrap_or(Some(0)).filter(|&length| length > 0),
            offset: number(b'V').or_else(|| number(b'v')).unwrap_or(None),
            filename: word(b'g'),
            ..Line::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Columns;

    #[test]
    fn the_first_line_decides() {
        let columns = Columns::parse(" CDX N b a m s k r V g").unwrap();
        let text = "com,example)/ 20140101000000 http://example.com/ text/html 200 B2LT - 334 a.arc.gz";
        for line in [Columns::line(Some(&columns), text), Columns::line(None, text)].map(Option::unwrap) {
            assert_eq!((line.offset, line.length, line.filename.as_deref()), (Some(334), None, Some("a.arc.gz")));
        }
        let eleven = "- 20171003092402 http://a.com/ unknown 200 null http://a.com/ - - 0 -";
        assert_eq!(Columns::line(Some(&columns), eleven), None);
        assert_eq!(Columns::line(None, eleven).unwrap().offset, Some(0));
        assert!(Columns::parse("com,example)/ 2014").is_none());
    }
}
