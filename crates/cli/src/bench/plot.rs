//! The pictures, as SVG and as PNG: the latency of one way (both axes logarithmic, with the raw
//! hand-over as the lower limit), the bandwidth one way and both ways, and the message rate of each
//! library. One description makes both forms, and needs no font of the system: the font of the PNG
//! is compiled in.

use super::figures::Measure;
use super::{Results, units};
use crate::diagnostic::Diagnostic;
use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};
use std::ops::Range;
use std::path::{Path, PathBuf};

const PIXELS: (u32, u32) = (1000, 640);
/// Height of the title and of two lines with the names of the curves.
const HEAD_PIXELS: u32 = 104;
/// Where the names begin, above the beginning of the curves.
const NAMES_LEFT: i32 = 105;
/// Middle of the first line of names, and distance of the second.
const NAMES_TOP: i32 = 62;
const NAMES_DISTANCE: i32 = 24;
const FONT: &str = "sans-serif";
/// Okabe and Ito's palette, which colour-blind readers can distinguish. The first colour is this
/// installation's.
const COLOURS: [RGBColor; 4] =
    [RGBColor(213, 94, 0), RGBColor(0, 114, 178), RGBColor(0, 158, 115), RGBColor(204, 121, 167)];
const FLOOR: RGBColor = RGBColor(110, 110, 110);

/// One picture: curves over the binary logarithm of the message's bytes.
struct Figure {
    name: &'static str,
    title: &'static str,
    curves: Vec<(String, Vec<(f64, f64)>)>,
    /// A horizontal line at the limit of all libraries.
    lower_limit: Option<(String, f64)>,
    y_text: fn(&f64) -> String,
    y_is_logarithmic: bool,
}

