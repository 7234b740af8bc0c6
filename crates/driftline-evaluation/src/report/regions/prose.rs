//! What came out, in sentences, for the terminal and for the browser alike.

use super::{Evaluation, Timing};
use crate::regions::Group;
use crate::regions::decay::{RENEWED, STEPS};
use crate::regions::effort::{Effort, Total};
use crate::regions::reliability::{Approach, Kind, Parameter, Ratio, Setting, Trial, curve, ratio};
use crate::report::labels;

/// The paper's claim of figure 6 is about pages larger than this.
const LARGE: usize = 500;

/// All findings, a figure each.
pub(super) fn findings(evaluation: &Evaluation) -> [String; 4] {
    let findings =
        [(5, decay(evaluation)), (6, effort(evaluation)), (7, time(evaluation)), (8, reliability(evaluation))];
    findings.map(|(figure, finding)| format!("Figure {figure}. {finding}"))
}

/// The two answers to the title: what is found, and at which price.
pub(super) fn short(evaluation: &Evaluation) -> [String; 2] {
    // With the paper's own weights, 0.4, 0.3 and 0.3.
    let setting = Setting { parameter: Parameter::Alpha, fifths: 2 };
    let detected = |approach: Approach| {
        let trials = evaluation.trials.iter().map(|group| &group.items);
        let ratios =
            trials.flat_map(|trials| [None, Some(Kind::Inside)].map(|kind| ratio(trials, approach, setting, kind)));
        ratios.fold(Ratio::default(), |sum, ratio| sum + ratio)
    };
    let [artail, driftline] = [Approach::Product, Approach::Driftline].map(detected);
    let total = Total::of(evaluation.efforts.iter().flat_map(|group| &group.items));
    let found = if driftline.actual == 0 {
        "Nothing changed on these pages.".to_owned()
    } else {
        format!(
            "Of {} driftline detects {}, whatever the weights. Artail and Fawaz's detector with its own weights detects {}.",
            labels::counted(driftline.actual, "change"),
            if driftline.detected == driftline.actual { "all".to_owned() } else { labels::grouped(driftline.detected) },
            labels::grouped(artail.detected),
        )
    };
    let price = format!(
        "Their approach saves {} of the similarities that the approach before it computes, driftline {}.",
        saved(total.saved_by_enhanced()),
        saved(total.saved_by_driftline()),
    );
    [found, price]
}

/// Figure 5.
pub(super) fn decay(evaluation: &Evaluation) -> String {
    let Some(fit) = evaluation.decay.fit else {
        return "Too few versions took something away to fit a decay.".to_owned();
    };
    let half_life = match fit.half_life() {
        Some(versions) => format!("half as much is taken away after {versions:.1} versions"),
        None => "it does not fall".to_owned(),
    };
    let made = match evaluation.collection {
        Some(_) => String::new(),
        None => format!(
            "; the pages were made to renew a tenth of their blocks a version, for which {:.1} is right",
            std::f64::consts::LN_2 / -(1.0 - RENEWED).ln(),
        ),
    };
    format!(
        "What a version changes falls as e^(−{:.3} t): {half_life} (R² = {:.2} on the logarithms, {} of {} steps){made}.",
        fit.rate,
        fit.r_squared,
        fit.points,
        evaluation.decay.steps.len().min(STEPS),
    )
}

/// Figure 6.
pub(super) fn effort(evaluation: &Evaluation) -> String {
    let all: Vec<&Effort> = evaluation.efforts.iter().flat_map(|group| &group.items).collect();
    let large: Vec<&Effort> = all.iter().copied().filter(|effort| effort.nodes > LARGE).collect();
    let (efforts, which) = if large.is_empty() {
        (all, "No page has more than 500 elements. On all pages".to_owned())
    } else {
        (large, format!("On pages of more than {LARGE} elements"))
    };
    let total = Total::of(efforts);
    format!(
        "{which} the enhanced approach saves {} of the original one's similarities, driftline {}.",
        saved(total.saved_by_enhanced()),
        saved(total.saved_by_driftline()),
    )
}

