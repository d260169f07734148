//! Points, as formats write them down.
//!
//! Responsible for those that nothing can be worth. Must not know what they are given for.

use judge_event::{Fate, Part};

use crate::import::draft::Draft;
use crate::import::draft::naming::listed;

/// The most points that anything is worth.
pub(crate) const MOST_POINTS: f64 = 1e9;

/// Has everything that is worth what nothing can be worth, such as fewer than no points, be worth none, and tells it. What has points
/// comes with a name for people.
pub(crate) fn bounded<'p>(all: impl IntoIterator<Item = (String, &'p mut f64)>, draft: &mut Draft) {
    let is_possible = |points: &f64| (0.0..=MOST_POINTS).contains(points);
    let wrong: Vec<String> = { all.into_iter() }
        .filter(|(_, points)| !is_possible(points))
        .map(|(name, points)| {
            *points = 0.0;
            name
        })
        .collect();
    if !wrong.is_empty() {
        let text = format!(
            "the points of {}: expected a number from 0 to {MOST_POINTS:e}, found none; they are worth nothing",
            listed(&wrong)
        );
        draft.say(Fate::Lost, Part::Groups, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_nothing_can_be_worth_are_none_and_told_together() {
        let mut draft = Draft::default();
        let mut all = [5.0, -1.0, f64::NAN, 1e300, f64::INFINITY, 0.5];
        bounded(all.iter_mut().zip(1..).map(|(points, number)| (format!("subtask {number}"), points)), &mut draft);
        assert_eq!(all, [5.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
        let (_, remarks) = draft.finish("here");
        let said = "the points of `subtask 2`, `subtask 3`, `subtask 4`, `subtask 5`: expected a number from 0 to 1e9, found none; they \
                    are worth nothing";
        assert!(remarks.iter().any(|remark| remark.text == said), "{remarks:?}");
    }
}
