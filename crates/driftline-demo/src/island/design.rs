//! The two designs of the site: boxes and lists, and landmarks and cards.

use std::fmt::Write as _;

use super::content::{Block, Content, Live};
use super::flicker::{Experiment, Visit};
use super::sections::Section;

const ADDRESS: &str = "Skerry Island, Harbour Lane 1";
const JOIN: &str = "<p>Ten euros a year keep the lights on. Become a friend of the island.</p>";
const JOIN_AGAIN: &str = "<p>The lighthouse needs friends like you. Join in, it costs less than a lobster.</p>";
const SURVEY: &str = "<p>Tell us what you think of these pages. The survey has four questions.</p>";

/// How the blocks of a page are written.
trait Design {
    fn block(&self, block: &Block, visit: &Visit) -> String;
    /// The page around its blocks.
    fn page(&self, content: &Content, blocks: &str, boxes: &str, visit: &Visit) -> String;
    /// A box beside the content.
    fn side(&self, name: &str, html: &str, visit: &Visit) -> String;
}

/// A page as this visit gets it.
pub(super) fn html(content: &Content, is_new: bool, path: &str, visit: &Visit) -> String {
    let design: &dyn Design = if is_new { &Cards } else { &Boxes };
    let blocks: String = content.blocks.iter().map(|block| design.block(block, visit)).collect();
    let (title, token) = (&content.title, visit.token("csrf"));
    let body = design.page(content, &blocks, &boxes(design, path, visit), visit);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title} · Skerry Island</title>\n\
         <meta name=\"csrf-token\" content=\"{token}\"><script nonce=\"{token}\">var view = \"{token}\";</script></head>\n\
         {body}</html>\n"
    )
}

/// The boxes beside the content: a call, a box for sharing, and an advertisement.
fn boxes(design: &dyn Design, path: &str, visit: &Visit) -> String {
    let (experiment, is_other) = visit.experiment();
    let is = |kind: Experiment| is_other && experiment == kind;
    let call = design.side("call", if is(Experiment::Words) { JOIN_AGAIN } else { JOIN }, visit);
    let share = format!(
        "<p>Share this page: <a href=\"/mail?page={path}&amp;ref={}\">by mail</a> or on the notice board</p>",
        visit.token("share")
    );
    let share = design.side("share", &share, visit);
    let mut boxes = if is(Experiment::Order) { share + &call } else { call + &share };
    if is(Experiment::Box) {
        boxes += &design.side("survey", SURVEY, visit);
    }
    if let Some((name, text)) = visit.advertisement() {
        let click = visit.token("click");
        let link = format!(
            "<a href=\"/out?to={name}&amp;click={click}\"><img src=\"/ads/{name}.png\" alt=\"\"></a><p>{text}</p>"
        );
        boxes += &design.side("advert", &link, visit);
    }
    boxes
}

/// The design at the start of the month.
struct Boxes;

impl Design for Boxes {
    fn block(&self, block: &Block, visit: &Visit) -> String {
        match block {
            Block::Heading(text) => format!("<h3>{text}</h3>\n"),
            Block::Text(text) => format!("<p>{text}</p>\n"),
            Block::Table(rows) => table(rows, "<table class=\"data\">", ""),
            Block::List(items) => format!("<ul>{}</ul>\n", wrapped(items, "<li>", "</li>")),
            Block::Image(file, text) => format!("<p class=\"picture\"><img src=\"{file}\" alt=\"{text}\"></p>\n"),
            Block::Links(links) => format!("<ul class=\"more\">{}</ul>\n", linked(links, "<li>", "</li>")),
            Block::Live(live) => format!("<p class=\"{}\">{}</p>\n", name(*live), visit.live(*live)),
        }
    }

    fn page(&self, content: &Content, blocks: &str, boxes: &str, visit: &Visit) -> String {
        let menu: String = sections().map(|(path, name)| format!("<li><a href=\"{path}\">{name}</a></li>")).collect();
        let (login, csrf) = (visit.token("login"), visit.token("csrf"));
        format!(
            "<body><div id=\"top\"><h1><a href=\"/\">Skerry Island</a></h1><div class=\"now\">{now}</div></div>\n\
             <ul class=\"menu\">{menu}</ul>\n<div id=\"content\"><h2>{title}</h2>\n{blocks}</div>\n\
             <div id=\"side\">{boxes}<form action=\"/search\"><input name=\"q\">\
             <input type=\"hidden\" name=\"csrf\" value=\"{csrf}\"></form></div>\n\
             <div id=\"foot\"><hr><p class=\"visits\">You are visitor {visitors}.</p><p>{ADDRESS}</p>\
             <p><a href=\"/login?token={login}\">Log in</a></p></div></body>",
            now = visit.now(),
            title = content.title,
            visitors = visit.visitors(),
        )
    }

