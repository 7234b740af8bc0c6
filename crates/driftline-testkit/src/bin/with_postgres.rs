//! Runs a command with one PostgreSQL server for all the test programs that it starts.
//!
//! `with_postgres cargo test --workspace`

#[cfg(unix)]
fn main() {
    use driftline_testkit::postgres::{SERVER_VARIABLE, Server};

    let mut arguments = std::env::args_os().skip(1);
    let program = arguments.next().expect("a command to run: with_postgres COMMAND [ARGUMENT…]");
    let mut command = std::process::Command::new(program);
    command.args(arguments);
    // Without PostgreSQL the tests that need it fail one by one, and the others run.
    let server = Server::is_installed().then(Server::start);
    if let Some(server) = &server {
        command.env(SERVER_VARIABLE, server.folder());
    }
    let status = command.status().expect("the command can be run");
    std::process::exit(status.code().unwrap_or(2));
}

#[cfg(not(unix))]
fn main() {
    panic!("the private PostgreSQL server needs Unix sockets");
}
