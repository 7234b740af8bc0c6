//! Seeds that are pages and feeds, mostly two versions of one.

use driftline_testkit::zoo;

use super::{Seeds, file, pair};

const PAIRS: &str = "crates/driftline-testkit/data/pages/pairs";
const STREAMS: &str = "crates/driftline-testkit/data/streams";
/// Bodies of the zoo are cut to so many bytes.
const MOST_OF_BODY: usize = 2_000;

/// A small page in which each of the six things happens to words, and its next version.
const BEFORE: &str = "<h1>The harbour café</h1><p>We open from nine to five.<p>Fish comes fresh from the boats every day.\
    <ul><li>Coffee<li>Tea<li>Milk</ul><table><tr><td>Soup<td>4.50</table><p>Dogs are welcome. Dogs are welcome.\
    <p>Find us behind the old lighthouse.<img src=boat.png alt=Boat>";
const NOW: &str = "<h1>The harbour café</h1><p>We open from nine to six, also on Sundays.<p>Find us behind the old \
    lighthouse.<p>Fish comes fresh from the boats every day.<ul><li>Coffee<li>Tea<li>Milk</ul><table><tr><td>Soup\
    <td>4.90</table><p>Dogs are welcome.<p>Fish comes fresh from the boats every day.<a href=/map>Map</a>";

/// Bodies that have broken other tools: name and beginning.
fn zoo_bodies() -> Vec<(String, Vec<u8>)> {
    let bodies = zoo::bodies().into_iter().filter(|(_, body)| !body.is_empty());
    bodies
        .map(|(name, mut body)| {
            body.truncate(MOST_OF_BODY);
            body.retain(|byte| *byte != super::PARTING);
            (name.replace([' ', ','], "-"), body)
        })
        .collect()
}

/// Two versions of a real page, each cut to what a seed may have.
fn real(choice: u8, [site, older, newer]: [&str; 3]) -> Vec<u8> {
    let [older, newer] = [older, newer].map(|name| file(&format!("{PAIRS}/{site}/{name}")));
    pair(&[choice], &older, &newer)
}

const FLINK: [&str; 3] = ["flink-apache-org/content-zh", "2023-05-09T08-22-06Z.html", "2024-10-17T16-03-47Z.html"];
const JSER: [&str; 3] = ["jser-info/ko", "2025-11-13T08-48-01Z.html", "2025-11-26T02-21-27Z.html"];

pub(super) fn compare(seeds: &Seeds) {
    for choice in [0, 1, 8, 16, 24, 32, 64, 72] {
        seeds.add(&format!("harbour-{choice}"), pair(&[choice], BEFORE.as_bytes(), NOW.as_bytes()));
    }
    seeds.add("flink-apache-org", real(0, FLINK));
    seeds.add("jser-info", real(24, JSER));
    for (name, body) in zoo_bodies() {
        seeds.add(&format!("zoo-{name}"), pair(&[0], &body, NOW.as_bytes()));
    }
}

pub(super) fn feed(seeds: &Seeds) {
    let site = "olshansk-feeds/feed-feeds-feed-anthropic-engineering";
    seeds.add("olshansk", real(0, [site, "2025-06-19T03-45-22Z.xml", "2025-09-21T01-32-29Z.xml"]));
    let item = |number: u32, text: &str| {
        format!(
            "<item><guid>{number}</guid><link>http://a.example/{number}</link><title>{text}</title>\
            <description>&lt;p&gt;{text} and more words&lt;/p&gt;</description><pubDate>Wed, 06 Nov 2024 08:49:37 GMT</pubDate></item>"
        )
    };
    let rss = |items: &[String]| {
        format!("<rss version=\"2.0\"><channel><title>News</title>{}</channel></rss>", items.concat())
    };
    let (older, newer) = (rss(&[item(1, "One"), item(2, "Two")]), rss(&[item(3, "Three"), item(1, "Once")]));
    seeds.add("rss", pair(&[0], older.as_bytes(), newer.as_bytes()));
    seeds.add("rss-short", pair(&[32], older.as_bytes(), newer.as_bytes()));
    seeds.add("items", pair(&[1], item(1, "One").as_bytes(), item(1, "Two").as_bytes()));
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title>N</title><entry><id>urn:1</id><title type='html'>A &lt;b></title>\
        <link href='/1'/><updated>2024-11-06T08:49:37Z</updated><content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>\
        <p>Words</p></div></content></entry></feed>";
    seeds.add("atom", pair(&[0], atom.as_bytes(), atom.replace("Words", "Other words").as_bytes()));
    let json = r#"{"version": "https://jsonfeed.org/version/1.1", "title": "N", "items": [{"id": "1", "url": "http://a.example/1",
        "title": "One", "content_html": "<p>Words", "date_published": "2024-11-06T08:49:37Z", "tags": ["a"]}]}"#;
    seeds.add("json", pair(&[0], json.as_bytes(), json.replace("Words", "Other").as_bytes()));
    let rdf = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>\
        <item rdf:about='http://a.example/1'><title>One</title><link>http://a.example/1</link></item></rdf:RDF>";
    seeds.add("rdf", pair(&[0], rdf.as_bytes(), rdf.replace("One", "Two").as_bytes()));
}

