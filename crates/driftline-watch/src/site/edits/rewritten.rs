//! Files and pages that only moved to other folders with the design: `/files/map.pdf` to `/assets/map.pdf`, as on another
//! page. Designs keep their images in folders of their own, so an image of the same name is the same image.

use std::collections::{HashMap, HashSet};

use super::{Remains, Rest};
use crate::leftover::Content;

/// The name of images.
const IMAGE: &str = "image";

/// From which folder and ending to which.
type Move<'a> = (&'a str, &'a str, &'a str, &'a str);

/// An address in parts.
struct Address<'a> {
    folder: &'a str,
    name: &'a str,
    ending: &'a str,
}

/// Drops links whose folder or ending is another one now, if the same happened on another page, and images in another folder.
pub(super) fn drop_files_that_moved(remains: &mut [Remains<'_>]) {
    let mut pages: HashMap<Move<'_>, HashSet<&str>> = HashMap::new();
    for page in remains.iter() {
        for (_, _, how) in moves(page) {
            pages.entry(how).or_default().insert(page.page.url);
        }
    }
    for page in remains.iter_mut() {
        let is_image =
            |at: usize| matches!(&page.lost[at].item.content, Content::Resource { what, .. } if what == IMAGE);
        let of_design = |(lost, _, how): &(usize, usize, Move<'_>)| {
            is_image(*lost) && how.1 == how.3 || pages.get(how).is_some_and(|pages| pages.len() > 1)
        };
        let dropped: Vec<(usize, usize)> =
            moves(page).into_iter().filter(of_design).map(|(lost, gained, _)| (lost, gained)).collect();
        for (lost, gained) in dropped {
            page.lost[lost].left.fill(false);
            page.gained[gained].left.fill(false);
        }
    }
}

/// The resources of a page that have the same name in another folder, or another ending.
fn moves<'a>(page: &Remains<'a>) -> Vec<(usize, usize, Move<'a>)> {
    let mut by_name: HashMap<(&str, &str), Vec<(usize, Address<'a>)>> = HashMap::new();
    for (at, rest) in page.lost.iter().enumerate() {
        if let Some((what, address)) = address(rest) {
            by_name.entry((what, address.name)).or_default().push((at, address));
        }
    }
    let mut moves = Vec::new();
    for (at, rest) in page.gained.iter().enumerate() {
        let Some((what, newer)) = address(rest) else { continue };
        for (other, older) in by_name.get(&(what, newer.name)).into_iter().flatten() {
            moves.push((*other, at, (older.folder, older.ending, newer.folder, newer.ending)));
        }
    }
    moves
}

fn address<'a>(rest: &Rest<'a>) -> Option<(&'a str, Address<'a>)> {
    let Content::Resource { what, url, .. } = &rest.item.content else { return None };
    let path = url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let (name, ending) = file.rsplit_once('.').unwrap_or((file, ""));
    (!name.is_empty()).then_some((what.as_str(), Address { folder, name, ending }))
}
