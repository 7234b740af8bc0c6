//! The advice in sentences, for the terminal and for the browser alike.

use driftline::degree::Metric;
use driftline::degree::edit::EditKind;

use super::{Collection, Evaluation, labels};
use crate::metrics::EFFECTIVE_WITHIN;
use crate::metrics::advice::{Ranked, Warning, effective_from, is_effective};
use crate::metrics::collection::Distance;

/// The papers' metrics that cost less than IED and tell more than yes or no.
const CHEAPER: [Metric; 4] = [Metric::Wd, Metric::Cos, Metric::Ed, Metric::Shingle];

/// All metrics that do, the papers' first.
fn cheaper_metrics() -> impl Iterator<Item = Metric> {
    let is_other =
        |metric: &Metric| metric.cost() < Metric::Ied.cost() && *metric != Metric::Bw && !CHEAPER.contains(metric);
    CHEAPER.into_iter().chain(Metric::ALL.iter().copied().filter(is_other))
}

/// The advice, a paragraph an item.
pub(super) fn advice(evaluation: &Evaluation) -> Vec<String> {
    let Some(collection) = &evaluation.collection else {
        let hint = "Give a folder of versions of your pages, and the kinds are weighed as your pages show them.";
        return in_general(evaluation).into_iter().chain([hint.to_owned()]).collect();
    };
    let mut paragraphs = if collection.summary.shares.is_some() {
        for_collection(evaluation, collection)
    } else {
        let nothing = "No word changed in this collection, so there is nothing to weigh. In general:".to_owned();
        std::iter::once(nothing).chain(in_general(evaluation)).collect()
    };
    paragraphs.extend(collection.warnings.iter().map(|warning| beware(evaluation, warning)));
    paragraphs
}

/// `add 20 %, drop 15 %, …`, the kinds of change of the collection.
pub(super) fn shares(evaluation: &Evaluation) -> String {
    let share = |kind: EditKind| format!("{} {}", kind.name(), labels::percent(evaluation.advice.shares.of(kind)));
    EditKind::ALL.map(share).join(", ")
}

fn for_collection(evaluation: &Evaluation, collection: &Collection) -> Vec<String> {
    let advice = &evaluation.advice;
    let (best, runner_up) = (advice.best(), advice.runner_up());
    let [name, next] = [best, runner_up].map(|ranked| labels::metric(ranked.metric, &evaluation.setup));
    let differ = collection.warnings.iter().any(|warning| matches!(warning, Warning::Variants { .. }));
    let variant = if best.metric == Metric::Ied && differ { ", in its refined variant" } else { "" };
    let apart = Distance::between(best.metric, runner_up.metric, &collection.samples);
    let mut paragraphs = vec![
        format!(
            "Use {name}{variant}. Weighed by the kinds of change that this collection shows ({}), it is {:.3} from the \
             criteria, and no metric is nearer.",
            shares(evaluation),
            best.expected,
        ),
        format!(
            "The runner-up is {next}, {:.3} from the criteria; {}. On the changed pairs themselves the two are {:.3} \
             apart on average and {:.3} at most.",
            runner_up.expected,
            effective_on(evaluation, runner_up),
            apart.mean,
            apart.largest,
        ),
    ];
    paragraphs.extend(cheaper(evaluation));
    paragraphs
}

fn effective_on(evaluation: &Evaluation, ranked: &Ranked) -> String {
    if ranked.effective.is_empty() {
        return "it is effective for no kind of change".to_owned();
    }
    let covered = labels::percent(evaluation.advice.covered(ranked));
    format!("it is effective for {} ({covered} of the change)", labels::kinds(&ranked.effective))
}

/// Whether something cheaper would do; nothing if the best is the cheapest.
fn cheaper(evaluation: &Evaluation) -> Option<String> {
    let advice = &evaluation.advice;
    if let Some(cheaper) = advice.cheaper() {
        let name = labels::metric(cheaper.metric, &evaluation.setup);
        return Some(format!(
            "{name} is cheaper and as good here: {:.3} from the criteria, within {EFFECTIVE_WITHIN} of the best.",
            cheaper.expected
        ));
    }
    let cases = one_kind_cases(evaluation, |_, _| String::new());
    (advice.best().metric == Metric::Ied && !cases.is_empty())
        .then(|| format!("Cheaper metrics would be as good for some kinds of change only: {cases}."))
}

