//! Plots: the time and memory of the submissions of a problem, by test case and over the size of
//! the input.
//!
//! Responsible for the choice of points. `chart` draws them. Must not decide anything.

use judge_event::{ProblemState, TestCaseFinished};
use judge_model::Verdict;
use maud::{Markup, html};

use super::chart::{Axis, AxisLevel, Chart, Series};
use super::class;
use crate::commands::matrix::TestCaseColumns;
use crate::text::numbers::{limit_bytes, limit_seconds};

/// The time in microseconds below which times are negligible.
const MIN_TIME: f64 = 100.0;
/// The memory in MiB below which memory is negligible.
const MIN_MEMORY: f64 = 0.0625;
const MEBIBYTE: f64 = 1_048_576.0;

pub(super) fn render(problem: &ProblemState) -> Markup {
    if problem.test_runs().next().is_none() {
        return html! {};
    }
    let columns = TestCaseColumns::new(problem);
    let limit = problem.started.time_limit_us;
    let memory_limit = problem.started.limits.memory_bytes;
    let time = Quantity {
        title: "CPU time",
        min: MIN_TIME,
        value: |test| test.cpu_time_us as f64,
        label: time_label,
        level: AxisLevel {
            value: limit as f64,
            name: format!("limit {} s", limit_seconds(limit)),
        },
    };
    let memory = Quantity {
        title: "peak memory",
        min: MIN_MEMORY,
        value: |test| test.memory_bytes as f64 / MEBIBYTE,
        label: mebibytes_label,
        level: AxisLevel {
            value: memory_limit as f64 / MEBIBYTE,
            name: format!("limit {}", limit_bytes(memory_limit)),
        },
    };
    html! {
        details.plots open {
            summary { "Plots" }
            div.charts {
                figure { figcaption { "CPU time of each test case" } (plot_per_test_case(problem, &columns, &time)) }
                (over_size(problem, &columns, &time))
                figure { figcaption { "Memory of each test case" } (plot_per_test_case(problem, &columns, &memory)) }
            }
            p.legend {
                @for (shape, words) in shapes(problem) { span.key { span.shape { (shape) } " " (words) } }
                span.key { "the row of the grid under the pointer is highlighted here" }
            }
        }
    }
}

/// The quantity that is plotted of each test case.
struct Quantity {
    title: &'static str,
    min: f64,
    value: fn(&TestCaseFinished) -> f64,
    label: fn(f64) -> String,
    level: AxisLevel,
}

impl Quantity {
    /// Returns the upright axis of a chart of these series.
    fn axis(&self, series: &[Series]) -> Axis {
        let values = coordinates(series, |point| point.1).chain([self.level.value]);
        Axis::logarithmic(self.title, self.min, values, self.label)
    }
}

fn plot_per_test_case(
    problem: &ProblemState,
    columns: &TestCaseColumns<'_>,
    quantity: &Quantity,
) -> Markup {
    let series = series(problem, |test| {
        let column = columns.find(&test.test_case)?;
        Some((column as f64 + 1.0, (quantity.value)(test)))
    });
    let (title, limit) = (quantity.title, &quantity.level.name);
    let chart = Chart {
        across: Axis::counting("test case", problem.started.test_cases.len()),
        upright: quantity.axis(&series),
        words: format!("{title} of each run on each test case; {limit}"),
        level: Some(quantity.level.clone()),
        series,
    };
    chart.render()
}

/// Returns the runs of each submission as points, with their marks.
fn series(
    problem: &ProblemState,
    place: impl Fn(&TestCaseFinished) -> Option<(f64, f64)>,
) -> Vec<Series> {
    let point = |test: &TestCaseFinished| place(test).map(|(x, y)| (x, y, class(test.verdict)));
    let submissions = problem.submissions.iter().enumerate();
    submissions
        .map(|(row, submission)| Series {
            row,
            name: submission.started.submission.clone(),
            points: submission.test_cases.iter().filter_map(point).collect(),
            ..Series::default()
        })
        .collect()
}

