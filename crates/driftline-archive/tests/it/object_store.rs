//! Does an archive live in an S3-compatible store? Against a real S3 API: moto's server, on loopback.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use driftline_archive::Time;
use driftline_archive::archive::{Archive, Options};
use driftline_archive::capture::{Capture, Content};
use driftline_archive::care::compact::Mode;
use driftline_archive::care::verify::{Depth, Fault, verify};
use driftline_archive::care::{Compact, Retention, compact};
use driftline_archive::store::{Place, S3, Store};
use driftline_catalog::{Segment, SegmentState};
use driftline_testkit::python;

struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn start() -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = python::tools().command("moto_server");
        command.args(["-H", "127.0.0.1", "-p", &port.to_string()]).stdout(Stdio::null()).stderr(Stdio::null());
        let server = Self { process: command.spawn().unwrap(), port };
        for _ in 0..600 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                server.make_bucket();
                return server;
            }
            thread::sleep(Duration::from_millis(100));
        }
        panic!("moto does not answer")
    }

    fn make_bucket(&self) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let request = format!(
            "PUT /bucket HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 0\r\nConnection: close\r\n\
             Authorization: AWS4-HMAC-SHA256 Credential=key/20240101/us-east-1/s3/aws4_request\r\n\r\n",
            self.port
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }

    fn place(&self) -> Place {
        place(self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn place(port: u16) -> Place {
    Place::S3(S3 {
        endpoint: Some(format!("http://127.0.0.1:{port}")),
        access_key_id: Some("key".to_owned()),
        secret_access_key: Some("secret".to_owned()),
        ..S3::parse("s3://bucket/some/prefix").unwrap()
    })
}

fn resource(at: i64, body: Vec<u8>) -> Capture {
    let content = Content::Resource { content_type: "application/octet-stream".to_owned(), body };
    let at = Time::from_microseconds(at * 1_000_000);
    Capture { url: "http://example.org/".to_owned(), at, content, metadata: Vec::new() }
}

fn noise(length: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(1);
    std::iter::repeat_with(|| random.u8(..)).take(length).collect()
}

fn closed_here(folder: &Path) -> usize {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.contains(".warc.")).count()
}

#[test]
fn closed_segments_go_to_the_store_and_are_read_there() {
    let server = Server::start();
    let data = tempfile::tempdir().unwrap();
    let options = Options { place: server.place(), segment_bytes: 1_000_000, ..Options::at(data.path()) };
    let archive = Archive::open(&options).unwrap();
    // More than one part of an upload, and more than one range of a read.
    let large = archive.append(&resource(1, noise(20_000_000))).unwrap();
    let small = archive.append(&resource(2, b"small".to_vec())).unwrap();
    assert_eq!(archive.read(&small, 100).unwrap().body(), b"small");
    archive.close().unwrap();
    assert_eq!(closed_here(&options.folder), 0);

    let archive = Archive::open_to_read(&options).unwrap();
    assert_eq!(archive.read(&large, 1 << 30).unwrap().body(), noise(20_000_000));
    assert_eq!(archive.read(&small, 100).unwrap().body(), b"small");
    let segments = archive.catalog().segments().unwrap();
    assert!(segments.iter().all(|segment| segment.state == SegmentState::Stored));
    let listed = archive.store().list().unwrap();
    let known: Vec<_> = segments.into_iter().map(|segment| (segment.name, segment.bytes)).collect();
    assert_eq!(listed, known);
    archive.store().delete(&small.segment).unwrap();
    assert!(archive.read(&small, 100).unwrap_err().to_string().contains("hint: "));
}

#[test]
fn what_could_not_be_uploaded_stays_here_and_goes_later() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start();
    let place = server.place();
    let options = Options { place: place.clone(), ..Options::at(data.path()) };
    let archive = Archive::open(&options).unwrap();
    let kept = archive.append(&resource(1, b"text".to_vec())).unwrap();
    let Place::S3(mut wrong) = place else { panic!() };
    wrong.bucket = "no-such-bucket".to_owned();
    drop(archive);
    let lost = Options { place: Place::S3(wrong), ..options.clone() };
    let archive = Archive::open(&lost).unwrap();
    let second = archive.append(&resource(2, b"more".to_vec())).unwrap();
    assert!(archive.close().unwrap_err().to_string().contains("no-such-bucket"));
    assert_eq!(closed_here(&options.folder), 1);
    let archive = Archive::open(&options).unwrap();
    assert_eq!(archive.read(&second, 100).unwrap().body(), b"more");
    archive.close().unwrap();
    assert_eq!(closed_here(&options.folder), 0);
    let store = Store::open(&options.place, &options.folder).unwrap();
    assert!(store.has(&kept.segment).unwrap() && store.has(&second.segment).unwrap());
}

