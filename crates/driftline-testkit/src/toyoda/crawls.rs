//! The expectations of a series of crawls, computed from its tables by the slow measure.
//!
//! The shared series comes with expectations that somebody else computed. A series that was cut from it has other
//! in-links, so other classes and scores; these are computed here, from the tables alone and with nothing of driftline.
//! The lines are those of `expected_novelty.tsv`, `expected_summary.tsv` and `expected_curves.tsv`, so that a test
//! compares with either. A test below compares them with the shared ones.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde_json::Value;

use super::{Before, Page, classes, rounds};

/// The values of δ in the tables, as they are written there.
const DELTAS: [&str; 3] = ["0.0", "0.1", "0.2"];
const ROUNDS: u32 = 20;

/// The expected tables of a series, each with its line of names.
#[derive(Debug, Clone)]
pub struct Expected {
    /// Class, in-links and scores by address, of each snapshot that has an earlier one: `t2` first.
    pub novelty: Vec<String>,
    /// One number per line: snapshot, name, value.
    pub summary: String,
    /// Precision and recall by snapshot, judge, δ and threshold.
    pub curves: String,
}

/// The expectations of the series in a folder. `tables` is the folder of tables within that of a crawl: empty, or
/// `warc` for the subset in WARC files.
///
/// # Panics
/// If a table is missing or malformed.
#[must_use]
pub fn expected(series: &Path, tables: &str) -> Expected {
    let meta: Value = serde_json::from_slice(&std::fs::read(series.join("meta.json")).unwrap()).unwrap();
    let times: Vec<&str> = meta["times"].as_array().unwrap().iter().map(|time| time.as_str().unwrap()).collect();
    let births = rows(&series.join("truth.tsv.gz"));
    let births: HashMap<String, String> = births.into_iter().map(|[url, birth, ..]| (url, birth)).collect();
    let mut found = Expected {
        novelty: Vec::new(),
        summary: "snapshot\tmetric\tvalue\n".to_owned(),
        curves: "snapshot\tjudge\tdelta\tthreshold\tjudged_novel\tprecision\trecall\n".to_owned(),
    };
    let (mut seen, mut crawled_last) = (HashSet::new(), HashSet::new());
    for (place, at) in times.iter().enumerate() {
        let name = format!("t{}", place + 1);
        let folder = series.join(&name).join(tables);
        let (pages, links) = (rows(&folder.join("pages.tsv.gz")), rows(&folder.join("links.tsv.gz")));
        if place > 0 {
            let between = (times[place - 1], *at);
            let crawl = Crawl::new(&pages, &links, between, &births, |url| match url {
                _ if crawled_last.contains(url) => Before::CrawledLastTime,
                _ if seen.contains(url) => Before::Seen,
                _ => Before::Unknown,
            });
            found.novelty.push(crawl.novelty());
            crawl.summary(&mut |metric, value| found.summary += &format!("{name}\t{metric}\t{value}\n"));
            crawl.curves(&mut |line| found.curves += &format!("{name}\t{line}\n"));
        }
        crawled_last = pages.iter().filter(|page| page[1] == "1").map(|page| page[0].clone()).collect();
        seen.extend(pages.into_iter().map(|[url, ..]| url));
    }
    found
}

/// The rows of a packed table without its line of names, each filled up to four cells.
fn rows(path: &Path) -> Vec<[String; 4]> {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    let row = |line: &str| {
        let mut cells = line.split('\t').map(str::to_owned);
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    };
    text.lines().skip(1).map(row).collect()
}

/// One snapshot, its pages by number.
struct Crawl {
    urls: Vec<String>,
    pages: Vec<Page>,
    in_links: Vec<Vec<u32>>,
    classes: Vec<&'static str>,
    /// Whether a page is new by its birth, where that is known.
    novel: Vec<Option<bool>>,
    /// Where the month in an address lies, seen from both crawls.
    dated: Vec<Option<Age>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Age {
    Old,
    New,
    Future,
}

impl Crawl {
    fn new(
        pages: &[[String; 4]],
        links: &[[String; 4]],
        (previous, at): (&str, &str),
        births: &HashMap<String, String>,
        before: impl Fn(&str) -> Before,
    ) -> Self {
        let urls: Vec<String> = pages.iter().map(|page| page[0].clone()).collect();
        let numbers: HashMap<&str, u32> = (0..).zip(&urls).map(|(number, url)| (url.as_str(), number)).collect();
        let mut in_links = vec![Vec::new(); urls.len()];
        for [source, target, ..] in links.iter().filter(|link| link[0] != link[1]) {
            in_links[numbers[target.as_str()] as usize].push(numbers[source.as_str()]);
        }
        for sources in &mut in_links {
            sources.sort_unstable();
            sources.dedup();
        }
        let pages: Vec<Page> = pages
            .iter()
            .map(|[url, crawled, _, modified]| Page {
                crawled: crawled == "1",
                before: before(url),
                unmodified: !modified.is_empty() && iso(modified).as_str() < previous,
            })
            .collect();
        Self {
            classes: classes(&pages, &in_links),
            novel: urls.iter().map(|url| Some(births.get(url)?.as_str() > previous)).collect(),
            dated: urls.iter().map(|url| age(url, previous, at)).collect(),
            urls,
            pages,
            in_links,
        }
    }

