//! Messages of failures: they name what has to be mended, in the words of driftline.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;

/// What a command prints as data and as messages, and its exit code.
fn run(data: &Path, arguments: &[&str]) -> (String, String, i32) {
    let mut command = Command::new(cargo_bin("driftline"));
    command.env_remove("DRIFTLINE_CATALOG").env("DRIFTLINE_DATA", data).args(arguments);
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn a_check_through_a_dead_proxy_names_the_proxy() {
    // A port that nobody listens on any more.
    let dead = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let data = tempfile::tempdir().unwrap();
    std::fs::write(data.path().join("driftline.toml"), "[fetch]\nallow = ['127.0.0.1', '192.0.2.1']\n").unwrap();
    let proxy = format!("http://me:hush@{dead}");
    let page = ["watch", "add", "http://192.0.2.1/page", "--id", "page", "--no-fetch", "--proxy", &proxy];
    assert_eq!(run(data.path(), &page).2, 0);
    let (out, told, code) = run(data.path(), &["watch", "check", "page"]);
    assert_eq!(code, 2, "{out}{told}");
    let both = format!("{out}{told}");
    assert!(both.contains(&format!("cannot reach the proxy `http://{dead}`: Connection refused")), "{both}");
    assert!(both.contains("hint: `proxy` in the watch, or under `[fetch]`") && !both.contains("hush"), "{both}");
}
