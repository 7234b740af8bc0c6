//! Seeds that are lines of text: settings, watches, templates, heads.

use std::io::Cursor;

use driftline_archive::warc::Reader;

use super::{PARTING, Seeds, blocks, file, text};

const MONITORS: &str = "crates/driftline-watch/tests/data/monitors";
const TEMPLATES: &str = "crates/driftline-report/src/message/templates";
const ARCHIVES: &str = "crates/driftline-testkit/data/warc/files";

pub(super) fn settings(seeds: &Seeds) {
    for (document, name) in [
        ("docs/reference/settings.md", "settings"),
        ("docs/reference/watches.md", "watches"),
        ("docs/guides/targets.md", "targets"),
        ("docs/guides/browser.md", "browser"),
        ("docs/concepts/schedule.md", "schedule"),
    ] {
        for (number, block) in blocks(document, "toml\n").iter().enumerate() {
            seeds.add(&format!("{name}-{number}"), block);
        }
    }
    seeds.add(
        "secrets",
        "catalog = 'postgres://me@host/pages'\nwarc = 's3://pages/warc/'\n[s3]\nsecret-access-key = 'hush-hush-hush'\n\
         [targets.a]\ntype = 'email'\nserver = 'mail.example'\nuser = 'me'\npassword = 'open-sesame-1'\nto = ['a@b.example']\n\
         [targets.b]\ntype = 'telegram'\ntoken = '123:the-token'\nchat = 5\n[targets.c]\ntype = 'webhook'\n\
         url = 'https://a.example/'\nsecret = 'signed-with-this'\nheaders = { Authorization = 'Bearer xyz' }\n",
    );
    seeds.add(
        "values",
        "30s\n1h30m\n2w\nauto\n0 9 * * mon-fri\n@daily\n10m mon-fri 08:00-18:00\n2024-11-06\n20241106084937\n2024-11-06T08:49:37Z\n\
         keep=50,older-than=1y\nthin\n10.0.0.0/8\nfd00::/8\nexample.org/page\n(?i)price.*\n",
    );
}

pub(super) fn watches(seeds: &Seeds) {
    for (number, block) in blocks("docs/reference/watches.md", "toml\n").iter().enumerate() {
        seeds.add(&format!("toml-{number}"), format!("\u{4}{block}"));
    }
    for name in ["urlwatch-2.29", "webchanges-3.37.0"] {
        seeds.add(name, [b"\0", file(&format!("{MONITORS}/{name}.yaml")).as_slice()].concat());
    }
    seeds.add(
        "opml",
        "\u{1}<opml version='2.0'><body><outline text='News'><outline type='rss' text='A &amp; B' xmlUrl='http://a.example/feed' \
         htmlUrl='http://a.example/'/></outline></body></opml>",
    );
    seeds.add(
        "sitemap",
        "\u{2}<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://a.example/1</loc>\
         <lastmod>2024-11-06</lastmod><changefreq>daily</changefreq></url><url><loc>http://a.example/2?a&amp;b</loc></url></urlset>",
    );
    seeds
        .add("sitemap-index", "\u{2}<sitemapindex><sitemap><loc>http://a.example/s.xml</loc></sitemap></sitemapindex>");
    seeds.add("list", "\u{3}http://a.example/ # a remark\n\nhttps://b.example/x?y#z name of it\nexample.org\n");
}

pub(super) fn messages(seeds: &Seeds) {
    let usual = ["subject.txt", "text.txt", "mail.html"].map(|name| file(&format!("{TEMPLATES}/{name}")));
    let all = |choice: u8| [vec![choice], usual.join(&PARTING)].concat();
    for choice in [0, 5, 14, 255] {
        seeds.add(&format!("usual-{choice}"), all(choice));
    }
    for (number, block) in blocks("docs/guides/targets.md", "text\n").iter().enumerate() {
        seeds.add(
            &format!("guide-{number}"),
            [b"\xff{{names}}\xff", block.as_bytes(), b"\xff", block.as_bytes()].concat(),
        );
    }
    let fields = text("docs/reference/targets.md");
    let names = fields.split('`').filter(|name| name.starts_with("{{") && name.ends_with("}}")).collect::<String>();
    seeds.add("fields", [b"\xff\xff", names.as_bytes(), b"\xff", names.as_bytes()].concat());
    seeds.add(
        "sections",
        b"\xff{{count}}{{^several}}x{{/several}}\xff{{#events}}{{#why}}{{why}}{{/why}}{{#pages}}{{title}}{{summary}}{{/pages}}\
          {{#excerpts}}{{selector}}{{#pieces}}{{open}}{{text}}{{close}}{{/pieces}}{{/excerpts}}{{#tags}}{{tag}}{{/tags}}{{/events}}\
          {{#more}}{{more}}{{/more}}{{! remark }}\xff{{#events}}{{name}}{{link}}{{#excerpts}}{{#pieces}}{{open}}{{text}}{{close}}\
          {{/pieces}}{{/excerpts}}{{/events}}",
    );
    seeds.add("broken", b"\0{{#events}}\xff{{/events}}{{nothing}}\xff{{{name}}}{{&name}}{{>name}}{{=<% %>=}}");
}

