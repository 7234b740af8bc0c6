//! One page for a browser: the paper's tables and figures, and what came out here.

mod method;
mod tables;

use driftline_report::plot::PlotError;
use maud::{Markup, html};

use super::{Evaluation, Plot, figures, prose};
use crate::novelty::Judge;
use crate::report::page::{document, figure_in_two_forms};

const TITLE: &str = "What is really new, and how well can it be told?";

/// The whole page.
pub(super) fn write(evaluation: &Evaluation) -> Result<String, PlotError> {
    let sections = html! {
        div id="novelty" {
            (head(evaluation))
            (sizes(evaluation))
            (scores(evaluation)?)
            (precision(evaluation)?)
            @if evaluation.has_probability() { (probability(evaluation)?) }
            (miss(evaluation)?)
            (beyond(evaluation))
            (method::section(evaluation))
        }
    };
    Ok(document(TITLE, &sections))
}

fn head(evaluation: &Evaluation) -> Markup {
    html! {
        header {
            h1 { (TITLE) }
            p.lead {
                "A page that the last crawl did not see is not therefore new. Toyoda and Kitsuregawa say how certain it is by "
                "who links to it. This report repeats their evaluation on one series of crawls."
            }
            p { (with_code(&prose::headline(evaluation))) "." }
        }
        section.advice aria-labelledby="short" {
            h2 id="short" { "In short" }
            ul { @for sentence in prose::short(evaluation) { li { (sentence) } } }
        }
    }
}

