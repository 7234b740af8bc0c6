//! Does an add stay within its budget of memory, however large the crawl is?
//!
//! Only what is allocated counts: files that are mapped are the system's to keep or to drop. What zstd allocates is
//! not seen here; it is bounded by the number of files that are read at once, and counted in the budget by its size.

use driftline_graph::Series;
use driftline_graph::add::{Crawled, SnapshotBuilder, Source};
use driftline_testkit::allocations::{Counting, peak};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Well above what does not depend on it, so that one that is taken twice is seen.
const BUDGET: usize = 8 << 20;
/// Buffers of files, tables of codes, stacks of rayon.
const CONSTANT: u64 = 2 << 20;
const SOURCES: u64 = 2;
const LINKS: u64 = 12;

fn harvest(builder: &SnapshotBuilder, number: u64, pages: u64) {
    let source = Source { name: number.to_string(), size: pages, changed: 0 };
    let mut to = builder.reader(&source).unwrap().unwrap();
    let mut random = fastrand::Rng::with_seed(number);
    let url = |page: u64| format!("https://h{}.example/some/path/that/is/long/{page}", page % 100);
    for page in (0..pages).filter(|page| page % SOURCES == number) {
        let own = url(page);
        let crawled = Crawled { url: &own, fetched: None, last_modified: None, sketch: None };
        to.page(&crawled, (0..LINKS).map(|_| url(random.u64(..pages)))).unwrap();
    }
    to.finish().unwrap();
}

/// The most that was held while this many pages were harvested, and while the snapshot was built.
fn add(pages: u64) -> (u64, u64) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("series");
    let mut builder = None;
    let harvesting = peak(|| {
        let begun = Series::open_or_make(&folder).unwrap().add("2019".parse().unwrap(), BUDGET).unwrap();
        std::thread::scope(|scope| {
            let begun = &begun;
            (0..SOURCES).for_each(|number| _ = scope.spawn(move || harvest(begun, number, pages)));
        });
        builder = Some(begun);
    });
    let building = peak(|| {
        let about = builder.take().unwrap().build(&|_| ()).unwrap();
        assert_eq!(u64::from(about.urls), pages);
        assert!(about.links > pages * (LINKS - 1), "{about:?}");
    });
    (harvesting, building)
}

#[test]
fn memory_stays_within_the_budget_whatever_the_size_of_the_crawl() {
    rayon::ThreadPoolBuilder::new().num_threads(2).build_global().unwrap();
    // Links alone are nearly twice the budget, the blocks of both many times.
    let pages = 150_000;
    let (harvesting, building) = add(pages);
    println!("{pages} pages: {harvesting} and {building} bytes");
    // A node takes some bytes in the writers of links, as they say, and four bits here.
    let nodes = 6 * pages;
    let budget = BUDGET as u64;
    assert!(harvesting < budget, "harvesting took {harvesting} bytes");
    assert!(building < budget + CONSTANT + nodes, "building took {building} bytes");
    assert!(harvesting > budget / 2 && building > budget, "the crawl is too small to show anything");
}
