//! What the watched addresses show, and how that changes while they are asked for.
//!
//! Whatever an address shows has a version, which stands in it: so the archive can be asked which versions it has.

pub(crate) mod feed;
pub(crate) mod list;
pub(crate) mod pages;
pub(crate) mod site;

/// What decides whether something changes.
pub(crate) struct Chance {
    random: fastrand::Rng,
    /// Nothing changes any more.
    pub(crate) is_over: bool,
}

/// What an address shows; none if there is no such page.
pub(crate) type Shown = Option<Version>;

/// A version of a page, a feed or a list.
pub(crate) struct Version {
    pub(crate) number: u64,
    pub(crate) body: String,
}

impl Chance {
    pub(crate) fn new(random: fastrand::Rng) -> Self {
        Self { random, is_over: false }
    }

    /// Does something happen that happens once in so many times?
    pub(crate) fn one_in(&mut self, times: u32) -> bool {
        !self.is_over && self.random.u32(..times) == 0
    }

    /// A number below this.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.random.usize(..end)
    }
}

/// The version that something says it has; none if it says none, as an answer that there is no such page.
pub(crate) fn version(body: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(body);
    let (_, rest) = text.split_once("<!-- version=")?;
    Some(rest.split_once(';')?.0.parse().expect("a number"))
}

fn marked(number: u64) -> String {
    format!("<!-- version={number}; -->")
}

/// So many words that nobody else has, the same ones for the same name and number.
fn words(name: &str, number: u64, count: usize) -> String {
    let seed = name.bytes().fold(number, |seed, byte| seed.wrapping_mul(1_000_003).wrapping_add(u64::from(byte)));
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| format!("word{}", random.u32(..100_000))).collect::<Vec<_>>().join(" ")
}

/// A page with a text that no other version of it has. All of them are built alike.
fn plain(name: &str, number: u64) -> Version {
    let body = format!(
        "<!doctype html><title>The {name}</title><main><h1>The {name}</h1><p>What never changes on the {name} stands \
         here.</p><p>{}</p></main>{}",
        words(name, number, 20),
        marked(number)
    );
    Version { number, body }
}
