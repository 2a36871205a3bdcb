//! Line charts as SVG.

use super::escape;
use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 68.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 18.0;
const BOTTOM: f64 = 46.0;
/// The number of colours in the style sheet.
const COLOURS: usize = 8;

#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub lines: Vec<Curve>,
    /// The label of the x axis.
    pub x: &'static str,
    /// The label of the y axis.
    pub y: &'static str,
    /// If true, the y axis always includes 0.
    pub zero: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Curve {
    name: String,
    colour: usize,
    /// The x value, the y value and the error of each point. The error bar extends by the error
    /// above and below the point.
    pub points: Vec<(f64, f64, f64)>,
}

impl Curve {
    /// Creates a curve without points. Colour numbers wrap around.
    pub(crate) fn new(name: &str, colour: usize) -> Self {
        Self { name: name.to_owned(), colour: colour % COLOURS, points: Vec::new() }
    }
}

/// Returns a step of 1, 2 or 5 times a power of ten that divides a range into about `parts` parts.
fn step(range: f64, parts: f64) -> f64 {
    let rough = (range / parts).max(1e-9);
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= rough).unwrap_or(10.0);
    factor * power
}

fn ticks(low: f64, high: f64, step: f64) -> impl Iterator<Item = f64> {
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(move |n| n as f64 * step)
}

fn label(value: f64, step: f64) -> String {
    let decimals = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{value:.decimals$}")
}

impl Chart {
    /// Returns the chart as an HTML figure with a legend, or a note if it has fewer than two
    /// points.
    pub(crate) fn svg(&self) -> String {
        if self.lines.iter().map(|line| line.points.len()).sum::<usize>() < 2 {
            return "<p class=\"quiet\">Too few points for a chart.</p>\n".to_owned();
        }
        let frame = Frame::around(self);
        let mut svg = String::from("<figure>\n");
        let _ = writeln!(
            svg,
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{} by {}\">",
            self.y, self.x
        );
        frame.draw_axes(&mut svg, self.x);
        self.lines.iter().for_each(|curve| frame.draw(&mut svg, curve));
        svg.push_str("</svg>\n<figcaption>");
        for Curve { name, colour, .. } in &self.lines {
            let _ = write!(svg, "<span class=\"key s{colour}\">{}</span> ", escape(name));
        }
        let _ = write!(svg, "<span class=\"quiet\">{}</span></figcaption>\n</figure>\n", self.y);
        svg
    }
}

/// The ranges of the axes, and the distances between their labels.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
    x_step: f64,
    y_step: f64,
}

impl Frame {
    /// Returns a frame that fits all curves of a chart.
    fn around(chart: &Chart) -> Self {
        let range = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)))
        };
        let (x0, x1) = range(&mut chart.lines.iter().flat_map(|line| &line.points).map(|p| p.0));
        // Ignore the first tenth of each curve: the wide error bands of the first games would
        // squeeze the rest.
        let settled = || chart.lines.iter().flat_map(|line| &line.points[line.points.len() / 10..]);
        let (low, high) = range(&mut settled().flat_map(|p| [p.1 - p.2, p.1 + p.2]));
        let (low, high) = if chart.zero { (low.min(0.0), high.max(0.0)) } else { (low, high) };
        let y_step = step((high - low).max(1e-3), 5.0);
        let (y0, y1) = ((low / y_step).floor() * y_step, (high / y_step).ceil() * y_step);
        let (y1, x1) =
            (if y1 > y0 { y1 } else { y0 + y_step }, if x1 > x0 { x1 } else { x0 + 1.0 });
        Self { x: (x0, x1), y: (y0, y1), x_step: step(x1 - x0, 8.0).max(1.0), y_step }
    }

    /// Returns the horizontal coordinate of a value.
    fn across(&self, x: f64) -> f64 {
        let (x0, x1) = self.x;
        LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)
    }

    /// Returns the vertical coordinate of a value, clamped to the range of the axis.
    fn down(&self, y: f64) -> f64 {
        let (y0, y1) = self.y;
        TOP + (y1 - y.clamp(y0, y1)) / (y1 - y0) * (HEIGHT - TOP - BOTTOM)
    }

    fn draw_axes(&self, svg: &mut String, name: &str) {
        let ((x0, x1), (y0, y1)) = (self.x, self.y);
        for y in ticks(y0, y1 + self.y_step / 2.0, self.y_step) {
            let class = if y.abs() < self.y_step / 2.0 { "axis" } else { "grid" };
            let (at, end) = (self.down(y), WIDTH - RIGHT);
            let _ = writeln!(
                svg,
                "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{end}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                at + 4.0,
                label(y, self.y_step)
            );
        }
        for x in ticks(x0, x1, self.x_step) {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                self.across(x),
                HEIGHT - BOTTOM + 18.0,
                label(x, self.x_step)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
            WIDTH - RIGHT,
            HEIGHT - 4.0,
        );
    }

    /// Draws a curve, on top of its error band if it has one.
    fn draw(&self, svg: &mut String, Curve { colour, points, .. }: &Curve) {
        if points.iter().any(|p| p.2 > 0.0) {
            let upper = points.iter().map(|p| (self.across(p.0), self.down(p.1 + p.2)));
            let lower = points.iter().rev().map(|p| (self.across(p.0), self.down(p.1 - p.2)));
            let band: String = upper.chain(lower).map(|(x, y)| format!("{x:.1},{y:.1} ")).collect();
            let _ = writeln!(svg, "<polygon class=\"band s{colour}\" points=\"{band}\"/>");
        }
        let line: String = points
            .iter()
            .map(|p| format!("{:.1},{:.1} ", self.across(p.0), self.down(p.1)))
            .collect();
        let _ = writeln!(svg, "<polyline class=\"line s{colour}\" points=\"{line}\"/>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_range() {
        assert_eq!(
            [1.0, 9.0, 34.0, 0.02, 700.0].map(|range| step(range, 5.0)),
            [0.2, 2.0, 10.0, 0.005, 200.0]
        );
        assert_eq!(ticks(-35.0, 61.0, 20.0).collect::<Vec<_>>(), [-20.0, 0.0, 20.0, 40.0, 60.0]);
        assert_eq!([label(0.15, 0.05), label(40.0, 20.0)], ["0.15", "40"]);
    }

    #[test]
    fn points_stay_inside_the_chart_and_names_are_escaped() {
        let mut line = Curve::new("<b>", 9);
        line.points = vec![(1.0, 900.0, 5000.0), (2.0, 10.0, 40.0), (3.0, 12.0, 30.0)];
        let svg = Chart { lines: vec![line], x: "games", y: "Elo", zero: true }.svg();
        assert!(svg.contains("&lt;b&gt;") && svg.contains("line s1"), "{svg}");
        let numbers = svg.split("points=\"").skip(1).flat_map(|rest| {
            let points = rest.split('"').next().unwrap_or_default();
            points.split([' ', ',']).filter_map(|n| n.parse::<f64>().ok()).collect::<Vec<_>>()
        });
        let numbers: Vec<f64> = numbers.collect();
        assert_eq!(numbers.len(), 2 * (6 + 3));
        for point in numbers.chunks(2) {
            assert!((LEFT..=WIDTH).contains(&point[0]) && (0.0..=HEIGHT).contains(&point[1]));
        }
        let empty = Chart { lines: Vec::new(), x: "", y: "", zero: false };
        assert!(empty.svg().contains("Too few"));
        let mut flat = Curve::new("a", 0);
        flat.points = vec![(1.0, 0.0, 0.0), (1.0, 0.0, 0.0)];
        let svg = Chart { lines: vec![flat], x: "", y: "", zero: true }.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