pub(super) fn robots(seeds: &Seeds) {
    seeds.add(
        "usual",
        "User-agent: *\nDisallow: /private\nAllow: /private/open$\nCrawl-delay: 2\nSitemap: http://a.example/s.xml\n",
    );
    seeds.add("ours", "# us\r\nUser-Agent: driftline/1\r\nuser-agent: other\r\nDisallow: /*.pdf$\r\n\r\nUser-agent: *\r\nDisallow: /\r\n");
    seeds.add(
        "escapes",
        "User-agent:*\nDisallow:/a%3cd%2f\nAllow: /caf\u{e9}*\u{2603}$\nDisallow: *?*=*&*$\n/a%3Cd/caf%C3%A9?x=y&z",
    );
    seeds.add(
        "stars",
        format!("user-agent: driftline\ndisallow: /{}$\nallow: {}\n/aaaaaaaa", "*a".repeat(60), "*".repeat(200)),
    );
    seeds.add(
        "odd",
        b"\xef\xbb\xbfuser agent: *\nDisalow: /x\nDisallow /y\n<html>\0Crawl-delay: 1e9\nCrawl-delay: -1\n\xff",
    );
}

pub(super) fn heads(seeds: &Seeds) {
    for name in
        ["warcio__example.warc", "webarchive-commons__mutliple-headers.warc", "ipwb__HTTP404.warc", "jwarc__cc.warc.gz"]
    {
        let archive = file(&format!("{ARCHIVES}/{name}"));
        let mut reader = Reader::new(Cursor::new(archive));
        let mut number = 0;
        while let Some(record) = reader.next() {
            let block = record.ok().and_then(|_| reader.body(4_000).ok()).map(|body| body.bytes).unwrap_or_default();
            if number < 4 && (block.starts_with(b"HTTP/") || block.starts_with(b"GET ")) {
                seeds.add(&format!("{name}-{number}"), block);
                number += 1;
            }
        }
    }
    seeds.add(
        "fields",
        "HTTP/1.1 200 OK\r\nSet-Cookie: s=1; Path=/in; Secure; HttpOnly\r\nSet-Cookie: evil=1; Domain=co.uk\r\n\
         Set-Cookie: __Host-a=b; Secure; Path=/\r\nSet-Cookie: d=e; Domain=example.co.uk; Max-Age=60\r\nRetry-After: 120\r\n\
         X-Forwarded-For: 192.0.2.1, 10.1.2.3\r\nLink: <a.css>; rel=preload\r\nKeep-Alive: x\r\nETag: \"1\"\r\n folded\r\n\r\nbody",
    );
    seeds.add(
        "retry-date",
        "HTTP/1.1 503 x\nRetry-After: Wednesday, 06-Nov-24 08:49:37 GMT\nX-Forwarded-For: [2001:db8::1]:80\n\n",
    );
    seeds.add("chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nA: b\r\n\r\n");
    seeds.add("coded", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, br, deflate, zstd\r\n\r\nplain");
    seeds.add(
        "tunnel",
        "CONNECT [::ffff:7f00:1]:443 HTTP/1.1\r\nHost: a.example:443\r\nProxy-Authorization: Basic eDp5\r\n\r\n",
    );
    seeds.add(
        "plain",
        "GET http://a.example:8080/b?c#d HTTP/1.1\r\nHost: a.example\r\nConnection: keep-alive\r\nCookie: a=b\r\n\r\n",
    );
    seeds.add(
        "hosts",
        "localhost\nLOCALHOST.:80\n127.0.0.1:8740\n127.0.0.1:80@evil\n[::1]:80\n[::1]evil\n[::ffff:1.2.3.4]\nchanges.example:443\n\
         0x7f.1\n127.0.0.1.\nlocalhost:\n1.2.3.4:+80\n[fe80::1%25eth0]\n",
    );
}