/// What stands between backticks is code.
fn with_code(text: &str) -> Markup {
    html! {
        @for (place, part) in text.split('`').enumerate() {
            @if place % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// A figure with its number.
fn figure(evaluation: &Evaluation, plot: Plot, caption: &Markup, table: &str) -> Result<Markup, PlotError> {
    let Some(number) = (1..).zip(evaluation.plots()).find(|(_, each)| *each == plot).map(|found| found.0) else {
        return Ok(html! {});
    };
    let [wide, narrow] = [plot.draw()(evaluation), figures::narrow(plot.draw()(evaluation))];
    figure_in_two_forms(number, [&wide, &narrow], caption, table)
}

fn sizes(evaluation: &Evaluation) -> Markup {
    html! {
        section aria-labelledby="sizes" {
            h2 id="sizes" { "How many pages could be new?" }
            p {
                "W are the pages that were crawled. L2 are old pages that were crawled both last time and now, so that their new "
                "links are known. O \\ L2 are other old pages. U are pages of unknown age: new, or missed until now."
            }
            (tables::sizes(evaluation))
            (tables::rules(evaluation))
            p {
                "Some addresses name a month. The paper takes it for the time when the page appeared, and such pages for its "
                "benchmark: those of the months between the two crawls, and of later ones, are new."
            }
            (tables::ages(evaluation))
        }
    }
}

fn scores(evaluation: &Evaluation) -> Result<Markup, PlotError> {
    Ok(html! {
        section aria-labelledby="scores" {
            h2 id="scores" { "How fast do the scores settle, and where?" }
            p {
                "Every page of U begins with 0. In each round it gets the mean of what its in-links are worth, less δ: 1 from L2, "
                "0 from other old pages, its own score from a page of U."
            }
            (figure(evaluation, Plot::Convergence, &html! {
                "By how much all scores together moved in each round, on a logarithmic scale, as in the paper’s figure 1. A larger δ "
                "settles faster; the paper takes 20 rounds."
            }, "convergence.csv")?)
            (figure(evaluation, Plot::Distribution, &html! {
                "How many pages of U have which score, on a logarithmic scale, and the share of U up to it, as in the "
                "paper’s figures 2 to 4. Left of 0 stand pages with exactly 0: no link says anything. The highest score is "
                "1\u{a0}−\u{a0}δ."
            }, "distribution.csv")?)
        }
    })
}

fn precision(evaluation: &Evaluation) -> Result<Markup, PlotError> {
    Ok(html! {
        section aria-labelledby="precision" {
            h2 id="precision" { "Can the scores be believed?" }
            p {
                "A page is called new from some score on. Precision is the share of those called new that are, recall the share of "
                "the new ones that are called so. The dashed line is the baseline, the precision of calling everything new that was "
                "not seen before."
            }
            @if evaluation.judged(Judge::Dates).next().is_some() {
                (figure(evaluation, Plot::Dates, &html! {
                    "Against the months in addresses, for pages of U that have one, as in the paper’s figures 5 to 7. The second point "
                    "of a line, a little right of 0, is any score above 0."
                    @if evaluation.has_probability() { " The probability has read these months: births judge it, not they." }
                }, "curves.csv")?)
            } @else {
                p { "No address of U names a month: there is nothing to judge scores by." }
            }
            @if evaluation.best_judge() == Judge::Truth {
                (figure(evaluation, Plot::Births, &html! {
                    "Against the times when pages really appeared, for all pages of U for which that is known."
                }, "curves.csv")?)
            }
            p {
                "Average precision is one number for a whole ranking: the mean, over the new pages, of the precision at the "
                "threshold that just admits each. A ranking at random gets the share of new pages."
            }
            (tables::average_precision(evaluation))
            @if evaluation.has_probability() && evaluation.judged(Judge::Dates).next().is_some() {
                p.note { (prose::NOT_INDEPENDENT) }
            }
        }
    })
}

fn probability(evaluation: &Evaluation) -> Result<Markup, PlotError> {
    Ok(html! {
        section aria-labelledby="probability" {
            h2 id="probability" { "Does the probability mean what it says?" }
            p {
                "N is a certainty, not a probability: a page with N\u{a0}=\u{a0}0.5 is not new in half of all cases. driftline learns from the "
                "series' own dated addresses and Last-Modified times how often pages like this one were new. Of those with a "
                "probability of about 0.7, about 70\u{a0}% should be. It has read the months in addresses, so they are no strangers that judge "
                "it; births are."
            }
            (figure(evaluation, Plot::Reliability, &html! {
                "Left, points above the dashed line: more were new than it said; below: fewer. Right, how many pages each point "
                "stands for, on a logarithmic scale: a point of few pages says little."
            }, "reliability.csv")?)
            p { "Brier’s score is the mean squared distance from what came true: 0 is best, 0.25 is a coin." }
            (tables::brier(evaluation))
        }
    })
}

fn miss(evaluation: &Evaluation) -> Result<Markup, PlotError> {
    Ok(html! {
        section aria-labelledby="miss" {
            h2 id="miss" { "How often is an old page called new?" }
            p {
                "Here nobody looks at Last-Modified while pages are classified. Pages that it shows to be old, and that no earlier "
                "crawl has seen, are then unidentified; those that get a score are misses."
                @if evaluation.truth.is_some() { " The same for pages that were born before the previous crawl." }
            }
            (tables::miss(evaluation))
            (figure(evaluation, Plot::MissRate, &html! {
                "How many pages that are known to be old have which score, and the share of them that has at least that score: the "
                "miss rate, as in the paper’s figures 8 to 10. Left of 0 stand pages with exactly 0; the leftmost bar of the "
                "rate is any score above 0."
            }, "distribution.csv")?)
        }
    })
}

fn beyond(evaluation: &Evaluation) -> Markup {
    let has_missed = evaluation.outcomes.iter().any(|outcome| !outcome.missed.is_empty());
    let has_copies = evaluation.outcomes.iter().any(|outcome| outcome.copies.is_some());
    html! {
        @if has_missed || has_copies {
            section aria-labelledby="beyond" {
                h2 id="beyond" { "What was missed, and what is a copy?" }
                @if has_missed {
                    p {
                        "Old pages that were crawled now, and not last time: their site was down, they were linked to and not crawled, "
                        "or nothing that was crawled linked to them."
                    }
                    (tables::missed(evaluation))
                }
                @if has_copies {
                    p { "Pages of U that say what an older page said: copied, moved or mirrored. Their address is new, their content is not." }
                    (tables::copies(evaluation))
                }
            }
        }
    }
}
