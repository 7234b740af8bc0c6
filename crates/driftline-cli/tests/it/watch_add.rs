//! Does `watch add` look at an address, say what it found, and add it all the same?

use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use driftline_testkit::server::{Response, Server};
use serde_json::Value;

/// A data directory that may ask a server on loopback.
struct Stage {
    data: tempfile::TempDir,
    server: Server,
}

impl Stage {
    fn new(answer: impl Fn(&str) -> Response + Send + Sync + 'static) -> Self {
        let server = Server::start(move |request| match request.path.as_str() {
            "/robots.txt" => Response::new(404, ""),
            path => answer(path),
        });
        let data = tempfile::tempdir().unwrap();
        std::fs::write(data.path().join("driftline.toml"), "[fetch]\nallow = ['127.0.0.1']\ndelay = '0s'\n").unwrap();
        Self { data, server }
    }

    /// Adds a path of the server: what was printed, and what was said about it.
    fn add(&self, path: &str, arguments: &[&str]) -> (String, String) {
        let (out, told, code) = run(self.data.path(), &[&["add", &self.server.url(path)], arguments].concat());
        assert_eq!(code, 0, "{told}");
        (out, told)
    }

    fn file(&self) -> String {
        std::fs::read_to_string(self.data.path().join("watches/watches.toml")).unwrap()
    }
}

fn run(data: &Path, arguments: &[&str]) -> (String, String, i32) {
    let mut command = Command::new(cargo_bin("driftline"));
    command.env_remove("DRIFTLINE_CATALOG").env("DRIFTLINE_DATA", data).arg("watch").args(arguments);
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn an_address_that_cannot_be_reached_is_added_with_a_warning() {
    let stage = Stage::new(|_| Response::new(503, ""));
    let (out, told) = stage.add("/busy", &["--id", "busy"]);
    assert_eq!(out, "busy\n");
    let url = stage.server.url("/busy");
    assert_eq!(told, format!("warning: `{url}` is added, but cannot be fetched now: the server answers 503\n"));
    let (out, told, code) = run(stage.data.path(), &["add", "http://127.0.0.1:9/", "--id", "closed", "--json"]);
    let shown: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &shown["id"], &shown["url"]), (0, &"closed".into(), &"http://127.0.0.1:9/".into()));
    assert!(told.contains("is added, but cannot be fetched now: "), "{told}");
    assert!(!shown["unreachable"].as_str().unwrap().is_empty() && stage.file().matches("[[watch]]").count() == 2);
}

#[test]
fn an_address_that_the_guard_refuses_is_added_with_the_way_to_allow_it() {
    let stage = Stage::new(|_| Response::html("<p>inside"));
    std::fs::write(stage.data.path().join("driftline.toml"), "").unwrap();
    let (_, told) = stage.add("/", &[]);
    assert!(told.starts_with("warning: `http://127.0.0.1:") && told.contains("\nhint: "), "{told}");
    assert!(told.contains("allow = [\"127.0.0.1\"]") && stage.server.requests().is_empty(), "{told}");
    assert!(stage.file().contains("url = "));
}

#[test]
fn nothing_is_fetched_if_that_was_not_wanted() {
    let stage = Stage::new(|_| Response::new(500, ""));
    for arguments in [&["--no-fetch"][..], &["--paused"], &["--fetch", "browser"]] {
        let (_, told) = stage.add(&format!("/{}", arguments.concat()), arguments);
        assert_eq!((told.as_str(), stage.server.requests().len()), ("", 0), "{arguments:?}");
    }
}

#[test]
fn what_cannot_be_added_is_not_fetched() {
    let stage = Stage::new(|_| Response::html("<p>there"));
    let url = stage.server.url("/");
    for arguments in [&["add", &url, "--target", "nobody"][..], &["add", &url, &url]] {
        assert_eq!(run(stage.data.path(), arguments).2, 2);
    }
    assert_eq!(stage.server.requests().len(), 0);
    stage.add("/", &["--ignore-robots"]);
    assert_eq!(stage.server.take_requests().len(), 1);
    assert_eq!(run(stage.data.path(), &["add", &url]).2, 2, "it is watched already");
    assert_eq!(stage.server.requests().len(), 0);
}

