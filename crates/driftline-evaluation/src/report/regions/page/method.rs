//! What the paper's detector cannot see, and how all was done.

use maud::{Markup, html};

use super::super::Evaluation;
use crate::regions::decay::{RENEWED, STEPS};
use crate::report::page::{again, parameters};

/// The blind spots, which no weights mend.
pub(super) fn blind_spots() -> Markup {
    html! {
        section aria-labelledby="blind" {
            h2 id="blind" { "What does the paper's detector not see?" }
            p {
                "The changes of figure 8 are of the kinds that its similarity is made of. Of 39 minimal changes made to find "
                "its limits it misses 32, and no weights mend that:"
            }
            ul {
                li { "words in another order, or more or fewer of the same: words are a set" }
                li { "a part or an element added: only those of the older page look for a partner" }
                li { "one of two equal parts removed, or a part copied: several may have the same partner" }
                li { "a part whose tag has no like on the newer page: nothing is compared with it" }
                li { "text directly in the body, and the attributes of the body: they belong to no part" }
                li { "the last name of a path, in the product form of its similarity" }
            }
            p {
                "driftline finds all 39, and tells nothing of pages that did not change, because it compares exactly and in "
                "order. See “What we found in the papers” in its documentation."
            }
        }
    }
}

/// The last part of the page.
pub(super) fn section(evaluation: &Evaluation) -> Markup {
    let pages = match &evaluation.collection {
        Some(collection) => format!("given: {}", collection.name),
        None => "made: `Tables` has many parts below the body, `Articles` one around all".to_owned(),
    };
    let mut rows = vec![("pages", pages)];
    if evaluation.collection.is_none() {
        rows.push(("edited in figures 6 and 7", "5 % of the words, drawn anew".to_owned()));
        rows.push((
            "renewed in figure 5",
            format!("{:.0} % of the blocks a version, {STEPS} versions", 100.0 * RENEWED),
        ));
    }
    rows.extend([
        ("weights in figures 5 to 7", "α = 0.4, β = 0.3, γ = 0.3; product form".to_owned()),
        ("runs of figure 7", format!("up to {}, fewer if they are long", evaluation.runs)),
        ("seed", evaluation.seed.to_string()),
        ("driftline", env!("CARGO_PKG_VERSION").to_owned()),
    ]);
    html! {
        section aria-labelledby="method" {
            h2 id="method" { "How it was done" }
            (parameters(&rows))
            (again(&evaluation.command, evaluation))
            h3 { "Source" }
            p {
                "H. Artail, K. Fawaz: " cite { "A fast HTML Web page change detection approach based on hashing and reducing "
                "the number of similarity computations" } ", section 4, figures 5 to 8."
            }
        }
    }
}
