//! Converts `testdata.yaml` of the legacy format to `test_group.yaml` of 2025-09.
//!
//! Responsible for validator arguments and scores. Must not know other parts of a package.

use std::collections::BTreeMap;
use std::path::PathBuf;

use judge_event::Part;
use judge_model::{GroupSettings, LegacyGroup, Problem, Score, TestGroup};
use judge_package::yaml::{Document, to_text};
use judge_package::{InputValidatorArgs, LoadedPackage};
use serde::Serialize;

use super::steps::Upgrade;

/// The keys of a `test_group.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct GroupYaml {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_aggregation: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    output_validator_args: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    input_validator_args: Vec<String>,
}

pub(super) fn upgrade(loaded: &LoadedPackage, document: &Document, upgrade: &mut Upgrade) {
    let problem = &loaded.problem;
    if upgrade.is_draft {
        convert_case_arguments(problem, upgrade);
        let is_old = |group: &TestGroup| matches!(group.settings, GroupSettings::Legacy(_));
        let has_flags = document
            .root()
            .entries()
            .is_some_and(|entries| entries.iter().any(|entry| entry.name == "validator_flags"));
        if !problem.test_groups.iter().any(is_old) && !has_flags {
            return;
        }
        if problem.directory.join("data/test_group.yaml").exists() {
            let text =
                "exists, and `validator_flags` too: add these to it as `output_validator_args`";
            return upgrade
                .remarks
                .refused(Part::Checker, "data/test_group.yaml", text);
        }
    }
    let mut groups = arguments(loaded, upgrade);
    if problem.grading.scores() {
        scores(problem, &mut groups, upgrade);
    }
    for (directory, group) in groups {
        if group != GroupYaml::default() || problem.grading.scores() {
            let path = PathBuf::from("data")
                .join(&directory)
                .join("test_group.yaml");
            let text = match group == GroupYaml::default() {
                true => String::new(),
                false => to_text(&group),
            };
            upgrade.texts.insert(path, text);
        }
    }
    let mut directories: Vec<String> = problem
        .test_cases
        .iter()
        .map(|case| directory_of(&case.id))
        .collect();
    directories.extend(["".to_owned(), "secret".to_owned(), "sample".to_owned()]);
    directories.extend(problem.test_groups.iter().map(|group| group.id.clone()));
    for directory in directories {
        let file = PathBuf::from("data").join(directory).join("testdata.yaml");
        if problem.directory.join(&file).is_file() {
            upgrade.removals.insert(file);
        }
    }
}

fn directory_of(id: &str) -> String {
    id.rsplit_once('/')
        .map_or("", |(directory, _)| directory)
        .to_owned()
}

/// Converts the arguments of submissions, which drafts have in separate files. Source:
/// 2023-07-draft, "Input".
fn convert_case_arguments(problem: &Problem, upgrade: &mut Upgrade) {
    let cases = problem.test_cases.iter();
    for case in cases.filter(|case| !case.args.is_empty()) {
        let file = |extension: &str| PathBuf::from("data").join(format!("{}.{extension}", case.id));
        let (args, yaml) = (file("args"), file("yaml"));
        if !problem.directory.join(&args).is_file() {
            continue;
        }
        if problem.directory.join(&yaml).exists() {
            let text = "exists next to a file with arguments: add these to it as `args`";
            upgrade
                .remarks
                .refused(Part::Tests, yaml.display().to_string(), text);
            continue;
        }
        let text = to_text(&BTreeMap::from([("args", &case.args)]));
        upgrade.texts.insert(yaml, text);
        upgrade.removals.insert(args);
    }
}

/// Returns the validator arguments in each directory with test cases.
fn arguments(loaded: &LoadedPackage, upgrade: &mut Upgrade) -> BTreeMap<String, GroupYaml> {
    let problem = &loaded.problem;
    let mut groups: BTreeMap<String, GroupYaml> = BTreeMap::new();
    for case in &problem.test_cases {
        let own = loaded.input_validator_args.get(&case.id);
        let mut inputs: Vec<Vec<String>> = problem
            .input_validators
            .iter()
            .map(|program| InputValidatorArgs::command_line(own, &program.name, &[]))
            .collect();
        inputs.dedup();
        if inputs.len() > 1 {
            let place = format!("data/{}", case.id);
            upgrade.remarks.refused(
                Part::Validators,
                &place,
                "has different arguments for each input validator",
            );
        }
        let group = GroupYaml {
            output_validator_args: case.output_validator_args.all.clone(),
            input_validator_args: inputs.pop().unwrap_or_default(),
            ..GroupYaml::default()
        };
        groups.insert(directory_of(&case.id), group);
    }
    groups
}

