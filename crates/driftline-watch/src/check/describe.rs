//! What happened, in one line? For a subject, a list, a telephone.

use driftline::change::Change;
use driftline::degree::edit::EditKind;
use driftline::degree::ied::Operations;
use driftline::page::Limit;
use driftline::region::{ResourceFate, ResourceKind};

use super::versions::Version;

/// What is said of a title that is another one.
pub(super) const TITLE: &str = "another title";

/// What changed, in one line: `3 words added, 1 dropped`.
pub(super) fn summary(change: &Change) -> String {
    let words = words(&change.measurement.operations);
    let resources = resources(change);
    let title = change.title.is_some().then(|| TITLE.to_owned());
    let said: Vec<String> = words.into_iter().chain(resources).chain(title).collect();
    if said.is_empty() { "only markup changed".to_owned() } else { said.join(", ") }
}

/// What happened to the words of a part: `3 words added, 1 dropped`.
pub(super) fn words(operations: &Operations) -> Option<String> {
    let mut said = String::new();
    for kind in EditKind::ALL {
        let count = operations.of(kind);
        if count == 0 {
            continue;
        }
        let noun = match (said.is_empty(), count) {
            (false, _) => "",
            (true, 1) => " word",
            (true, _) => " words",
        };
        if !said.is_empty() {
            said.push_str(", ");
        }
        said.push_str(&format!("{}{noun} {}", grouped(count), kind.participle()));
    }
    (!said.is_empty()).then_some(said)
}

/// Links and pictures that came or went.
fn resources(change: &Change) -> Option<String> {
    let count = |fate: ResourceFate| {
        change.resources.iter().filter(|resource| resource.kind == fate && is_shown(resource.what)).count()
    };
    let said =
        [(ResourceFate::Gained, "gained"), (ResourceFate::Lost, "lost")].into_iter().filter_map(|(fate, verb)| {
            let count = count(fate);
            let noun = if count == 1 { "link or image" } else { "links or images" };
            (count > 0).then(|| format!("{} {noun} {verb}", grouped(count)))
        });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// Did a link or something that is shown come or go?
pub(super) fn has_resources(change: &Change) -> bool {
    change.resources.iter().any(|resource| is_shown(resource.what))
}

/// Is it something for readers? Style sheets and programs are not.
pub(super) fn is_shown(kind: ResourceKind) -> bool {
    !matches!(kind, ResourceKind::Style | ResourceKind::Script)
}

/// What happened to a file that is no text.
pub(super) fn opaque(older: &Version, newer: &Version) -> String {
    let [before, after] = [older, newer].map(|version| grouped(version.body.len()));
    let kind = |version: &Version| version.content_type.clone().unwrap_or_else(|| "a file".to_owned());
    if kind(older) == kind(newer) {
        format!("the file is another one: {after} bytes, before {before}")
    } else {
        format!("the page is another kind of file: {}, before {}", kind(newer), kind(older))
    }
}

/// What the answer lacks, by the names of limits.
pub(super) fn limits(limits: &[Limit], newer: &Version) -> Vec<String> {
    let mut names: Vec<String> = limits.iter().map(|limit| limit.name().to_owned()).collect();
    names.extend(newer.is_cut.then(|| Limit::Bytes.name().to_owned()));
    names.sort_unstable();
    names.dedup();
    names
}

/// A number with thousands set apart.
pub(super) fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use driftline::degree::compare::Comparer;
    use driftline::page::{Page, Recipe};

    use super::*;

    fn change(older: &str, newer: &str) -> Change {
        let [older, newer] = [older, newer].map(|html| Page::read(html, &Recipe::default()));
        Comparer::default().compare(&older, &newer)
    }

    #[test]
    fn the_noun_stands_once() {
        let change = change("<p>Open from nine to five.", "<p>Open from nine to six, also on Sundays.");
        assert_eq!(summary(&change), "3 words added, 1 replaced");
    }

    #[test]
    fn links_titles_and_markup_have_their_own_words() {
        let link = change("<p><a href=/a>here</a>", "<p><a href=/b>here</a>");
        assert_eq!(summary(&link), "1 link or image gained, 1 link or image lost");
        assert_eq!(summary(&change("<title>a</title><p>x", "<title>b</title><p>x")), "another title");
        assert_eq!(summary(&change("<p class=a>x", "<p class=b>x")), "only markup changed");
    }
}
