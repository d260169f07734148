//! A comparison of submissions as a page: the table, the intervals as a picture, each test case as a point.
//!
//! Responsible for what is on the page. Ratios and conclusions come with the report. Must not compute anything from
//! times.

use judge_model::Verdict;
use maud::{Markup, html};

use super::chart::{Axis, AxisLevel, Chart, Series};
use super::{class, mark, marked, page};
use crate::detail::{self, InForce};
use crate::text::escape::{printable, printable_lines};
use crate::text::numbers::{count, plural, seconds};
use crate::text::page::{Look, Page};
use crate::verbs::comparison::{CandidateReport, ComparedCaseRow, ComparedRow, ComparisonReport, HEADINGS};
use crate::verbs::scatter::ScatterPoint;

/// Columns of quoted evidence.
const EVIDENCE_WIDTH: usize = 100;
/// Lines of quoted evidence.
const EVIDENCE: usize = 20;

/// Test cases in the table.
const MOST_CASES: usize = 1_000;
/// Points of a candidate that have names of their own.
const MOST_NAMES: usize = 1_000;

const WIDTH: f64 = 520.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 12.0;
const ROW: f64 = 26.0;

/// The page.
pub(crate) fn render(report: &ComparisonReport) -> String {
    let good = report.candidates.iter().all(|of| of.agrees) && report.gates.iter().all(|(held, _)| *held);
    let number = report.rows.len();
    let title = format!("{}: {number} submissions compared", report.problem);
    let body = html! {
        header {
            h1 { (mark(Some(good))) (printable(&title)) }
            @for note in &report.notes { p.sentence.dim { (marked(note)) } }
            @for warning in &report.warnings { p.sentence.warn { "warning: " (marked(warning)) } }
        }
        main #results {
            section aria-labelledby="table" {
                h2 #table { "Submissions" }
                (table(report))
                @for (held, gate) in &report.gates { p.sentence { (mark(Some(*held))) (marked(gate)) } }
            }
            (plots(report))
            @for candidate in &report.candidates { (of_candidate(report, candidate)) }
            (cases(report))
        }
    };
    page(&format!("{} {title}", if good { "✓" } else { "✗" }), super::STYLE, &body, None)
}

fn table(report: &ComparisonReport) -> Markup {
    let better = |row: &ComparedRow| match row.better {
        Some(true) => "number good",
        Some(false) => "number bad",
        None => "number",
    };
    html! {
        div.scroll tabindex="0" role="group" aria-labelledby="table" {
            table.plain {
                thead { tr {
                    td { } th scope="col" { "submission" }
                    @for heading in HEADINGS { th.number scope="col" { (heading) } }
                } }
                tbody { @for row in &report.rows { tr {
                    td { strong { (row.label) } }
                    th scope="row" { (printable(&row.submission)) }
                    @for (column, cell) in report.cells(row).iter().enumerate() {
                        @match column {
                            0 => td.number { span class={ "verdict " (class(row.verdict)) } { (cell) } },
                            3 => td class=(better(row)) { (cell) },
                            _ => td.number { (cell) },
                        }
                    }
                } } }
            }
        }
    }
}

/// Every test case: what each submission did on it, and how many times as long each candidate takes. Of very many, those that
/// say something: where answers differ, and where times were taken.
fn cases(report: &ComparisonReport) -> Markup {
    let says_something = |row: &ComparedCaseRow| {
        row.differs || row.ratios.iter().any(Option::is_some) || row.answers.iter().any(Option::is_some)
    };
    let all = report.cases.len() <= MOST_CASES;
    let rows: Vec<&ComparedCaseRow> =
        report.cases.iter().filter(|row| all || says_something(row)).take(MOST_CASES).collect();
    let left_out = report.cases.len() - rows.len();
    html! {
        section aria-labelledby="cases" {
            h2 #cases { "Test cases" }
            @if left_out > 0 {
                p.sentence.dim { (left_out) " test cases on which nothing was timed and no answers differ are left out" }
            }
            div.scroll tabindex="0" role="group" aria-labelledby="cases" {
                table.plain {
                    thead { tr {
                        th scope="col" { "test case" } th.number scope="col" { "input" }
                        @for row in &report.rows { th.number scope="col" title=(printable(&row.submission)) { (row.label) } }
                        @for row in report.rows.iter().skip(1) { th.number scope="col" { (row.label) " : " (report.rows[0].label) } }
                        th scope="col" { "answers" }
                    } }
                    tbody { @for row in rows { (case(report, row)) } }
                }
            }
        }
    }
}

fn case(report: &ComparisonReport, row: &ComparedCaseRow) -> Markup {
    let answers = row.answers.iter().zip(report.rows.iter().skip(1));
    let answers: Vec<String> =
        answers.filter_map(|(words, of)| words.map(|words| format!("{}: {words}", of.label))).collect();
    html! {
        tr {
            th scope="row" { (printable(&row.test_case)) }
            td.number { (count(row.input_bytes)) " B" }
            @for result in &row.results { td.number {
                @if let Some((verdict, cpu_time_us)) = result {
                    @if *verdict != Verdict::Accepted { span class={ "verdict " (class(*verdict)) } { (verdict) } " " }
                    (seconds(*cpu_time_us)) " s"
                } @else { "–" }
            } }
            @for ratio in &row.ratios { td.number {
                @if let Some((words, rounds)) = ratio {
                    span title=(plural(*rounds as u64, "round", "rounds")) { (words) }
                }
            } }
            td class=(if row.differs { "bad" } else { "dim" }) { (answers.join("; ")) }
        }
    }
}

