//! Scatter plots for the terminal: the same test cases on two submissions, both axes logarithmic.
//!
//! Responsible for placing points on characters. Must not know the meaning of points, except for
//! their mark.

use judge_event::comparison::{Comparison, FirstRun};
use judge_model::Verdict;

use crate::text::numbers::duration;

/// The number of rows of a plot.
const HEIGHT: usize = 14;
/// The maximum number of columns of a plot. Terminal cells are about twice as high as wide.
const MAX_WIDTH: usize = 44;

/// A test case: its times on the reference and on a candidate, in microseconds, and the candidate's
/// mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScatterPoint {
    /// The test case.
    pub(crate) test_case: String,
    /// Time of the reference.
    pub(crate) reference_us: u64,
    /// Time of the candidate.
    pub(crate) candidate_us: u64,
    /// The mark of the candidate: its label.
    pub(crate) mark: char,
}

/// Returns the times of the test cases on which both are right, from the runs that compared
/// answers.
pub(crate) fn points(comparison: &Comparison) -> Vec<ScatterPoint> {
    fn right(run: &Option<FirstRun>) -> Option<&FirstRun> {
        run.as_ref().filter(|run| run.verdict == Verdict::Accepted)
    }
    let mut points = Vec::new();
    for case in &comparison.test_cases {
        let Some(reference) = case.first_runs.first().and_then(right) else {
            continue;
        };
        for (run, submission) in case.first_runs.iter().zip(&comparison.submissions).skip(1) {
            points.extend(right(run).map(|run| ScatterPoint {
                test_case: case.test_case.clone(),
                reference_us: reference.cpu_time_us,
                candidate_us: run.cpu_time_us,
                mark: submission.label.chars().next().unwrap_or('?'),
            }));
        }
    }
    points
}

/// Returns the lines of a plot at most `width` columns wide; none when there are fewer than three
/// points. On the diagonal both take the same time; below it the candidate is faster.
pub(crate) fn lines(points: &[ScatterPoint], width: usize, unicode: bool) -> Vec<String> {
    const MARGIN: usize = 10;
    let times = points
        .iter()
        .flat_map(|point| [point.reference_us, point.candidate_us])
        .map(|time| time.max(1));
    let (Some(shortest), Some(longest)) = (times.clone().min(), times.max()) else {
        return Vec::new();
    };
    let columns = MAX_WIDTH.min(width.saturating_sub(MARGIN + 1));
    if points.len() < 3 || columns < 16 {
        return Vec::new();
    }
    // The range covers at least a doubling, so that noise of nearly equal points does not fill the
    // plot.
    let (low, high) = (
        shortest as f64 / 1.3,
        (longest as f64 * 1.3).max(shortest as f64 * 2.0),
    );
    let place = |time: u64, cells: usize| {
        let share = (time.max(1) as f64 / low).ln() / (high / low).ln();
        // The share is between 0 and 1.
        ((share * cells as f64) as usize).min(cells - 1)
    };
    let mut grid = vec![vec![' '; columns]; HEIGHT];
    for (column, row) in (0..columns).map(|column| (column, column * HEIGHT / columns)) {
        grid[HEIGHT - 1 - row][column] = if unicode { '·' } else { '.' };
    }
    for point in points {
        let cell = &mut grid[HEIGHT - 1 - place(point.candidate_us, HEIGHT)]
            [place(point.reference_us, columns)];
        *cell = if cell.is_alphabetic() && *cell != point.mark {
            '*'
        } else {
            point.mark
        };
    }
    let (side, floor, corner) = if unicode {
        ("│", "─", "└")
    } else {
        ("|", "-", "+")
    };
    let mut lines: Vec<String> = grid
        .iter()
        .enumerate()
        .map(|(row, cells)| {
            let label = match row {
                0 => duration(high as u64),
                _ if row == HEIGHT - 1 => duration(low as u64),
                _ => String::new(),
            };
            format!(
                "{label:>MARGIN$}{side}{}",
                cells.iter().collect::<String>().trim_end()
            )
        })
        .collect();
    lines.push(format!("{:>MARGIN$}{corner}{}", "", floor.repeat(columns)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(reference_us: u64, candidate_us: u64, mark: char) -> ScatterPoint {
        ScatterPoint {
            test_case: String::new(),
            reference_us,
            candidate_us,
            mark,
        }
    }

    #[test]
    fn faster_points_are_below_the_diagonal_and_slower_ones_above() {
        let points = [
            point(1_000, 100_000, 'B'),
            point(100_000, 1_000, 'C'),
            point(10_000, 10_000, 'D'),
        ];
        let plot = lines(&points, 80, false);
        assert_eq!(plot.len(), HEIGHT + 1);
        let find = |mark| {
            let row = plot.iter().position(|line| line.contains(mark)).unwrap();
            (row, plot[row].find(mark).unwrap(), plot[row].rfind('.'))
        };
        let (slow, fast, same) = (find('B'), find('C'), find('D'));
        assert!(slow.0 < same.0 && same.0 < fast.0, "{plot:#?}");
        assert!(slow.1 < same.1 && same.1 < fast.1, "{plot:#?}");
        assert!(
            slow.2.is_some_and(|diagonal| diagonal > slow.1),
            "{plot:#?}"
        );
        assert!(plot.iter().all(|line| line.is_ascii() && line.len() <= 80));
    }

    #[test]
    fn plots_need_enough_points_and_columns() {
        assert!(lines(&vec![point(1, 1, 'B'); 2], 80, true).is_empty());
        assert!(lines(&vec![point(1, 1, 'B'); 3], 20, true).is_empty());
        for time in [0, 1, u64::MAX] {
            assert_eq!(
                lines(
                    &[point(time, time, 'B'), point(0, 5, 'B'), point(5, 0, 'C')],
                    80,
                    true
                )
                .len(),
                HEIGHT + 1
            );
        }
    }

    #[test]
    fn two_candidates_at_the_same_place_are_a_star() {
        let plot = lines(
            &[point(5, 5, 'B'), point(5, 5, 'C'), point(50, 50, 'B')],
            80,
            true,
        );
        assert!(plot.iter().any(|line| line.contains('*')));
    }
}
