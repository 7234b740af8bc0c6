//! The watch that is meant: by its id, by the beginning of it, by its address, by its name; those of a site or a tag.

use super::{Kind, Watch, Watches, WatchesError, address, completed};

/// At most so many are named when several are meant.
const MOST_NAMED: usize = 5;

impl Watches {
    /// The watch of this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Watch> {
        self.number(id).and_then(|number| self.iter().nth(number))
    }

    pub(super) fn number(&self, id: &str) -> Option<usize> {
        let place = self.by_id.binary_search_by(|&number| self.at(number).id.as_ref().cmp(id)).ok()?;
        Some(self.by_id[place] as usize)
    }

    /// The watch that is meant: by its id, its address, its name, or the beginning of its id, in this order.
    ///
    /// # Errors
    /// If there is none, or there are several.
    pub fn find(&self, asked: &str) -> Result<&Watch, WatchesError> {
        if let Some(watch) = self.get(asked) {
            return Ok(watch);
        }
        let mut found = self.at_address(asked);
        if found.is_empty() {
            found = self.named(asked);
        }
        if found.is_empty() {
            found = self.beginning(asked).take(MOST_NAMED + 1).collect();
        }
        match found.as_slice() {
            [] => Err(WatchesError::Unknown { asked: asked.to_owned() }),
            [watch] => Ok(watch),
            several => Err(WatchesError::ambiguous(asked, several.iter().map(|watch| &*watch.id))),
        }
    }

    /// Those of an address, which may lack its `https://`.
    fn at_address(&self, asked: &str) -> Vec<&Watch> {
        let Ok(url) = address::address(&completed(asked)) else { return Vec::new() };
        self.iter().filter(|watch| *watch.url == url).take(MOST_NAMED + 1).collect()
    }

    /// Those of a name; in other letter case if none has it as it is written.
    fn named(&self, asked: &str) -> Vec<&Watch> {
        let of_name = |is_it: &dyn Fn(&str) -> bool| -> Vec<&Watch> {
            self.iter().filter(|watch| watch.name.as_deref().is_some_and(is_it)).take(MOST_NAMED + 1).collect()
        };
        let found = of_name(&|name| name == asked);
        if !found.is_empty() {
            return found;
        }
        let asked = asked.to_lowercase();
        of_name(&|name| name.to_lowercase() == asked)
    }

    /// Those whose id begins so; members of lists only behind the list's own id and `/`.
    fn beginning(&self, prefix: &str) -> impl Iterator<Item = &Watch> {
        let start = self.by_id.partition_point(|&number| self.at(number).id.as_ref() < prefix);
        let found = self.by_id[start..].iter().map(|&number| self.at(number));
        let found = found.take_while(move |watch| !prefix.is_empty() && watch.id.starts_with(prefix));
        found.filter(move |watch| watch.id.contains('/') == prefix.contains('/'))
    }

    /// Those of a site: the host without `www.`.
    pub fn of_site(&self, site: &str) -> impl Iterator<Item = &Watch> {
        let site = site.strip_prefix("www.").unwrap_or(site);
        self.iter().filter(move |watch| watch.settings.kind != Kind::List && watch.site() == site)
    }

    /// Those with a tag.
    pub fn of_tag(&self, tag: &str) -> impl Iterator<Item = &Watch> {
        self.iter().filter(move |watch| watch.settings.tags.iter().any(|own| own == tag))
    }
}
