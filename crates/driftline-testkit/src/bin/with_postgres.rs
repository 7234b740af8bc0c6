//! Runs a command with one PostgreSQL server for all the test programs that it starts.
//!
//! `with_postgres cargo test --workspace`

#[cfg(unix)]
fn main() {
    use driftline_testkit::postgres::{SERVER_VARIABLE, Server};

    let mut arguments = std::env::args_os().skip(1);
    let program = arguments.next().expect("a command to run: with_postgres COMMAND [ARGUMENT…]");
    let server = Server::start();
    let status = std::process::Command::new(program).args(arguments).env(SERVER_VARIABLE, server.folder()).status();
    std::process::exit(status.expect("the command can be run").code().unwrap_or(2));
}

#[cfg(not(unix))]
fn main() {
    panic!("the private PostgreSQL server needs Unix sockets");
}