/// Draws the pictures of what was measured into `folder`. Returns their paths.
pub fn draw(results: &Results, folder: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let failed = |why: String| {
        Diagnostic::new(
            format!("drawing into {}", folder.display()),
            why,
            "--out with a folder that can be written to",
        )
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
    // Fails only for a font that cannot be read; the drawing reports that.
    let _ = register_font(FONT, FontStyle::Normal, epaint_default_fonts::HACK_REGULAR);
    let mut paths = Vec::new();
    let figures = [latency(results), bandwidth(results), both(results), rate(results)];
    let is_measured = |figure: &Figure| figure.curves.iter().any(|(_, points)| !points.is_empty());
    for figure in figures.into_iter().filter(is_measured) {
        let (svg, png) = (
            folder.join(figure.name).with_extension("svg"),
            folder.join(figure.name).with_extension("png"),
        );
        figure.draw(SVGBackend::new(&svg, PIXELS).into_drawing_area()).map_err(failed)?;
        let mut pixels = vec![0; 3 * PIXELS.0 as usize * PIXELS.1 as usize];
        let bitmap = BitMapBackend::with_buffer(&mut pixels, PIXELS);
        figure.draw(bitmap.into_drawing_area()).map_err(failed)?;
        write_png(&png, &pixels).map_err(|error| failed(error.to_string()))?;
        paths.extend([svg, png]);
    }
    Ok(paths)
}

/// Writes pixels of three bytes each, red, green and blue, as a PNG of the size [`PIXELS`].
fn write_png(path: &Path, pixels: &[u8]) -> Result<(), png::EncodingError> {
    let file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, PIXELS.0, PIXELS.1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()
}

fn latency(results: &Results) -> Figure {
    Figure {
        name: "latency",
        title: "One-way latency between two processes of one node",
        curves: curves(results, Measure::Latency, |_, seconds| seconds),
        lower_limit: results.handover.map(|seconds| {
            (format!("raw hand-over of a cache line ({})", units::seconds(seconds)), seconds)
        }),
        y_text: |&seconds| units::seconds(seconds).replace(".00", "").replace(".0", ""),
        y_is_logarithmic: true,
    }
}

fn bandwidth(results: &Results) -> Figure {
    Figure {
        name: "bandwidth",
        title: "Bandwidth between two processes of one node",
        curves: curves(results, Measure::Latency, |bytes, seconds| bytes as f64 / seconds / 1e9),
        lower_limit: None,
        y_text: |gigabytes| format!("{gigabytes:.0} GB/s"),
        y_is_logarithmic: false,
    }
}

fn both(results: &Results) -> Figure {
    Figure {
        name: "both",
        title: "Bandwidth in both directions at once",
        curves: curves(results, Measure::Both, |bytes, seconds| 2.0 * bytes as f64 / seconds / 1e9),
        lower_limit: None,
        y_text: |gigabytes| format!("{gigabytes:.0} GB/s"),
        y_is_logarithmic: false,
    }
}

fn rate(results: &Results) -> Figure {
    Figure {
        name: "rate",
        title: "Messages per second of one pair, 64 under way",
        curves: curves(results, Measure::Rate, |_, rate| rate / 1e6),
        lower_limit: None,
        y_text: |millions| format!("{} M/s", format!("{millions:.1}").trim_end_matches(".0")),
        y_is_logarithmic: false,
    }
}

/// Leaves out the empty message, because a logarithmic axis begins at 1 byte.
fn curves(
    results: &Results,
    measure: Measure,
    value: fn(u64, f64) -> f64,
) -> Vec<(String, Vec<(f64, f64)>)> {
    let points = |values: Vec<(u64, f64)>| {
        values
            .into_iter()
            .filter(|&(bytes, _)| bytes > 0)
            .map(|(bytes, seconds)| ((bytes as f64).log2(), value(bytes, seconds)))
            .collect()
    };
    results
        .libraries
        .iter()
        .map(|(name, figures)| (name.clone(), points(figures.by_bytes(measure))))
        .collect()
}

impl Figure {
    fn draw<DB: DrawingBackend>(&self, area: DrawingArea<DB, Shift>) -> Result<(), String> {
        area.fill(&WHITE).map_err(|error| error.to_string())?;
        let (head, plot) = area.split_vertically(HEAD_PIXELS);
        self.draw_head(&head)?;
        let mut builder = ChartBuilder::on(&plot);
        builder
            .margin(20)
            .margin_top(0)
            .margin_right(50)
            .x_label_area_size(45)
            .y_label_area_size(85);
        let drawn = if self.y_is_logarithmic {
            let chart = builder.build_cartesian_2d(self.x(), self.y().log_scale());
            chart.map_err(|error| error.to_string()).and_then(|chart| self.fill(chart))
        } else {
            let chart = builder.build_cartesian_2d(self.x(), self.y());
            chart.map_err(|error| error.to_string()).and_then(|chart| self.fill(chart))
        };
        drawn?;
        area.present().map_err(|error| error.to_string())
    }

    /// Draws the title, and below it the names of the curves, where they cover none.
    fn draw_head<DB: DrawingBackend>(&self, head: &DrawingArea<DB, Shift>) -> Result<(), String> {
        const LINE: i32 = 22;
        let said = |error: DrawingAreaErrorKind<DB::ErrorType>| error.to_string();
        let right = head.dim_in_pixel().0 as i32;
        let centred = Pos::new(HPos::Center, VPos::Top);
        let title = (FONT, 26).into_text_style(head).pos(centred);
        head.draw_text(self.title, &title, (right / 2, 14)).map_err(said)?;
        let floor = self.lower_limit.iter().map(|(name, _)| (name, FLOOR.stroke_width(2)));
        let curves = self.curves.iter().enumerate();
        let curves = curves.map(|(index, (name, _))| (name, style_of(index)));
        let names = (FONT, 16).into_text_style(head);
        let (mut x, mut y) = (NAMES_LEFT, NAMES_TOP);
        for (name, style) in floor.chain(curves) {
            let (width, _) = head.estimate_text_size(name, &names).map_err(said)?;
            let width = LINE + 8 + width as i32;
            if x > NAMES_LEFT && x + width > right {
                (x, y) = (NAMES_LEFT, y + NAMES_DISTANCE);
            }
            head.draw(&PathElement::new([(x, y), (x + LINE, y)], style)).map_err(said)?;
            head.draw_text(name, &names, (x + LINE + 8, y - 8)).map_err(said)?;
            x += width + 28;
        }
        Ok(())
    }

    fn fill<'a, DB, Y>(
        &self,
        mut chart: ChartContext<'a, DB, Cartesian2d<RangedCoordf64, Y>>,
    ) -> Result<(), String>
    where
        DB: DrawingBackend + 'a,
        Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let said = |error: DrawingAreaErrorKind<DB::ErrorType>| error.to_string();
        chart
            .configure_mesh()
            .x_labels(14)
            .max_light_lines(4)
            .x_label_formatter(&|exponent| units::bytes(exponent.exp2().round() as u64))
            .y_label_formatter(&self.y_text)
            .label_style((FONT, 16))
            .x_desc("message")
            .light_line_style(RGBColor(244, 244, 244))
            .bold_line_style(RGBColor(222, 222, 222))
            .draw()
            .map_err(said)?;
        if let Some((_, value)) = &self.lower_limit {
            let x = self.x();
            let line = LineSeries::new([(x.start, *value), (x.end, *value)], FLOOR.stroke_width(2));
            chart.draw_series(line).map_err(said)?;
        }
        for (index, (_, points)) in self.curves.iter().enumerate() {
            let line = LineSeries::new(points.iter().copied(), style_of(index));
            chart.draw_series(line).map_err(said)?;
        }
        Ok(())
    }

    fn x(&self) -> Range<f64> {
        let lengths = || self.curves.iter().flat_map(|(_, points)| points).map(|point| point.0);
        let (first, last) = (lengths().fold(f64::MAX, f64::min), lengths().fold(1.0, f64::max));
        if first < last { first..last } else { 0.0..last }
    }

    /// Returns the range from the smallest value to the largest, with some space around. A linear
    /// axis begins at zero.
    fn y(&self) -> Range<f64> {
        let values = || {
            self.curves
                .iter()
                .flat_map(|(_, points)| points)
                .map(|point| point.1)
                .chain(self.lower_limit.iter().map(|limit| limit.1))
        };
        let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(0.0, f64::max));
        if self.y_is_logarithmic { least / 2.0..most * 2.0 } else { 0.0..most * 1.15 }
    }
}

/// Returns how the curve with this index is drawn. This installation's is the first.
fn style_of(index: usize) -> ShapeStyle {
    COLOURS[index % COLOURS.len()].stroke_width(if index == 0 { 4 } else { 2 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_holds_the_pixels() {
        let folder = tempfile::tempdir().unwrap();
        let (path, count) = (folder.path().join("x.png"), (PIXELS.0 * PIXELS.1) as usize);
        let pixels: Vec<u8> = (0..3 * count).map(|index| (index % 251) as u8).collect();
        write_png(&path, &pixels).unwrap();
        let file = std::fs::File::open(&path).unwrap();
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        assert_eq!(reader.info().size(), PIXELS);
        let mut read = vec![0; reader.output_buffer_size()];
        reader.next_frame(&mut read).unwrap();
        assert!(read == pixels);
    }
}
