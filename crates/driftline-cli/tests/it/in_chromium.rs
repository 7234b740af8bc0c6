//! What does a real browser make of the highlighted page? Drives Chromium, which `scripts/check` installs.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use assert_cmd::cargo::cargo_bin;

/// Pages that a browser opens, and a server that nobody is to call.
struct Stage {
    folder: tempfile::TempDir,
    address: String,
    calls: Arc<AtomicUsize>,
}

/// What a browser tells of a page.
struct Seen {
    /// The elements after all scripts ran.
    dom: String,
    /// What was written to the console: errors, refused requests, violations of the policy.
    console: Vec<String>,
}

impl Stage {
    fn new() -> Self {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", server.local_addr().unwrap());
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        std::thread::spawn(move || {
            for mut stream in server.incoming().flatten() {
                counted.fetch_add(1, Ordering::SeqCst);
                let _ = stream.read(&mut [0; 4096]);
                let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            }
        });
        Self { folder: tempfile::tempdir().unwrap(), address, calls }
    }

    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.folder.path().join(name), content).unwrap();
    }

    /// Compares two pages and keeps the highlighted page as `change.html`.
    fn compare(&self, older: &str, newer: &str) -> String {
        self.write("old.html", older);
        self.write("new.html", newer);
        let mut command = Command::new(cargo_bin!("driftline"));
        command.current_dir(self.folder.path()).args(["diff", "--format", "html", "old.html", "new.html"]);
        let page = String::from_utf8(command.output().unwrap().stdout).unwrap();
        self.write("change.html", &page);
        page
    }

    fn open(&self, page: &str) -> Seen {
        let output = self.browser(page, &["--dump-dom", "--enable-logging=stderr"]);
        let console = String::from_utf8_lossy(&output.stderr);
        let console = console.lines().filter(|line| line.contains("CONSOLE")).map(ToOwned::to_owned).collect();
        Seen { dom: String::from_utf8_lossy(&output.stdout).into_owned(), console }
    }

    /// The colours of a picture of the page, row by row.
    fn picture(&self, page: &str) -> Vec<[u8; 3]> {
        let file = self.folder.path().join("picture.png");
        let screenshot = format!("--screenshot={}", file.display());
        self.browser(page, &["--window-size=1200,800", "--hide-scrollbars", &screenshot]);
        let mut reader =
            png::Decoder::new(std::io::BufReader::new(std::fs::File::open(file).unwrap())).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        pixels[..info.buffer_size()]
            .chunks_exact(info.color_type.samples())
            .map(|pixel| [pixel[0], pixel[1], pixel[2]])
            .collect()
    }

    fn browser(&self, page: &str, flags: &[&str]) -> Output {
        let profile = tempfile::tempdir().unwrap();
        let common = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--virtual-time-budget=5000",
        ];
        let address = format!("file://{}", self.folder.path().join(page).display());
        let run = |name: &str| {
            let mut command = Command::new("timeout");
            command.args(["120", name]).args(common).args(flags);
            command.arg(format!("--user-data-dir={}", profile.path().display())).arg(&address);
            command.output().unwrap()
        };
        let mut runs = ["chromium", "chromium-browser", "google-chrome"].into_iter().map(run);
        let output = runs.find(|output| output.status.code() != Some(127));
        let output = output.expect("Chromium is needed: `scripts/check` installs it on Debian");
        assert!(output.status.success(), "{output:?}");
        output
    }

    /// How often was the server called?
    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

