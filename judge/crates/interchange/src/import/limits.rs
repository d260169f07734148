//! Limits and points of a problem or of parts of it.
//!
//! Responsible for replacing several limits with one, for sharing points in integers, and for
//! reporting invalid values. Must not know their notation in a format.

use judge_event::Part;
use judge_package::yaml::Value;

use crate::import::draft::Draft;
use crate::import::draft::naming::listed;
use crate::import::settings::{get, text};

/// The maximum number of characters of an invalid limit in a message.
const SHOWN: usize = 40;

/// Reads a limit as written for a key with `parse`. An invalid limit is reported.
pub(crate) fn limit<T>(
    written: Option<String>,
    key: &str,
    parse: impl FnOnce(&str) -> Option<T>,
    draft: &mut Draft,
) -> Option<T> {
    let written = written?;
    let read = parse(&written);
    if read.is_none() {
        let shown: String = written.chars().take(SHOWN).collect();
        draft.lost(
            Part::Limits,
            format!("`{key}` is `{shown}`, which is not a valid limit"),
        );
    }
    read
}

/// Reads the limit at a key of a mapping with `parse`. An invalid limit is reported.
pub(crate) fn limit_at<T>(
    settings: &Value,
    key: &str,
    parse: impl FnOnce(&str) -> Option<T>,
    draft: &mut Draft,
) -> Option<T> {
    limit(text(get(settings, key)), key, parse, draft)
}

/// Parses a positive number.
pub(crate) fn positive(written: &str) -> Option<f64> {
    written
        .trim()
        .parse()
        .ok()
        .filter(|number: &f64| *number > 0.0 && number.is_finite())
}

/// Parses a positive integer.
pub(crate) fn positive_integer(written: &str) -> Option<u64> {
    written.trim().parse().ok().filter(|number| *number > 0)
}

/// Sets the limits of the package to the largest of those in the source. A package has one limit
/// for all test cases, and a smaller one would reject solutions that the source accepts. `times`
/// are in seconds, `memories` in MiB; an invalid limit is `None`. `what` describes the limits in
/// messages.
pub(crate) fn widen(
    times: impl IntoIterator<Item = Option<f64>>,
    memories: impl IntoIterator<Item = Option<u64>>,
    what: &str,
    draft: &mut Draft,
) {
    // Invalid limits are counted, since one remark reports them all.
    let mut invalid = 0;
    let mut count = |is_invalid: bool| invalid += u32::from(is_invalid);
    let time = times
        .into_iter()
        .inspect(|limit| count(limit.is_none()))
        .flatten()
        .fold(None, larger);
    let memory = memories
        .into_iter()
        .inspect(|limit| count(limit.is_none()))
        .flatten()
        .max();
    if invalid > 0 {
        draft.lost(
            Part::Limits,
            format!("{what}: {invalid} of them are invalid"),
        );
    }
    let mut parts = Vec::new();
    if let Some(time) = time {
        let max = larger(draft.metadata.time_limit, time);
        parts.extend(max.map(|max| format!("{max} s")));
        draft.metadata.time_limit = max;
    }
    if let Some(memory) = memory {
        let max = draft.metadata.memory.unwrap_or(0).max(memory);
        parts.push(format!("{max} MiB"));
        draft.metadata.memory = Some(max);
    }
    if !parts.is_empty() {
        let text = format!(
            "{what}: a package has one limit, so the largest applies to all: {}",
            parts.join(" and ")
        );
        draft.changed(Part::Limits, text);
    }
}

fn larger(one: Option<f64>, other: f64) -> Option<f64> {
    Some(one.map_or(other, |one| one.max(other)))
}

/// The maximum number of points of a problem or of a part of it.
pub(crate) const MAX_POINTS: f64 = 1e9;

/// Sets invalid points, such as negative ones, to 0, and reports them. The names are for messages.
pub(crate) fn bounded<'p>(all: impl IntoIterator<Item = (String, &'p mut f64)>, draft: &mut Draft) {
    let is_valid = |points: &f64| (0.0..=MAX_POINTS).contains(points);
    let wrong: Vec<String> = { all.into_iter() }
        .filter(|(_, points)| !is_valid(points))
        .map(|(name, points)| {
            *points = 0.0;
            name
        })
        .collect();
    if !wrong.is_empty() {
        let text = format!(
            "the points of {}: expected a number from 0 to {MAX_POINTS:e}; replaced by 0",
            listed(&wrong)
        );
        draft.lost(Part::Groups, text);
    }
}

