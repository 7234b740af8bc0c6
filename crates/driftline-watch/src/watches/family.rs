//! How is a member of a list watched? As the list says, under an id that is made of the list's and of its address.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Kind, Member, Members, Settings, Watch, id};

/// The members of a list. They share their settings.
#[derive(Debug)]
pub struct Family {
    list: Arc<str>,
    settings: Arc<Settings>,
    /// Settings of members with tags of their own.
    tagged: HashMap<Vec<String>, Arc<Settings>>,
}

impl Family {
    /// The family of a list.
    #[must_use]
    pub fn of(list: &Watch) -> Self {
        let kind = if list.settings.kind == Kind::Opml { Kind::Feed } else { Kind::Page };
        let settings = Settings { kind, members: Members::default(), ..Settings::clone(&list.settings) };
        Self { list: Arc::clone(&list.id), settings: Arc::new(settings), tagged: HashMap::new() }
    }

    /// The watch of a member: `LIST/MEMBER`.
    pub fn watch(&mut self, member: &Member) -> Watch {
        let settings = if member.tags.is_empty() { Arc::clone(&self.settings) } else { self.tagged(&member.tags) };
        Watch {
            id: format!("{}/{}", self.list, id::made_of(settings.kind, &member.url)).into(),
            url: member.url.as_str().into(),
            name: (!member.title.is_empty()).then(|| member.title.as_str().into()),
            settings,
        }
    }

    fn tagged(&mut self, own: &[String]) -> Arc<Settings> {
        let usual = &self.settings;
        let made = self.tagged.entry(own.to_vec()).or_insert_with(|| {
            let mut tags = usual.tags.clone();
            tags.extend(own.iter().filter(|tag| !usual.tags.contains(tag)).cloned());
            Arc::new(Settings { tags, ..Settings::clone(usual) })
        });
        Arc::clone(made)
    }
}

/// The watch of one member of a list; for many, [`Family`] shares their settings.
#[must_use]
pub fn member_watch(list: &Watch, member: &Member) -> Watch {
    Family::of(list).watch(member)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_share_the_settings_of_their_list() {
        let settings = Settings { kind: Kind::Opml, tags: vec!["a".to_owned()], ..Settings::default() };
        let list = Watch { id: "l".into(), url: "http://x.example/".into(), name: None, settings: Arc::new(settings) };
        let mut family = Family::of(&list);
        let member = |url: &str, tags: &[&str]| Member {
            url: url.to_owned(),
            tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
            ..Member::default()
        };
        let first = family.watch(&member("http://a.example/", &[]));
        let second = family.watch(&member("http://b.example/", &[]));
        assert!(Arc::ptr_eq(&first.settings, &second.settings) && first.settings.kind == Kind::Feed);
        assert!(first.id.starts_with("l/") && first.id != second.id);
        let tagged = family.watch(&member("http://c.example/", &["b", "a"]));
        assert_eq!(tagged.settings.tags, ["a", "b"]);
    }
}
