//! How do shapes become SVG or PNG? Both are painted by plotters from the same list.
//!
//! plotters counts whole pixels. The SVG is therefore drawn ten times larger and scaled
//! back by its view box, the PNG three times larger and averaged, which also smooths what
//! plotters' rasteriser leaves jagged.

use base64::prelude::{BASE64_STANDARD, Engine};
use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{BitMapElement, Circle, PathElement, Polygon};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle};

use super::raster::Raster;
use super::scene::{Anchor, Colour, Point, Rect, Scene, Shape, Text, Turn};
use super::{Picture, PlotError, Size, letters};

/// Device pixels a pixel, and where a backend puts the baseline of text.
#[derive(Debug, Clone, Copy)]
struct Device {
    unit: u32,
    /// From the top of a text, as the backend counts it, to its baseline: a share of the
    /// font size, read off the two backends' sources.
    rise: f64,
    joins: Joins,
}

/// Who rounds the corners of lines?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joins {
    Viewer,
    Painter,
}

impl Device {
    fn length(self, pixels: f64) -> i32 {
        (pixels * f64::from(self.unit)).round() as i32
    }

    fn place(self, (x, y): Point) -> (i32, i32) {
        (self.length(x), self.length(y))
    }
}

const SVG: Device = Device { unit: 10, rise: 0.76, joins: Joins::Viewer };
const PNG: Device = Device { unit: 3, rise: letters::PLOTTERS_SIZE / 2.0, joins: Joins::Painter };

/// The scene as an SVG document that names and describes itself.
pub(super) fn svg(scene: &Scene, size: Size, picture: &Picture) -> Result<String, PlotError> {
    let wide = (size.width * SVG.unit, size.height * SVG.unit);
    let mut body = String::new();
    let is_image = |shape: &Shape| matches!(shape, Shape::Image { .. });
    // plotters' SVG knows no images: what lies between them is painted by itself.
    for shapes in scene.shapes.chunk_by(|one, next| !is_image(one) && !is_image(next)) {
        match shapes {
            [Shape::Image { area, raster }] => body.push_str(&image(*area, raster)?),
            shapes => body.push_str(&elements(shapes, wide)?),
        }
    }
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{}\" height=\"{}\" \
         viewBox=\"0 0 {} {}\" stroke-linejoin=\"round\">\n<title>{}</title>\n<desc>{}</desc>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>{body}</svg>\n",
        size.width,
        size.height,
        wide.0,
        wide.1,
        escape(picture.name()),
        escape(&picture.description()),
    ))
}

/// Shapes as SVG elements.
fn elements(shapes: &[Shape], wide: (u32, u32)) -> Result<String, PlotError> {
    let mut drawn = String::new();
    paint(shapes, SVGBackend::with_string(&mut drawn, wide), SVG)?;
    let (_, body) = drawn.split_once('>').unwrap_or_default();
    let body = body.trim_end().trim_end_matches("</svg>");
    // Verdana is about as wide, on machines without DejaVu.
    let family = "font-family=\"DejaVu Sans, Verdana, sans-serif\"";
    Ok(body.replace("font-family=\"sans-serif\"", family))
}

/// Cells as an embedded picture with hard edges; the older form of its address is what all viewers know.
fn image(area: Rect, raster: &Raster) -> Result<String, PlotError> {
    let png = raster.png().map_err(|error| PlotError::Encode(error.into()))?;
    let ((x, y), (right, bottom)) = (SVG.place((area.left, area.top)), SVG.place((area.right, area.bottom)));
    Ok(format!(
        "<image x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
         image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" \
         xmlns:xlink=\"http://www.w3.org/1999/xlink\" xlink:href=\"data:image/png;base64,{}\"/>\n",
        right - x,
        bottom - y,
        BASE64_STANDARD.encode(png),
    ))
}

/// The scene as an encoded PNG.
pub(super) fn png(scene: &Scene, size: Size) -> Result<Vec<u8>, PlotError> {
    let wide = (size.width * PNG.unit, size.height * PNG.unit);
    let mut pixels = vec![u8::MAX; wide.0 as usize * wide.1 as usize * 3];
    paint(&scene.shapes, BitMapBackend::with_buffer(&mut pixels, wide), PNG)?;
    encode(&average(&pixels, size), size).map_err(|error| PlotError::Encode(error.into()))
}

