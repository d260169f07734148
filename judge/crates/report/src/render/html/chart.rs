//! Charts: points on axes, as inline SVG that needs no script.
//!
//! Responsible for scales, ticks and marks. Marks of different kinds have different shapes, so that
//! no information depends on colour alone. Must not know what is measured.

use std::collections::HashSet;
use std::fmt::Write as _;

use maud::{Markup, html};

use crate::text::escape::printable;

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 250.0;
/// Room for `100 MB` in the larger letters of a narrow window.
const LEFT: f64 = 68.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 34.0;

/// An axis: its range, and the labels on it.
pub(super) struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    ticks: Vec<(f64, String)>,
    title: &'static str,
}

impl Axis {
    /// Returns a logarithmic axis around these values; its ticks are powers of ten. Values below
    /// `min` count as `min`.
    pub(super) fn logarithmic(
        title: &'static str,
        min: f64,
        values: impl Iterator<Item = f64>,
        label: fn(f64) -> String,
    ) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            low = low.min(value.max(min));
            high = high.max(value.max(min));
        }
        if low > high {
            (low, high) = (min, min * 10.0);
        }
        // With some room on both sides, and at least a decade.
        let (low, high) = (low / 1.25, high * 1.25);
        // The square root on both sides widens the range to exactly ten times.
        let missing = (10.0 * low / high).max(1.0).sqrt();
        let (low, high) = (low / missing, high * missing);
        let powers = low.log10().ceil() as i32..=high.log10().floor() as i32;
        // At most about six labels: more would overlap on a phone.
        let step = (powers.clone().count() / 6 + 1) as i32;
        let ticks = powers
            .filter(|power| power % step == 0)
            .map(|power| 10f64.powi(power));
        Self {
            low,
            high,
            logarithmic: true,
            ticks: ticks.map(|tick| (tick, label(tick))).collect(),
            title,
        }
    }

    /// Creates an axis of items in a row, numbered from 1.
    pub(super) fn counting(title: &'static str, number: usize) -> Self {
        let max = number.max(1) as f64;
        let step = [
            1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0,
        ];
        let step = step
            .into_iter()
            .find(|step| max / step <= 8.0)
            .unwrap_or(max);
        let ticks = (1..=8)
            .map(|index| f64::from(index) * step)
            .filter(|tick| *tick <= max);
        let first = if step > 1.0 {
            Some((1.0, "1".to_owned()))
        } else {
            None
        };
        let ticks = first
            .into_iter()
            .chain(ticks.map(|tick| (tick, format!("{tick}"))))
            .collect();
        Self {
            low: 0.0,
            high: max + 1.0,
            logarithmic: false,
            ticks,
            title,
        }
    }

    /// Returns the position of a value as a share of the axis, from 0 to 1; a value outside is at
    /// the end.
    fn share(&self, value: f64) -> f64 {
        let share = if self.logarithmic {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.clamp(0.0, 1.0)
    }
}

/// A marked value of the upright axis, such as a limit, with its name.
#[derive(Clone)]
pub(super) struct AxisLevel {
    pub(super) value: f64,
    pub(super) name: String,
}

/// Points that belong together, such as those of one submission.
#[derive(Default)]
pub(super) struct Series {
    /// The row of the grid that it belongs to.
    pub(super) row: usize,
    pub(super) name: String,
    /// The place of each point, and the class of its mark.
    pub(super) points: Vec<(f64, f64, &'static str)>,
    /// The name of each point, for the pointer; empty if points have no names.
    pub(super) names: Vec<String>,
    /// A line through the points.
    pub(super) line: Vec<(f64, f64)>,
}

/// A chart.
pub(super) struct Chart {
    pub(super) across: Axis,
    pub(super) upright: Axis,
    pub(super) level: Option<AxisLevel>,
    pub(super) series: Vec<Series>,
    /// The words that describe the chart to readers who cannot see it.
    pub(super) words: String,
}

impl Chart {
    pub(super) fn render(&self) -> Markup {
        let view = format!("0 0 {WIDTH} {HEIGHT}");
        html! {
            svg.chart viewBox=(view) role="img" aria-label=(printable(&self.words)) {
                (self.axes())
                @if let Some(level) = &self.level {
                    @let y = self.y(level.value);
                    line.level x1=(LEFT) x2=(WIDTH - RIGHT) y1=(y) y2=(y) {}
                    text.level x=(WIDTH - RIGHT) y=(number(TOP.max(self.up(level.value) - 4.0))) text-anchor="end" { (printable(&level.name)) }
                }
                @for series in &self.series { (self.series(series)) }
            }
        }
    }