    fn unidentified(&self) -> impl Iterator<Item = usize> {
        (0..self.urls.len()).filter(|&page| self.classes[page] == "U")
    }

    fn scores(&self, delta: &str) -> (Vec<f64>, Vec<f64>) {
        rounds(&self.classes, &self.in_links, delta.parse().unwrap(), ROUNDS)
    }

    fn novelty(&self) -> String {
        let scores = DELTAS.map(|delta| self.scores(delta).0);
        let mut text = "url\tclass\tin_links\tn_0.0\tn_0.1\tn_0.2\n".to_owned();
        for (page, url) in self.urls.iter().enumerate().filter(|&(page, _)| self.pages[page].crawled) {
            text += &match self.classes[page] {
                "U" => {
                    let [a, b, c] = scores.each_ref().map(|scores| scores[page]);
                    format!("{url}\tU\t{}\t{a}\t{b}\t{c}\n", self.in_links[page].len())
                }
                class => format!("{url}\t{class}\t\t\t\t\n"),
            };
        }
        text
    }

    fn summary(&self, put: &mut impl FnMut(&str, String)) {
        let count = |class: &str| self.classes.iter().filter(|own| **own == class).count().to_string();
        put("W", self.pages.iter().filter(|page| page.crawled).count().to_string());
        put("L2", count("L2"));
        put("O_minus_L2", count("O"));
        put("U", count("U"));
        let is_unmodified = |page: usize| self.pages[page].crawled && self.pages[page].unmodified;
        let only_by = |unmodified: bool, linked: bool| {
            let is_so = |&page: &usize| {
                let is_linked = self.in_links[page].iter().any(|&source| is_unmodified(source as usize));
                let own = &self.pages[page];
                own.crawled && own.before == Before::Unknown && (own.unmodified, is_linked) == (unmodified, linked)
            };
            (0..self.urls.len()).filter(is_so).count().to_string()
        };
        put("old_only_by_rule2", only_by(true, false));
        put("old_only_by_rule3", only_by(false, true));
        put("old_by_both_2_3", only_by(true, true));
        put(
            "U_without_in_links",
            self.unidentified().filter(|&page| self.in_links[page].is_empty()).count().to_string(),
        );
        self.judges(put);
        for delta in DELTAS {
            let changes: Vec<String> = self.scores(delta).1.iter().map(f64::to_string).collect();
            put(&format!("convergence_{delta}"), changes.join(","));
        }
        self.miss_rates(put);
    }

    fn judges(&self, put: &mut impl FnMut(&str, String)) {
        let novel = self.unidentified().filter(|&page| self.novel[page] == Some(true)).count();
        put("U_true_novel", novel.to_string());
        put_share("baseline_precision_truth", novel, self.unidentified().count(), put);
        let is_old = |page: &usize| ["O", "L2"].contains(&self.classes[*page]);
        let wrong = (0..self.urls.len()).filter(is_old).filter(|&page| self.novel[page] == Some(true)).count();
        put("O_true_novel(wrongly_old)", wrong.to_string());
        let dated = |age: Age| self.unidentified().filter(|&page| self.dated[page] == Some(age)).count();
        let [old, new, future] = [Age::Old, Age::New, Age::Future].map(dated);
        put("urltime_old", old.to_string());
        put("urltime_new", new.to_string());
        put("urltime_future", future.to_string());
        put_share("baseline_precision_urltime", new + future, old + new + future, put);
        let agrees = |&page: &usize| self.dated[page].map(|age| age != Age::Old) == self.novel[page];
        let both = || self.unidentified().filter(|&page| self.dated[page].is_some() && self.novel[page].is_some());
        put_share("urltime_agrees_with_truth", both().filter(agrees).count(), both().count(), put);
    }

