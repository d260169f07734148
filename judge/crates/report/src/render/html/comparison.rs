//! A comparison of submissions as a page: a table, the intervals as a picture, and each test case
//! as a point.
//!
//! Responsible for the content of the page. Ratios and conclusions are in the document. Must not
//! compute anything from times.

use judge_event::comparison::{Candidate, CandidateIndex, CaseRatio, Class, ComparedCase};
use judge_model::{TestCaseIndex, Verdict};
use maud::{Markup, html};

use super::chart::{Axis, AxisLevel, Chart, Series};
use super::{class, mark, marked, static_page};
use crate::commands::comparison::scatter::{ScatterPoint, points};
use crate::commands::comparison::{ComparisonReport, HEADINGS, words};
use crate::render::evidence;
use crate::text::escape::{printable, printable_lines};
use crate::text::numbers::{count, plural, seconds};

/// The maximum number of test cases in the table, beyond which uninteresting ones are left out.
const MAX_CASES: usize = 1_000;
/// The maximum number of points with names.
const MAX_NAMES: usize = 1_000;

const WIDTH: f64 = 520.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 12.0;
const ROW: f64 = 26.0;

impl ComparisonReport<'_> {
    /// Renders the comparison as a page for a browser.
    #[must_use]
    pub fn to_html(&self) -> String {
        let (comparison, gates) = (self.comparison, self.gates());
        let good = self.candidates().all(|index| self.agrees(index)) && comparison.gates_hold();
        let title = format!(
            "{}: {} submissions compared",
            comparison.problem,
            comparison.submissions.len()
        );
        let body = html! {
            header {
                h1 { (mark(Some(good))) (printable(&title)) }
                @for note in words::notes(comparison) { p.sentence.dim { (marked(&note)) } }
                @for warning in &comparison.warnings { p.sentence.warn { "warning: " (marked(warning)) } }
            }
            main #results {
                section aria-labelledby="table" {
                    h2 #table { "Submissions" }
                    (table(self))
                    @for (held, gate) in &gates { p.sentence { (mark(Some(*held))) (marked(gate)) } }
                }
                (plots(self))
                @for index in self.candidates() { (candidate(self, index)) }
                (cases(self))
            }
        };
        static_page(good, &title, &body)
    }
}

fn table(report: &ComparisonReport<'_>) -> Markup {
    let speed = |faster: Option<bool>| match faster {
        Some(true) => "number good",
        Some(false) => "number bad",
        None => "number",
    };
    let head = html! {
        td { } th scope="col" { "submission" }
        @for heading in HEADINGS { th.number scope="col" { (heading) } }
    };
    let rows = html! {
        @for index in report.submissions() {
            @let submission = &report.comparison.submissions[index.0];
            tr {
                td { strong { (submission.label) } }
                th scope="row" { (printable(&submission.submission)) }
                @for (column, cell) in report.cells(index).iter().enumerate() {
                    @match column {
                        0 => td.number { span class={ "verdict " (class(submission.verdict)) } { (cell) } },
                        3 => td class=(speed(report.is_faster(index))) { (cell) },
                        _ => td.number { (cell) },
                    }
                }
            }
        }
    };
    super::table("table", &head, &rows)
}

/// Renders every test case: the result of each submission on it, and the ratio of each candidate's
/// time. If there are very many, only those with different answers or timed runs.
fn cases(report: &ComparisonReport<'_>) -> Markup {
    let comparison = report.comparison;
    let classes = |case: TestCaseIndex| {
        comparison
            .candidates
            .iter()
            .filter_map(move |candidate| candidate.classes.get(case.0))
    };
    let is_interesting = |index: TestCaseIndex, case: &ComparedCase| {
        case.ratios.iter().any(Option::is_some)
            || classes(index).any(|class| words::class(*class).is_some())
    };
    let all = comparison.test_cases.len() <= MAX_CASES;
    let rows: Vec<(TestCaseIndex, &ComparedCase)> =
        TestCaseIndex::enumerate(&comparison.test_cases)
            .filter(|(index, case)| all || is_interesting(*index, case))
            .take(MAX_CASES)
            .collect();
    let left_out = comparison.test_cases.len() - rows.len();
    let (reference, candidates) = (&comparison.submissions[0], &comparison.submissions[1..]);
    let head = html! {
        th scope="col" { "test case" } th.number scope="col" { "input" }
        @for submission in &comparison.submissions { th.number scope="col" title=(printable(&submission.submission)) { (submission.label) } }
        @for candidate in candidates { th.number scope="col" { (candidate.label) " : " (reference.label) } }
        th scope="col" { "answers" }
    };
    let rows = html! { @for (index, case) in rows { (row(report, index, case)) } };
    html! {
        section aria-labelledby="cases" {
            h2 #cases { "Test cases" }
            @if left_out > 0 {
                p.sentence.dim { (left_out) " test cases on which nothing was timed and no answers differ are left out" }
            }
            (super::table("cases", &head, &rows))
        }
    }
}