fn plots(report: &ComparisonReport) -> Markup {
    html! {
        section aria-labelledby="plots" {
            h2 #plots { "Times" }
            div.charts {
                @if report.rows.iter().any(|row| row.estimate.is_some()) {
                    figure {
                        figcaption { "CPU time against the reference: ratio and 95 % interval" }
                        (intervals(&report.rows))
                    }
                }
                @if !report.points.is_empty() {
                    figure {
                        figcaption { "CPU time of each test case: the reference to the right, the others upwards; below the line is faster" }
                        (scatter(report))
                        p.legend { @for (place, row) in report.rows.iter().enumerate().skip(1) {
                            span.key { span.shape { (SHAPES[(place - 1) % SHAPES.len()].1) } " " (row.label) " " (printable(&row.submission)) }
                        } }
                    }
                }
            }
        }
    }
}

/// The marks of candidates: a class, and a character for the legend.
const SHAPES: [(&str, &str); 5] = [("ac", "●"), ("wa", "×"), ("tle", "▲"), ("rte", "■"), ("je", "◆")];

fn scatter(report: &ComparisonReport) -> Markup {
    let times = || report.points.iter().flat_map(|point| [point.reference_us as f64, point.candidate_us as f64]);
    let shape = |row: usize| SHAPES[(row - 1) % SHAPES.len()].0;
    let of_row = |row: usize, label: &str| {
        let points = report.points.iter().filter(|point| label.starts_with(point.mark));
        points.map(|point| (point.reference_us as f64, point.candidate_us as f64, shape(row))).collect()
    };
    let (least, most) =
        times().fold((f64::INFINITY, 1.0), |(least, most): (f64, f64), time| (least.min(time), most.max(time)));
    let least = least.max(1.0);
    let same = Series {
        row: 0,
        name: "the same time".to_owned(),
        points: Vec::new(),
        names: Vec::new(),
        line: vec![(least, least), (most, most)],
    };
    let names = |label: &str| -> Vec<String> {
        let points = report.points.iter().filter(|point| label.starts_with(point.mark));
        let times = |of: &ScatterPoint| {
            format!(
                "{}, {}: {} s, reference {} s",
                label,
                of.test_case,
                seconds(of.candidate_us),
                seconds(of.reference_us)
            )
        };
        points.map(times).collect()
    };
    let candidates = report.rows.iter().enumerate().skip(1).map(|(row, of)| Series {
        row,
        name: format!("{} {}", of.label, of.submission),
        points: of_row(row, &of.label),
        names: if report.points.len() <= MOST_NAMES { names(&of.label) } else { Vec::new() },
        line: Vec::new(),
    });
    let limit = report.time_limit_us as f64;
    let level = (most > limit / 10.0).then(|| AxisLevel { value: limit, name: "time limit".to_owned() });
    let chart = Chart {
        across: Axis::logarithmic("the reference", 1.0, times(), super::plot::time_label),
        upright: Axis::logarithmic(
            "CPU time",
            1.0,
            times().chain(level.iter().map(|level| level.value)),
            super::plot::time_label,
        ),
        level,
        series: std::iter::once(same).chain(candidates).collect(),
        words: "CPU time of each test case on the candidates over that on the reference, both logarithmic".to_owned(),
    };
    chart.render()
}

/// A row for each candidate: its ratio as a dot, its interval as a line, on a logarithmic axis.
fn intervals(rows: &[ComparedRow]) -> Markup {
    let known: Vec<(&ComparedRow, f64, [f64; 2])> = rows
        .iter()
        .filter_map(|row| row.estimate.map(|(ratio, interval)| (row, ratio, interval.unwrap_or([ratio, ratio]))))
        .filter(|(_, ratio, _)| ratio.is_finite() && *ratio > 0.0)
        .collect();
    let ends = known.iter().flat_map(|(_, ratio, interval)| [*ratio, interval[0], interval[1]]);
    let reach =
        ends.filter(|end| end.is_finite() && *end > 0.0).map(|end| end.ln().abs()).fold(1.1f64.ln(), f64::max) * 1.15;
    let x = |ratio: f64| {
        let share = (ratio.max(f64::MIN_POSITIVE).ln() + reach) / (2.0 * reach);
        format!("{:.1}", LEFT + share.clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT))
    };
    let height = ROW * (known.len() as f64 + 1.0);
    let words: Vec<String> =
        known.iter().map(|(row, ..)| format!("{}: {} {}", row.label, row.ratio, row.interval)).collect();
    html! {
        svg.chart viewBox=(format!("0 0 {WIDTH} {}", height + 16.0)) role="img" aria-label=(printable(&words.join("; "))) {
            @for ratio in ratio_ticks(reach) {
                line.tick x1=(x(ratio)) x2=(x(ratio)) y1="0" y2=(height - 8.0) {}
                text x=(x(ratio)) y=(height + 8.0) text-anchor="middle" { (tick_label(ratio)) "×" }
            }
            line.level x1=(x(1.0)) x2=(x(1.0)) y1="0" y2=(height - 8.0) {}
            @for (place, (row, ratio, interval)) in known.iter().enumerate() {
                @let y = format!("{:.1}", ROW * (place as f64 + 0.7));
                text x="0" y=(format!("{:.1}", ROW * (place as f64 + 0.7) + 4.0)) { (row.label) " " (row.ratio) }
                path.interval d=(format!("M{} {y}H{}", x(interval[0]), x(interval[1]))) {}
                path.m.ac d=(format!("M{} {y}h0", x(*ratio))) {}
            }
        }
    }
}