    /// Old pages that would be unidentified without Last-Modified: how many have a score?
    fn miss_rates(&self, put: &mut impl FnMut(&str, String)) {
        let pages: Vec<Page> = self.pages.iter().map(|page| Page { unmodified: false, ..*page }).collect();
        let without = classes(&pages, &self.in_links);
        let scores = rounds(&without, &self.in_links, 0.1, ROUNDS).0;
        let unidentified = || (0..without.len()).filter(|&page| without[page] == "U");
        let old: Vec<usize> = unidentified().filter(|&page| self.novel[page] == Some(false)).collect();
        let positive = old.iter().filter(|&&page| scores[page] > 0.0).count();
        put("truth_missrate_old_unidentified", old.len().to_string());
        put_share("truth_missrate_positive", positive, old.len(), put);
        put("truth_missrate_positive_count", positive.to_string());
        let old: Vec<usize> = unidentified().filter(|&page| self.pages[page].unmodified).collect();
        put("missrate_old_unidentified", old.len().to_string());
        if old.is_empty() {
            return;
        }
        let above = |least: f64| old.iter().filter(|&&page| scores[page] >= least).count();
        put_share("missrate_positive", above(f64::MIN_POSITIVE), old.len(), put);
        put_share("missrate_ge_0.1", above(0.1), old.len(), put);
        put_share("missrate_ge_0.5", above(0.5), old.len(), put);
        put("missrate_U_without_LM_rules", unidentified().count().to_string());
    }

