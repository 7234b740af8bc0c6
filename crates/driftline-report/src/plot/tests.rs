//! Do the papers' figures come out readable, and does strange data come out at all?

mod stack;

use super::scene::{Anchor, Rect, Scene, Shape, Text, Turn};
use super::*;

const METRICS: [&str; 7] = ["Criterion", "BW", "COS", "WD", "ED", "10SH", "IED"];

/// A panel of Fig. 7: 50 to 950 words of a page of 1,000 changed.
fn panel(title: &str) -> Chart {
    let words = || (1..20).map(|step| f64::from(step) * 50.0);
    let series = METRICS.iter().zip(1_u8..).map(|(name, nth)| {
        let mark = if nth == 1 { Mark::Dashed } else { Mark::LineAndPoints };
        Series::new(*name, mark, words().map(|x| (x, x / 1000.0 / f64::from(nth))).collect())
    });
    Chart {
        title: title.to_owned(),
        x: Axis::linear("words changed, of a page of 1000"),
        y: Axis::linear("degree of change").within(0.0, 1.0),
        series: series.collect(),
    }
}

fn six_operations() -> Picture {
    let operations = ["add", "drop", "copy", "shrink", "replace", "move"];
    let charts = operations.map(panel).to_vec();
    Picture::from(Grid { title: "Six operations on a page".to_owned(), columns: 3, charts })
}

fn doubling() -> Picture {
    let time = (2..=13).map(|power| (f64::from(power).exp2(), f64::from(power * 2).exp2()));
    let series = vec![Series::new("ED", Mark::Line, time.collect())];
    let (x, y) = (Axis::log2("words"), Axis::log2("nanoseconds"));
    Picture::from(Chart { title: "Time by page size".to_owned(), x, y, series })
}

fn bars(labels: &[&str]) -> Picture {
    let values = [0.21, 0.4, 0.032, f64::NAN, -0.1].into_iter().cycle();
    let bars = labels.iter().map(|label| (*label).to_owned()).zip(values).collect();
    let y_label = "mean distance from the criterion".to_owned();
    Picture::from(Bars { title: "Error by metric".to_owned(), y_label, bars })
}

fn grouped() -> Picture {
    let groups = ["news portals", "government", "shops"];
    let values = vec![0.1, 0.5, 0.9, 0.3, f64::NAN, 0.7, 99.0];
    Picture::from(GroupedBars {
        title: "Operations by kind of site".to_owned(),
        y_label: "share of pages".to_owned(),
        series: METRICS[1..].iter().map(|name| (*name).to_owned()).collect(),
        groups: groups.map(|label| (label.to_owned(), values.clone())).to_vec(),
    })
}

fn lone(series: Series) -> Picture {
    let (x, y) = (Axis::linear("x"), Axis::log2("y"));
    Picture::from(Chart { title: String::new(), x, y, series: vec![series] })
}

/// The box a text takes on the page.
fn bounds(text: &Text) -> Rect {
    let width = letters::width(&text.words, text.size);
    let before = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let (x, y) = text.at;
    let (above, below) = (letters::ASCENT * text.size, 0.24 * text.size);
    match text.turn {
        Turn::None => {
            let left = x - before;
            Rect { left, right: left + width, top: y - above, bottom: y + below }
        }
        Turn::Up => {
            let bottom = y + before;
            Rect { left: x - above, right: x + below, top: bottom - width, bottom }
        }
    }
}

fn texts(scene: &Scene) -> Vec<&Text> {
    let shapes = scene.shapes.iter();
    shapes.filter_map(|shape| if let Shape::Text(text) = shape { Some(text) } else { None }).collect()
}

#[test]
fn no_text_overlaps_another_or_leaves_the_page() {
    let sites = ["www.example.org/a", "www.example.org/b", "www.example.org/c", "d", "e"];
    let pictures = [
        Picture::from(panel("replace")),
        six_operations(),
        doubling(),
        bars(&METRICS),
        bars(&sites.repeat(3)),
        grouped(),
    ];
    for (picture, size) in pictures
        .iter()
        .flat_map(|one| [(480, 400), (720, 480), (1080, 720)].map(|(width, height)| (one, Size::new(width, height))))
    {
        assert_apart(picture, size);
    }
}

