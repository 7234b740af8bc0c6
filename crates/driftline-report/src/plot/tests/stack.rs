//! Are stacks readable at any width, small as files, and safe with strange data?

use super::*;

fn flag(at: f64, label: &str, style: FlagStyle) -> Flag {
    let name = if style == FlagStyle::Solid { "found" } else { "known" };
    Flag { name: name.to_owned(), at, label: label.to_owned(), style }
}

/// Documents whose likeness changes at two thirds.
fn stream(documents: u32, flags: Vec<Flag>) -> Stack {
    let side = |document: u32| document * 3 / documents.max(1) >= 2;
    let noise = |one: u32, other: u32| f64::from((one * 31 + other * 17) % 97) / 300.0;
    let cell = |one: u32, other: u32| noise(one, other) + if side(one) == side(other) { 0.6 } else { 0.0 };
    let columns = |depth: u32| -> Vec<Vec<f64>> {
        (0..documents).map(|one| (0..depth).map(|other| cell(one, other)).collect()).collect()
    };
    let line =
        |name: &str| Series::new(name, Mark::Line, (0..documents).map(|one| (f64::from(one), cell(one, 0))).collect());
    let scale = || "similarity".to_owned();
    let tier = |title: &str, content| Tier { title: title.to_owned(), content };
    Stack {
        title: "A stream of documents".to_owned(),
        x: Axis::whole("document").within(-0.5, f64::from(documents.max(1)) - 0.5),
        tiers: vec![
            tier("Each two", Content::Matrix { scale: scale(), columns: columns(documents) }),
            tier(
                "The last twenty",
                Content::Map {
                    y: Axis::whole("documents back").within(0.5, 20.5),
                    scale: scale(),
                    columns: columns(20),
                },
            ),
            tier(
                "The average",
                Content::Lines {
                    y: Axis::linear("similarity").within(0.0, 1.0),
                    series: vec![line("one"), line("two")],
                },
            ),
        ],
        flags,
    }
}

#[test]
fn no_text_of_a_stack_overlaps_another_or_leaves_the_page() {
    let close = [62.0, 64.0, 66.0, 67.0, 88.0, 89.0].map(|at| flag(at, "1066 (0.98)", FlagStyle::Solid)).to_vec();
    let many = (0_u8..90).map(|at| flag(f64::from(at), "label", FlagStyle::Solid)).collect();
    for flags in [vec![], close, many] {
        let stack = stream(90, flags);
        for width in [320, 480, 860, 1400] {
            let size = stack.size(width).unwrap();
            assert_apart(&Picture::from(stack.clone()), size);
        }
    }
}

#[test]
fn a_large_heat_map_is_a_small_file() {
    let stack = stream(1_000, vec![flag(667.0, "667", FlagStyle::Solid)]);
    let size = stack.size(860).unwrap();
    let svg = Picture::from(stack).to_svg(size).unwrap();
    assert!(svg.len() < 1_000_000, "{} bytes", svg.len());
    // Two maps, each with its bar of colours.
    assert_eq!(svg.matches("<image ").count(), 4);
    assert_eq!((svg.matches("<svg").count(), svg.matches("</svg>").count()), (1, 1));
}

#[test]
fn a_stack_is_described_with_its_flags() {
    let flags = vec![flag(61.0, "61 (0.98)", FlagStyle::Solid), flag(61.0, "", FlagStyle::Dashed)];
    let description = Picture::from(stream(90, flags)).description();
    assert_eq!(
        description,
        "Each two: similarity as colour, of each two, by document. \
         The last twenty: similarity as colour, by document and documents back. \
         The average: similarity by document; series: one, two. Marked: found 61 (0.98); known."
    );
}

#[test]
fn cells_of_a_png_are_where_they_belong() {
    let mut stack = stream(3, vec![]);
    stack.tiers.truncate(1);
    let size = stack.size(400).unwrap();
    let encoded = Picture::from(stack).to_png(size).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(encoded)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let bright = |x: usize, y: usize| pixels[(y * 400 + x) * 3 + 1] > 120;
    // The middles of the corner cells: the last document is like itself only.
    let bottom = size.height as usize - 120;
    assert!(bright(100, bottom - 220) && bright(340, bottom) && !bright(340, bottom - 220) && !bright(100, bottom));
}

#[test]
fn strange_stacks_are_drawn_without_panic() {
    let strange = vec![
        flag(f64::NAN, "nowhere", FlagStyle::Solid),
        flag(-1e300, "far", FlagStyle::Dashed),
        flag(0.0, "\u{1}", FlagStyle::Solid),
    ];
    for documents in [0, 1, 2] {
        let mut stack = stream(documents, strange.clone());
        if let Content::Map { columns, .. } = &mut stack.tiers[1].content {
            *columns = vec![vec![], vec![f64::NAN, f64::INFINITY, -5.0, 7.0]];
        }
        let size = stack.size(300).unwrap();
        let picture = Picture::from(stack);
        picture.to_svg(size).unwrap();
        picture.to_png(size).unwrap();
    }
    let empty = Stack { tiers: vec![], ..stream(1, vec![]) };
    let size = empty.size(300).unwrap();
    Picture::from(empty).to_svg(size).unwrap();
}

#[test]
fn a_stack_without_room_is_refused() {
    let stack = stream(10, vec![]);
    assert!(matches!(stack.size(60), Err(PlotError::TooSmall { .. })));
    let size = stack.size(400).unwrap();
    let lower = Size::new(400, size.height - 1);
    assert!(matches!(Picture::from(stack).to_svg(lower), Err(PlotError::TooSmall { .. })));
}