#[test]
fn of_many_addresses_the_first_are_fetched() {
    let stage = Stage::new(|_| Response::html("<p>there"));
    let urls: Vec<String> = (0..13).map(|number| stage.server.url(&format!("/{number}"))).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let (out, told, code) = run(stage.data.path(), &[&["add", "--ignore-robots"], &urls[..]].concat());
    assert_eq!((out.lines().count(), code, stage.server.requests().len()), (13, 0, 10));
    assert!(told.starts_with("3 addresses are added without a look at them"), "{told}");
}

const FEED: &str = "<rss version='2.0'><channel><title>News</title><item><title>A</title></item></channel></rss>";

/// A site with one thing of each kind.
fn site(path: &str) -> Response {
    let of_type =
        |content_type: &'static str, body: &str| Response::new(200, body.to_owned()).with("Content-Type", content_type);
    match path {
        "/feed.xml" => of_type("application/rss+xml", FEED),
        "/sitemap.xml" => of_type("text/xml", "<urlset><url><loc>https://example.org/a</loc></url></urlset>"),
        "/feeds.opml" => of_type("text/xml", "<opml><body><outline xmlUrl='https://a.example/'/></body></opml>"),
        "/api" => of_type("application/json", "{\"product\": {\"price\": 19.5}}"),
        "/app" => Response::html("<title>Shop</title><div id=root>Loading</div><script src=/app.js></script>"),
        "/blog" => Response::html("<link rel=alternate type=application/rss+xml href=/feed.xml><p>A page with a feed"),
        _ => Response::html("<p>A page like any other"),
    }
}

#[test]
fn a_feed_that_nobody_called_one_is_watched_item_by_item() {
    let stage = Stage::new(site);
    let (_, told) = stage.add("/feed.xml", &["--id", "news"]);
    let url = stage.server.url("/feed.xml");
    let expected =
        format!("`{url}` is a feed with 1 item: watched item by item\nhint: `--kind page` compares it as a page\n");
    assert_eq!(told, expected);
    assert!(stage.file().contains("id = \"news\"\nkind = \"feed\"\n"), "{}", stage.file());
    let (_, told) = stage.add("/feed.xml", &["--id", "text", "--kind", "page"]);
    assert!(told.is_empty() && stage.file().contains("id = \"text\"\nkind = \"page\"\n"), "{told}");
    let (out, told) = stage.add("/feed.xml", &["--id", "said", "--feed", "--json"]);
    assert_eq!((serde_json::from_str::<Value>(&out).unwrap()["kind"].as_str(), told.as_str()), (Some("feed"), ""));
}

#[test]
fn lists_are_recognised_and_pages_are_left_alone() {
    let stage = Stage::new(site);
    for (path, kind, said) in [
        ("/sitemap.xml", "sitemap", "is a sitemap with 1 page: each is watched\nhint: `--kind page`"),
        ("/feeds.opml", "opml", "is an OPML list with 1 feed: each is watched\nhint: "),
        ("/api", "page", "is JSON: compared by its paths, such as `product.price`\n"),
        ("/", "page", ""),
    ] {
        let (out, told) = stage.add(path, &["--json"]);
        let shown: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((shown["kind"].as_str(), shown["unreachable"].as_str()), (Some(kind), None), "{path}");
        assert!(told.contains(said) && told.is_empty() == said.is_empty(), "{path}: {told}");
    }
    let (_, told) = stage.add("/other", &["--feed"]);
    assert!(told.contains("is added as a feed, but what it answers now is a page"), "{told}");
}

