//! Bodies that have broken other tools, each with its name.

/// Bodies to survive; the largest has a few megabytes.
#[must_use]
#[expect(clippy::too_many_lines, reason = "a list")]
pub fn bodies() -> Vec<(&'static str, Vec<u8>)> {
    let repeat = |piece: &str, times: usize| piece.repeat(times).into_bytes();
    vec![
        ("empty", Vec::new()),
        ("one byte", b"<".to_vec()),
        ("only NULs", vec![0; 4096]),
        ("NULs inside words", b"<p>a\0b c\0\0d</p>".to_vec()),
        ("binary", (0..=255).cycle().take(100_000).map(|byte: u32| (byte.wrapping_mul(167) >> 2) as u8).collect()),
        ("PNG header", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0".to_vec()),
        ("invalid UTF-8", b"<p>caf\xe9 \xff\xfe\xc3</p>".to_vec()),
        ("lone surrogates in UTF-16", b"\xff\xfe<\0p\0>\0\x00\xd8a\0".to_vec()),
        ("truncated in a tag", b"<html><body><p class=\"x".to_vec()),
        ("truncated in an entity", b"<p>a &am".to_vec()),
        ("truncated in a comment", b"<p>a <!-- b".to_vec()),
        ("truncated in a script", b"<p>a</p><script>if (a < b".to_vec()),
        ("100,000 nested divs", repeat("<div>", 100_000)),
        ("100,000 nested spans, closed", [repeat("<span>", 100_000), repeat("</span>", 100_000)].concat()),
        ("20,000 nested formatting elements", repeat("<b><i>", 10_000)),
        ("formatting elements reopened in every paragraph", repeat("<p><b id=x><i id=y>", 5_000)),
        ("adoption agency", repeat("<a><p></a>", 2_000)),
        ("tables in tables", repeat("<table><tr><td>", 3_000)),
        ("text fostered out of a table", b"<table>a<tr>b<td>c</td>d</tr>e</table>".to_vec()),
        ("text fostered to one node from every row", [b"<table>".to_vec(), repeat("a<td>x", 20_000)].concat()),
        ("noscript in noscript", [b"<body>".to_vec(), repeat("<noscript>", 20_000), repeat("</h1>", 20_000)].concat()),
        ("links in a drawing", [b"<svg>".to_vec(), repeat("<link>", 20_000), repeat("</x>", 20_000)].concat()),
        ("a long attribute opened again in every paragraph", {
            let opened = format!("<p><b title=\"{}\">", "x".repeat(65_536));
            [opened.into_bytes(), repeat("<p>a ", 20_000)].concat()
        }),
        (
            "many bodies",
            [
                b"<body".to_vec(),
                (0..255).flat_map(|i| format!(" a{i}").into_bytes()).collect(),
                b">".to_vec(),
                repeat("<body a1>", 20_000),
            ]
            .concat(),
        ),
        ("only end tags", repeat("</div>", 50_000)),
        (
            "100,000 attributes",
            [b"<p ".to_vec(), (0..100_000).flat_map(|i| format!("a{i}=b ").into_bytes()).collect(), b">x".to_vec()]
                .concat(),
        ),
        ("one very long word", repeat("a", 1_000_000)),
        ("one very long Thai word", repeat("ก", 100_000)),
        ("combining marks", repeat("a\u{301}", 50_000)),
        ("right to left", "<p dir=rtl>\u{202e}שלום עולם مرحبا".into()),
        ("entities of nothing", b"&#0;&#xd800;&#x110000;&nosuch;&".to_vec()),
        ("doctypes everywhere", repeat("<!doctype html><html><body>", 2_000)),
        ("frameset", b"<frameset><frame src=a></frameset>".to_vec()),
        ("template in template", repeat("<template>", 2_000)),
        (
            "svg and math",
            b"<svg><style>p</style><foreignObject><p>a</svg><math><annotation-xml encoding=text/html><p>b".to_vec(),
        ),
        ("plaintext", b"<plaintext></plaintext><p>a".to_vec()),
        ("broken XML", b"<?xml version='1.0'?><a><b>x</a></b>&undefined; <c".to_vec()),
        (
            "billion laughs",
            b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b \"c c\"><!ENTITY d \"&b;&b;\">]><a>&d;</a>".to_vec(),
        ),
        ("100,000 nested XML elements", [b"<?xml version='1.0'?>".to_vec(), repeat("<a>", 100_000)].concat()),
        ("100,000 nested JSON arrays", repeat("[", 100_000)),
        ("JSON with a huge number", b"{\"a\": 1e999999, \"b\": 123456789012345678901234567890}".to_vec()),
        ("JSON cut short", b"{\"a\": [1, 2".to_vec()),
        ("a lying UTF-16 meta", b"<meta charset=utf-16><p>a".to_vec()),
        ("byte order mark alone", b"\xef\xbb\xbf".to_vec()),
        ("ESC garbage", b"\x1b$B\x1b(\x1b$@\x7f\x7f".to_vec()),
    ]
}