fn row(report: &ComparisonReport<'_>, index: TestCaseIndex, case: &ComparedCase) -> Markup {
    let candidates = &report.comparison.candidates;
    let class_of = |candidate: &Candidate| candidate.classes.get(index.0).copied();
    let differs = candidates
        .iter()
        .filter_map(class_of)
        .any(Class::is_difference);
    let answer = |candidate: &Candidate| {
        Some(format!(
            "{}: {}",
            candidate.label,
            words::class(class_of(candidate)?)?
        ))
    };
    let answers: Vec<String> = candidates.iter().filter_map(answer).collect();
    html! {
        tr {
            th scope="row" { (printable(&case.test_case)) }
            td.number { (count(case.input_bytes)) " B" }
            @for run in &case.first_runs { td.number {
                @if let Some(run) = run {
                    @if run.verdict != Verdict::Accepted { span class={ "verdict " (class(run.verdict)) } { (run.verdict) } " " }
                    (seconds(run.cpu_time_us)) " s"
                } @else { "–" }
            } }
            @for index in report.candidates() { td.number {
                @if let Some(Some(CaseRatio { ratio, rounds })) = case.ratios.get(index.0) {
                    span title=(plural(*rounds as u64, "round")) { (words::case_ratio(*ratio)) }
                }
            } }
            td class=(if differs { "bad" } else { "dim" }) { (answers.join("; ")) }
        }
    }
}

fn plots(report: &ComparisonReport<'_>) -> Markup {
    let comparison = report.comparison;
    let points = points(comparison);
    html! {
        section aria-labelledby="plots" {
            h2 #plots { "Times" }
            div.charts {
                @if comparison.candidates.iter().any(|candidate| candidate.cpu_time.is_some()) {
                    figure {
                        figcaption { "CPU time against the reference: ratio and 95 % interval" }
                        (intervals(&comparison.candidates))
                    }
                }
                @if !points.is_empty() {
                    figure {
                        figcaption { "CPU time of each test case: the reference to the right, the others upwards; below the line is faster" }
                        (scatter(report, &points))
                        p.legend { @for (place, candidate) in comparison.submissions.iter().skip(1).enumerate() {
                            span.key { span.shape { (SHAPES[place % SHAPES.len()].1) } " " (candidate.label) " " (printable(&candidate.submission)) }
                        } }
                    }
                }
            }
        }
    }
}

/// The marks of candidates: a class, and a character for the legend.
const SHAPES: [(&str, &str); 5] = [
    ("ac", "●"),
    ("wa", "×"),
    ("tle", "▲"),
    ("rte", "■"),
    ("je", "◆"),
];

