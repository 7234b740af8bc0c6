//! Who may open what driftline keeps: only its owner, whatever the umask allows.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Runs the command under a umask that allows everything.
fn run(data: &Path, arguments: &str) -> Output {
    let line = format!("umask 0; exec \"$DRIFTLINE\" {arguments}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).env("DRIFTLINE", assert_cmd::cargo::cargo_bin("driftline"));
    shell.env("DRIFTLINE_DATA", data).env_remove("DRIFTLINE_CATALOG").current_dir(data.parent().unwrap());
    shell.output().unwrap()
}

fn done(data: &Path, arguments: &str) -> String {
    let output = run(data, arguments);
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn mode(path: &Path) -> u32 {
    path.symlink_metadata().unwrap().permissions().mode() & 0o777
}

/// A folder and all that is in it.
fn all(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(all(&path)) } else { found.push(path) }
    }
    found
}

const WARC: &str = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n\
    WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: http://example.org/\r\n\
    Content-Type: application/http; msgtype=response\r\nContent-Length: 50\r\n\r\n\
    HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>one\r\n\r\n";

/// A data directory with watches, captures and a series of crawls.
fn fill(above: &Path) -> PathBuf {
    let data = above.join("above/data");
    fs::create_dir(above.join("above")).unwrap();
    fs::write(data.with_file_name("one.warc"), WARC).unwrap();
    done(&data, "watch add --no-fetch https://example.org/ --basic me:hush");
    done(&data, "archive import one.warc");
    done(&data, "snapshot add web --at 2024 one.warc");
    data
}

#[test]
fn what_driftline_keeps_is_for_its_owner_alone_and_what_it_exports_as_the_umask_says() {
    let above = tempfile::tempdir().unwrap();
    let data = fill(above.path());
    let kept = all(&data);
    for part in ["catalog.db", "warc", "watches/watches.toml", "graph/web"] {
        assert!(kept.contains(&data.join(part)), "{part} is not among {kept:?}");
    }
    let snapshot = data.join("graph/web/20240101000000");
    for part in ["snapshot.json", "urls", "out.graph", "out.ef", "out.properties", "status"] {
        assert!(kept.contains(&snapshot.join(part)), "{part} is not among {kept:?}");
    }
    for path in &kept {
        assert_eq!(mode(path), if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
    }
    done(&data, "archive export --output all.warc.gz");
    assert_eq!(mode(&data.with_file_name("all.warc.gz")), 0o666);
    let said = done(&data, "archive verify");
    assert!(!said.contains("others") && said.contains("all is well"), "{said}");
}

#[test]
fn verify_names_what_others_may_open_and_restricts_it_on_request() {
    let above = tempfile::tempdir().unwrap();
    let data = fill(above.path());
    let urls = "graph/web/20240101000000/urls";
    for (path, mode) in
        [("", 0o755), ("catalog.db", 0o644), ("watches/watches.toml", 0o640), ("graph/web", 0o755), (urls, 0o644)]
    {
        fs::set_permissions(data.join(path), Permissions::from_mode(mode)).unwrap();
    }
    let said = done(&data, "archive verify --quick");
    let named = "(0755), `catalog.db` (0644), `graph/web` (0755), `graph/web/20240101000000/urls` (0644), \
                 `watches/watches.toml` (0640)\n  cure: `driftline archive verify --fix-permissions`";
    assert!(said.contains("\nothers may open `") && said.contains(named), "{said}");
    assert!(said.starts_with("all is well"), "the captures are: {said}");
    let json: Value = serde_json::from_str(&done(&data, "archive verify --quick --json")).unwrap();
    let exposed = json["exposed"].as_array().unwrap();
    let catalog = exposed.iter().find(|exposed| exposed["path"] == data.join("catalog.db").to_str().unwrap());
    // What SQLite keeps beside the catalog has its mode.
    assert!(exposed.len() >= 5 && json["faults"] == 0, "{json}");
    assert_eq!(catalog.unwrap()["mode"], "0644");
    assert_eq!(mode(&data), 0o755, "nothing is changed without being asked for");

    let fixed = done(&data, "archive verify --quick --fix-permissions");
    assert!(
        fixed.contains("\nonly their owner may open these now: `") && fixed.contains("`catalog.db` (0644)"),
        "{fixed}"
    );
    assert!(!done(&data, "archive verify --quick").contains("others"));
    assert_eq!([&data, &data.join("catalog.db"), &data.join(urls)].map(|path| mode(path)), [0o700, 0o600, 0o600]);
}