/// Returns the factor by which all points are multiplied so that they become integers.
pub(crate) fn integer_factor(points: &[f64], draft: &mut Draft) -> f64 {
    let is_whole = |points: f64| (points - points.round()).abs() < 1e-6;
    // Sources have points such as 12.5 and 33.333. More than three decimals are treated as a
    // rounding error.
    let found = (1..=1000)
        .map(f64::from)
        .find(|factor| points.iter().all(|points| is_whole(points * factor)));
    let factor = found.unwrap_or(1000.0);
    if factor > 1.0 {
        let text = format!("points are multiplied by {factor}, since packages have integer points");
        draft.changed(Part::Groups, text);
    }
    factor
}

/// Returns points times a factor, as an integer.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is bounded just before"
)]
pub(crate) fn scaled(points: f64, factor: f64) -> u64 {
    (points * factor).round().clamp(0.0, 1e15) as u64
}

/// Distributes the rest of `whole` among the parts without points, in integers. Later ones may get
/// one point more.
pub(crate) fn share<'p>(whole: f64, among: impl Iterator<Item = &'p mut Option<f64>>) {
    let mut all: Vec<&mut Option<f64>> = among.collect();
    let rest = (whole - all.iter().filter_map(|points| **points).sum::<f64>()).max(0.0);
    // Parts with their own points keep them; the others share the rest.
    all.retain(|points| points.is_none());
    let open = float(all.len());
    let (each, more) = ((rest / open).floor(), rest % open);
    for (place, points) in all.into_iter().enumerate() {
        *points = Some(if float(place) >= open - more {
            each + 1.0
        } else {
            each
        });
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of test cases are far below 2^53"
)]
fn float(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_limit_is_used_and_reported() {
        let mut draft = Draft::default();
        (draft.metadata.time_limit, draft.metadata.memory) = (Some(1.0), Some(256));
        widen(
            [Some(0.5), Some(5.0)],
            [Some(64)],
            "limits of subtasks",
            &mut draft,
        );
        assert_eq!(
            (draft.metadata.time_limit, draft.metadata.memory),
            (Some(5.0), Some(256))
        );
        widen([], [], "nothing", &mut draft);
        widen([None, Some(1.0)], [None], "limits of tests", &mut draft);
        let (_, remarks) = draft.finish("here");
        let texts: Vec<&str> = remarks.iter().map(|remark| remark.text.as_str()).collect();
        assert_eq!(texts.len(), 3, "{texts:?}");
        assert!(
            texts[0].ends_with("the largest applies to all: 5 s and 256 MiB"),
            "{texts:?}"
        );
        assert!(
            texts[2].ends_with("limits of tests: 2 of them are invalid"),
            "{texts:?}"
        );
    }

    #[test]
    fn invalid_limits_are_shortened_in_reports() {
        for (written, shown) in [
            ("NaN", "NaN"),
            ("-1", "-1"),
            ("1e999", "1e999"),
            ("0", "0"),
            (&"9x".repeat(99), &"9x".repeat(20)),
        ] {
            let mut draft = Draft::default();
            assert_eq!(
                limit(Some(written.to_owned()), "time", positive, &mut draft),
                None
            );
            let (_, remarks) = draft.finish("here");
            assert_eq!(
                remarks[0].text,
                format!("`time` is `{shown}`, which is not a valid limit")
            );
        }
        let mut draft = Draft::default();
        assert_eq!(
            limit(Some(" 2.5 ".to_owned()), "time", positive, &mut draft),
            Some(2.5)
        );
        assert_eq!(
            limit(
                Some("64".to_owned()),
                "memory",
                positive_integer,
                &mut draft
            ),
            Some(64)
        );
        assert_eq!(limit(None, "time", positive, &mut draft), None);
    }

    #[test]
    fn invalid_points_are_reported_together() {
        let mut draft = Draft::default();
        let mut all = [5.0, -1.0, f64::NAN, 1e300, f64::INFINITY, 0.5];
        bounded(
            all.iter_mut()
                .zip(1..)
                .map(|(points, number)| (format!("subtask {number}"), points)),
            &mut draft,
        );
        assert_eq!(all, [5.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
        let (_, remarks) = draft.finish("here");
        let expected = "the points of `subtask 2`, `subtask 3`, `subtask 4`, `subtask 5`: expected a number from 0 to 1e9; replaced by 0";
        assert!(
            remarks.iter().any(|remark| remark.text == expected),
            "{remarks:?}"
        );
    }
}
