//! Parts that every report for a browser has: a head, figures on their cards, its files.
//!
//! Self-contained (figures inline, no script, nothing fetched), light or dark as the reader's system
//! is, the figures too. No meaning rests on colour alone.

use driftline_report::plot::PlotError;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Figure, Report};

const STYLE: &str = include_str!("page/style.css");

/// Nothing is fetched and no script runs, whatever the names of pages say.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// The whole page around its sections.
pub(super) fn document(title: &str, sections: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main { (sections) }
            }
        }
    };
    page.into_string()
}

/// A figure on its card, with its number, what it shows, and its files.
pub(super) fn figure(number: u8, figure: &Figure, caption: &Markup, table: &str) -> Result<Markup, PlotError> {
    let card = html! {
        div.card tabindex="0" role="group" aria-label=(format!("Figure {number}")) { (drawing(figure)?) }
    };
    let caption = html! {
        p { b { "Figure " (number) ". " } (caption) }
        p.narrow { "Scroll the figure sideways to see all of it." }
    };
    Ok(captioned(number, &card, &caption, table))
}

/// The same in two forms, of which a screen shows the one that it has room for.
pub(super) fn figure_in_two_forms(
    number: u8,
    [wide, narrow]: [&Figure; 2],
    caption: &Markup,
    table: &str,
) -> Result<Markup, PlotError> {
    let cards = html! { div.card.wide { (drawing(wide)?) } div.card.upright { (drawing(narrow)?) } };
    Ok(captioned(number, &cards, &html! { p { b { "Figure " (number) ". " } (caption) } }, table))
}

fn drawing(figure: &Figure) -> Result<Markup, PlotError> {
    figure.picture.to_svg(figure.size).map(PreEscaped)
}

fn captioned(number: u8, cards: &Markup, caption: &Markup, table: &str) -> Markup {
    let [vector, pixels] = ["svg", "png"].map(|ending| format!("figure-{number}.{ending}"));
    html! {
        figure id=(format!("figure-{number}")) {
            (cards)
            figcaption {
                (caption)
                p.files {
                    "Files: "
                    a href=(vector) { (vector) } ", "
                    a href=(pixels) { (pixels) } ", "
                    a href=(table) { (table) }
                }
            }
        }
    }
}

/// The command that does it again, and all files.
pub(super) fn again(command: &str, report: &impl Report) -> Markup {
    html! {
        h3 { "Run it again" }
        pre tabindex="0" { code { (command) } }
        p {
            "All files: "
            @for (place, name) in report.file_names().iter().enumerate() {
                @if place > 0 { ", " }
                a href=(name) { (name) }
            }
        }
    }
}

/// Names and values.
pub(super) fn parameters(rows: &[(&str, String)]) -> Markup {
    html! {
        table.parameters {
            caption { "Parameters" }
            tbody {
                @for (name, value) in rows {
                    tr { th scope="row" { (name) } td { (value) } }
                }
            }
        }
    }
}