fn coordinates(
    series: &[Series],
    coordinate: fn(&(f64, f64, &'static str)) -> f64,
) -> impl Iterator<Item = f64> {
    series
        .iter()
        .flat_map(|series| &series.points)
        .map(coordinate)
}

/// Renders CPU time over the size of the input, if sizes are known and differ.
fn over_size(problem: &ProblemState, columns: &TestCaseColumns<'_>, time: &Quantity) -> Markup {
    let mut sizes: Vec<Option<f64>> = vec![None; problem.started.test_cases.len()];
    for input in &problem.started.inputs {
        if let Some(column) = columns.find(&input.test_case) {
            sizes[column] = Some(input.size_bytes as f64);
        }
    }
    let series = series(problem, |test| {
        let size = sizes[columns.find(&test.test_case)?]?;
        Some((size, (time.value)(test)))
    });
    let known = coordinates(&series, |point| point.0);
    let (min, max) = known.fold((f64::INFINITY, 0.0f64), |(min, max), size| {
        (min.min(size), max.max(size))
    });
    // With one size only, a plot over the size would be a vertical line.
    if min >= max {
        return html! {};
    }
    let known = coordinates(&series, |point| point.0);
    let chart = Chart {
        across: Axis::logarithmic("size of the input", 1.0, known, bytes_label),
        upright: time.axis(&series),
        words: "CPU time of each run over the size of its input, both logarithmic".to_owned(),
        level: Some(time.level.clone()),
        series,
    };
    html! { figure { figcaption { "CPU time over the size of the input" } (chart.render()) } }
}

/// Returns the marks in use, with their meaning.
fn shapes(problem: &ProblemState) -> Vec<(&'static str, &'static str)> {
    let used = |verdicts: &[Verdict]| {
        problem
            .test_runs()
            .any(|test| verdicts.contains(&test.verdict))
    };
    let all: [(&'static str, &'static str, &[Verdict]); 5] = [
        ("●", "AC", &[Verdict::Accepted]),
        ("×", "WA", &[Verdict::WrongAnswer]),
        ("▲", "TLE", &[Verdict::TimeLimitExceeded]),
        ("■", "RTE", &[Verdict::RunTimeError]),
        (
            "◆",
            "MLE, OLE, JE",
            &[
                Verdict::MemoryLimitExceeded,
                Verdict::OutputLimitExceeded,
                Verdict::JudgeError,
            ],
        ),
    ];
    all.into_iter()
        .filter(|(.., verdicts)| used(verdicts))
        .map(|(shape, words, _)| (shape, words))
        .collect()
}

pub(super) fn time_label(microseconds: f64) -> String {
    match microseconds {
        small if small < 1e3 => format!("{} ms", small / 1e3),
        middle if middle < 1e6 => format!("{:.0} ms", middle / 1e3),
        large => format!("{:.0} s", large / 1e6),
    }
}

fn bytes_label(bytes: f64) -> String {
    match bytes {
        small if small < 1e3 => format!("{small:.0} B"),
        middle if middle < 1e6 => format!("{:.0} kB", middle / 1e3),
        large if large < 1e9 => format!("{:.0} MB", large / 1e6),
        huge => format!("{:.0} GB", huge / 1e9),
    }
}

/// Formats memory in the unit of its limit.
fn mebibytes_label(mebibytes: f64) -> String {
    format!("{mebibytes} MiB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_units() {
        assert_eq!(
            [100.0, 1e3, 1e5, 1e6, 1e7].map(time_label),
            ["0.1 ms", "1 ms", "100 ms", "1 s", "10 s"]
        );
        assert_eq!(
            [1.0, 1e4, 1e7, 1e9].map(bytes_label),
            ["1 B", "10 kB", "10 MB", "1 GB"]
        );
        assert_eq!(
            [0.1, 1.0, 1000.0].map(mebibytes_label),
            ["0.1 MiB", "1 MiB", "1000 MiB"]
        );
    }
}
