//! What are readers and robots told? The feed, the sitemap and robots.txt.

use std::fmt::Write;

use crate::date;
use crate::page::{pages, posts};
use crate::story::State;

/// Visitors that crawl find a place that is not for them.
pub(crate) const ROBOTS: &str = "User-agent: *\nDisallow: /cellar/\nSitemap: /sitemap.xml\n";

/// The news as Atom, the newest first.
pub(crate) fn atom(state: State, origin: &str) -> String {
    let mut feed = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <id>tag:skerry.example,2026:news</id><title>News from Skerry Island Library</title>\n\
         <updated>{}</updated><link href=\"{origin}/\"/>\n",
        date::atom(state.items)
    );
    for (number, post) in posts(state).enumerate().collect::<Vec<_>>().into_iter().rev() {
        let mut text = post.text(state, 0);
        if state.item_is_corrected {
            text = text.replace("the race of 1931", "the race of 1932");
        }
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            feed,
            "<entry><id>tag:skerry.example,2026:{path}</id><title>{}</title><link href=\"{origin}{path}\"/>\
             <updated>{}</updated><content type=\"html\">{text}</content></entry>",
            post.title,
            date::atom(number),
            path = post.path,
        );
    }
    feed + "</feed>\n"
}

/// The pages that are there.
pub(crate) fn sitemap(state: State, origin: &str) -> String {
    let urls: String = pages(state).map(|page| format!("<url><loc>{origin}{}</loc></url>\n", page.path)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n"
    )
}
