//! How fast is an archive read? All records, the heads of HTTP and the payloads, by one thread or by several.
//!
//! `cargo run --release -p driftline-archive --example read_archive -- FILE [THREADS]`

use std::error::Error;
use std::path::Path;
use std::thread;

use driftline_archive::http::Head;
use driftline_archive::warc::{self, Kind, Part};

/// The most of a body that is kept.
const LIMIT: usize = 64 << 20;

/// How many records there are, how many of them are responses of HTTP, and how many bytes their bodies have.
fn read(part: &Part) -> std::io::Result<[u64; 3]> {
    let (mut reader, mut sums) = (part.open()?, [0; 3]);
    while let Some(record) = reader.next() {
        let Ok(record) = record else { continue };
        let Ok(body) = reader.body(LIMIT) else { continue };
        let page = (record.kind == Kind::Response).then(|| Head::parse(&body.bytes)).and_then(Result::ok);
        let payload = page.as_ref().map_or(body.bytes.as_slice(), |(_, payload)| payload);
        sums = [sums[0] + 1, sums[1] + u64::from(page.is_some()), sums[2] + payload.len() as u64];
    }
    Ok(sums)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which file?")?;
    let threads = arguments.next().map_or(Ok(1), |count| count.parse())?;
    let parts = warc::parts(Path::new(&path), threads)?;
    let sums = thread::scope(|scope| {
        let readers: Vec<_> = parts.iter().map(|part| scope.spawn(|| read(part))).collect();
        readers.into_iter().map(|reader| reader.join().expect("a reader does not panic")).collect::<Vec<_>>()
    });
    let mut all = [0; 3];
    for sums in sums {
        all.iter_mut().zip(sums?).for_each(|(all, sum)| *all += sum);
    }
    let [records, responses, bytes] = all;
    println!("{records} records, {responses} responses, {bytes} bytes of payload, {} parts", parts.len());
    Ok(())
}