/// A page that tries everything.
const HOSTILE: &str = "<html onclick=hack()><head><title>Hostile</title><script>parent.document.title = 'x'</script>\
    <meta http-equiv=refresh content='0;url=//evil/'><base href='//evil/'><link rel=stylesheet href=a.css>\
    <link rel=preload as=image href=//evil/p.png><style>@import '//evil/i.css'; @font-face { font-family: x; src: url(//evil/f) }\
    p::after { content: u\\72l(//evil/e) } q { content: '</style><script>' }</style></head>\
    <body onload=hack() background=//evil/b><img src=x onerror=hack()><img src=//evil/i srcset='//evil/s 2x'>\
    <iframe src=//evil/f></iframe><iframe srcdoc='<script>hack()</script>'></iframe><object data=//evil/o></object>\
    <embed src=//evil/e><video src=//evil/v poster=//evil/p></video><form action=//evil/f><button formaction=//evil/b>Send</button>\
    </form><a href='javascript:hack()' ping=//evil/p>link</a><svg onload=hack()><image href=//evil/s /><use href='//evil/u#a'/>\
    <set attributeName=href to=//evil /><a xlink:href='javascript:hack()'><text>d</text></a><style>rect{fill:url(//evil/f#a)}</style>\
    <foreignObject><p>in</p></foreignObject></svg><math><mtext><table><mglyph><style><!--</style>\
    <img title=\"--&gt;&lt;img src=1 onerror=hack()&gt;\"><noscript><p title=\"</noscript><img src=x onerror=hack()>\"></noscript>\
    <p style='background: url(//evil/a)'>Some new words</p></body></html>";

pub(super) fn highlighted(seeds: &Seeds) {
    seeds.add("hostile", pair(&[0], BEFORE.as_bytes(), HOSTILE.as_bytes()));
    seeds.add("hostile-twice", pair(&[2], HOSTILE.as_bytes(), HOSTILE.replace("new", "old").as_bytes()));
    seeds.add("hostile-xml", pair(&[4], HOSTILE.as_bytes(), NOW.as_bytes()));
    seeds.add("hostile-short", pair(&[1], HOSTILE.as_bytes(), NOW.as_bytes()));
    seeds.add("harbour", pair(&[0], BEFORE.as_bytes(), NOW.as_bytes()));
    seeds.add("flink-apache-org", real(0, FLINK));
    let marked =
        "<h1 data-driftline=1 id=driftline-node-4>Same</h1><driftline-layer>x</driftline-layer><x-own>y</x-own>";
    seeds.add("marks", pair(&[0], marked.as_bytes(), marked.replace("Same", "Other").as_bytes()));
    for (number, page) in [
        "<svg></p><style><a id=\"</style><img src=1 onerror=hack()>\">words",
        "<math><mi><table><mglyph></mglyph><style></math><img src onerror=hack()>",
        "<form><math><mtext></form><form><mglyph><style></math><img src onerror=hack()>",
        "<noembed><img title=\"</noembed><img src onerror=hack()>\"></noembed><xmp></xmp><script>",
        "<svg><desc><noscript>&lt;/noscript>&lt;p title=\"&lt;/desc>&lt;script>hack()&lt;/script>",
        "<select><option><style></option></select><b><style>{x:y</style><plaintext>&lt;script>",
        "<a href=' &#1;javascript:hack()'>a</a><area href=data:text/html,x><math href=javascript:hack()>m",
        "<style media='\"><script>'>@font-face{src:url('data:font/x'),url(//evil/f)}a{b:image-set('x' 1x)}</style><p>w",
    ]
    .into_iter()
    .enumerate()
    {
        seeds.add(&format!("mutation-{number}"), pair(&[0], b"<p>words", page.as_bytes()));
    }
}