#[test]
fn a_page_that_only_scripts_fill_gets_the_hint_for_the_browser() {
    let stage = Stage::new(site);
    let (_, told) = stage.add("/app", &["--id", "shop"]);
    assert!(told.contains("/app` has only 1 word without its scripts\n"), "{told}");
    assert!(told.ends_with("hint: `driftline watch edit shop --fetch browser` has Chromium run them\n"), "{told}");
}

#[test]
fn feeds_that_a_page_announces_are_proposed_and_compared_if_wanted() {
    let stage = Stage::new(site);
    let (out, told) = stage.add("/blog", &["--id", "blog", "--json"]);
    let feed = stage.server.url("/feed.xml");
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["feeds"], serde_json::json!([feed]));
    assert!(told.contains(&format!("announces a feed: `{feed}`\nhint: `driftline watch edit blog --feeds`")), "{told}");
    let (_, told) = stage.add("/blog", &["--id", "both", "--feeds"]);
    assert!(told.contains("announces a feed, compared item by item: `") && !told.contains("hint"), "{told}");
    assert!(stage.file().ends_with("id = \"both\"\nfeeds = true\n"), "{}", stage.file());
    let (_, told, code) = run(stage.data.path(), &["add", &feed, "--feed", "--feeds"]);
    assert!(code == 2 && told.contains("`feeds`: it is for pages"), "{told}");
}

#[test]
fn a_zone_on_json_is_refused_with_what_to_use() {
    let stage = Stage::new(site);
    let (out, told, code) = run(stage.data.path(), &["add", &stage.server.url("/api"), "--zone", "price", "--id", "a"]);
    assert_eq!((out.as_str(), code), ("", 2));
    assert!(told.contains("/api` is JSON, and a zone is a CSS selector for HTML\nhint: leave the zone out"), "{told}");
    stage.add("/api", &["--zone", "price", "--id", "a", "--no-fetch"]);
    let (_, told, code) = run(stage.data.path(), &["check", "a"]);
    assert!(code == 2 && told.contains("the answer is JSON\nhint: leave the zone out"), "{told}");
}

/// A page whose clock shows another time in each answer.
fn of_a_clock(path: &str, count: &std::sync::atomic::AtomicUsize) -> Response {
    let seconds = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst) % 60;
    let text = "<p>The library is open daily from nine to five, and on Fridays until eight in the evening.</p>";
    Response::html(format!(
        "<title>{path}</title><main><h1>Library</h1>{text}</main><footer><p>Made at <b class=clock>10:00:{seconds:02}</b></p></footer>"
    ))
}

