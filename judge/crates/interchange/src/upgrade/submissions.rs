//! Converts expectations of the legacy format to rules of `submissions.yaml`.
//!
//! Responsible for submissions whose directories have no meaning or another meaning in 2025-09.
//! Must not judge submissions.

use std::collections::BTreeMap;
use std::path::PathBuf;

use judge_event::Part;
use judge_model::{Expectation, Submission, Verdict};
use judge_package::LoadedPackage;
use judge_package::yaml::to_text;
use serde::Serialize;

use super::steps::Upgrade;

/// The file with the rules for submissions.
const RULES: &str = "submissions/submissions.yaml";

/// The directory of submissions that get some of the points. Source: legacy, "Example submissions".
const PARTIAL: &str = "partially_accepted";

/// The keys of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
struct DeclaredRule {
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    permitted: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    required: Vec<&'static str>,
}

pub(super) fn upgrade(loaded: &LoadedPackage, upgrade: &mut Upgrade) {
    let problem = &loaded.problem;
    let mut rules: BTreeMap<String, DeclaredRule> = BTreeMap::new();
    let own = problem
        .submissions
        .iter()
        .filter(|submission| submission.path.starts_with(&problem.directory));
    for submission in own {
        let directory = submission.id.split('/').next().unwrap_or_default();
        let place = format!("submissions/{}", submission.id);
        let is_known = Expectation::of_directory(directory).is_some();
        // Submissions in other directories have no expectation in both formats.
        if !is_known && submission.expectations.is_empty() {
            continue;
        }
        if directory == PARTIAL {
            let text = "must pass at least one test case, but is no longer required to be accepted with fewer points than the maximum";
            upgrade.remarks.lost(Part::Solutions, &place, text);
        }
        let rule = match is_known {
            true => Some(DeclaredRule::default()),
            false => rule_of(submission),
        };
        let Some(mut rule) = rule else {
            let text = "has an expectation that 2025-09 cannot express: the expectation is dropped";
            upgrade.remarks.lost(Part::Solutions, place, text);
            continue;
        };
        rule.language = language_of(submission);
        if rule != DeclaredRule::default() {
            rules.insert(submission.id.clone(), rule);
        }
    }
    if problem
        .submissions
        .iter()
        .any(|submission| !submission.id.starts_with("accepted/"))
    {
        let text = "are judged on all test cases: a submission in `wrong_answer` must not crash on a later one";
        upgrade
            .remarks
            .changed(Part::Solutions, "submissions", text);
    }
    report_inferred(loaded, upgrade);
    if rules.is_empty() {
        return;
    }
    if problem.directory.join(RULES).exists() {
        let text = "exists already and is not changed; these are missing in it: ";
        let ids: Vec<String> = rules.keys().map(|id| format!("`{id}`")).collect();
        let text = format!("{text}{}", ids.join(", "));
        return upgrade.remarks.lost(Part::Solutions, RULES, text);
    }
    upgrade.texts.insert(RULES.into(), to_text(&rules));
}

/// Returns Python 2 if only the first line of a file says so, which counts only in the legacy
/// format. Source: legacy, "Programs".
fn language_of(submission: &Submission) -> Option<&'static str> {
    const PYTHON_2: &str = "python2";
    let has_extension = |source: &PathBuf| source.extension().is_some_and(|found| found == "py2");
    let language = submission.language.as_ref();
    let is_python_2 = language.is_some_and(|language| language.0 == PYTHON_2);
    (is_python_2 && !submission.sources.iter().any(has_extension)).then_some(PYTHON_2)
}

/// Reports that an unstated time limit is inferred from other submissions in 2025-09 ("Timelimit
/// inference").
fn report_inferred(loaded: &LoadedPackage, upgrade: &mut Upgrade) {
    let problem = &loaded.problem;
    let is_new = |submission: &Submission| {
        ["wrong_answer/", "run_time_error/"]
            .iter()
            .any(|directory| submission.id.starts_with(directory))
    };
    if !upgrade.is_draft
        && problem.limits.time_limit.is_none()
        && problem.submissions.iter().any(is_new)
    {
        let text = "is inferred from all submissions that must not be too slow, not only from accepted ones, so it may increase: \
                    state it";
        upgrade
            .remarks
            .changed(Part::Limits, "limits.time_limit", text);
    }
}

fn rule_of(submission: &Submission) -> Option<DeclaredRule> {
    const ORDER: [Verdict; 4] = [
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::TimeLimitExceeded,
        Verdict::RunTimeError,
    ];
    let codes = |verdicts: &[Verdict]| verdicts.iter().map(|verdict| verdict.code()).collect();
    let rule = |permitted: &[Verdict], required: &[Verdict]| DeclaredRule {
        language: None,
        permitted: codes(permitted),
        required: codes(required),
    };
    if submission.id.split('/').next() == Some(PARTIAL) {
        // Such a submission is accepted as a whole although some test cases reject it. No rule can
        // express that.
        return Some(rule(&ORDER, &ORDER[..1]));
    }
    let expected = submission.expectations.first()?;
    let sets = [&expected.whole, &expected.required, &expected.permitted];
    let set = sets.into_iter().find(|set| !set.is_empty())?;
    // In 2025-09, exceeding the memory or output limit counts as RTE.
    let is_crash = |verdict: &Verdict| {
        [Verdict::MemoryLimitExceeded, Verdict::OutputLimitExceeded].contains(verdict)
    };
    let verdicts: Vec<Verdict> = ORDER
        .into_iter()
        .filter(|verdict| {
            set.contains(verdict) || *verdict == Verdict::RunTimeError && set.iter().any(is_crash)
        })
        .collect();
    if verdicts.is_empty() {
        return None;
    }
    if verdicts.contains(&Verdict::Accepted) {
        return Some(rule(&verdicts, &[]));
    }
    let permitted = [&[Verdict::Accepted], &verdicts[..]].concat();
    Some(rule(&permitted, &verdicts))
}