pub(super) fn json(seeds: &Seeds) {
    let shop = r#"{"items": [{"name": "Soup", "price": 4.5, "tags": ["hot", "new"]}, {"name": "Tea", "price": 1e0}], "open": true,
        "next": null, "café": "\u00e9\ud83d\ude00 \"\\\/\n"}"#;
    let now = r#"{"open": false, "items": [{"name": "Fish", "price": 12.90, "tags": []}, {"price": 4.90, "name": "Soup"}], "next": {}}"#;
    seeds.add("shop", pair(&[], shop.as_bytes(), now.as_bytes()));
    seeds.add("values", pair(&[], b"[0, -0, 1e999, 123456789012345678901234567890, \"\", {\"\": []}]", b"\"text\""));
    seeds
        .add("deep", pair(&[], &[b"[".repeat(127), b"1".to_vec(), b"]".repeat(127)].concat(), &b"{\"a\":".repeat(200)));
    seeds.add("twice", pair(&[], br#"{"a": 1, "a": {"a": 2}, "b.c": [[]], "b": {"c": 3}}"#, br#"{"a": 2}"#));
    seeds.add("cut", pair(&[], b"{\"a\": [1, 2", b"\xef\xbb\xbf{\"a\": [1, 2]} more"));
    seeds.add(
        "wide",
        pair(&[], "\u{feff}[1]".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice(), b"[1]"),
    );
    seeds.add("lines", pair(&[], b"{\"a\": 1}\n{\"a\": 2}\n", b"{\"a\": 1}\n{\"a\": 3}\n"));
}

pub(super) fn selectors(seeds: &Seeds) {
    for (name, selector) in [
        ("plain", "p, div > b, #a.b, [href^='/'] + li ~ img"),
        ("functions", ":not(p):is(a, b) :where(.x) :nth-child(2n+1 of li, td) :has(> img)"),
        ("places", "ul li:first-child, td:last-of-type, :nth-last-child(3), :only-child, :empty, :root"),
        ("attributes", "[a], [b=c i], [d~=e], [f|=g], [h$='i'], [j*=\"k\" s], *|*, svg|a"),
        ("escapes", "#\\31 23, .a\\:b, \\0000e9, p::text, a:hover"),
        ("deep", ":not(:not(:not(:is(:is(:where(p))))))"),
        ("path", "//div[@class='x']/p[2] | //a/@href"),
    ] {
        seeds.add(name, pair(&[], selector.as_bytes(), NOW.as_bytes()));
    }
    let newer = file(&format!("{PAIRS}/{}/{}", FLINK[0], FLINK[2]));
    seeds.add("flink-apache-org", pair(&[], b"main p, a[href]:not([class]) img, li:nth-child(odd) > a", &newer));
}

pub(super) fn template(seeds: &Seeds) {
    let documents = |numbers: std::ops::RangeInclusive<u32>| -> Vec<u8> {
        let all = numbers.map(|number| file(&format!("{STREAMS}/flink-posts-and-stubs/{number:04}.html")));
        all.filter(|document| document.len() < 1_000).collect::<Vec<_>>().join(&0)
    };
    seeds.add("flink-stubs", documents(15..=46));
    let (old, new) =
        ("<div class=a><h1>T</h1><p>w</p></div>", "<main><section id=b><h2>T</h2><ul><li>w</ul></section></main>");
    seeds.add("redesign", [old, old, old, old, new, new, new, old].join("\0"));
    seeds.add("harbour", [BEFORE, NOW, BEFORE, "", "plain", NOW].join("\0"));
    seeds.add(
        "zoo",
        zoo_bodies()
            .into_iter()
            .take(20)
            .map(|(_, body)| body[..body.len().min(500)].to_vec())
            .collect::<Vec<_>>()
            .join(&0),
    );
    seeds.add("state", r#"{"parameters":{"history":3,"horizon":1}}"#);
}