    fn axes(&self) -> Markup {
        let floor = HEIGHT - BOTTOM;
        html! {
            @for (value, label) in &self.upright.ticks {
                @let y = self.y(*value);
                line.tick x1=(LEFT) x2=(WIDTH - RIGHT) y1=(y) y2=(y) {}
                text x=(LEFT - 6.0) y=(number(self.up(*value) + 4.0)) text-anchor="end" { (label) }
            }
            @for (value, label) in &self.across.ticks {
                @let x = self.x(*value);
                line.tick x1=(x) x2=(x) y1=(TOP) y2=(floor) {}
                text x=(x) y=(floor + 14.0) text-anchor="middle" { (label) }
            }
            text x=(WIDTH - RIGHT) y=(HEIGHT - 5.0) text-anchor="end" { (self.across.title) }
            text x="0" y="10" { (self.upright.title) }
            path.axis d=(format!("M{LEFT} {TOP}V{floor}H{}", WIDTH - RIGHT)) {}
        }
    }

    fn series(&self, series: &Series) -> Markup {
        let mut classes: Vec<&'static str> = series.points.iter().map(|point| point.2).collect();
        classes.sort_unstable();
        classes.dedup();
        let line: String =
            series
                .line
                .iter()
                .enumerate()
                .fold(String::new(), |mut path, (index, point)| {
                    let _ = write!(
                        path,
                        "{}{} {}",
                        if index == 0 { 'M' } else { 'L' },
                        self.x(point.0),
                        self.y(point.1)
                    );
                    path
                });
        html! {
            g data-row=(series.row) {
                title { (printable(&series.name)) }
                @if !line.is_empty() { path.fit d=(line) {} }
                @if series.names.len() == series.points.len() {
                    @for ((x, y, class), name) in series.points.iter().zip(&series.names) {
                        path class={ "m " (class) } d=(format!("M{} {}{}", self.x(*x), self.y(*y), shape(class))) {
                            title { (printable(name)) }
                        }
                    }
                } @else {
                    @for class in classes { path class={ "m " (class) } d=(self.marks(series, class)) {} }
                }
            }
        }
    }

    /// Returns all marks of a class in one path, so that thousands of points need only a few
    /// elements. Points at the same place become one mark.
    fn marks(&self, series: &Series, class: &str) -> String {
        let mut path = String::new();
        let mut seen = HashSet::new();
        for point in series.points.iter().filter(|point| point.2 == class) {
            let (x, y) = (self.x(point.0), self.y(point.1));
            if seen.insert((x.clone(), y.clone())) {
                let _ = write!(path, "M{x} {y}{}", shape(class));
            }
        }
        path
    }

    fn x(&self, value: f64) -> String {
        number(LEFT + self.across.share(value) * (WIDTH - LEFT - RIGHT))
    }

    fn up(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.upright.share(value) * (HEIGHT - BOTTOM - TOP)
    }

    fn y(&self, value: f64) -> String {
        number(self.up(value))
    }
}

/// Returns a mark around the current place of the path: a dot, a cross, a triangle, a square or a
/// diamond.
fn shape(class: &str) -> &'static str {
    match class {
        "ac" => "h0",
        "wa" => "m-3-3l6 6m0-6l-6 6",
        "tle" => "m0-4l3.5 6h-7z",
        "rte" | "ce" => "m-2.5-2.5h5v5h-5z",
        _ => "m0-4l3 4l-3 4l-3-4z",
    }
}