/// Round ratios on both sides of 1 as far as an axis reaches (in logarithms): steps of 1, 2 and 5 times a power of ten, or
/// shares of 1 where nothing is as far away as half.
fn ratio_ticks(reach: f64) -> Vec<f64> {
    // Beyond that nothing can be drawn or said.
    let most = reach.exp().min(1e300);
    let above: Vec<f64> = if most < 2.0 {
        let steps = [0.02, 0.05, 0.1, 0.2, 0.5];
        let step = steps.into_iter().find(|step| (most - 1.0) / step < 4.0).unwrap_or(0.5);
        (1..4).map(|index| 1.0 + step * f64::from(index)).collect()
    } else {
        let decades = most.log10().floor() as i32;
        let every = (decades / 3).max(1);
        let of_decade = |decade: i32| {
            let factors: &[f64] = if decades < 1 { &[1.0, 2.0, 5.0] } else { &[1.0] };
            factors.iter().map(move |factor| factor * 10f64.powi(decade))
        };
        (0..=decades).filter(|decade| decade % every == 0).flat_map(of_decade).filter(|tick| *tick > 1.0).collect()
    };
    let above: Vec<f64> = above.into_iter().filter(|tick| *tick <= most).collect();
    // On the other side what takes the same share of the axis: half is as far from 1 as twice.
    above.iter().rev().map(|tick| 1.0 / tick).chain([1.0]).chain(above.iter().copied()).collect()
}

/// A ratio with two digits at least, whatever its size.
fn tick_label(ratio: f64) -> String {
    match ratio {
        large if large >= 10.0 => format!("{large:.0}"),
        middle if middle >= 0.1 => format!("{middle:.2}"),
        small if small >= 1e-12 => format!("{small:.*}", (1.0 - small.log10().floor()) as usize),
        _ => "0".to_owned(),
    }
}

fn of_candidate(report: &ComparisonReport, candidate: &CandidateReport) -> Markup {
    let id = format!("of-{}", printable(&candidate.label));
    let in_force = InForce { time_limit_us: report.time_limit_us, limits: &report.limits };
    let quoted = |write: &dyn Fn(&mut Page)| {
        let mut page = Page::new(Look { width: EVIDENCE_WIDTH, color: false, unicode: true });
        write(&mut page);
        html! { pre.evidence { (printable_lines(page.take().trim_end())) } }
    };
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (mark(Some(candidate.agrees))) (printable(&candidate.answers)) }
            dl.facts { @for (name, words) in &candidate.measures { div { dt { (printable(name)) } dd { (printable(words)) } } } }
            @if let Some(compiled) = &candidate.compiled { (quoted(&|page| detail::compilation(page, 0, compiled, EVIDENCE))) }
            @if let Some((label, first)) = &candidate.first {
                h3 { (printable(label)) " on the smallest of them" }
                (quoted(&|page| detail::test_case(page, 0, first, in_force, EVIDENCE)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_on_both_sides_of_1() {
        let labels = |most: f64| ratio_ticks(most.ln()).into_iter().map(tick_label).collect::<Vec<_>>();
        assert_eq!(labels(1.06), ["0.94", "0.96", "0.98", "1.00", "1.02", "1.04", "1.06"]);
        assert_eq!(labels(1.25), ["0.83", "0.91", "1.00", "1.10", "1.20"]);
        assert_eq!(labels(8.0), ["0.20", "0.50", "1.00", "2.00", "5.00"]);
        assert_eq!(labels(60.0), ["0.10", "1.00", "10"]);
        assert_eq!(labels(5e6).len(), 7);
        for reach in [0.0, 1e-9, 0.1, 0.7, 3.0, 30.0, 300.0, 900.0, f64::INFINITY] {
            let ticks = ratio_ticks(reach);
            assert!(ticks.contains(&1.0) && ticks.len() < 12, "{reach}: {ticks:?}");
        }
    }

    #[test]
    fn ratios_at_ticks_are_never_nothing() {
        let told = [0.0, 1e-9, 0.0034, 0.05, 0.72, 1.0, 3.456, 17.6, 290.0].map(tick_label);
        assert_eq!(told, ["0", "0.0000000010", "0.0034", "0.050", "0.72", "1.00", "3.46", "18", "290"]);
    }
}
