//! What does a list say now? Its own members, and those of the lists that it names; and what is not in it, and why.
//!
//! A file that was named before, and never came until now, says nothing new: its pages are as old as those of the
//! first reading.

use std::collections::{BTreeSet, HashSet, VecDeque};

use driftline_fetch::Fetched;

use super::parse;
use crate::check::answer::{Answer, ask};
use crate::check::case::Case;
use crate::watches::lists::{Listed, MOST_DEPTH, MOST_MEMBERS};
use crate::watches::{Member, site};

/// So many files does one sitemap consist of at most.
const MOST_FILES: usize = 50;
/// So many files that never came are remembered, with addresses as long as the protocol of sitemaps allows.
const MOST_UNREAD: usize = 200;
const LONGEST_ADDRESS: usize = 2_048;

/// Why something of a list is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cut {
    /// A file is longer than may be read.
    Bytes,
    /// There are more files than may be asked for, or deeper ones.
    Files,
    /// A file is on another host.
    Hosts,
    /// There are more members than may be watched.
    Members,
    /// A file did not come, or is no list.
    Unread,
}

impl Cut {
    /// Its name among the limits of an event.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Files => "files",
            Self::Hosts => "hosts",
            Self::Members => "members",
            Self::Unread => "unread",
        }
    }
}

/// What a list says now.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) members: Vec<Member>,
    /// Members that were not seen before only because their file did not come.
    pub(super) late: HashSet<String>,
    /// What is not in it, and why.
    pub(super) cuts: BTreeSet<Cut>,
    /// Files that never came.
    pub(super) unread: Vec<String>,
}

/// A file that the list names.
struct File {
    url: String,
    depth: usize,
    /// It was named before, and never came.
    is_late: bool,
}

/// Reads one file after the other, until the host is too busy.
struct Gatherer {
    reading: Reading,
    asked: BTreeSet<String>,
    waiting: VecDeque<File>,
    is_busy: bool,
}

/// All members, those of the lists in the list too.
pub(super) fn gather(case: &mut Case<'_>, listed: Listed, is_cut: bool, is_first: bool) -> Reading {
    let never_came: HashSet<String> = case.state.unread.iter().cloned().collect();
    let asked = BTreeSet::from([case.watch.url.to_string()]);
    let mut gatherer = Gatherer { reading: Reading::default(), asked, waiting: VecDeque::new(), is_busy: false };
    gatherer.take(listed, is_cut, &File { url: case.watch.url.to_string(), depth: 0, is_late: is_first });
    while let Some(mut file) = gatherer.waiting.pop_front() {
        if gatherer.asked.contains(&file.url) {
            continue;
        }
        file.is_late |= never_came.contains(&file.url);
        match gatherer.read(case, &file) {
            Ok((listed, is_cut)) => gatherer.take(listed, is_cut, &file),
            Err(cut) => gatherer.leave_out(file, cut),
        }
    }
    gatherer.reading
}

impl Gatherer {
    /// Asks for a file, if it may be asked for.
    fn read(&mut self, case: &mut Case<'_>, file: &File) -> Result<(Listed, bool), Cut> {
        if file.depth > MOST_DEPTH || self.asked.len() >= MOST_FILES {
            return Err(Cut::Files);
        }
        if site(&file.url) != case.site {
            return Err(Cut::Hosts);
        }
        if self.is_busy {
            return Err(Cut::Unread);
        }
        self.asked.insert(file.url.clone());
        match ask(case, &file.url, None) {
            Answer::Page(fetched) => {
                let Fetched { body, is_cut, .. } = *fetched;
                case.bytes += body.len() as u64;
                parse(case, &body).map(|listed| (listed, is_cut)).map_err(|_| Cut::Unread)
            }
            Answer::Failed(failure) if failure.is_overload => {
                self.is_busy = true;
                case.heed(&failure);
                Err(Cut::Unread)
            }
            _ => Err(Cut::Unread),
        }
    }

    /// Takes what a file says.
    fn take(&mut self, listed: Listed, is_cut: bool, file: &File) {
        let is_full = listed.is_cut && listed.members.len() >= MOST_MEMBERS;
        self.reading.cuts.extend(is_full.then_some(Cut::Members));
        self.reading.cuts.extend((is_cut || listed.is_cut && !is_full).then_some(Cut::Bytes));
        if file.is_late {
            self.reading.late.extend(listed.members.iter().map(|member| member.url.clone()));
        }
        self.reading.members.extend(listed.members);
        let named = |url| File { url, depth: file.depth + 1, is_late: file.is_late };
        self.waiting.extend(listed.lists.into_iter().map(named));
    }

    fn leave_out(&mut self, file: File, cut: Cut) {
        self.reading.cuts.insert(cut);
        let unread = &mut self.reading.unread;
        if file.is_late && unread.len() < MOST_UNREAD && file.url.len() <= LONGEST_ADDRESS {
            unread.push(file.url);
        }
    }
}
