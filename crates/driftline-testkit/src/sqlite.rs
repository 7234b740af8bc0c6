//! Statements run on a SQLite file behind the back of the program that has it open.

use std::path::Path;
use std::process::Command;

/// Runs a statement.
///
/// # Panics
/// If there is no Python, or the statement fails.
pub fn execute(file: &Path, sql: &str) {
    let script = "import sqlite3, sys\nwith sqlite3.connect(sys.argv[1]) as base: base.execute(sys.argv[2])";
    let done = Command::new("python3").arg("-c").arg(script).arg(file).arg(sql).status();
    assert!(done.expect("there is a Python").success(), "{sql}");
}