#[test]
fn captures_do_not_wait_for_the_store() {
    // Nobody listens there.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let data = tempfile::tempdir().unwrap();
    let options = Options { place: place(port), segment_bytes: 1, ..Options::at(data.path()) };
    let archive = Archive::open(&options).unwrap();
    for at in 0..20 {
        archive.append(&resource(at, b"text".to_vec())).unwrap();
    }
    assert_eq!(closed_here(&options.folder), 20);
    // Closing it would wait until the store has refused all of them several times.
    std::mem::forget(archive);
}

#[test]
fn two_may_upload_the_same_and_nothing_is_overwritten() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start();
    let local = Options { segment_bytes: 1, ..Options::at(data.path()) };
    let archive = Archive::open(&local).unwrap();
    let kept: Vec<_> = (0..10).map(|at| archive.append(&resource(at, b"text".to_vec())).unwrap()).collect();
    archive.close().unwrap();
    let options = Options { place: server.place(), ..local };
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| Archive::open(&options).unwrap().close().unwrap());
        }
    });
    assert_eq!(closed_here(&options.folder), 0);
    // One was uploaded, and the catalog does not know; of another name there is something else.
    let store = Store::open(&options.place, &options.folder).unwrap();
    let bytes = |name: &str| store.read(name, 0..store.size(name).unwrap()).unwrap();
    let (one, other) = (&kept[0].segment, &kept[1].segment);
    fs::write(options.folder.join(one), bytes(one)).unwrap();
    fs::write(options.folder.join(other), [bytes(other), bytes(one)].concat()).unwrap();
    let before = bytes(other);
    assert!(store.upload(one, &options.folder.join(one)).is_ok());
    let error = store.upload(other, &options.folder.join(other)).unwrap_err().to_string();
    assert!(error.contains("hint: ") && bytes(other) == before, "{error}");
}

fn problems(archive: &Archive) -> Vec<(Fault, String)> {
    let verified = verify(archive, Depth::Records, &|_| ()).unwrap();
    verified.problems.into_iter().map(|problem| (problem.fault, problem.cure.to_owned())).collect()
}

#[test]
fn an_archive_is_compacted_in_the_store_and_what_was_left_there_is_removed() {
    let server = Server::start();
    let data = tempfile::tempdir().unwrap();
    let options = Options { place: server.place(), segment_bytes: 1_000, ..Options::at(data.path()) };
    let archive = Archive::open(&options).unwrap();
    for number in 0..5 {
        archive.append(&resource(number, noise(2_000 + usize::try_from(number).unwrap()))).unwrap();
    }
    archive.close().unwrap();
    let mut archive = Archive::open(&options).unwrap();
    let before = archive.store().list().unwrap();
    assert_eq!(before.len(), 5);
    let what = |keep| Compact {
        retention: Retention { keep, ..Retention::default() },
        now: Time::from_microseconds(1_000_000_000),
        mode: Mode::Real,
        ..Compact::default()
    };
    let outcome = compact(&mut archive, &what(Some(2)), &|_| ()).unwrap();
    assert_eq!((outcome.gone.len(), outcome.kept, outcome.replaced.len()), (3, 2, 3));
    assert_eq!((archive.store().list().unwrap().len(), closed_here(&options.folder)), (2, 0));
    assert_eq!(problems(&archive), []);

    // As a crash between the catalog and the store leaves it.
    let left = outcome.replaced[0].clone();
    let file = data.path().join("left");
    fs::write(&file, "of no use").unwrap();
    archive.store().upload(&left, &file).unwrap();
    let found = problems(&archive);
    assert!(matches!(&found[..], [(Fault::StoredLeftover, cure)] if cure.contains("compact")), "{found:?}");
    let outcome = compact(&mut archive, &what(None), &|_| ()).unwrap();
    assert_eq!((outcome.swept, outcome.gone.len()), (vec![left], 0));
    assert_eq!(problems(&archive), []);
    let dropped = |segment: &Segment| segment.state == SegmentState::Dropped;
    assert_eq!(archive.catalog().segments().unwrap().into_iter().filter(dropped).count(), 3);
    let bodies: Vec<_> = archive.captures_of("http://example.org/").unwrap();
    let lengths = bodies.iter().map(|own| archive.read(own, 1 << 20).unwrap().body().len());
    assert_eq!(lengths.collect::<Vec<_>>(), [2_003, 2_004]);
}
