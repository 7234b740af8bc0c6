//! One page for a browser: the advice first, then what it rests on.
//!
//! Self-contained (figures inline, no script, nothing fetched), light or dark as the reader's system
//! is; the figures keep their white card. No meaning rests on colour alone.

mod criteria;
mod method;
mod real;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Evaluation, Figure, prose};
use crate::plot::PlotError;

const STYLE: &str = include_str!("page/style.css");

/// Nothing is fetched and no script runs, whatever the names of pages say.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// The whole page.
pub(super) fn write(evaluation: &Evaluation) -> Result<String, PlotError> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { "Which metric tells how much a page changed?" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    (head(evaluation))
                    (real::section(evaluation)?)
                    (criteria::section(evaluation)?)
                    (method::section(evaluation))
                }
            }
        }
    };
    Ok(page.into_string())
}

fn head(evaluation: &Evaluation) -> Markup {
    html! {
        header {
            h1 { "Which metric tells how much a page changed?" }
            p.lead {
                "Metrics disagree about the same change. Kwon, Lee and Kim say what the degree of a change should be, "
                "for each of six kinds of change, and call a metric effective if it comes near. This report repeats "
                "their experiments for eight metrics"
                @if evaluation.collection.is_some() { " and adds pages of your own" }
                "."
            }
        }
        section.advice aria-labelledby="advice" {
            h2 id="advice" { "Advice" }
            @for paragraph in prose::advice(evaluation) {
                p { (paragraph) }
            }
        }
    }
}

/// A figure on its card, with its number, what it shows, and its files.
fn figure(number: u8, figure: &Figure, caption: &Markup, table: &str) -> Result<Markup, PlotError> {
    let svg = figure.picture.to_svg(figure.size)?;
    let [vector, pixels] = ["svg", "png"].map(|ending| format!("figure-{number}.{ending}"));
    Ok(html! {
        figure id=(format!("figure-{number}")) {
            div.card tabindex="0" role="group" aria-label=(format!("Figure {number}")) { (PreEscaped(svg)) }
            figcaption {
                p { b { "Figure " (number) ". " } (caption) }
                p.narrow { "Scroll the figure sideways to see all of it." }
                p.files {
                    "Files: "
                    a href=(vector) { (vector) } ", "
                    a href=(pixels) { (pixels) } ", "
                    a href=(table) { (table) }
                }
            }
        }
    })
}
