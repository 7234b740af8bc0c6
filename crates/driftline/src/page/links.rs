//! Where does a page point? Its links, resolved as a browser resolves them.
//!
//! Links are read off the node table on demand: resolving the URLs of a page takes as long as
//! parsing a third of it, and most comparisons never ask.

use url::Url;

use super::Page;
use super::node::NodeId;

/// Why one URL names another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LinkKind {
    /// `a` or `area`: a reader may follow it.
    Anchor,
    /// `frame` or `iframe`: another page shown inside this one.
    Frame,
    /// `link rel=canonical`: the page's preferred address.
    Canonical,
    /// `link rel=alternate` with the type of a feed.
    Feed,
    /// `link rel=sitemap`.
    Sitemap,
}

/// A link of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link<'a> {
    /// What it points to, resolved against `<base>` and the page's own URL; as written if it
    /// cannot be resolved.
    pub url: String,
    /// What it is for.
    pub kind: LinkKind,
    /// The text that a reader clicks.
    pub text: &'a str,
    /// The element.
    pub node: NodeId,
}

impl Page {
    /// All links, in document order.
    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        let base = self.base_url();
        self.node_ids().filter_map(move |node| {
            let (kind, address) = self.link_of(node)?;
            let url = resolve(base.as_ref(), address)?;
            Some(Link { url, kind, text: self.text_of(node).trim(), node })
        })
    }

    /// The page's preferred address, if it names one.
    #[must_use]
    pub fn canonical_url(&self) -> Option<String> {
        self.links().find(|link| link.kind == LinkKind::Canonical).map(|link| link.url)
    }

    /// The address that a browser would go to; none if it cannot be resolved.
    #[must_use]
    pub fn resolve(&self, address: &str) -> Option<String> {
        resolve(self.base_url().as_ref(), address)
    }

    /// What relative addresses are relative to: the first `<base href>`, else the page's own URL.
    fn base_url(&self) -> Option<Url> {
        let own = self.url.as_deref().and_then(|url| Url::parse(url).ok());
        let declared =
            self.node_ids().filter(|&node| self.tag(node) == "base").find_map(|node| self.attribute(node, "href"));
        match (declared, own) {
            (Some(declared), Some(own)) => own.join(declared).ok().or(Some(own)),
            (Some(declared), None) => Url::parse(declared).ok(),
            (None, own) => own,
        }
    }

    /// The kind and the address of the link that an element is, if it is one.
    fn link_of(&self, node: NodeId) -> Option<(LinkKind, &str)> {
        match self.tag(node) {
            "a" | "area" => Some((LinkKind::Anchor, self.attribute(node, "href")?)),
            "iframe" | "frame" => Some((LinkKind::Frame, self.attribute(node, "src")?)),
            "link" => Some((self.relation_of(node)?, self.attribute(node, "href")?)),
            _ => None,
        }
    }

    fn relation_of(&self, node: NodeId) -> Option<LinkKind> {
        let relations = self.attribute(node, "rel")?;
        let has =
            |wanted: &str| relations.split_ascii_whitespace().any(|relation| relation.eq_ignore_ascii_case(wanted));
        if has("canonical") {
            return Some(LinkKind::Canonical);
        }
        if has("sitemap") {
            return Some(LinkKind::Sitemap);
        }
        let kind = self.attribute(node, "type").unwrap_or_default().to_ascii_lowercase();
        let is_feed = ["application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"];
        (has("feed") || (has("alternate") && is_feed.contains(&kind.trim()))).then_some(LinkKind::Feed)
    }
}

/// The address a browser would go to; none for an empty one or a script.
fn resolve(base: Option<&Url>, address: &str) -> Option<String> {
    let address = address.trim_ascii();
    if address.is_empty() || address.get(..11).is_some_and(|scheme| scheme.eq_ignore_ascii_case("javascript:")) {
        return None;
    }
    let resolved = match base {
        Some(base) => base.join(address),
        None => Url::parse(address),
    };
    Some(resolved.map_or_else(|_| address.to_owned(), String::from))
}

/// Does `rel` name a style sheet that is in force?
pub(crate) fn is_style_sheet(relations: &str) -> bool {
    let mut words = relations.split_ascii_whitespace();
    words.clone().any(|word| word.eq_ignore_ascii_case("stylesheet"))
        && !words.any(|word| word.eq_ignore_ascii_case("alternate"))
}