/// Returns the mode in which the default grader combines scores. Source: legacy, "Default Grader".
fn mode(group: &LegacyGroup) -> &str {
    let is_mode = |flag: &&String| ["sum", "avg", "min", "max"].contains(&flag.as_str());
    group
        .grader_flags
        .iter()
        .rfind(is_mode)
        .map_or("sum", String::as_str)
}

fn scores(problem: &Problem, groups: &mut BTreeMap<String, GroupYaml>, upgrade: &mut Upgrade) {
    let legacy = |group: &TestGroup| match &group.settings {
        GroupSettings::Legacy(settings) => Some(settings.clone()),
        _ => None,
    };
    let mut all = problem.test_groups.iter();
    let sample = all.find(|group| group.id == "sample").and_then(legacy);
    let is_outer = problem
        .test_groups
        .iter()
        .any(|group| group.id.starts_with("secret/"));
    let mut total = 0;
    for group in problem
        .test_groups
        .iter()
        .filter(|group| group.id.starts_with("secret"))
    {
        let (Some(settings), place) = (legacy(group), format!("data/{}", group.id)) else {
            continue;
        };
        if settings.custom {
            upgrade.remarks.refused(
                Part::Groups,
                &place,
                "is graded by a program, which 2025-09 does not support",
            );
        }
        if group.id == "secret" && is_outer {
            if mode(&settings) != "sum" {
                upgrade.remarks.refused(
                    Part::Groups,
                    &place,
                    "does not add up the scores of its groups",
                );
            }
            continue;
        }
        if group.id.matches('/').count() > 1 {
            upgrade.remarks.refused(
                Part::Groups,
                &place,
                "is nested in another group; 2025-09 has one level of groups",
            );
            continue;
        }
        let cases = problem
            .test_cases
            .iter()
            .filter(|case| directory_of(&case.id) == group.id)
            .count();
        match converted_score(&settings, cases) {
            Ok((max_score, aggregation)) => {
                total += max_score;
                let yaml = groups.entry(group.id.clone()).or_default();
                (yaml.max_score, yaml.score_aggregation) = (Some(max_score), Some(aggregation));
            }
            Err(why) => upgrade.remarks.refused(Part::Groups, &place, why),
        }
    }
    if is_outer {
        groups.entry("secret".to_owned()).or_default().max_score = Some(total);
    }
    if sample.is_some_and(|sample| sample.accept_score != Score(0.0)) && !ignores_samples(problem) {
        upgrade.remarks.refused(
            Part::Groups,
            "data/sample",
            "has points, which samples cannot have in 2025-09",
        );
    }
    let text = "is graded only by scores: verdicts of partial solutions may change";
    upgrade.remarks.changed(Part::Groups, "data", text);
}

fn ignores_samples(problem: &Problem) -> bool {
    let ignores = |group: &TestGroup| match &group.settings {
        GroupSettings::Legacy(settings) => {
            let mut flags = settings.grader_flags.iter();
            flags.any(|flag| flag == "ignore_sample")
        }
        _ => false,
    };
    problem.test_groups.iter().any(ignores)
}

/// Returns the maximum score of a group with this number of test cases, and its aggregation.
fn converted_score(
    settings: &LegacyGroup,
    cases: usize,
) -> Result<(u64, &'static str), &'static str> {
    let whole = |score: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is an integer and not negative"
        )]
        let number = score as u64;
        (score >= 0.0 && score.fract() == 0.0 && score < 1e15).then_some(number)
    };
    let fraction = "has a score that is not an integer, which 2025-09 requires";
    if settings.reject_score != Score(0.0) {
        return Err("has points when it is rejected, which 2025-09 does not support");
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of test cases are far below 2^53"
    )]
    let cases = cases as f64;
    match mode(settings) {
        "min" => Ok((whole(settings.accept_score.0).ok_or(fraction)?, "pass-fail")),
        "sum" if settings.goes_on || cases <= 1.0 => Ok((
            whole(settings.accept_score.0 * cases).ok_or(fraction)?,
            "sum",
        )),
        "sum" => Err("adds up scores until a rejection, which 2025-09 does not support"),
        _ => Err("takes the maximum or the mean of scores, which 2025-09 does not support"),
    }
}
