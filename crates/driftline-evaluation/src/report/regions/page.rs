//! One page for a browser: a figure, what the paper said of it, what came out here.

mod method;
mod tables;

use driftline_report::plot::PlotError;
use maud::{Markup, html};

use super::{Evaluation, figures, prose, text};
use crate::report::page::{document, figure};
use crate::report::{Figure, labels};

const TITLE: &str = "Which detector finds what changed, and at which price?";

/// The whole page.
pub(super) fn write(evaluation: &Evaluation) -> Result<String, PlotError> {
    let mut body = head(evaluation);
    for lesson in lessons(evaluation) {
        body.0.push_str(&lesson.section()?.0);
    }
    body.0.push_str(&method::blind_spots().0);
    body.0.push_str(&method::section(evaluation).0);
    Ok(document(TITLE, &body))
}

fn head(evaluation: &Evaluation) -> Markup {
    html! {
        header {
            h1 { (TITLE) }
            p.lead {
                "Artail and Fawaz detect changes by the similarity of elements, and compare fewer of them than the "
                "approach before theirs (Flesca and Masciari's). This report repeats their four experiments, on "
                @if evaluation.collection.is_some() { "given pages" } @else { "pages made for the purpose" }
                ", with driftline's own detector beside both."
            }
            @if let Some(collection) = &evaluation.collection { p { (text::headline(collection)) "." } }
        }
        section.advice aria-labelledby="short" {
            h2 id="short" { "In short" }
            @for answer in prose::short(evaluation) { p { (answer) } }
            p {
                "What the paper reports comes out again on pages that suit its detector; below is where it does not, and "
                a href="#blind" { "why" } "."
            }
        }
    }
}

/// What one figure teaches.
struct Lesson {
    number: u8,
    title: &'static str,
    shows: Markup,
    paper: &'static str,
    here: Markup,
    figure: Figure,
    caption: Markup,
    table: Markup,
}

impl Lesson {
    fn section(&self) -> Result<Markup, PlotError> {
        let id = format!("lesson-{}", self.number);
        Ok(html! {
            section aria-labelledby=(id) {
                h2 id=(id) { (self.title) }
                p { (self.shows) }
                p { b { "The paper: " } (self.paper) }
                p { b { "Here: " } (self.here) }
                (figure(self.number, &self.figure, &self.caption, &format!("figure-{}.csv", self.number))?)
                (self.table)
            }
        })
    }
}

/// In the order of what a reader wants to know first.
fn lessons(evaluation: &Evaluation) -> [Lesson; 4] {
    [reliability(evaluation), effort(evaluation), time(evaluation), decay(evaluation)]
}

fn reliability(evaluation: &Evaluation) -> Lesson {
    let made = evaluation.collection.is_none();
    Lesson {
        number: 8,
        title: "Which changes are detected?",
        shows: html! {
            "The similarity of two elements weighs paths (α), attributes (β) and words (γ). Each weight goes from 0 to 1 "
            "while the other two share the rest. The reliability is the number of detected changes in that of the actual "
            "ones. "
            @if made {
                "In each pair of pages exactly one thing changed: a word (content), the value of an attribute, the path "
                "of an element (structure), or the elements inside another (words put into a " code { "b" } ", an element "
                "renamed), of which the paper does not speak and which does not count in “overall”."
            } @else {
                "What changed in a pair is known from an exact comparison; most pairs changed in several ways at once."
            }
        },
        paper: "detection hardly depends on the weights unless one is zero; overall close to two thirds where one weight \
            is 0, very close to one third where one is 1.",
        here: html! {
            (prose::reliability(evaluation)) " "
            @if made {
                "On pages of one part the paper's numbers come out. Where parts are built alike, a part that changed "
                "looks like another that did not as soon as only paths or attributes count, and the change is lost. And "
                "an element that was put in is not seen under any weights: only elements of the older page look for a "
                "partner. driftline compares exactly and uses the similarity to pair and to grade only, so its detection "
                "does not depend on the weights."
            }
        },
        figure: figures::figure_8(evaluation),
        caption: html! {
            "A line of one kind is drawn over its own weight; “overall” is the mean over the three weights. Where lines lie "
            "on each other their shapes take turns."
        },
        table: tables::reliability(evaluation),
    }
}

fn effort(evaluation: &Evaluation) -> Lesson {
    Lesson {
        number: 6,
        title: "How many similarities are computed?",
        shows: html! {
            "The original approach compares a part of the page with all subtrees of less than four times its size; the "
            "enhanced one only with parts of the same tag, and in them only elements of the same tag. driftline's numbers "
            "are counted while it works: what did not change is skipped by hash and costs none."
        },
        paper: "at least 30 % are saved on pages of more than 500 nodes; on smaller ones less.",
        here: html! { (prose::effort(evaluation)) },
        figure: figures::figure_6(evaluation),
        caption: html! {
            "Both axes are logarithmic. A pair of elements counts once for the original approach, as our implementation of "
            "it keeps similarities; the file also has the number with repeats. A pair without changes costs driftline "
            "nothing and has no point."
        },
        table: tables::effort(evaluation),
    }
}

fn time(evaluation: &Evaluation) -> Lesson {
    Lesson {
        number: 7,
        title: "How long does it take?",
        shows: html! {
            "The mean of up to " (labels::counted(evaluation.runs, "run")) ", on one thread, without and with reading "
            "(decoding, parsing, cutting into words) both pages. driftline's time is that of the whole change: degree by "
            "all metrics, regions, links, importance."
        },
        paper: "pages of less than 500 nodes in less than 2 seconds, of about 1,000 nodes in about 8 seconds (1.8 GHz \
            Pentium M, Java); reading is a tenth of it.",
        here: html! { (prose::time(evaluation)) " Times are those of the machine that ran this." },
        figure: figures::figure_7(evaluation),
        caption: html! {
            "Both axes are logarithmic. The original approach ends where it would take more than "
            (labels::grouped(1 << 27)) " steps: its one-to-one assignment costs the cube of the size."
        },
        table: tables::time(evaluation),
    }
}

fn decay(evaluation: &Evaluation) -> Lesson {
    Lesson {
        number: 5,
        title: "How fast does a page drift away?",
        shows: html! {
            "Versions of a page are compared with its first one. A page's likeness is the mean similarity of its parts, "
            "each by its number of elements, brought from −1…1 to 0…1. The fraction that a version newly changes is the "
            "likeness that it takes away (the paper “differentiates” the coefficients). On a logarithmic scale a straight "
            "line is an exponential decay."
        },
        paper: "a linear trend on the log scale for 20 versions of a news page, so an exponential decay, as of changes \
            that come at random (Poisson).",
        here: html! { (prose::decay(evaluation)) },
        figure: figures::figure_5(evaluation),
        caption: html! {
            "Points are means over all pages that have such a version; the dashed line is the least-squares fit to the "
            "logarithms. Versions that took nothing away have no logarithm and no point."
            @if evaluation.collection.is_some() {
                " Versions are counted, not dated: if the time between them differs, the decay is one by version."
            }
        },
        table: html! {},
    }
}
