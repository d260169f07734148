//! Expectations of the legacy format as rules of `submissions.yaml`.
//!
//! Responsible for what is expected of submissions whose directories 2025-09 does not know, or
//! knows otherwise. Must not judge any.

use std::collections::BTreeMap;
use std::path::Path;

use judge_event::{Fate, Part};
use judge_model::{Submission, Verdict};
use judge_package::LoadedPackage;
use judge_package::yaml::to_text;
use serde::Serialize;

use super::steps::Upgrade;

/// The directories that mean something in 2025-09.
const KNOWN: [&str; 6] = [
    "accepted",
    "rejected",
    "wrong_answer",
    "time_limit_exceeded",
    "run_time_error",
    "brute_force",
];

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
        let language = language_of(submission);
        if KNOWN.contains(&directory) {
            if language.is_some() {
                rules.insert(
                    submission.id.clone(),
                    DeclaredRule {
                        language,
                        ..DeclaredRule::default()
                    },
                );
            }
            continue;
        }
        // Nothing is expected of those in directories of the author's own, before and after.
        if submission.expectations.is_empty() {
            continue;
        }
        if directory == PARTIAL {
            let text = "has to pass at least one test case; that it is accepted with fewer points than the maximum is no \
                        longer expected of it";
            upgrade.say(
                Fate::Lost,
                Part::Solutions,
                &format!("submissions/{}", submission.id),
                text,
            );
        }
        match rule_of(submission) {
            Some(rule) => {
                drop(rules.insert(submission.id.clone(), DeclaredRule { language, ..rule }));
            }
            None => {
                let text = "has an expectation that 2025-09 cannot express: it has none now";
                upgrade.say(
                    Fate::Lost,
                    Part::Solutions,
                    &format!("submissions/{}", submission.id),
                    text,
                );
            }
        }
    }
    if problem
        .submissions
        .iter()
        .any(|submission| !submission.id.starts_with("accepted/"))
    {
        let text = "are judged to the end: a submission of `wrong_answer` must not crash on a later test case";
        upgrade.say(Fate::Changed, Part::Solutions, "submissions", text);
    }
    report_inferred(loaded, upgrade);
    if rules.is_empty() {
        return;
    }
    if problem
        .directory
        .join("submissions/submissions.yaml")
        .exists()
    {
        let text = "is there already; it stays, and these are not in it: ";
        let ids: Vec<String> = rules.keys().map(|id| format!("`{id}`")).collect();
        let place = "submissions/submissions.yaml";
        return upgrade.say(
            Fate::Lost,
            Part::Solutions,
            place,
            format!("{text}{}", ids.join(", ")),
        );
    }
    upgrade
        .texts
        .insert("submissions/submissions.yaml".into(), to_text(&rules));
}

/// The language, where the file's first line says it, which it does in the legacy format alone.
/// Source: legacy, "Programs".
fn language_of(submission: &Submission) -> Option<&'static str> {
    const PYTHON_2: &str = "python2";
    let by_extension = |source: &Path| {
        source
            .extension()
            .is_some_and(|extension| extension == "py2")
    };
    let is_python_2 = submission
        .language
        .as_ref()
        .is_some_and(|language| language.0 == PYTHON_2);
    (is_python_2 && !submission.sources.iter().any(|source| by_extension(source)))
        .then_some(PYTHON_2)
}

/// Reports that a time limit that is not stated comes from other submissions (2025-09, "Timelimit
/// inference").
fn report_inferred(loaded: &LoadedPackage, upgrade: &mut Upgrade) {
    let problem = &loaded.problem;
    let is_new = |submission: &Submission| {
        ["wrong_answer/", "run_time_error/"]
            .iter()
            .any(|of| submission.id.starts_with(of))
    };
    if !upgrade.is_draft
        && problem.limits.time_limit.is_none()
        && problem.submissions.iter().any(is_new)
    {
        let text = "is inferred from all submissions that must not be too slow, and no more from accepted ones alone, so that it \
                    may become longer: state it";
        upgrade.say(Fate::Changed, Part::Limits, "limits.time_limit", text);
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
    if submission.id.split('/').next() == Some(PARTIAL) {
        // Accepted as a whole, and rejected by single test cases: no rule says that of all
        // test cases together.
        let required = codes(&ORDER[..1]);
        return Some(DeclaredRule {
            permitted: codes(&ORDER),
            required,
            ..DeclaredRule::default()
        });
    }
    let rule = submission.expectations.first()?;
    let sets = [&rule.whole, &rule.required, &rule.permitted];
    let set = sets.into_iter().find(|set| !set.is_empty())?;
    // Limits on memory and output end a submission with RTE there.
    let is_crash = |verdict: &Verdict| {
        [Verdict::MemoryLimitExceeded, Verdict::OutputLimitExceeded].contains(verdict)
    };
    let mut verdicts: Vec<Verdict> = ORDER
        .into_iter()
        .filter(|of| set.contains(of) || *of == Verdict::RunTimeError && set.iter().any(is_crash))
        .collect();
    if verdicts.is_empty() {
        return None;
    }
    if verdicts.contains(&Verdict::Accepted) {
        return Some(DeclaredRule {
            permitted: codes(&verdicts),
            ..DeclaredRule::default()
        });
    }
    let required = codes(&verdicts);
    verdicts.insert(0, Verdict::Accepted);
    Some(DeclaredRule {
        permitted: codes(&verdicts),
        required,
        ..DeclaredRule::default()
    })
}