/// A page that tries everything.
fn hostile(server: &str) -> String {
    format!(
        "<html onclick=hack()><head><title>Hostile</title><script>parent.document.title = 'hacked'</script>\
        <meta http-equiv=refresh content='0;url={server}/refresh'><base href='{server}/base/'>\
        <link rel=stylesheet href='{server}/sheet.css'><link rel=preload as=image href='{server}/preload.png'>\
        <link rel=dns-prefetch href='{server}'><style>@import '{server}/import.css'; \
        @font-face {{ font-family: x; src: url({server}/font.woff) }} p {{ font-family: x; background: url({server}/css.png) }} \
        p::after {{ content: u\\72l({server}/escaped.png) }}</style></head>\
        <body onload=\"parent.document.title = 'hacked'\" background='{server}/background.png'>\
        <script>top.document.title = 'hacked'</script><img src=x onerror=\"parent.document.title = 'hacked'\">\
        <img src='{server}/image.png' srcset='{server}/set.png 2x'><picture><source srcset='{server}/source.png'><img></picture>\
        <iframe src='{server}/frame'></iframe><iframe srcdoc=\"<script>top.document.title = 'hacked'</script>\"></iframe>\
        <object data='{server}/object'></object><embed src='{server}/embed'><video src='{server}/v' poster='{server}/p' autoplay></video>\
        <audio src='{server}/a' autoplay></audio><input type=image src='{server}/input.png'>\
        <form action='{server}/form' id=f><button autofocus formaction='{server}/b'>Send</button></form>\
        <a href='javascript:top.document.title=1' ping='{server}/ping'>link</a>\
        <svg onload=\"parent.document.title = 'hacked'\"><image href='{server}/svg.png' width=9 height=9 /><use href='{server}/use.svg#a' />\
        <style>rect {{ fill: url({server}/fill.svg#a) }}</style><rect width=9 height=9 /></svg>\
        <math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=parent.document.title='hacked'&gt;\">\
        <noscript><p title=\"</noscript><img src=x onerror=parent.document.title='hacked'>\"></noscript>\
        <p style='background: url({server}/attribute.png)'>Some new words</p></body></html>"
    )
}

#[test]
fn a_hostile_page_does_nothing_and_asks_for_nothing() {
    let stage = Stage::new();
    // A page as it is does call, so that the silence of the other says something.
    stage.write("raw.html", &format!("<img src='{}/image.png'>", stage.address));
    stage.open("raw.html");
    let calls = stage.calls();
    assert!(calls > 0, "the browser cannot reach the server of this test");

    let page = stage.compare("<p>Some words</p>", &hostile(&stage.address));
    let seen = stage.open("change.html");
    assert_eq!(stage.calls(), calls);
    assert_eq!(seen.console, Vec::<String>::new());
    assert!(!seen.dom.contains("<title>hacked"));
    assert!(!page.contains("onerror=&quot;") && !page.contains("&lt;script"));
    // The script of the page around it did run.
    assert!(seen.dom.contains("<div id=\"walk\">"), "{}", seen.dom);
}

const OLDER: &str = "<body><p id=a>Open from nine to five.</p><p id=b>Fish comes every day.</p>\
    <p id=gone>Dogs are welcome here, always.</p><div style='display:none'><p id=c>Not to be seen: one</p></div>";
const NEWER: &str = "<body><p id=a>Open from nine to six.</p><p id=b>Fish comes every day.</p>\
    <section id=d>A section that was not there before at all.</section><div style='display:none'><p id=c>Not to be seen: two</p></div>";

#[test]
fn regions_can_be_seen_and_stepped_through() {
    let stage = Stage::new();
    stage.compare(OLDER, NEWER);
    let seen = stage.open("change.html#region-2");
    assert_eq!(seen.console, Vec::<String>::new());
    let items: Vec<&str> = seen.dom.split("<li class=").filter(|item| item.contains("data-region=")).collect();
    let current: Vec<_> = items.iter().map(|item| item.contains("aria-current=\"true\"")).collect();
    assert_eq!(current.iter().filter(|current| **current).count(), 1);
    assert!(current[1], "{items:?}");
    for item in &items {
        let is_hidden = item.contains("<span class=\"hidden-note\">");
        assert_eq!(is_hidden, item.contains("<code>#c</code>"), "{item}");
    }
}

/// Names that hide what the script of the viewer would ask of the document and of a form.
const CLOBBERED: &str = "<body><img name=querySelector id=a><img name=querySelectorAll id=b><form name=body></form>\
    <form name=documentElement></form><img name=createElement id=c><img name=readyState id=d><img name=addEventListener id=e>\
    <driftline-layer style=display:none></driftline-layer>\
    <form id=changed style=opacity:0><input id=getClientRects><input id=getBoundingClientRect><input id=scrollIntoView>\
    <input id=closest><input id=parentElement><input id=dataset><input id=style><input id=textContent>\
    A form with many old words, so many that it has to be shown.</form>";

