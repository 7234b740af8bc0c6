//! How is a heat map kept small? As a picture of one pixel a cell, stretched to its place.
//!
//! A matrix of 700 × 700 cells would be half a million rectangles, an SVG of 40 MB. As an embedded PNG with
//! a palette it takes a few hundred kilobytes, and opens at once. Runs of equal colour would not help:
//! hardly two neighbours are equally alike.
//!
//! The colours are those of viridis, from dark to bright: readable for the colour-blind, and in grey.

use std::ops::Range;

use super::scene::Colour;

/// Viridis at equal steps.
const RAMP: [Colour; 10] = [
    Colour(68, 1, 84),
    Colour(72, 40, 120),
    Colour(62, 73, 137),
    Colour(49, 104, 142),
    Colour(38, 130, 142),
    Colour(31, 158, 137),
    Colour(53, 183, 121),
    Colour(110, 206, 88),
    Colour(181, 222, 43),
    Colour(253, 231, 37),
];
/// The level of the value 1.
const TOP: u8 = 254;
/// The level of a cell without a value: it is left white.
const MISSING: u8 = 255;

/// Cells with levels of colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Raster {
    columns: usize,
    rows: usize,
    /// Row by row, from the top.
    levels: Vec<u8>,
}

impl Raster {
    /// Columns from left to right, each from top to bottom, of values from 0 to 1. Where there are more
    /// than so many columns or rows, neighbours are averaged.
    pub(super) fn of(columns: &[Vec<f64>], (most_columns, most_rows): (usize, usize)) -> Self {
        let depth = columns.iter().map(Vec::len).max().unwrap_or(0);
        let (wide, high) = (columns.len().min(most_columns), depth.min(most_rows));
        let mut levels = Vec::with_capacity(wide * high);
        for row in 0..high {
            let rows = part(row, high, depth);
            for column in 0..wide {
                let columns = columns[part(column, wide, columns.len())].iter();
                let cells = columns.flat_map(|cells| cells.iter().take(rows.end).skip(rows.start));
                levels.push(level(cells.copied()));
            }
        }
        Self { columns: wide, rows: high, levels }
    }

    /// All levels from 0 to 1, side by side.
    pub(super) fn ramp() -> Self {
        Self { columns: usize::from(TOP) + 1, rows: 1, levels: (0..=TOP).collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// One pixel a cell, with a palette.
    pub(super) fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.columns as u32, self.rows as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.set_palette((0..=u8::MAX).flat_map(channels).collect::<Vec<u8>>());
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.levels)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Red, green and blue of so many pixels, row by row, each of the cell that lies there.
    pub(super) fn stretched(&self, width: usize, height: usize) -> Vec<u8> {
        let mut pixels = Vec::with_capacity(width * height * 3);
        for y in 0..height {
            let row = y * self.rows / height * self.columns;
            let cells = (0..width).map(|x| self.levels[row + x * self.columns / width]);
            pixels.extend(cells.flat_map(channels));
        }
        pixels
    }
}

/// Which of `whole` cells share place `at` of `places`.
fn part(at: usize, places: usize, whole: usize) -> Range<usize> {
    at * whole / places..(at + 1) * whole / places
}

#[expect(clippy::cast_sign_loss, reason = "held to the levels")]
fn level(values: impl Iterator<Item = f64>) -> u8 {
    let known = values.filter(|value| value.is_finite());
    let (sum, count) = known.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    if count == 0 {
        return MISSING;
    }
    ((sum / f64::from(count)).clamp(0.0, 1.0) * f64::from(TOP)).round() as u8
}

fn channels(level: u8) -> [u8; 3] {
    if level == MISSING {
        return [u8::MAX; 3];
    }
    let steps = RAMP.len() - 1;
    let (step, rest) = (usize::from(level) * steps / usize::from(TOP), usize::from(level) * steps % usize::from(TOP));
    let (from, to) = (RAMP[step], RAMP[(step + 1).min(steps)]);
    let share = rest as f64 / f64::from(TOP);
    #[expect(clippy::cast_sign_loss, reason = "between two channels")]
    let mix = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8;
    [mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brighter_is_more() {
        let luminance = |level: u8| {
            let [red, green, blue] = channels(level).map(f64::from);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        assert!((0..TOP).all(|level| luminance(level) <= luminance(level + 1) + 0.5));
        assert_eq!((channels(0), channels(TOP)), ([68, 1, 84], [253, 231, 37]));
    }

    #[test]
    fn cells_without_value_are_white() {
        let raster = Raster::of(&[vec![], vec![0.0], vec![1.0, f64::NAN]], (10, 10));
        assert_eq!(raster.levels, [MISSING, 0, TOP, MISSING, MISSING, MISSING]);
        assert_eq!(&raster.stretched(3, 2)[..9], [255, 255, 255, 68, 1, 84, 253, 231, 37]);
    }

    #[test]
    fn too_many_cells_are_averaged() {
        let columns: Vec<Vec<f64>> = (0_u8..10).map(|column| vec![f64::from(column % 2); 4]).collect();
        let raster = Raster::of(&columns, (5, 2));
        assert_eq!((raster.columns, raster.rows), (5, 2));
        assert!(raster.levels.iter().all(|level| *level == TOP / 2));
    }

    #[test]
    fn a_picture_has_a_pixel_a_cell() {
        let encoded = Raster::of(&[vec![0.5, 1.0], vec![0.25]], (9, 9)).png().unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(encoded)).read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (2, 2));
        assert!(Raster::of(&[], (9, 9)).is_empty());
    }
}