fn scatter(report: &ComparisonReport<'_>, points: &[ScatterPoint]) -> Markup {
    let times = || {
        points
            .iter()
            .flat_map(|point| [point.reference_us as f64, point.candidate_us as f64])
    };
    let (shortest, longest) = times()
        .fold((f64::INFINITY, 1.0), |(low, high): (f64, f64), time| {
            (low.min(time), high.max(time))
        });
    let shortest = shortest.max(1.0);
    let same = Series {
        name: "the same time".to_owned(),
        line: vec![(shortest, shortest), (longest, longest)],
        ..Series::default()
    };
    let name = |point: &ScatterPoint| {
        let times = format!(
            "{} s, reference {} s",
            seconds(point.candidate_us),
            seconds(point.reference_us)
        );
        format!("{}, {}: {times}", point.mark, point.test_case)
    };
    let candidates = report
        .comparison
        .submissions
        .iter()
        .enumerate()
        .skip(1)
        .map(|(row, submission)| {
            let own: Vec<&ScatterPoint> = points
                .iter()
                .filter(|point| submission.label.starts_with(point.mark))
                .collect();
            let shape = SHAPES[(row - 1) % SHAPES.len()].0;
            Series {
                row,
                name: format!("{} {}", submission.label, submission.submission),
                points: own
                    .iter()
                    .map(|point| (point.reference_us as f64, point.candidate_us as f64, shape))
                    .collect(),
                names: if points.len() <= MAX_NAMES {
                    own.into_iter().map(name).collect()
                } else {
                    Vec::new()
                },
                ..Series::default()
            }
        });
    let limit = report.comparison.time_limit_us as f64;
    let level = (longest > limit / 10.0).then(|| AxisLevel {
        value: limit,
        name: "time limit".to_owned(),
    });
    let upright = times().chain(level.iter().map(|level| level.value));
    let chart = Chart {
        across: Axis::logarithmic("the reference", 1.0, times(), super::plot::time_label),
        upright: Axis::logarithmic("CPU time", 1.0, upright, super::plot::time_label),
        level,
        series: std::iter::once(same).chain(candidates).collect(),
        words: "CPU time of each test case on the candidates over that on the reference, both logarithmic".to_owned(),
    };
    chart.render()
}

/// Renders a row for each candidate: its ratio as a dot, its interval as a line, on a logarithmic
/// axis.
fn intervals(candidates: &[Candidate]) -> Markup {
    let known = candidates.iter().filter_map(|candidate| {
        let estimate = candidate.cpu_time.as_ref()?.estimate;
        let ratio = Some(estimate.ratio).filter(|ratio| ratio.is_finite() && *ratio > 0.0)?;
        Some((
            candidate.label.as_str(),
            estimate,
            ratio,
            estimate.interval.unwrap_or([ratio; 2]),
        ))
    });
    let known: Vec<_> = known.collect();
    let ends = known
        .iter()
        .flat_map(|(_, _, ratio, interval)| [*ratio, interval[0], interval[1]]);
    let reach = ends
        .filter(|end| end.is_finite() && *end > 0.0)
        .map(|end| end.ln().abs())
        .fold(1.1f64.ln(), f64::max)
        * 1.15;
    let x = |ratio: f64| {
        let share = (ratio.max(f64::MIN_POSITIVE).ln() + reach) / (2.0 * reach);
        format!(
            "{:.1}",
            LEFT + share.clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT)
        )
    };
    let height = ROW * (known.len() as f64 + 1.0);
    let sentence = |label: &str, estimate| {
        format!(
            "{label}: {} {}",
            words::times(estimate),
            words::interval(estimate)
        )
    };
    let sentences: Vec<String> = known
        .iter()
        .map(|(label, estimate, ..)| sentence(label, estimate))
        .collect();
    html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {}", height + 16.0)) role="img" aria-label=(printable(&sentences.join("; "))) {
            @for ratio in ratio_ticks(reach) {
                line.tick x1=(x(ratio)) x2=(x(ratio)) y1="0" y2=(height - 8.0) {}
                text x=(x(ratio)) y=(height + 8.0) text-anchor="middle" { (tick_label(ratio)) "×" }
            }
            line.level x1=(x(1.0)) x2=(x(1.0)) y1="0" y2=(height - 8.0) {}
            @for (place, (label, estimate, ratio, interval)) in known.iter().enumerate() {
                @let y = format!("{:.1}", ROW * (place as f64 + 0.7));
                text x="0" y=(format!("{:.1}", ROW * (place as f64 + 0.7) + 4.0)) { (label) " " (words::times(estimate)) }
                path.interval d=(format!("M{} {y}H{}", x(interval[0]), x(interval[1]))) {}
                path.m.ac d=(format!("M{} {y}h0", x(*ratio))) {}
            }
        }
    }
}

