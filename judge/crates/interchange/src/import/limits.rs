//! Limits of a problem, and those that a format has for parts of it: single test cases, groups, languages.
//!
//! Responsible for the one limit that a package has in their place, and for telling those that say nothing. Must not know how a
//! format writes them down.

use judge_event::{Fate, Part};

use crate::import::draft::Draft;

/// The letters of a limit that are told: it may be a text without end.
const TOLD: usize = 40;

/// A limit as it is written for a key, read by `of`; one that it makes nothing of is told.
pub(crate) fn limit<T>(
    written: Option<String>,
    key: &str,
    of: impl FnOnce(&str) -> Option<T>,
    draft: &mut Draft,
) -> Option<T> {
    let written = written?;
    let read = of(&written);
    if read.is_none() {
        let shown: String = written.chars().take(TOLD).collect();
        draft.say(Fate::Lost, Part::Limits, format!("`{key}` is `{shown}`, which is not a valid limit"));
    }
    read
}

/// A number that is more than nothing.
pub(crate) fn positive(written: &str) -> Option<f64> {
    written.trim().parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite())
}

/// A whole number that is more than nothing.
pub(crate) fn positive_integer(written: &str) -> Option<u64> {
    written.trim().parse().ok().filter(|number| *number > 0)
}

/// Has the largest of some limits hold for everything, since a package has one: a smaller one would reject what is accepted
/// there. `times` are in seconds, `memories` in MiB, and those that say nothing are `None`; `what` names them as the format does.
pub(crate) fn widen(
    times: impl IntoIterator<Item = Option<f64>>,
    memories: impl IntoIterator<Item = Option<u64>>,
    what: &str,
    draft: &mut Draft,
) {
    let mut nothing = 0;
    let mut count = |is_nothing: bool| nothing += u32::from(is_nothing);
    let time = times.into_iter().inspect(|of| count(of.is_none())).flatten().fold(None, larger);
    let memory = memories.into_iter().inspect(|of| count(of.is_none())).flatten().max();
    if nothing > 0 {
        draft.say(Fate::Lost, Part::Limits, format!("{what}: {nothing} of them are no limits"));
    }
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
        widen([Some(0.5), Some(5.0)], [Some(64)], "limits of subtasks", &mut draft);
        assert_eq!((draft.metadata.time_limit, draft.metadata.memory), (Some(5.0), Some(256)));
        widen([], [], "nothing", &mut draft);
        widen([None, Some(1.0)], [None], "limits of tests", &mut draft);
        let (_, remarks) = draft.finish("here");
        let texts: Vec<&str> = remarks.iter().map(|remark| remark.text.as_str()).collect();
        assert_eq!(texts.len(), 3, "{texts:?}");
        assert!(texts[0].ends_with("the largest holds for all, 5 s and 256 MiB"), "{texts:?}");
        assert!(texts[2].ends_with("limits of tests: 2 of them are no limits"), "{texts:?}");
    }

    #[test]
    fn what_is_no_limit_is_told_in_short() {
        for (written, said) in
            [("NaN", "NaN"), ("-1", "-1"), ("1e999", "1e999"), ("0", "0"), (&"9x".repeat(99), &"9x".repeat(20))]
        {
            let mut draft = Draft::default();
            assert_eq!(limit(Some(written.to_owned()), "time", positive, &mut draft), None);
            let (_, remarks) = draft.finish("here");
            assert_eq!(remarks[0].text, format!("`time` is `{said}`, which is not a valid limit"));
        }
        let mut draft = Draft::default();
        assert_eq!(limit(Some(" 2.5 ".to_owned()), "time", positive, &mut draft), Some(2.5));
        assert_eq!(limit(Some("64".to_owned()), "memory", positive_integer, &mut draft), Some(64));
        assert_eq!(limit(None, "time", positive, &mut draft), None);
    }
}