/// Figure 7.
pub(super) fn time(evaluation: &Evaluation) -> String {
    let tell = |group: &Group<Timing>| {
        let largest = group.items.iter().max_by_key(|timing| timing.nodes)?;
        let original = group.items.iter().filter(|timing| timing.original.is_some()).max_by_key(|timing| timing.nodes);
        let original = original.map_or("the original approach bears none of these pages".to_owned(), |timing| {
            format!(
                "the largest page that the original approach bears has {} and takes {}",
                labels::counted(timing.nodes, "element"),
                seconds(timing.original.unwrap_or_default()),
            )
        });
        Some(format!(
            "{}, {}: enhanced {}, driftline {}, reading {}; {original}",
            group.name,
            labels::counted(largest.nodes, "element"),
            seconds(largest.enhanced),
            seconds(largest.driftline),
            seconds(largest.reading),
        ))
    };
    let groups: Vec<String> = evaluation.timings.iter().filter_map(tell).collect();
    format!("{}.", if groups.is_empty() { "Nothing was timed".to_owned() } else { groups.join(". ") })
}

/// Figure 8.
pub(super) fn reliability(evaluation: &Evaluation) -> String {
    let tell = |group: &Group<Trial>| {
        let ends = |approach| {
            let overall = curve(&group.items, approach, None);
            [0, 2, 5].map(|at| format!("{:.2}", overall[at].1.share()))
        };
        let [product, sum, driftline] = Approach::ALL.map(ends);
        let form = |name: &str, [zero, middle, one]: [String; 3]| {
            format!("{name} {zero} at a weight of 0, {middle} at 0.4, {one} at 1")
        };
        let same = product == sum;
        let artail = if same {
            form("both forms", product)
        } else {
            format!("{}; {}", form("product form", product), form("sum form", sum))
        };
        format!("{}: {artail}; driftline {}", group.name, worst(&driftline))
    };
    let groups: Vec<String> = evaluation.trials.iter().filter(|group| has_changes(group)).map(tell).collect();
    if groups.is_empty() {
        return "Nothing changed, so there was nothing to detect.".to_owned();
    }
    format!("Detected among actual changes: {}.", groups.join(". "))
}

/// Is there anything to be detected?
pub(super) fn has_changes(group: &Group<Trial>) -> bool {
    curve(&group.items, Approach::Driftline, None).iter().any(|(_, ratio)| ratio.actual > 0)
}

/// `1.23 s`, `4.56 ms`, `7.89 µs`.
pub(super) fn seconds(seconds: f64) -> String {
    let (value, unit) = match seconds {
        long if long >= 1.0 => (long, "s"),
        long if long >= 1e-3 => (long * 1e3, "ms"),
        short => (short * 1e6, "µs"),
    };
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$}\u{a0}{unit}")
}

/// `97 %`, `−12 %`: more than all is never saved, and what costs more says so.
pub(super) fn saved(share: f64) -> String {
    let percent = share * 100.0;
    let decimals = usize::from(percent > 90.0 && percent < 100.0);
    let percent = if percent < 100.0 { percent.min(99.9) } else { percent };
    format!("{percent:.decimals$}\u{a0}%").replace('-', "−")
}

fn worst([zero, middle, one]: &[String; 3]) -> String {
    if zero == middle && middle == one { format!("{zero} throughout") } else { format!("{zero}, {middle} and {one}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let told = [0.000_001_5, 0.000_12, 0.0123, 4.5].map(seconds).map(|text| labels::plain(&text));
        assert_eq!(told, ["1.50 µs", "120 µs", "12.3 ms", "4.50 s"]);
    }

    #[test]
    fn nearly_all_is_not_all() {
        let told = [0.99999, 1.0, 0.5, -0.5].map(saved).map(|text| labels::plain(&text));
        assert_eq!(told, ["99.9 %", "100 %", "50 %", "−50 %"]);
    }
}