#[test]
fn names_on_a_page_do_not_stop_the_viewer() {
    let stage = Stage::new();
    stage.compare(CLOBBERED, &CLOBBERED.replace("many old words", "many new words"));
    let seen = stage.open("change.html#region-1");
    assert_eq!(seen.console, Vec::<String>::new());
    let (_, status) = seen.dom.split_once("<output id=\"at\"").unwrap();
    assert!(status.split('<').next().unwrap().contains(">1 of "), "{}", seen.dom);
}

#[test]
fn marks_have_their_colours_on_light_and_on_dark_pages() {
    let stage = Stage::new();
    let dark = |page: &str| page.replace("<body>", "<body style='background:#000;color:#fff'>");
    let (added, removed, changed) = ([0x15, 0x80, 0x3d], [0xdc, 0x26, 0x26], [0xb4, 0x53, 0x09]);
    for (older, newer) in [(OLDER.to_owned(), NEWER.to_owned()), (dark(OLDER), dark(NEWER))] {
        stage.compare(&older, &newer);
        let pixels = stage.picture("change.html");
        // The frames stand right of the list.
        let right = pixels.iter().enumerate().filter(|(at, _)| at % 1200 > 400).map(|(_, pixel)| *pixel);
        for colour in [added, removed, changed] {
            let near = |pixel: &[u8; 3]| pixel.iter().zip(colour).all(|(one, other)| one.abs_diff(other) < 24);
            assert!(right.clone().filter(near).count() > 200, "{colour:x?}");
        }
    }
}

#[test]
fn a_style_sheet_beside_the_page_is_used_and_no_other_file_is() {
    let stage = Stage::new();
    let folder = stage.folder.path().join("site");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("own.css"), "body { background: rgb(1, 200, 255) }").unwrap();
    stage.write("secret.css", "body { border: 9px solid rgb(200, 1, 255) }");
    let page = "<link rel=stylesheet href=own.css><link rel=stylesheet href=../secret.css><body><p>Words";
    std::fs::write(folder.join("old.html"), page).unwrap();
    std::fs::write(folder.join("new.html"), format!("{page} more")).unwrap();
    let mut command = Command::new(cargo_bin!("driftline"));
    command.current_dir(stage.folder.path()).args(["diff", "--format", "html", "site/old.html", "site/new.html"]);
    let shown = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(shown.contains("rgb(1, 200, 255)") && !shown.contains("rgb(200, 1, 255)"));
    stage.write("change.html", &shown);
    let pixels = stage.picture("change.html");
    assert!(pixels.iter().filter(|pixel| **pixel == [1, 200, 255]).count() > 10_000);
}

#[test]
fn the_report_on_novelty_fits_a_narrow_screen_and_asks_for_nothing() {
    let stage = Stage::new();
    let driftline = |arguments: &[&str]| {
        let mut command = Command::new(cargo_bin!("driftline"));
        let output = command.current_dir(stage.folder.path()).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    driftline(&["demo", "--save-crawls", "crawls"]);
    for at in ["2024-01-01", "2024-04-01", "2024-07-01"] {
        driftline(&["snapshot", "add", "town", "--at", at, &format!("crawls/{at}"), "--data", "data"]);
    }
    driftline(&["evaluate", "novelty", "town", "--data", "data", "--truth", "crawls/truth.tsv", "--output", "report"]);
    let seen = stage.open("report/report.html");
    assert_eq!(seen.console, Vec::<String>::new());
    for id in ["figure-1", "figure-2", "figure-3", "figure-4", "figure-5", "figure-6", "beyond", "method"] {
        assert!(seen.dom.contains(&format!("id=\"{id}\"")), "{id}");
    }
    // A frame as wide as a telephone; its policy would not let a script of this test measure it.
    let report = std::fs::read_to_string(stage.folder.path().join("report/report.html")).unwrap();
    let (before, after) = report.split_once("<meta http-equiv=").unwrap();
    let measure = "<script>parent.postMessage(document.documentElement.scrollWidth <= innerWidth, '*')</script>";
    let open = format!("{before}{}{measure}", after.split_once('>').unwrap().1);
    stage.write("open.html", &open);
    stage.write(
        "phone.html",
        "<title>waiting</title><script>onmessage = said => document.title = `fits: ${said.data}`</script>\
        <iframe src=open.html width=400 height=800 style='border: 0'></iframe>",
    );
    let seen = stage.open("phone.html");
    assert!(seen.dom.contains("<title>fits: true</title>"), "{}", seen.dom);
}
