//! The program `with_postgres`, run as `scripts/check` runs it.
#![cfg(unix)]

use std::process::Command;

fn with_postgres(script: &str) -> Option<i32> {
    Command::new(env!("CARGO_BIN_EXE_with_postgres")).args(["sh", "-c", script]).status().unwrap().code()
}

#[test]
fn a_command_finds_a_postgresql_server_and_its_exit_code_is_passed_on() {
    assert_eq!(with_postgres(r#"test -S "$DRIFTLINE_TEST_POSTGRES/.s.PGSQL.5432""#), Some(0));
    assert_eq!(with_postgres("exit 7"), Some(7));
}