/// Round ratios on both sides of 1 within the range of an axis (in logarithms): steps of 1, 2 and 5
/// times a power of ten, or shares of 1 if the axis does not reach a half.
fn ratio_ticks(reach: f64) -> Vec<f64> {
    // Larger values cannot be drawn or labelled.
    let highest = reach.exp().min(1e300);
    let above: Vec<f64> = if highest < 2.0 {
        let steps = [0.02, 0.05, 0.1, 0.2, 0.5];
        let step = steps
            .into_iter()
            .find(|step| (highest - 1.0) / step < 4.0)
            .unwrap_or(0.5);
        (1..4).map(|index| 1.0 + step * f64::from(index)).collect()
    } else {
        let decades = highest.log10().floor() as i32;
        let every = (decades / 3).max(1);
        let of_decade = |decade: i32| {
            let factors: &[f64] = if decades < 1 {
                &[1.0, 2.0, 5.0]
            } else {
                &[1.0]
            };
            factors
                .iter()
                .map(move |factor| factor * 10f64.powi(decade))
        };
        (0..=decades)
            .filter(|decade| decade % every == 0)
            .flat_map(of_decade)
            .filter(|tick| *tick > 1.0)
            .collect()
    };
    let above: Vec<f64> = above.into_iter().filter(|tick| *tick <= highest).collect();
    // The other side is symmetric: a half is as far from 1 as twice.
    above
        .iter()
        .rev()
        .map(|tick| 1.0 / tick)
        .chain([1.0])
        .chain(above.iter().copied())
        .collect()
}

/// Returns a ratio of any size with at least two digits.
fn tick_label(ratio: f64) -> String {
    match ratio {
        large if large >= 10.0 => format!("{large:.0}"),
        middle if middle >= 0.1 => format!("{middle:.2}"),
        small if small >= 1e-12 => format!("{small:.*}", (1.0 - small.log10().floor()) as usize),
        _ => "0".to_owned(),
    }
}

fn candidate(report: &ComparisonReport<'_>, index: CandidateIndex) -> Markup {
    let comparison = report.comparison;
    let candidate = &comparison.candidates[index.0];
    let id = format!("of-{}", printable(&candidate.label));
    let quoted = |text: &str| html! { pre.evidence { (printable_lines(text.trim_end())) } };
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (mark(Some(report.agrees(index)))) (printable(&words::answers(comparison, index))) }
            dl.facts { @for (name, words) in words::measures(comparison, candidate) {
                div { dt { (printable(name)) } dd { (printable(&words)) } }
            } }
            @if let Some(compiled) = report.failed_compilation(index) {
                (quoted(&evidence::for_compilation(compiled)))
            }
            @if let Some((label, first)) = report.first_difference(index) {
                h3 { (printable(label)) " on the smallest of them" }
                (quoted(&evidence::for_test_case(report.run, first)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_on_both_sides_of_1() {
        let labels = |highest: f64| {
            ratio_ticks(highest.ln())
                .into_iter()
                .map(tick_label)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            labels(1.06),
            ["0.94", "0.96", "0.98", "1.00", "1.02", "1.04", "1.06"]
        );
        assert_eq!(labels(1.25), ["0.83", "0.91", "1.00", "1.10", "1.20"]);
        assert_eq!(labels(8.0), ["0.20", "0.50", "1.00", "2.00", "5.00"]);
        assert_eq!(labels(60.0), ["0.10", "1.00", "10"]);
        assert_eq!(labels(5e6).len(), 7);
        for reach in [0.0, 1e-9, 0.1, 0.7, 3.0, 30.0, 300.0, 900.0, f64::INFINITY] {
            let ticks = ratio_ticks(reach);
            assert!(
                ticks.contains(&1.0) && ticks.len() < 12,
                "{reach}: {ticks:?}"
            );
        }
    }

    #[test]
    fn labels_of_ratios_are_never_zero() {
        let labels = [0.0, 1e-9, 0.0034, 0.05, 0.72, 1.0, 3.456, 17.6, 290.0].map(tick_label);
        assert_eq!(
            labels,
            [
                "0",
                "0.0000000010",
                "0.0034",
                "0.050",
                "0.72",
                "1.00",
                "3.46",
                "18",
                "290"
            ]
        );
    }
}
