//! One daemon on a PostgreSQL catalog, even if the first is cut off from it without a word.

use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};
use std::{io, thread};

use driftline_catalog::{Catalog, CatalogError, DaemonName, Place};

use super::others::watch;

/// Half a minute would be long for a test; much less is too short for a machine that is busy.
const LENGTH: Duration = Duration::from_secs(6);

fn name(owner: &str) -> DaemonName {
    DaemonName { owner: owner.to_owned(), description: format!("driftline serve on {owner}") }
}

/// A proxy that may stop forwarding. Its connections stay open then, as those of a machine that lost its power.
struct Proxy {
    folder: tempfile::TempDir,
    is_cut: Arc<(Mutex<bool>, Condvar)>,
}

impl Proxy {
    fn before(server: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join(".s.PGSQL.5432")).unwrap();
        let is_cut = Arc::new((Mutex::new(false), Condvar::new()));
        let (socket, cut) = (server.join(".s.PGSQL.5432"), Arc::clone(&is_cut));
        thread::spawn(move || {
            for client in listener.incoming() {
                let (Ok(client), Ok(server)) = (client, UnixStream::connect(&socket)) else { return };
                for (from, to) in [(&client, &server), (&server, &client)] {
                    let (from, to, cut) = (from.try_clone().unwrap(), to.try_clone().unwrap(), Arc::clone(&cut));
                    thread::spawn(move || forward(from, to, &cut));
                }
            }
        });
        Self { folder, is_cut }
    }

    fn cut(&self) -> Cut<'_> {
        *self.is_cut.0.lock().unwrap() = true;
        Cut(self)
    }
}

/// A connection that is cut until this is dropped: also by a test that fails, whose catalog is closed afterwards.
struct Cut<'a>(&'a Proxy);

impl Drop for Cut<'_> {
    fn drop(&mut self) {
        *self.0.is_cut.0.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.is_cut.1.notify_all();
    }
}

fn forward(mut from: UnixStream, mut to: UnixStream, cut: &(Mutex<bool>, Condvar)) {
    let mut bytes = [0; 8192];
    while let Ok(count) = io::Read::read(&mut from, &mut bytes) {
        drop(cut.1.wait_while(cut.0.lock().unwrap(), |is_cut| *is_cut).unwrap());
        if count == 0 || io::Write::write_all(&mut to, &bytes[..count]).is_err() {
            let _ = to.shutdown(std::net::Shutdown::Both);
            return;
        }
    }
}

/// A new database, and the folder of the server's socket.
fn database() -> (String, PathBuf) {
    let url = driftline_testkit::postgres::database();
    let folder = url.split_once("?host=").unwrap().1.into();
    (url, folder)
}

fn open(url: &str) -> Catalog {
    Catalog::open(Place::parse(url).unwrap()).unwrap()
}

#[test]
fn a_second_daemon_is_refused_while_the_first_lives() {
    let (url, _) = database();
    let (first, second) = (open(&url), open(&url));
    let lease = first.lease_daemon(&name("one"), LENGTH, || panic!("it is not lost")).unwrap();
    let error = second.lease_daemon(&name("two"), LENGTH, || ()).unwrap_err();
    assert!(matches!(&error, CatalogError::Watched { holder, .. } if holder == "driftline serve on one"), "{error}");
    assert!(lease.is_held());
    first.put_watch(&watch("w", "http://a/")).unwrap();
    drop(lease);
    let start = Instant::now();
    let second = second.lease_daemon(&name("two"), LENGTH, || ()).unwrap();
    assert!(second.is_held() && start.elapsed() < LENGTH / 2, "it was given up");
}

#[test]
fn a_daemon_that_was_killed_is_followed_at_once_in_its_own_data_directory() {
    let (url, _) = database();
    let (first, second) = (open(&url), open(&url));
    let (lost, is_lost) = mpsc::channel();
    let old = first.lease_daemon(&name("same"), LENGTH, move || lost.send(()).unwrap()).unwrap();
    let new = second.lease_daemon(&name("same"), LENGTH, || ()).unwrap();
    is_lost.recv_timeout(LENGTH).unwrap();
    assert!(new.is_held() && !old.is_held());
}

#[test]
fn a_daemon_that_is_cut_off_stops_before_the_next_one_begins() {
    let (url, server) = database();
    let proxy = Proxy::before(&server);
    let first = Arc::new(open(&url.replace(&*server.to_string_lossy(), &proxy.folder.path().to_string_lossy())));
    let (began, ended) = (Arc::new(AtomicBool::new(false)), mpsc::channel());
    let has_begun = Arc::clone(&began);
    let lost = move || ended.0.send(has_begun.load(Ordering::SeqCst)).unwrap();
    let lease = first.lease_daemon(&name("one"), LENGTH, lost).unwrap();
    first.put_watch(&watch("before", "http://a/")).unwrap();

    let cut = proxy.cut();
    let start = Instant::now();
    let second = open(&url);
    let next = second.lease_daemon(&name("two"), LENGTH, || ()).unwrap();
    began.store(true, Ordering::SeqCst);
    assert!(start.elapsed() < 2 * LENGTH, "it begins within twice the length of a lease");
    assert!(!ended.1.recv_timeout(LENGTH).unwrap(), "the first stopped before");
    assert!(next.is_held() && !lease.is_held());

    // Whatever the first was about to write when it was cut off is not written once it is heard again.
    let late = thread::spawn({
        let first = Arc::clone(&first);
        move || first.put_watch(&watch("late", "http://a/"))
    });
    drop(cut);
    let error = late.join().unwrap().unwrap_err();
    assert!(
        format!("{error} {:?}", std::error::Error::source(&error)).contains("another daemon has taken over"),
        "{error}"
    );
    let there: Vec<String> = second.watches().unwrap().into_iter().map(|watch| watch.uuid).collect();
    assert_eq!(there, ["before"]);
}
