//! Runs of the real binary, and what they printed.

#[cfg(unix)]
use std::io::Read;
use std::io::Write;
#[cfg(unix)]
use std::net::TcpStream;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::Value;

/// The command, without arguments.
pub(crate) fn driftline() -> Command {
    Command::cargo_bin("driftline").expect("the binary is built with its tests")
}

/// All of its stdout.
pub(crate) fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// All of its stderr.
pub(crate) fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// The JSON on its stdout.
pub(crate) fn json_of(assert: &Assert) -> Value {
    serde_json::from_str(&stdout(assert)).unwrap()
}

/// One gzip member.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The answer of a daemon to a request, with its head.
#[cfg(unix)]
pub(crate) fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}
