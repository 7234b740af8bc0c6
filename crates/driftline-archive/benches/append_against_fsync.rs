//! How many captures a second are on the disk for good, beside what the disk itself can do?
//!
//! `cargo bench -p driftline-archive --bench append_against_fsync [FOLDER]`. The floor is the disk's own rate: one
//! small write and one `fdatasync` after the other, in the same folder and the same run. A capture is a page of 2 kB
//! with its request; each is acknowledged only when its bytes and the catalog's are on the disk. Threads share
//! these waits (group commit), so many of them together are faster than the disk's own rate.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use driftline_archive::Time;
use driftline_archive::archive::{Archive, Options};
use driftline_archive::capture::{Capture, Content, Exchange};

/// Each contestant runs so long in each round.
const TURN: Duration = Duration::from_secs(2);
const ROUNDS: usize = 3;
const THREADS: [usize; 3] = [1, 8, 32];

fn main() {
    let folder = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let folder = folder.map_or_else(std::env::temp_dir, Into::into);
    let folder = tempfile::tempdir_in(folder).expect("a folder that can be written");
    let archive = Archive::open(&Options::at(folder.path())).expect("an archive");
    let (mut disk, mut appended) = (0.0_f64, [0.0_f64; THREADS.len()]);
    for round in 0..ROUNDS {
        disk = disk.max(fsyncs(folder.path()));
        for (best, threads) in appended.iter_mut().zip(THREADS) {
            *best = best.max(appends(&archive, threads, round));
        }
    }
    println!("best of {ROUNDS} rounds of {} s each, in one run, in turns", TURN.as_secs());
    println!("{:<34} {:>10} {:>8}", "", "a second", "ratio");
    println!("{:<34} {disk:>10.0} {:>8.2}", "write and fdatasync of 2 kB", 1.0);
    for (rate, threads) in appended.iter().zip(THREADS) {
        println!("{:<34} {rate:>10.0} {:>8.2}", format!("captures by {threads} threads"), rate / disk);
    }
}

/// What the disk can do alone.
fn fsyncs(folder: &Path) -> f64 {
    let mut file = File::create(folder.join("floor")).expect("a file");
    let (start, mut count) = (Instant::now(), 0_u32);
    while start.elapsed() < TURN {
        file.write_all(&[b'x'; 2_000]).and_then(|()| file.sync_data()).expect("room on the disk");
        count += 1;
    }
    f64::from(count) / start.elapsed().as_secs_f64()
}

fn appends(archive: &Archive, threads: usize, round: usize) -> f64 {
    let start = Instant::now();
    let count: u32 = thread::scope(|scope| {
        let work = |thread: usize| {
            move || {
                let mut count = 0;
                while start.elapsed() < TURN {
                    let name = format!("{round}/{threads}/{thread}/{count}");
                    archive.append(&page(&name, count)).expect("room on the disk");
                    count += 1;
                }
                count
            }
        };
        let workers: Vec<_> = (0..threads).map(|thread| scope.spawn(work(thread))).collect();
        workers.into_iter().map(|worker| worker.join().expect("no thread fails")).sum()
    });
    f64::from(count) / start.elapsed().as_secs_f64()
}

fn page(name: &str, at: u32) -> Capture {
    let mut random = fastrand::Rng::with_seed(at.into());
    let words: Vec<String> = (0..200).map(|_| random.u32(..100_000_000).to_string()).collect();
    let exchange = Exchange {
        request: Some(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n".to_vec()),
        head: b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec(),
        body: format!("<p>{name} {}", words.join(" ")).into_bytes(),
        ..Exchange::default()
    };
    let url = format!("http://example.org/{name}");
    Capture { url, at: Time::from_microseconds(at.into()), content: Content::Http(exchange), metadata: Vec::new() }
}