/// Returns a coordinate with at most one decimal.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<(f64, f64, &'static str)>) -> Chart {
        let values = || points.iter().map(|point| point.1);
        Chart {
            across: Axis::counting("number", points.len()),
            upright: Axis::logarithmic("time", 1.0, values(), |value| format!("{value}")),
            level: Some(AxisLevel {
                value: 1e6,
                name: "limit <1 s>".into(),
            }),
            series: vec![Series {
                row: 3,
                name: "<b>".into(),
                points,
                names: Vec::new(),
                line: vec![(1.0, 1.0), (2.0, 2.0)],
            }],
            words: "\"quoted\"".into(),
        }
    }

    #[test]
    fn marks_of_one_kind_are_one_path_and_names_are_escaped() {
        let svg = chart(vec![
            (1.0, 10.0, "ac"),
            (2.0, 100.0, "ac"),
            (3.0, 1000.0, "wa"),
        ])
        .render()
        .into_string();
        assert_eq!(
            (
                svg.matches("class=\"m ac\"").count(),
                svg.matches("h0").count()
            ),
            (1, 2)
        );
        assert!(
            svg.contains("<title>&lt;b&gt;</title>") && svg.contains("limit &lt;1 s&gt;"),
            "{svg}"
        );
        assert!(
            svg.contains("aria-label=\"&quot;quoted&quot;\"") && svg.contains("data-row=\"3\""),
            "{svg}"
        );
    }

    #[test]
    fn points_with_names_are_separate_marks() {
        let mut chart = chart(vec![(1.0, 10.0, "ac"), (1.0, 10.0, "wa")]);
        chart.series[0].names = vec!["secret/<1>".into(), "secret/2".into()];
        let svg = chart.render().into_string();
        assert!(
            svg.contains("<title>secret/&lt;1&gt;</title>")
                && svg.contains("<title>secret/2</title>"),
            "{svg}"
        );
        assert_eq!(svg.matches("class=\"m ").count(), 2);
    }

    #[test]
    fn larger_values_are_higher_and_extremes_are_inside() {
        let values = [
            0.0,
            1.0,
            10.0,
            1e6,
            u64::MAX as f64,
            f64::NAN,
            f64::INFINITY,
        ];
        let chart = chart(values.iter().map(|value| (1.0, *value, "tle")).collect());
        let heights: Vec<f64> = values[..5].iter().map(|value| chart.up(*value)).collect();
        assert!(
            heights.windows(2).all(|pair| pair[0] >= pair[1]),
            "{heights:?}"
        );
        for value in values {
            let y = chart.up(if value.is_nan() { 0.0 } else { value });
            assert!((0.0..=HEIGHT).contains(&y), "{value}: {y}");
        }
        assert!(!chart.render().into_string().contains("inf"));
    }

    #[test]
    fn ticks_are_few_and_round() {
        let labels = |axis: Axis| {
            axis.ticks
                .into_iter()
                .map(|(_, label)| label)
                .collect::<Vec<_>>()
        };
        assert_eq!(labels(Axis::counting("", 3)), ["1", "2", "3"]);
        assert_eq!(
            labels(Axis::counting("", 45)),
            ["1", "10", "20", "30", "40"]
        );
        let times = Axis::logarithmic("", 1.0, [900.0, 40_000.0].into_iter(), |value| {
            format!("{value}")
        });
        assert_eq!(labels(times), ["1000", "10000"]);
        for number in [0, 1, 7, 999, 10_000, 1_000_000] {
            assert!(
                (1..=9).contains(&Axis::counting("", number).ticks.len()),
                "{number}"
            );
        }
        assert!(
            Axis::logarithmic("", 1.0, std::iter::empty(), |_| String::new())
                .ticks
                .len()
                < 3
        );
        assert!(
            Axis::logarithmic("", 1.0, [1.0, 1e19].into_iter(), |_| String::new())
                .ticks
                .len()
                < 8
        );
    }
}