#[test]
fn what_was_learned_is_shown_with_the_ignore_that_leaves_it_out() {
    let count = std::sync::atomic::AtomicUsize::new(0);
    let stage = Stage::new(move |path| of_a_clock(path, &count));
    stage.add("/", &["--id", "lib"]);
    assert_eq!(run(stage.data.path(), &["check", "lib"]).2, 0);
    let (shown, _, _) = run(stage.data.path(), &["show", "lib"]);
    let learned =
        shown.lines().find(|line| line.trim_start().starts_with("learned ")).unwrap_or_else(|| panic!("{shown}"));
    let (what, option) = learned.split_once("; --ignore '").unwrap();
    let (selector, rest) = option.split_once('\'').unwrap();
    assert!(what.contains(&format!("in `{selector}` change by themselves")), "{learned}");
    assert_eq!(rest, " leaves out all of it");
    let (json, _, _) = run(stage.data.path(), &["show", "lib", "--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["learned"][0]["selector"], selector);
    // The option does it, as it is printed.
    assert_eq!(run(stage.data.path(), &["edit", "lib", "--ignore", selector, "--learn", "false"]).2, 0);
    assert!(!run(stage.data.path(), &["show", "lib"]).0.contains("change by themselves"));
    let (out, told, code) = run(stage.data.path(), &["check", "lib"]);
    assert_eq!(code, 0, "nothing else changed: {out}{told}");
}

#[test]
fn imports_and_lists_never_fetch() {
    let stage = Stage::new(|_| Response::html("<p>nobody asked for this"));
    let [page, feed, sitemap] = ["/page", "/feed.xml", "/sitemap.xml"].map(|path| stage.server.url(path));
    let files = [
        ("urls.txt", format!("{page}?1\n{feed}?1\n{sitemap}?1\n")),
        ("urls.yaml", format!("url: {page}?2\n---\nurl: {feed}?2\n")),
        ("feeds.opml", format!("<opml version='2.0'><body><outline type='rss' xmlUrl='{feed}?3'/></body></opml>")),
        ("map.xml", format!("<urlset><url><loc>{page}?4</loc></url></urlset>")),
        ("index.xml", format!("<sitemapindex><sitemap><loc>{sitemap}?5</loc></sitemap></sitemapindex>")),
    ];
    for (name, text) in files {
        let path = stage.data.path().join(name);
        std::fs::write(&path, text).unwrap();
        let (_, told, _) = run(stage.data.path(), &["import", path.to_str().unwrap()]);
        assert_eq!(stage.server.requests().len(), 0, "{name}: {told}");
    }
    std::fs::write(stage.data.path().join("watches/many.txt"), format!("{page}?6\n{feed}?6\n")).unwrap();
    let (_, told, code) = run(stage.data.path(), &["add", "--list", "many.txt", "--id", "many"]);
    assert_eq!((code, stage.server.requests().len()), (0, 0), "{told}");
    for arguments in [&["list"][..], &["list", "--json"], &["list", "--members"], &["show", "many"], &["export"]] {
        let (_, told, code) = run(stage.data.path(), arguments);
        assert_eq!((code, stage.server.requests().len()), (0, 0), "{arguments:?}: {told}");
    }
}

/// A folder as changedetection.io has it: a watch with the text of its page as the newest version.
fn changedetection(folder: &Path, url: &str, fields: &str, text: &str) {
    let own = folder.join("00000000-0000-4000-8000-000000000001");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(folder.join("changedetection.json"), "{}").unwrap();
    std::fs::write(own.join("watch.json"), format!(r#"{{"url": "{url}", "title": "Shop"{fields}}}"#)).unwrap();
    std::fs::write(own.join("history.txt"), "1700000000,before.txt\n1700003600,newest.txt\n").unwrap();
    std::fs::write(own.join("before.txt"), "Shop\n* Lamp\nIt costs 17.0 EUR today.\n").unwrap();
    std::fs::write(own.join("newest.txt"), text).unwrap();
}

#[test]
fn a_price_that_changed_since_the_backup_of_another_monitor_is_an_event_of_the_first_check() {
    let page = "<title>Shop</title><main><h1>Shop</h1><ul><li>Lamp</ul><p>It costs <b>31.5</b> EUR today.</p></main>";
    for (fields, text) in [
        ("", "Shop\n* Lamp\nIt costs 19.5 EUR today.\n"),
        (r#", "include_filters": ["main p"]"#, "It costs 19.5 EUR today.\n"),
        (r#", "include_filters": ["b"]"#, "19.5\n"),
    ] {
        let stage = Stage::new(move |_| Response::html(page));
        let backup = tempfile::tempdir().unwrap();
        let folder = backup.path().to_str().unwrap();
        changedetection(backup.path(), &stage.server.url("/shop"), fields, text);
        assert_eq!(run(stage.data.path(), &["import", folder]).2, 0);
        let mut command = Command::new(cargo_bin("driftline"));
        command.env_remove("DRIFTLINE_CATALOG").env("DRIFTLINE_DATA", stage.data.path());
        assert!(command.args(["archive", "import", "--quiet", folder]).status().unwrap().success());
        assert_eq!(stage.server.requests().len(), 0, "imports do not fetch");
        let (out, told, code) = run(stage.data.path(), &["check", "--all"]);
        assert!(code == 1 && out.contains("19.5 → 31.5"), "{fields}: {out}{told}");
        let (out, told, code) = run(stage.data.path(), &["check", "--all"]);
        assert_eq!((code, out.as_str()), (0, ""), "once: {told}");
    }
}