fn paint<B: DrawingBackend>(shapes: &[Shape], backend: B, device: Device) -> Result<(), PlotError>
where
    B::ErrorType: 'static,
{
    letters::register();
    let page = backend.into_drawing_area();
    let painted = shapes.iter().try_for_each(|shape| paint_shape(&page, shape, device)).and_then(|()| page.present());
    painted.map_err(|error| PlotError::Draw(Box::new(error)))
}

type Page<B> = DrawingArea<B, Shift>;
type Painted<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

fn paint_shape<B: DrawingBackend>(page: &Page<B>, shape: &Shape, device: Device) -> Painted<B> {
    let places = |points: &[Point]| -> Vec<_> { points.iter().map(|at| device.place(*at)).collect() };
    match shape {
        Shape::Line { points, colour, width } => {
            let style = ShapeStyle {
                color: rgb(*colour).to_rgba(),
                filled: false,
                stroke_width: device.length(*width).unsigned_abs().max(1),
            };
            paint_line(page, &places(points), style, device)
        }
        Shape::Area { points, colour } => page.draw(&Polygon::new(places(points), rgb(*colour).filled())),
        Shape::Disc { centre, radius, colour } => {
            let style = rgb(*colour).filled();
            page.draw(&Circle::new(device.place(*centre), device.length(*radius), style))
        }
        Shape::Image { area, raster } => {
            let (start, end) = (device.place((area.left, area.top)), device.place((area.right, area.bottom)));
            let (width, height) = ((end.0 - start.0).unsigned_abs(), (end.1 - start.1).unsigned_abs());
            let pixels = raster.stretched(width as usize, height as usize);
            match BitMapElement::with_owned_buffer(start, (width, height), pixels) {
                Some(image) => page.draw(&image),
                None => Ok(()),
            }
        }
        Shape::Text(text) => paint_text(page, text, device),
    }
}

/// Paints a line. plotters draws the corners of a wide line as long spikes where it turns back sharply;
/// SVG viewers are told to round them, pixels are rounded here.
fn paint_line<B: DrawingBackend>(
    page: &Page<B>,
    points: &[(i32, i32)],
    style: ShapeStyle,
    device: Device,
) -> Painted<B> {
    if device.joins == Joins::Viewer {
        return page.draw(&PathElement::new(points, style));
    }
    for pair in points.windows(2) {
        page.draw(&PathElement::new(pair, style))?;
    }
    let corners = points.get(1..points.len().saturating_sub(1)).unwrap_or_default();
    let round = |corner: &(i32, i32)| Circle::new(*corner, style.stroke_width / 2, style.color.filled());
    corners.iter().try_for_each(|corner| page.draw(&round(corner)))
}

fn paint_text<B: DrawingBackend>(page: &Page<B>, text: &Text, device: Device) -> Painted<B> {
    let horizontal = match text.anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::End => HPos::Right,
    };
    let rise = device.rise * text.size;
    let (transform, top) = match text.turn {
        Turn::None => (FontTransform::None, (text.at.0, text.at.1 - rise)),
        Turn::Up => (FontTransform::Rotate270, (text.at.0 - rise, text.at.1)),
    };
    let size = text.size * letters::PLOTTERS_SIZE * f64::from(device.unit);
    let style =
        TextStyle::from((letters::FAMILY, size).into_font()).transform(transform).pos(Pos::new(horizontal, VPos::Top));
    page.draw_text(&text.words, &style.color(&rgb(Colour::INK)), device.place(top))
}

fn rgb(Colour(red, green, blue): Colour) -> RGBColor {
    RGBColor(red, green, blue)
}

/// Each pixel as the mean of the device pixels it was painted with.
fn average(pixels: &[u8], size: Size) -> Vec<u8> {
    let (unit, width) = (PNG.unit as usize, size.width as usize);
    let rows = pixels.chunks_exact((width * unit * unit * 3).max(1));
    let mut means = Vec::with_capacity(width * size.height as usize * 3);
    for row in rows {
        for at in 0..width * 3 {
            let (column, channel) = (at / 3 * unit, at % 3);
            let sample = |index: usize| {
                let (down, across) = (index / unit, index % unit);
                u32::from(row[(down * width * unit + column + across) * 3 + channel])
            };
            let sum: u32 = (0..unit * unit).map(sample).sum();
            means.push((sum / (PNG.unit * PNG.unit)) as u8);
        }
    }
    means
}

fn encode(pixels: &[u8], size: Size) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size.width, size.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

/// Text as XML content; control characters, which XML forbids, become spaces.
fn escape(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
