//! One page for a browser: table 2 beside the paper's, delays, streams, certainty.

mod method;
mod tables;

use driftline_report::plot::PlotError;
use maud::{Markup, html};

use super::{Evaluation, Source, figures, prose};
use crate::report::page::{document, figure};

/// More streams are shown closed.
const MOST_OPEN: usize = 12;

const TITLE: &str = "Which detector finds redesigns, how late, and how often in vain?";

/// The whole page.
pub(super) fn write(evaluation: &Evaluation) -> Result<String, PlotError> {
    let sections = html! {
        (head(evaluation))
        (confusion(evaluation))
        (delays(evaluation)?)
        (streams(evaluation)?)
        (certainty(evaluation)?)
        (method::section(evaluation))
    };
    Ok(document(TITLE, &sections))
}

fn head(evaluation: &Evaluation) -> Markup {
    let short = prose::short(evaluation);
    html! {
        header {
            h1 { (TITLE) }
            p.lead {
                "Gottron finds redesigns of a site in the stream of its documents: their templates are no longer alike. This "
                "report repeats his evaluation, on "
                @match evaluation.source {
                    Source::Given { .. } => "given streams",
                    Source::Made { .. } => "streams made for the purpose",
                }
                ", with driftline's own detector beside his four."
            }
            p { (prose::headline(evaluation)) "." }
        }
        section.advice aria-labelledby="short" {
            h2 id="short" { "In short" }
            p { (short.ranking) }
            ul { @for sentence in &short.each { li { (sentence) } } }
        }
    }
}

fn confusion(evaluation: &Evaluation) -> Markup {
    html! {
        section aria-labelledby="confusion" {
            h2 id="confusion" { "Who was right?" }
            p {
                "One decision a document: is it the first of a new design? A redesign that is reported is a true positive (TP), "
                "one that is missed a false negative (FN), any other document that is reported a false alarm (FP). A document "
                "counts once, however often it is reported. For driftline's detector a report is the first suspicion with a "
                "certainty of at least " (evaluation.parameters.certainty) ", whatever it said later."
            }
            (tables::table_2(evaluation))
            p {
                "The paper's columns are its own table 2, on other streams: six redesigns in twelve streams of news sites. Its "
                "rows sum to 4,491 documents, one of them to 4,494, while its table 1 lists 4,256."
            }
            (tables::kinds(evaluation))
        }
    }
}

fn delays(evaluation: &Evaluation) -> Result<Markup, PlotError> {
    Ok(html! {
        section aria-labelledby="late" {
            h2 id="late" { "How late?" }
            p {
                "MAX-AVG-DIFF and STATISTICS wait until the history is full of the new design, CLUSTER until there are enough "
                "documents in it, NEW-AVG-DROP not at all. The last column of the table is the median over all redesigns, where "
                "one that is missed is found never: a detector that only finds the easy ones has a short median of those it "
                "found."
            }
            (figure(1, &figures::delays(evaluation), &html! {
                "How many of the redesigns each detector has found when so many documents of the new design are there. A line "
                "that ends below 1 misses the rest."
            }, "reports.csv")?)
        }
    })
}

fn streams(evaluation: &Evaluation) -> Result<Markup, PlotError> {
    let is_open = evaluation.streams.len() <= MOST_OPEN;
    let streams =
        evaluation.streams.iter().map(|stream| tables::stream(stream, is_open)).collect::<Result<Vec<_>, _>>()?;
    Ok(html! {
        section aria-labelledby="streams" {
            h2 id="streams" { "Where were they right and wrong?" }
            p {
                "All streams, with a history of " (evaluation.longest()) " documents. Documents are counted from 0; "
                "+3 says that a redesign was found three documents later. For driftline's detector: its certainty when it "
                "reported and when it last said something, and what it took it for in the end. An alarm that it withdrew "
                "counts as false all the same."
            }
            @for stream in streams { (stream) }
        }
    })
}

fn certainty(evaluation: &Evaluation) -> Result<Markup, PlotError> {
    Ok(html! {
        section aria-labelledby="certainty" {
            h2 id="certainty" { "Can the certainty be believed?" }
            p {
                "The paper's outlook asks for “a measure for the certainty for having discovered a redesign”. Of all "
                "documents that driftline suspected with a certainty of about 0.7, about 70 % should be redesigns. A document "
                "counts once in each row, however often that was said."
            }
            p {
                "The shares depend on the streams. A campaign, a layout for a few documents, cannot be told from a redesign "
                "while it lasts: the more campaigns there are, the fewer of the suspicions are redesigns."
                @if let Source::Made { .. } = evaluation.source {
                    " Of the made streams one in ten has a campaign; for a site with more, the certainty is too high."
                }
            }
            (figure(2, &figures::calibration(evaluation), &html! {
                "Points above the dashed line: it was more often right than it said; below: less often. A point of few "
                "suspicions says little."
            }, "calibration.csv")?)
            (tables::calibration(evaluation))
        }
    })
}
