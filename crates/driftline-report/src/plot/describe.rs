//! What does a picture say to someone who cannot see it?
//!
//! The title names the picture; the description names axes and series, and gives the
//! values where they are few enough to be listened to (bars).

use super::{Chart, Content, Flag, GroupedBars, Picture, Stack, Tier, ruler};

impl Picture {
    /// The title, or what kind of picture it is.
    pub(super) fn name(&self) -> &str {
        let (title, kind) = match self {
            Self::Chart(chart) => (&chart.title, "Chart"),
            Self::Grid(grid) => (&grid.title, "Charts"),
            Self::Bars(bars) => (&bars.title, "Bar chart"),
            Self::GroupedBars(bars) => (&bars.title, "Bar chart"),
            Self::Stack(stack) => (&stack.title, "Charts"),
        };
        if title.is_empty() { kind } else { title }
    }

    /// Axes, series and values in words.
    pub(super) fn description(&self) -> String {
        match self {
            Self::Chart(chart) => describe_chart(chart),
            Self::Grid(grid) => describe_grid(&grid.charts),
            Self::Bars(bars) => describe_bars(&bars.grouped()),
            Self::GroupedBars(bars) => describe_bars(bars),
            Self::Stack(stack) => describe_stack(stack),
        }
    }
}

/// Charts that differ in their titles only are described once.
fn describe_grid(charts: &[Chart]) -> String {
    let mut alike: Vec<(String, Vec<&str>)> = Vec::new();
    for chart in charts {
        let description = describe_chart(chart);
        match alike.iter_mut().find(|(earlier, _)| *earlier == description) {
            Some((_, titles)) => titles.push(&chart.title),
            None => alike.push((description, vec![&chart.title])),
        }
    }
    let charts = alike.iter().map(|(chart, titles)| format!("{}: {chart}", titles.join(", ")));
    charts.collect::<Vec<_>>().join(" ")
}

fn describe_stack(stack: &Stack) -> String {
    let x = &stack.x.label;
    if stack.tiers.is_empty() {
        return format!("{x}.");
    }
    let tier = |tier: &Tier| {
        let shown = match &tier.content {
            Content::Lines { y, series } => {
                let names: Vec<&str> = series.iter().map(|series| series.name.as_str()).collect();
                format!("{} by {x}; series: {}", y.label, names.join(", "))
            }
            Content::Map { y, scale, .. } => format!("{scale} as colour, by {x} and {}", y.label),
            Content::Matrix { scale, .. } => format!("{scale} as colour, of each two, by {x}"),
        };
        format!("{}: {shown}.", tier.title)
    };
    let flag = |flag: &Flag| format!("{} {}", flag.name, if flag.label.is_empty() { "" } else { &flag.label });
    let flags: Vec<String> = stack.flags.iter().map(|one| flag(one).trim().to_owned()).collect();
    let marked = if flags.is_empty() { String::new() } else { format!(" Marked: {}.", flags.join("; ")) };
    stack.tiers.iter().map(tier).collect::<Vec<_>>().join(" ") + &marked
}

fn describe_chart(chart: &Chart) -> String {
    let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
    format!("{} by {}; series: {}.", chart.y.label, chart.x.label, names.join(", "))
}

fn describe_bars(bars: &GroupedBars) -> String {
    let all: Vec<f64> = bars.groups.iter().flat_map(|(_, values)| values).copied().collect();
    let mut words = ruler::alike(&all).into_iter();
    let group = |(name, values): &(String, Vec<f64>)| {
        let words: Vec<String> = words.by_ref().take(values.len()).collect();
        let pairs = bars.series.iter().zip(words);
        let pairs = pairs.map(|(series, word)| format!("{series} {word}").trim_start().to_owned());
        format!("{name} {}", pairs.collect::<Vec<_>>().join(", "))
    };
    let groups: Vec<String> = bars.groups.iter().map(group).collect();
    format!("{}: {}.", bars.y_label, groups.join("; "))
}
