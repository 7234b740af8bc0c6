//! A table of captures and of what `URL@TIME` means among them, for the catalog and for files read in place.

/// A capture: its address, its time, its status, and whether it is a revisit.
pub type Captured = (&'static str, &'static str, u16, bool);

/// The captures that are there.
pub const CAPTURES: [Captured; 11] = [
    ("http://example.org/", "2010-01-01T00:00:00Z", 200, false),
    ("http://example.org/", "2015-01-01T00:00:00Z", 301, false),
    ("https://www.example.org/", "2015-06-01T00:00:00Z", 200, false),
    ("http://example.org/", "2017-01-01T00:00:00Z", 304, false),
    ("http://example.org/", "2018-01-01T00:00:00Z", 304, true),
    ("http://example.org/", "2019-01-01T00:00:00Z", 404, false),
    ("http://example.org/", "2020-01-01T00:00:00.2Z", 200, false),
    ("https://example.org/", "2020-01-01T00:00:00.7Z", 200, false),
    ("http://example.org/", "2022-01-01T00:00:00Z", 503, false),
    ("http://example.org/gone", "2020-01-01T00:00:00Z", 404, false),
    ("http://example.org/gone", "2021-01-01T00:00:00Z", 301, false),
];

/// What is asked for, and the place in the list of what is meant.
pub const CASES: [(&str, Option<usize>); 21] = [
    ("http://example.org/@first", Some(0)),
    ("http://example.org/@2010", Some(0)),
    // Redirects and errors are passed over, unless they are asked for.
    ("http://example.org/@2014-12", Some(2)),
    ("http://example.org/@=2015", Some(1)),
    ("http://example.org/@2022", Some(6)),
    ("http://example.org/@=2022", Some(8)),
    // "Not modified" is a page if it stands for one.
    ("http://example.org/@2017", Some(4)),
    ("http://example.org/@=2017", Some(3)),
    // Equally near in whole seconds: the address itself, then the nearer one.
    ("http://example.org/@2019", Some(4)),
    ("https://example.org/@2019", Some(7)),
    ("http://example.org/@2020", Some(6)),
    ("https://example.org/@2020", Some(7)),
    ("https://www.example.org/@2020", Some(6)),
    ("http://example.org/@latest", Some(6)),
    ("https://example.org/@latest", Some(7)),
    ("http://example.org/@=20200101000000", Some(6)),
    ("https://example.org/@=20200101000000", Some(7)),
    // Where there is no page, anything is better than nothing.
    ("http://example.org/gone@2020-12", Some(10)),
    ("http://example.org/gone@first", Some(9)),
    ("http://example.org/@=2016", None),
    ("http://example.org/none@2020", None),
];
