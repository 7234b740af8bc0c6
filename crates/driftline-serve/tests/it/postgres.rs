//! Answers while PostgreSQL is down, or takes connections and never answers: at once, and what is wrong.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use driftline_archive::archive::Options;
use driftline_catalog::Place;
use driftline_testkit::postgres;

use super::{Archive, Daemon, Health, Running, ServeSettings, Server};

/// The longest time that anybody waits for an answer.
const MOST: Duration = Duration::from_secs(2);

/// A server whose catalog is a database.
fn serve(database: &str) -> Running {
    let data = tempfile::tempdir().unwrap();
    let options = Options { catalog: Place::parse(database).unwrap(), ..Options::at(data.path()) };
    let archive = Arc::new(Archive::open(&options).unwrap());
    let daemon = Arc::new(Daemon::default());
    let settings = ServeSettings { listen: ([127, 0, 0, 1], 0).into(), ..ServeSettings::default() };
    let server = Server::start(&settings, &archive, Arc::clone(&daemon) as Arc<dyn Health>).unwrap();
    Running { server, daemon, archive, _data: data }
}

/// Asks for everything, many times at once. Whatever needs the catalog says that it does not answer.
fn all_answer_without_a_catalog(running: &Running) {
    thread::scope(|scope| {
        for (path, status) in [("/health", 503), ("/metrics", 200), ("/feeds/all.atom", 503)].repeat(6) {
            scope.spawn(move || {
                let began = Instant::now();
                let (told, _, body) = running.get(path);
                assert_eq!(told, status, "{path}: {body}");
                assert!(status == 200 || body.contains("the catalog does not answer"), "{path}: {body}");
                assert!(began.elapsed() < MOST, "{path}: {:?}", began.elapsed());
            });
        }
    });
}

#[test]
fn a_postgres_that_is_stopped_keeps_nobody_waiting() {
    let postgres = postgres::Server::start();
    let running = serve(&postgres.database());
    assert_eq!((running.get("/health").0, running.get("/feeds/all.atom").0), (200, 200));
    postgres.stop();
    for _ in 0..3 {
        all_answer_without_a_catalog(&running);
    }
}

#[test]
fn a_postgres_that_never_answers_keeps_nobody_waiting_and_is_used_again_when_it_does() {
    let postgres = postgres::Server::start();
    let proxy = tempfile::tempdir().unwrap();
    let is_silent = Arc::new(AtomicBool::new(false));
    forward(&proxy.path().join(SOCKET), &postgres.folder().join(SOCKET), &is_silent);
    let database = postgres.database();
    let (name, _) = database.split_once("?host=").unwrap();
    let running = serve(&format!("{name}?host={}", proxy.path().display()));
    assert_eq!((running.get("/health").0, running.get("/feeds/all.atom").0), (200, 200));
    is_silent.store(true, Ordering::SeqCst);
    for _ in 0..3 {
        all_answer_without_a_catalog(&running);
    }
    is_silent.store(false, Ordering::SeqCst);
    let began = Instant::now();
    while running.get("/health").0 != 200 {
        assert!(began.elapsed() < Duration::from_secs(30), "it is not used again");
    }
    // What was asked for meanwhile is not taken for the answer to something else.
    assert!(running.get("/feeds/all.atom").2.contains("<feed"));
}

const SOCKET: &str = ".s.PGSQL.5432";

/// Takes connections and passes on what comes, as long as it is not silent.
fn forward(from: &Path, to: &Path, is_silent: &Arc<AtomicBool>) {
    let (listener, to, is_silent) = (UnixListener::bind(from).unwrap(), to.to_owned(), Arc::clone(is_silent));
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let Ok(server) = UnixStream::connect(&to) else { continue };
            for (source, sink) in [(&client, &server), (&server, &client)] {
                let (source, sink) = (source.try_clone().unwrap(), sink.try_clone().unwrap());
                let is_silent = Arc::clone(&is_silent);
                thread::spawn(move || pass(source, sink, &is_silent));
            }
        }
    });
}

fn pass(mut source: UnixStream, mut sink: UnixStream, is_silent: &AtomicBool) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(count @ 1..) = source.read(&mut buffer) {
        while is_silent.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(10));
        }
        if sink.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    // The other side may be gone already.
    let _ = sink.shutdown(Shutdown::Both);
}
