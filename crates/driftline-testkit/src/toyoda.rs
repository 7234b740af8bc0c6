//! The novelty measure as the paper and rules N2 to N4 state it, slowly: one page after the other.

pub mod crawls;

/// What is known of an address when a snapshot was crawled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Page {
    /// It was crawled, not only linked to.
    pub crawled: bool,
    /// What earlier snapshots know of it.
    pub before: Before,
    /// Its Last-Modified is before the previous snapshot.
    pub unmodified: bool,
}

/// What earlier snapshots know of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Before {
    /// Nothing.
    #[default]
    Unknown,
    /// It was crawled, or linked to, in one of them.
    Seen,
    /// The previous one crawled it.
    CrawledLastTime,
}

/// `O`, `L2` or `U` for pages crawled, nothing for others. `in_links` are the sources of each page.
#[must_use]
pub fn classes(pages: &[Page], in_links: &[Vec<u32>]) -> Vec<&'static str> {
    let is_crawled_unmodified = |page: &Page| page.crawled && page.unmodified;
    let class = |(place, page): (usize, &Page)| {
        let linked = in_links[place].iter().any(|&source| is_crawled_unmodified(&pages[source as usize]));
        match (page.crawled, page.before != Before::Unknown || page.unmodified || linked) {
            (false, _) => "",
            (true, false) => "U",
            (true, true) if page.before == Before::CrawledLastTime => "L2",
            (true, true) => "O",
        }
    };
    pages.iter().enumerate().map(class).collect()
}

/// Definition (2) after so many rounds, and by how much the scores moved in each, summed. 0 for pages not in U.
#[must_use]
pub fn rounds(classes: &[&str], in_links: &[Vec<u32>], delta: f64, rounds: u32) -> (Vec<f64>, Vec<f64>) {
    let mut scores = vec![0.0; classes.len()];
    let mut changes = Vec::new();
    for _ in 0..rounds {
        let next: Vec<f64> = (0..classes.len()).map(|page| one(classes, in_links, delta, &scores, page)).collect();
        changes.push(scores.iter().zip(&next).map(|(before, now): (&f64, &f64)| (now - before).abs()).sum());
        scores = next;
    }
    (scores, changes)
}

fn one(classes: &[&str], in_links: &[Vec<u32>], delta: f64, scores: &[f64], page: usize) -> f64 {
    if classes[page] != "U" || in_links[page].is_empty() {
        return 0.0;
    }
    let count = |&source: &u32| match classes[source as usize] {
        "L2" => 1.0,
        "U" => scores[source as usize],
        _ => 0.0,
    };
    (1.0 - delta) * in_links[page].iter().map(count).sum::<f64>() / in_links[page].len() as f64
}

/// What the rounds converge to, by Gauss's elimination with pivots over the pages that evidence reaches.
#[must_use]
pub fn limit(classes: &[&str], in_links: &[Vec<u32>], delta: f64) -> Vec<f64> {
    let start = rounds(classes, in_links, delta, classes.len() as u32 + 1).0;
    let reached: Vec<usize> = (0..classes.len()).filter(|&page| start[page] > 0.0).collect();
    let nothing = vec![0.0; classes.len()];
    let mut rows: Vec<Vec<f64>> = reached.iter().map(|&page| row(classes, in_links, delta, &reached, page)).collect();
    for (row, &page) in rows.iter_mut().zip(&reached) {
        row.push(one(classes, in_links, delta, &nothing, page));
    }
    let mut scores = nothing;
    for (&page, score) in reached.iter().zip(eliminate(rows)) {
        scores[page] = score;
    }
    scores
}

fn row(classes: &[&str], in_links: &[Vec<u32>], delta: f64, reached: &[usize], page: usize) -> Vec<f64> {
    let share = (1.0 - delta) / in_links[page].len() as f64;
    let entry = |&other: &usize| {
        let is_linked = classes[other] == "U" && in_links[page].contains(&(other as u32));
        f64::from(u8::from(other == page)) - if is_linked { share } else { 0.0 }
    };
    reached.iter().map(entry).collect()
}

fn eliminate(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let count = rows.len();
    for column in 0..count {
        let best = (column..count).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        rows.swap(column, best.unwrap_or(column));
        let pivot = rows[column].clone();
        for (place, row) in rows.iter_mut().enumerate() {
            let factor = row[column] / pivot[column];
            if place != column && factor != 0.0 {
                row.iter_mut().zip(&pivot).for_each(|(own, above)| *own -= factor * above);
            }
        }
    }
    rows.iter().enumerate().map(|(place, row)| row[count] / row[place]).collect()
}