/// No text overlaps another or leaves the page.
fn assert_apart(picture: &Picture, size: Size) {
    let scene = picture.scene(size).unwrap();
    let boxes: Vec<_> = texts(&scene).into_iter().map(|text| (&text.words, bounds(text))).collect();
    for (place, (words, one)) in boxes.iter().enumerate() {
        let inside = one.left >= 0.0 && one.top >= 0.0;
        let inside = inside && one.right <= size.width.into() && one.bottom <= size.height.into();
        assert!(inside, "{words} leaves {size:?}: {one:?}");
        for (others, other) in &boxes[..place] {
            let beside = one.right <= other.left || other.right <= one.left;
            let apart = beside || one.bottom <= other.top || other.bottom <= one.top;
            assert!(apart, "{words} overlaps {others} in {} at {size:?}", picture.name());
        }
    }
}

#[test]
fn no_type_is_smaller_than_twelve_pixels() {
    let scene = six_operations().scene(Size::default()).unwrap();
    assert!(texts(&scene).iter().all(|text| text.size >= 12.0));
}

#[test]
fn a_grid_names_each_series_and_shared_axis_once() {
    let svg = six_operations().to_svg(Size::new(1080, 720)).unwrap();
    let drawn = svg.split_once("</desc>").unwrap().1;
    for name in METRICS.iter().chain(&["degree of change", "words changed, of a page of 1000"]) {
        assert_eq!(drawn.matches(&format!("\n{name}\n")).count(), 1, "{name}");
    }
}

#[test]
fn an_svg_names_and_describes_itself() {
    let mut chart = panel("add < drop & \u{1}");
    chart.series.truncate(2);
    let svg = Picture::from(chart).to_svg(Size::default()).unwrap();
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"720\" height=\"480\""));
    assert!(svg.contains("<title>add &lt; drop &amp;  </title>"));
    let description = "degree of change by words changed, of a page of 1000; series: Criterion, BW.";
    assert!(svg.contains(&format!("<desc>{description}</desc>")));
    assert!(svg.trim_end().ends_with("</svg>") && !svg.contains('\u{1}'));
}

#[test]
fn bars_are_read_out_with_their_values() {
    let description = bars(&["BW", "COS", "WD", "ED"]).description();
    assert_eq!(description, "mean distance from the criterion: BW 0.210; COS 0.400; WD 0.032; ED n/a.");
}

#[test]
fn alike_charts_are_described_once() {
    let description = "add, drop, copy, shrink, replace, move: degree of change by words changed, \
        of a page of 1000; series: Criterion, BW, COS, WD, ED, 10SH, IED.";
    assert_eq!(six_operations().description(), description);
}

#[test]
fn a_png_has_the_size_asked_for_on_white() {
    let encoded = six_operations().to_png(Size::new(640, 480)).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(encoded)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (640, 480));
    assert_eq!(pixels[..3], [255; 3]);
    assert!(pixels.iter().any(|value| *value < 50));
}

#[test]
fn strange_data_are_drawn_without_panic() {
    let strange: [&[(f64, f64)]; 8] = [
        &[],
        &[(1.0, 1.0)],
        &[(1.0, 1.0), (1.0, 1.0), (1.0, 1.0)],
        &[(f64::NAN, 1.0), (2.0, f64::INFINITY), (3.0, -4.0)],
        &[(0.0, 1.0), (f64::NAN, 2.0), (2.0, 3.0)],
        &[(f64::MAX, f64::MIN_POSITIVE), (-f64::MAX, f64::MAX)],
        &[(1e15, 5.0), (1e15 + 1.0, 5.0)],
        &[(0.0, 5e-324), (5e-324, 1e149)],
    ];
    for points in strange {
        for mark in [Mark::Line, Mark::LineAndPoints, Mark::Points, Mark::Dashed] {
            let picture = lone(Series::new("s", mark, points.to_vec()));
            picture.to_svg(Size::default()).unwrap();
            picture.to_png(Size::new(200, 160)).unwrap();
        }
        let bars = points.iter().map(|(_, value)| ("label".to_owned(), *value)).collect();
        let bars = Bars { title: String::new(), y_label: String::new(), bars };
        Picture::from(bars).to_svg(Size::default()).unwrap();
    }
    let empty = Grid { title: String::new(), columns: 0, charts: Vec::new() };
    Picture::from(empty).to_png(Size::default()).unwrap();
}

#[test]
fn a_size_without_room_is_refused() {
    for (width, height) in [(0, 0), (1, 1), (100, 5000), (5000, 60), (90, 90)] {
        for picture in [six_operations(), grouped()] {
            let drawn = picture.to_svg(Size::new(width, height));
            assert!(matches!(drawn, Err(PlotError::TooSmall { .. })), "{width}×{height}");
        }
    }
    let large = doubling().to_png(Size::new(8193, 10));
    assert!(matches!(large, Err(PlotError::TooLarge { .. })));
}
