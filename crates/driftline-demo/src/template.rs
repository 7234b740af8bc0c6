//! How do the pages look? Two templates, and after the redesign two others.
//!
//! Before it, boxes and lists as sites had them around 2005; after it, landmarks, cards and a navigation at the side.

use crate::page;
use crate::story::State;

/// Which of the two templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Something that stays.
    Page,
    /// Something that was news on a day.
    Post,
}

const NOTICE: &str = "The library is closed from the 24th of December to the 2nd of January. The flap stays open.";
const ADDRESS: &str = "Skerry Island Library, Pilots' House, Harbour Lane 1";

/// A page around a text.
pub(crate) fn html(kind: Kind, title: &str, text: &str, state: State) -> String {
    let head = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title} · Skerry Island Library</title>\n\
         <link rel=\"alternate\" type=\"application/atom+xml\" href=\"/feed.atom\">"
    );
    let body = if state.is_redesigned { modern(kind, title, text, state) } else { plain(kind, title, text, state) };
    format!("{head}</head>\n{body}</html>\n")
}

fn plain(kind: Kind, title: &str, text: &str, state: State) -> String {
    let links: String = menu().map(|(path, title)| format!("<li><a href=\"{path}\">{title}</a></li>")).collect();
    let notice = notice(state).map(|notice| format!("<p class=\"notice\">{notice}</p>")).unwrap_or_default();
    let main = match kind {
        Kind::Page => format!("<div id=\"content\"><h2>{title}</h2>\n{text}</div>"),
        Kind::Post => {
            format!(
                "<div class=\"post\"><h2>{title}</h2><p class=\"by\"><i>from the library</i></p><hr>\n{text}<hr></div>"
            )
        }
    };
    format!(
        "<body><div id=\"top\"><img src=\"/lighthouse.png\" alt=\"A lighthouse\"><h1>Skerry Island Library</h1></div>\n\
         <ul class=\"menu\">{links}</ul>\n{main}\n\
         <div id=\"foot\"><hr>{notice}<p>{ADDRESS}</p><p><a href=\"/feed.atom\">News as a feed</a></p></div></body>"
    )
}

fn modern(kind: Kind, title: &str, text: &str, state: State) -> String {
    let link = |(path, title)| format!("<span class=\"item\"><a href=\"{path}\"><b>{title}</b></a></span>");
    let links: String = menu().map(link).collect();
    let notice = notice(state).map(|notice| format!("<section class=\"notice\"><em>{notice}</em></section>"));
    let text = text.replace("<p>", "<div class=\"card\"><div class=\"inner\"><p>").replace("</p>", "</p></div></div>");
    let text = text.replace("<p class=", "<div class=\"card\"><div class=\"inner\"><p class=");
    let main = match kind {
        Kind::Page => format!("<article class=\"page\"><header><h1>{title}</h1></header>\n{text}</article>"),
        Kind::Post => format!(
            "<article class=\"post\"><figure><img src=\"/wave.png\" alt=\"A wave\"><figcaption><h1>{title}</h1></figcaption>\
             </figure><section>{text}</section><aside><small>from the library</small></aside></article>"
        ),
    };
    format!(
        "<body class=\"wide\"><header><a href=\"/\"><svg><circle r=\"4\"/></svg><strong>Skerry Island Library</strong></a>\
         <form action=\"/search\"><label>Search<input name=\"q\"></label><button>Go</button></form></header>\n\
         <nav>{links}</nav><main>{main}</main>\n\
         <footer>{}<section><address>{ADDRESS}</address></section><section><a href=\"/feed.atom\">News as a feed</a>\
         </section></footer></body>",
        notice.unwrap_or_default()
    )
}

/// The pages that each page links to: those that stay.
fn menu() -> impl Iterator<Item = (&'static str, &'static str)> {
    page::PAGES.into_iter().take(6).map(|page| (page.path, page.title))
}

fn notice(state: State) -> Option<&'static str> {
    state.has_notice.then_some(NOTICE)
}