    fn side(&self, name: &str, html: &str, visit: &Visit) -> String {
        let token = visit.token(name);
        format!("<div class=\"box {name}\" id=\"b{}\" data-view=\"{token}\">{html}</div>\n", &token[..6])
    }
}

/// The design after the redesign.
struct Cards;

impl Design for Cards {
    fn block(&self, block: &Block, visit: &Visit) -> String {
        match block {
            Block::Heading(text) => format!("<header class=\"part\"><h2>{text}</h2></header>\n"),
            Block::Text(text) => format!("<div class=\"card\"><div class=\"inner\"><p>{text}</p></div></div>\n"),
            Block::Table(rows) => table(rows, "<div class=\"scroll\"><table>", "</div>"),
            Block::List(items) => {
                format!(
                    "<div class=\"card\"><ol class=\"plain\">{}</ol></div>\n",
                    wrapped(items, "<li><span>", "</span></li>")
                )
            }
            Block::Image(file, text) => {
                format!("<figure><picture><img src=\"{file}\" alt=\"{text}\"></picture></figure>\n")
            }
            Block::Links(links) => {
                format!("<nav class=\"more\">{}</nav>\n", linked(links, "<span class=\"item\">", "</span>"))
            }
            Block::Live(live) => format!(
                "<aside class=\"live\"><small class=\"{}\">{}</small></aside>\n",
                name(*live),
                visit.live(*live)
            ),
        }
    }

    fn page(&self, content: &Content, blocks: &str, boxes: &str, visit: &Visit) -> String {
        let menu: String = sections()
            .map(|(path, name)| format!("<span class=\"item\"><a href=\"{path}\"><b>{name}</b></a></span>"))
            .collect();
        let (login, csrf) = (visit.token("login"), visit.token("csrf"));
        format!(
            "<body class=\"wide\"><header><a href=\"/\"><svg><circle r=\"4\"/></svg><strong>Skerry Island</strong></a>\
             <form action=\"/search\"><label>Search<input name=\"q\"></label>\
             <input type=\"hidden\" name=\"csrf\" value=\"{csrf}\"><button>Go</button></form>\
             <time class=\"today\">{now}</time></header>\n\
             <nav class=\"sections\">{menu}</nav><main><article><header><h1>{title}</h1></header>\n{blocks}</article>\
             <aside class=\"cards\">{boxes}</aside></main>\n\
             <footer><section><address>{ADDRESS}</address></section><section><em>You are visitor {visitors}.</em></section>\
             <section><a href=\"/login?token={login}\">Log in</a></section></footer></body>",
            now = visit.now(),
            title = content.title,
            visitors = visit.visitors(),
        )
    }

    fn side(&self, name: &str, html: &str, visit: &Visit) -> String {
        let token = visit.token(name);
        format!(
            "<section class=\"side {name}\" id=\"s{}\" data-view=\"{token}\"><div>{html}</div></section>\n",
            &token[..6]
        )
    }
}

fn wrapped(items: &[String], start: &str, end: &str) -> String {
    items.iter().fold(String::new(), |mut all, item| {
        let _ = write!(all, "{start}{item}{end}");
        all
    })
}

fn linked(links: &[(String, String)], start: &str, end: &str) -> String {
    let html: Vec<String> = links.iter().map(|(path, text)| format!("<a href=\"{path}\">{text}</a>")).collect();
    wrapped(&html, start, end)
}

fn table(rows: &[Vec<String>], start: &str, end: &str) -> String {
    let rows: String = rows.iter().map(|row| format!("<tr>{}</tr>\n", wrapped(row, "<td>", "</td>"))).collect();
    format!("{start}{rows}</table>{end}\n")
}

/// The class of a line that changes by itself.
fn name(live: Live) -> &'static str {
    match live {
        Live::Updated => "updated",
        Live::Viewers => "viewers",
        Live::Position => "position",
        Live::Ticket(_) => "status",
    }
}

/// The folders of the sections, and their names.
fn sections() -> impl Iterator<Item = (String, String)> {
    Section::ALL.into_iter().map(|(section, _)| {
        let folder = section.folder();
        (format!("/{folder}"), folder[..1].to_uppercase() + &folder[1..])
    })
}
