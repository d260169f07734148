//! Limits that a format has for parts of a problem: single test cases, groups, languages.
//!
//! Responsible for the one limit that a package has in their place. Must not know how a format writes them down.

use judge_event::{Fate, Part};

use crate::import::draft::Draft;

/// Has the largest of some limits hold for everything, since a package has one: a smaller one would reject what is accepted
/// there. `times` are in seconds, `memories` in MiB; `what` names them as the format does.
pub(crate) fn widen(
    times: impl IntoIterator<Item = f64>,
    memories: impl IntoIterator<Item = u64>,
    what: &str,
    draft: &mut Draft,
) {
    let time = times.into_iter().filter(|of| of.is_finite() && *of > 0.0).fold(None, larger);
    let memory = memories.into_iter().filter(|of| *of > 0).max();
    let mut told = Vec::new();
    if let Some(time) = time {
        let most = larger(draft.metadata.time_limit, time);
        told.extend(most.map(|most| format!("{most} s")));
        draft.metadata.time_limit = most;
    }
    if let Some(memory) = memory {
        let most = draft.metadata.memory.unwrap_or(0).max(memory);
        told.push(format!("{most} MiB"));
        draft.metadata.memory = Some(most);
    }
    if !told.is_empty() {
        let text = format!("{what}: a package has one limit, and the largest holds for all, {}", told.join(" and "));
        draft.say(Fate::Changed, Part::Limits, text);
    }
}

fn larger(one: Option<f64>, other: f64) -> Option<f64> {
    Some(one.map_or(other, |one| one.max(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_limit_holds_for_all_and_is_told() {
        let mut draft = Draft::default();
        (draft.metadata.time_limit, draft.metadata.memory) = (Some(1.0), Some(256));
        widen([0.5, 5.0, f64::NAN], [64], "limits of subtasks", &mut draft);
        assert_eq!((draft.metadata.time_limit, draft.metadata.memory), (Some(5.0), Some(256)));
        widen([], [], "nothing", &mut draft);
        let (_, remarks) = draft.finish("here");
        assert_eq!(remarks.len(), 1);
        assert!(remarks[0].text.ends_with("the largest holds for all, 5 s and 256 MiB"), "{}", remarks[0].text);
    }
}
