//! Headers of answers and requests are in the archive, and in no message.

use std::io::Read as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use assert_cmd::cargo::cargo_bin;
use driftline_report::message::documented;
use driftline_testkit::receiver::Receiver;
use driftline_testkit::server::{Response, Server};
use driftline_testkit::smtp::{Options, Privacy, Smtp};

/// Is in each value below, and nowhere else.
const MARK: &str = "never-in-a-message";

/// A page, a feed and a page that fails, each with secrets in its headers.
struct Site {
    data: tempfile::TempDir,
    version: Arc<AtomicU64>,
    _server: Server,
}

impl Site {
    fn new(targets: &str) -> Self {
        let version = Arc::new(AtomicU64::new(1));
        let shown = Arc::clone(&version);
        let server = Server::start(move |request| {
            let version = shown.load(Ordering::SeqCst);
            let answer = match request.path.as_str() {
                "/robots.txt" => Response::new(404, ""),
                "/fails" if version > 1 => Response::new(500, ""),
                "/moved" if version > 1 => Response::new(301, "").with("Location", "/page"),
                "/feed" => Response::new(200, feed(version)).with("Content-Type", "application/rss+xml"),
                _ => Response::html(format!("<title>Prices</title><h1>Prices</h1><p>A ticket is {version} euros")),
            };
            answer
                .with("Set-Cookie", &format!("session={MARK}-1; Path=/"))
                .with("X-Auth-Token", &format!("{MARK}-2"))
                .with("X-Note", &format!("{MARK}-3"))
        });
        let data = tempfile::tempdir().unwrap();
        let settings = format!("[fetch]\nallow = ['127.0.0.1']\ndelay = '0s'\n{targets}");
        std::fs::write(data.path().join("driftline.toml"), settings).unwrap();
        let watch = |id: &str| {
            format!(
                "[[watch]]\nid = '{id}'\nurl = '{}'\nfetch = {{ auth = {{ basic = {{ user = 'me', password = '{MARK}-4' }} }}, \
                 headers = {{ Referer = 'https://intranet.example/{MARK}-5', X-Api-Key = '{MARK}-6' }} }}\n",
                server.url(&format!("/{id}"))
            )
        };
        std::fs::create_dir(data.path().join("watches")).unwrap();
        let watches = ["page", "feed", "fails", "moved"].map(watch).concat().replacen(
            "id = 'feed'",
            "id = 'feed'\nkind = 'feed'",
            1,
        );
        std::fs::write(data.path().join("watches/watches.toml"), watches).unwrap();
        Self { data, version, _server: server }
    }

    /// Runs the command; what it says on both streams.
    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(cargo_bin("driftline"));
        command.env_remove("DRIFTLINE_CATALOG").env_remove("RUST_LOG").env("DRIFTLINE_DATA", self.data.path());
        let output = command.args(arguments).current_dir(self.data.path()).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    }

    /// Checks everything before and after all pages changed; what the command says of it.
    fn change(&self) -> String {
        let first = self.run(&["watch", "check", "--all"]);
        self.version.store(2, Ordering::SeqCst);
        let second = self.run(&["watch", "check", "--all", "--json"]);
        assert!(second.contains("2 euros"), "{second}");
        let events = self.run(&["events"]) + &self.run(&["events", "--json"]);
        // The archive has what the server sent; that is what could have been told.
        let exported = self.run(&["archive", "export", "--with-secrets", "--output", "all.warc.gz"]);
        let packed = std::fs::read(self.data.path().join("all.warc.gz")).expect(&exported);
        let mut archive = String::new();
        flate2::read::MultiGzDecoder::new(packed.as_slice()).read_to_string(&mut archive).unwrap();
        for number in 1..=3 {
            assert!(archive.contains(&format!("{MARK}-{number}")), "header {number} is not in the archive");
        }
        first + &second + &events
    }
}

fn feed(version: u64) -> String {
    let item = |number| format!("<item><guid>{number}</guid><title>Item {number}</title></item>");
    let items: String = (1..=version).map(item).collect();
    format!("<rss version='2.0'><channel><title>News</title>{items}</channel></rss>")
}

/// A template with every field that there is.
fn every_field() -> String {
    let table = documented();
    let rows: Vec<(&str, &str)> = table
        .lines()
        .skip(2)
        .map(|row| {
            let mut cells = row.split('|').skip(1).map(|cell| cell.trim().trim_matches('`'));
            (cells.next().unwrap(), cells.next().unwrap())
        })
        .collect();
    write_fields(&rows, "")
}

fn write_fields(rows: &[(&str, &str)], list: &str) -> String {
    let fields = rows.iter().filter(|(_, within)| *within == list).map(|(name, _)| {
        if rows.iter().any(|(_, within)| within == name) {
            format!("{{{{#{name}}}}}{}{{{{/{name}}}}}", write_fields(rows, name))
        } else {
            format!("{name}: {{{{{name}}}}}\n")
        }
    });
    fields.collect()
}

fn write_template(folder: &Path) {
    let template = every_field();
    assert!(template.contains("{{#events}}") && template.contains("selector: {{selector}}"), "{template}");
    std::fs::write(folder.join("every-field"), template).unwrap();
}

#[test]
fn no_message_to_a_webhook_has_a_header_of_a_capture() {
    let receiver = Receiver::start();
    let folder = tempfile::tempdir().unwrap();
    write_template(folder.path());
    let url = receiver.url();
    let site = Site::new(&format!(
        "[targets.plain]\ntype = 'webhook'\nurl = '{url}'\n\
         [targets.fields]\ntype = 'webhook'\nurl = '{url}'\ntemplate = '{}/every-field'\n",
        folder.path().display()
    ));
    let said = site.change();
    let messages: Vec<String> =
        receiver.take().iter().map(|request| String::from_utf8(request.body.clone()).unwrap()).collect();
    for wanted in ["Item 2", "2 euros", "selector: ", "importance: "] {
        assert!(messages.iter().any(|message| message.contains(wanted)), "{wanted}: {messages:?}");
    }
    assert!(messages.iter().all(|message| !message.contains(MARK)), "{messages:?}");
    assert!(!said.contains(MARK), "{said}");
}

#[test]
fn no_mail_to_an_smtp_server_has_a_header_of_a_capture() {
    let mut smtp = Smtp::start(&Options { privacy: Privacy::Plain, login: None, refusals: Vec::new() });
    let folder = tempfile::tempdir().unwrap();
    write_template(folder.path());
    let port = smtp.port();
    let target = |name: &str, more: &str| {
        format!(
            "[targets.{name}]\ntype = 'email'\nserver = '127.0.0.1'\nport = {port}\nsecurity = 'none'\n\
             from = 'drift@example.org'\nto = ['me@example.org']\n{more}"
        )
    };
    let file = folder.path().join("every-field").display().to_string();
    let fields = format!("template = '{file}'\ntemplate-html = '{file}'\n");
    let site = Site::new(&(target("plain", "") + &target("fields", &fields)));
    site.change();
    let script = "import email, email.policy, sys\n\
                  m = email.message_from_string(sys.stdin.read(), policy=email.policy.default)\n\
                  print(m.items(), [part.get_content() for part in m.walk() if not part.is_multipart()])";
    let mut all = String::new();
    // Two events for two targets, each a mail of its own.
    for _ in 0..4 {
        let message = smtp.message();
        let mut python = Command::new("python3");
        python.args(["-c", script]).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut child = python.spawn().unwrap();
        let data = message["data"].as_str().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), data.as_bytes()).unwrap();
        all += &String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    }
    assert!(all.contains("euros") && all.contains("Subject") && !all.contains(MARK), "{all}");
}
