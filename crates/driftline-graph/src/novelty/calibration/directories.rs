//! How old are the pages around a page? Last-Modified times of a site's folders, counted in one pass.
//!
//! What is published together is born together, and lies in the same folder. Few pages send a Last-Modified, so what
//! is known of a folder is filled up from the folder above it, up to the site and the crawl as a whole. Keys are
//! sorted, so that a folder's pages come one after another: a stack of open folders is all that the pass holds.

/// Folders below a site are told apart up to this depth, the site counted.
const DEPTH: usize = 8;

/// What is known of a folder counts as much as this many pages of the folder above it. Chosen on the development series.
const FILL: f64 = 2.0;

/// What a page's Last-Modified says of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Modified {
    /// Before the previous snapshot: it is old.
    Before,
    /// Since the previous snapshot: it may be new, or has changed.
    Since,
}

/// Pages of a folder and of those below it.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    /// Never seen before, by Last-Modified.
    unseen: [u32; 2],
    /// Seen before, by Last-Modified.
    seen: [u32; 2],
}

#[derive(Debug)]
struct Directory {
    above: Option<u32>,
    counts: Counts,
}

/// The folders of a crawl.
#[derive(Debug, Default)]
pub(super) struct Directories {
    all: Vec<Directory>,
    open: Vec<(String, u32)>,
    total: Counts,
}

/// Shares of pages with a Last-Modified since the previous snapshot, around a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Around {
    /// Among pages that were never seen before: higher where pages are new.
    pub(super) recent: f64,
    /// Among pages that are known to be old: high where old pages change, or a site is made anew as a whole.
    pub(super) recent_if_old: f64,
}

impl Directories {
    /// Enters a page, in the order of keys, and says in which folder it lies.
    pub(super) fn enter(&mut self, key: &str, is_seen: bool, modified: Option<Modified>) -> u32 {
        let directory = self.open(key);
        if let Some(modified) = modified {
            self.total.add(is_seen, modified);
            for (_, directory) in &self.open {
                self.all[*directory as usize].counts.add(is_seen, modified);
            }
        }
        directory
    }

    /// What is known around a page that was never seen before, itself left out.
    pub(super) fn around(&self, directory: u32, modified: Option<Modified>) -> Around {
        let mut own = Counts::default();
        if let Some(modified) = modified {
            own.add(false, modified);
        }
        let mut path = [0; DEPTH];
        let mut length = 0;
        let mut next = Some(directory);
        while let Some(directory) = next.filter(|_| length < DEPTH) {
            path[length] = directory;
            length += 1;
            next = self.all[directory as usize].above;
        }
        let mut around = Around {
            recent: share(self.total.unseen, [0; 2], 0.5),
            recent_if_old: share(self.total.seen, [0; 2], 0.5),
        };
        for &directory in path[..length].iter().rev() {
            let counts = &self.all[directory as usize].counts;
            around.recent = share(counts.unseen, own.unseen, around.recent);
            around.recent_if_old = share(counts.seen, own.seen, around.recent_if_old);
        }
        around
    }

    /// Closes folders until one holds the page, and opens those on the way to it.
    fn open(&mut self, key: &str) -> u32 {
        let folders = folders(key);
        let same = self.open.iter().zip(&folders).take_while(|((open, _), folder)| open == *folder).count();
        self.open.truncate(same);
        for folder in &folders[same..] {
            let above = self.open.last().map(|(_, directory)| *directory);
            let directory = self.all.len() as u32;
            self.all.push(Directory { above, counts: Counts::default() });
            self.open.push(((*folder).to_owned(), directory));
        }
        self.open.last().map_or(0, |(_, directory)| *directory)
    }
}

impl Counts {
    fn add(&mut self, is_seen: bool, modified: Modified) {
        let counts = if is_seen { &mut self.seen } else { &mut self.unseen };
        counts[usize::from(modified == Modified::Since)] += 1;
    }
}

/// The share of recent pages: as counted, without the page itself, filled up from above.
fn share([before, since]: [u32; 2], [own_before, own_since]: [u32; 2], above: f64) -> f64 {
    let (before, since) = (f64::from(before.saturating_sub(own_before)), f64::from(since.saturating_sub(own_since)));
    (since + FILL * above) / (before + since + FILL)
}

/// The site, and the folders from it down to the page: `a/b/c` lies in `a` and `b`, and so does `a/b/c/`.
fn folders(key: &str) -> Vec<&str> {
    let path = key.split('?').next().unwrap_or(key);
    let path = path.strip_suffix('/').unwrap_or(path);
    let (folders, _) = path.rsplit_once('/').unwrap_or((path, ""));
    folders.splitn(DEPTH + 1, '/').take(DEPTH).collect()
}

#[cfg(test)]
mod tests {
    use super::Modified::{Before, Since};
    use super::*;

    #[test]
    fn a_page_lies_in_its_folder_whether_it_ends_with_a_slash_or_not() {
        assert_eq!(folders("org.a/b/c"), ["org.a", "b"]);
        assert_eq!(folders("org.a/b/c/"), ["org.a", "b"]);
        assert_eq!(folders("org.a/b?x=/y/z"), ["org.a"]);
        assert_eq!(folders("org.a/"), ["org.a"]);
        assert_eq!(folders("org.a"), ["org.a"]);
    }

    #[test]
    fn folders_are_told_apart_to_a_depth() {
        assert_eq!(folders("a/1/2/3/4/5/6/7/8/9/page"), ["a", "1", "2", "3", "4", "5", "6", "7"]);
    }

    #[test]
    fn a_folder_says_more_of_its_pages_than_the_site() {
        let mut directories = Directories::default();
        let entered: Vec<u32> = [("a/new/1", Since), ("a/new/2", Since), ("a/old/1", Before), ("a/old/2", Before)]
            .map(|(key, modified)| directories.enter(key, false, Some(modified)))
            .to_vec();
        let other = directories.enter("b/", false, None);
        let [new, old, other] = [entered[0], entered[2], other].map(|place| directories.around(place, None).recent);
        // The crawl: (2 + 1) / 6 = 1/2. Site `a`: (2 + 1) / 6 = 1/2. Folder `new`: (2 + 1) / 4; `old`: (0 + 1) / 4.
        assert_eq!([new, old, other], [0.75, 0.25, 0.5]);
    }

    #[test]
    fn a_page_says_nothing_of_itself() {
        let mut directories = Directories::default();
        let alone = directories.enter("a/page", false, Some(Before));
        // Site without the page: filled up from the crawl, (0 + 1) / 3, of which the page is too small a part to care.
        assert_eq!(directories.around(alone, Some(Before)).recent, 1.0 / 3.0);
    }

    #[test]
    fn pages_seen_before_say_how_often_old_pages_change() {
        let mut directories = Directories::default();
        directories.enter("a/1", true, Some(Since));
        directories.enter("a/2", true, Some(Since));
        let page = directories.enter("a/3", false, Some(Before));
        let around = directories.around(page, None);
        // Crawl: (2 + 1) / 4 = 3/4; site: (2 + 3/2) / 4.
        assert_eq!(around.recent_if_old, 0.875);
        assert!(around.recent < 0.5);
    }
}