    fn curves(&self, put: &mut impl FnMut(String)) {
        let by_date: Vec<Option<bool>> = self.dated.iter().map(|age| age.map(|age| age != Age::Old)).collect();
        for (judge, novel) in [("truth", &self.novel), ("urltime", &by_date)] {
            for delta in DELTAS {
                let scores = self.scores(delta).0;
                let judged: Vec<(f64, bool)> =
                    self.unidentified().filter_map(|page| Some((scores[page], novel[page]?))).collect();
                let all = judged.iter().filter(|(_, is_novel)| *is_novel).count();
                for threshold in thresholds() {
                    let least = threshold.parse().unwrap_or(f64::MIN_POSITIVE);
                    let taken: Vec<bool> =
                        judged.iter().filter(|(score, _)| *score >= least).map(|(_, is_novel)| *is_novel).collect();
                    let right = taken.iter().filter(|is_novel| **is_novel).count();
                    let [precision, recall] = [taken.len(), all].map(|whole| six_decimals(right, whole));
                    put(format!("{judge}\t{delta}\t{threshold}\t{}\t{precision}\t{recall}", taken.len()));
                }
            }
        }
    }
}

/// A share with four decimals; none of nothing.
fn put_share(metric: &str, part: usize, whole: usize, put: &mut impl FnMut(&str, String)) {
    if whole > 0 {
        put(metric, format!("{:.4}", part as f64 / whole as f64));
    }
}

fn six_decimals(part: usize, whole: usize) -> String {
    if whole == 0 { "nan".to_owned() } else { format!("{:.6}", part as f64 / whole as f64) }
}

/// `0.00`, `>0`, then every twentieth up to `1.00`.
fn thresholds() -> Vec<String> {
    let twentieths = (1..=20).map(|twentieth| format!("{:.2}", f64::from(twentieth) / 20.0));
    ["0.00".to_owned(), ">0".to_owned()].into_iter().chain(twentieths).collect()
}

/// `Wed, 03 Oct 2018 21:35:49 GMT` as `2018-10-03T21:35:49Z`.
fn iso(date: &str) -> String {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let words: Vec<&str> = date.split(' ').collect();
    let [_, day, month, year, time, "GMT"] = words[..] else { panic!("not a date of HTTP: {date}") };
    let month = MONTHS.find(month).unwrap_or_else(|| panic!("not a month: {date}")) / 3 + 1;
    format!("{year}-{month:02}-{day}T{time}Z")
}

/// The first `YYYYMM`, `YYYY/MM` or `YYYY-MM` in the path, against the months of two crawls (rule N5). No digit stands
/// before it; after `YYYYMM` a day and a time may follow.
fn age(url: &str, previous: &str, at: &str) -> Option<Age> {
    let path = url.splitn(4, '/').nth(3)?.split(['?', '#']).next()?;
    // Every run of digits, with what follows it.
    let mut starts = path.char_indices().filter(|&(start, letter)| {
        letter.is_ascii_digit() && !path[..start].ends_with(|before: char| before.is_ascii_digit())
    });
    let month = starts.find_map(|(start, _)| month_at(&path[start..]))?;
    Some(match month {
        _ if month.as_str() < &previous[..7] => Age::Old,
        _ if month.as_str() > &at[..7] => Age::Future,
        _ => Age::New,
    })
}

/// `YYYY-MM` at the beginning of a text.
fn month_at(text: &str) -> Option<String> {
    let run = |text: &str| text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let digits = run(text);
    let (year, month) = match (digits, text.as_bytes().get(4)) {
        (4, Some(b'/' | b'-')) if run(&text[5..]) == 2 => (&text[..4], &text[5..7]),
        (6, _) => (&text[..4], &text[4..6]),
        (8 | 10 | 12 | 14, _) if ("01"..="31").contains(&&text[6..8]) => (&text[..4], &text[4..6]),
        _ => return None,
    };
    (("1993"..="2049").contains(&year) && ("01"..="12").contains(&month)).then(|| format!("{year}-{month}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Cells of all lines by the first `key` of them.
    fn table(text: &str, key: usize) -> BTreeMap<String, Vec<String>> {
        let cells = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
        let row = |mut cells: Vec<String>| {
            let rest = cells.split_off(key);
            (cells.join("\t"), rest)
        };
        text.lines().skip(1).map(|line| row(cells(line))).collect()
    }

    /// Whether printed numbers agree within rounding: `absolute` for shares, `relative` for sums.
    fn is_near(own: &str, other: &str, absolute: f64, relative: f64) -> bool {
        let numbers = |text: &str| text.split(',').map(|number| number.parse::<f64>().ok()).collect::<Vec<_>>();
        let is_near = |(own, other): (&Option<f64>, &Option<f64>)| match (own, other) {
            (Some(own), Some(other)) => (own - other).abs() <= absolute + relative * other.abs(),
            _ => false,
        };
        let (one, two) = (numbers(own), numbers(other));
        own == other || (one.len() == two.len() && one.iter().zip(&two).all(is_near))
    }

    #[track_caller]
    fn assert_same(own: &str, other: &str, key: usize, absolute: f64) {
        let (own, other) = (table(own, key), table(other, key));
        assert!(own.keys().eq(other.keys()));
        for (name, expected) in &other {
            let relative = if name.contains("convergence") { 5.1e-4 } else { 0.0 };
            let is_same = |(own, other): (&String, &String)| is_near(own, other, absolute, relative);
            assert!(own[name].iter().zip(expected).all(is_same), "{name}: {:?}, not {expected:?}", own[name]);
        }
    }

    /// The shared curves compare scores as rounding left them: some that are equal to a threshold came out below it.
    #[track_caller]
    fn assert_same_curves(own: &Expected, other: &str) {
        let (curves, other) = (table(&own.curves, 4), table(other, 4));
        assert!(curves.keys().eq(other.keys()));
        let novelty: Vec<_> = own.novelty.iter().map(|text| table(text, 1)).collect();
        for (name, expected) in &other {
            let words: Vec<&str> = name.split('\t').collect();
            let scores = &novelty[words[0][1..].parse::<usize>().unwrap() - 2];
            let column = 2 + DELTAS.iter().position(|delta| *delta == words[2]).unwrap();
            let threshold: f64 = words[3].parse().unwrap_or_default();
            let is_equal = |row: &&Vec<String>| {
                row[column].parse::<f64>().is_ok_and(|score| (score - threshold).abs() < 2e-9 && threshold > 0.0)
            };
            let equal = scores.values().filter(is_equal).count();
            let [found, wanted] = [&curves[name][0], &expected[0]].map(|count| count.parse::<usize>().unwrap());
            assert!((wanted..=wanted + equal).contains(&found), "{name}: {found}, not {wanted}");
            let is_same = |(own, other): (&String, &String)| is_near(own, other, 1e-6, 0.0);
            let is_told = found != wanted || curves[name].iter().zip(expected).all(is_same);
            assert!(is_told, "{name}: {:?}, not {expected:?}", curves[name]);
        }
    }

    #[test]
    #[ignore = "needs the shared data"]
    fn the_expectations_of_the_shared_series_come_out() {
        let series = crate::data::shared().join("snapshots/dev");
        for (tables, suffix) in [("", ""), ("warc", "_warc")] {
            let own = expected(&series, tables);
            for (number, own) in (2..).zip(&own.novelty) {
                let path = series.join(format!("t{number}/expected_novelty{suffix}.tsv.gz"));
                let mut text = String::new();
                MultiGzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
                assert_same(own, &text, 1, 1e-9);
            }
            let read = |name: &str| std::fs::read_to_string(series.join(format!("{name}{suffix}.tsv"))).unwrap();
            assert_same(&own.summary, &read("expected_summary"), 2, 5.1e-5);
            assert_same_curves(&own, &read("expected_curves"));
        }
    }

    #[test]
    fn months_are_read_off_addresses() {
        let found = |url: &str| age(url, "2019-07-15T00:00:00Z", "2020-01-15T00:00:00Z");
        assert_eq!(found("https://a.org/2019/06/x"), Some(Age::Old));
        assert_eq!(found("https://a.org/x-2019-07-01"), Some(Age::New));
        assert_eq!(found("https://a.org/v20200131.html"), Some(Age::New));
        assert_eq!(found("https://a.org/202002/201901"), Some(Age::Future));
        for none in ["https://a.org/", "https://2019-07.org/", "https://a.org/2019071", "https://a.org/201913?2019-07"]
        {
            assert_eq!(found(none), None, "{none}");
        }
    }
}