fn in_general(evaluation: &Evaluation) -> Vec<String> {
    let mut paragraphs = Vec::new();
    if evaluation.figure_7.iter().all(|curve| is_effective(curve, Metric::Ied)) {
        let always = "Use IED unless you know how your pages change: it is effective for all six kinds of change.";
        paragraphs.push(always.to_owned());
    }
    let cases = one_kind_cases(evaluation, |metric, kinds| large_pages(evaluation, metric, kinds));
    if !cases.is_empty() {
        paragraphs.push(format!("Cheaper metrics are as good for some kinds of change: {cases}. On natural text, whose words repeat, COS is lower \
             than here."));
    }
    paragraphs.push(other_weights(evaluation));
    paragraphs
}

/// Table 1 of the Korean paper: what other weights would make effective. At α = 1 a copy counts as an
/// add and a shrink as a drop, so that shingling sees both as well as those.
fn other_weights(evaluation: &Evaluation) -> String {
    let sees = |ranked: &Ranked| [EditKind::Add, EditKind::Drop].iter().all(|kind| ranked.effective.contains(kind));
    let shingling = evaluation.advice.ranking.iter().find(|ranked| ranked.metric == Metric::Shingle);
    let shingling = shingling.filter(|ranked| sees(ranked)).map_or(String::new(), |ranked| {
        let name = labels::metric(ranked.metric, &evaluation.setup);
        format!("{name} is effective for copy and shrink at α\u{a0}=\u{a0}1, ")
    });
    format!(
        "It depends on the weights: {shingling}ED is effective for move at β\u{a0}=\u{a0}1, COS and WD are at \
         β\u{a0}=\u{a0}0."
    )
}

/// `WD, COS and ED for replace; 10SH for add and drop`.
fn one_kind_cases(evaluation: &Evaluation, condition: impl Fn(Metric, &[EditKind]) -> String) -> String {
    let mut cases: Vec<(&[EditKind], Vec<String>, String)> = Vec::new();
    let ranked = |metric| evaluation.advice.ranking.iter().find(|ranked| ranked.metric == metric);
    for ranked in cheaper_metrics().filter_map(ranked).filter(|ranked| !ranked.effective.is_empty()) {
        let name = labels::metric(ranked.metric, &evaluation.setup);
        match cases.iter_mut().find(|(kinds, ..)| *kinds == ranked.effective) {
            Some((_, names, _)) => names.push(name),
            None => cases.push((&ranked.effective, vec![name], condition(ranked.metric, &ranked.effective))),
        }
    }
    let case = |(kinds, names, condition): &(&[EditKind], Vec<String>, String)| {
        format!("{} for {}{condition}", labels::list(names), labels::kinds(kinds))
    };
    cases.iter().map(case).collect::<Vec<_>>().join("; ")
}

/// From which page size on shingling is effective on these kinds.
fn large_pages(evaluation: &Evaluation, metric: Metric, kinds: &[EditKind]) -> String {
    let curves = evaluation.figure_8.iter().filter(|curve| kinds.contains(&curve.kind));
    match curves.filter_map(|curve| effective_from(curve, metric)).max() {
        Some(words) if words > 4 => format!(" from {} words a page on", labels::grouped(words)),
        _ => String::new(),
    }
}

fn beware(evaluation: &Evaluation, warning: &Warning) -> String {
    match *warning {
        Warning::SmallPages { median_words, excess } => {
            let shingling = labels::metric(Metric::Shingle, &evaluation.setup);
            format!(
                "Beware of {shingling} here: the median page has {}, and when a quarter of so small a page changes, \
                 {shingling} is {excess:.2} too high on average.",
                labels::counted(median_words, "word"),
            )
        }
        Warning::Variants { distance } => format!(
            "IED and IED refined are {:.3} apart on average here and {:.3} at most. Both meet the criteria, but by the \
             papers' phases a word that replaces another costs 1\u{a0}+\u{a0}α when only one of the two also stands elsewhere, as \
             in natural text it often does. The refined variant takes the cheaper replacement.",
            distance.mean, distance.largest,
        ),
    }
}
