//! Test data of 2025-09 in the layout of the legacy format: the same files, with a `testdata.yaml`
//! for each directory.
//!
//! Responsible for validator arguments and the grading of groups. Must not know other parts of an
//! archive.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use judge_event::Part;
use judge_model::{
    Aggregation, GroupSettings, OutputValidator, Problem, ScoreSettings, TestCase, TestGroup,
};
use judge_package::{InputValidatorArgs, LoadedPackage};

use super::archive::Archive;
use super::legacy::LegacyJudge;
use super::metadata::quoted;
use super::programs::{ProgramFile, read_files};
use crate::remarks::Remarks;

/// The flags of the validators in a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Flags {
    output: String,
    input: String,
}

/// Puts the data of a problem into an archive. Returns the flags of the output validator, if there
/// are any and they are the same for every test case.
pub(super) fn put_legacy_data(
    loaded: &LoadedPackage,
    target: LegacyJudge,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> Option<String> {
    let problem = &loaded.problem;
    for case in &problem.test_cases {
        if !case.args.is_empty() || case.files.is_some() {
            remarks.refused(
                Part::Tests,
                format!("data/{}", case.id),
                "has its own arguments or files",
            );
        }
        put_case(archive, &case.id, case);
    }
    put_sample_extras(loaded, archive, remarks);
    let flags = flags_by_directory(loaded, remarks);
    // Flags that are the same everywhere go to `validator_flags` of `problem.yaml`, which every
    // reader of the legacy format supports.
    let output: Vec<&String> = flags.values().map(|flags| &flags.output).collect();
    let same_output = output
        .first()
        .filter(|first| output.iter().all(|flags| flags == *first))
        .map(ToString::to_string);
    let mut documents: BTreeMap<String, String> = BTreeMap::new();
    for (directory, flags) in &flags {
        let document = documents.entry(directory.clone()).or_default();
        if same_output.is_none() {
            let _ = writeln!(
                document,
                "output_validator_flags: {}",
                quoted(&flags.output)
            );
        }
        if !flags.input.is_empty() {
            let _ = writeln!(document, "input_validator_flags: {}", quoted(&flags.input));
        }
    }
    if problem.grading.scores() {
        grade(loaded, target, archive, &mut documents, remarks);
    }
    for (directory, text) in documents.into_iter().filter(|(_, text)| !text.is_empty()) {
        let place = if directory.is_empty() {
            "data".to_owned()
        } else {
            format!("data/{directory}")
        };
        archive.put(format!("{place}/testdata.yaml"), text);
    }
    same_output.filter(|flags| !flags.is_empty())
}

fn put_case(archive: &mut Archive, id: &str, case: &TestCase) {
    archive.put_file(format!("data/{id}.in"), &case.input);
    archive.put_file(format!("data/{id}.ans"), &case.answer);
}

/// Puts the displayed interactions of samples, and reports files that the legacy format does not
/// have.
fn put_sample_extras(loaded: &LoadedPackage, archive: &mut Archive, remarks: &mut Remarks) {
    let directory = loaded.problem.directory.join("data/sample");
    let Ok(entries) = fs::read_dir(&directory) else {
        return;
    };
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        if name.ends_with(".interaction") {
            archive.put_file(format!("data/sample/{name}"), &entry.path());
        } else if [".statement", ".download"]
            .iter()
            .any(|extension| name.ends_with(extension))
        {
            let message = "is left out: samples are shown exactly as judged";
            remarks.lost(Part::Statement, format!("data/sample/{name}"), message);
        }
    }
}

fn directory_of(id: &str) -> &str {
    id.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Returns the flags of each directory, since the legacy format has no flags for single test cases.
fn flags_by_directory(loaded: &LoadedPackage, remarks: &mut Remarks) -> BTreeMap<String, Flags> {
    let mut by_directory: BTreeMap<String, Flags> = BTreeMap::new();
    for case in &loaded.problem.test_cases {
        let about = format!("data/{}", case.id);
        let flags = Flags {
            output: joined(&case.output_validator_args.all, &about, remarks),
            input: input_flags(loaded, case, &about, remarks),
        };
        let known = by_directory
            .entry(directory_of(&case.id).to_owned())
            .or_insert_with(|| flags.clone());
        // The first test case of a directory has set the flags. Different flags cannot be
        // expressed.
        if *known != flags {
            let message = "has different validator arguments than others in its directory; expected the same for a whole directory";
            remarks.refused(Part::Checker, about, message);
        }
    }
    by_directory
}

fn input_flags(
    loaded: &LoadedPackage,
    case: &TestCase,
    about: &str,
    remarks: &mut Remarks,
) -> String {
    let own = loaded.input_validator_args.get(&case.id);
    let mut sets: Vec<Vec<String>> = loaded
        .problem
        .input_validators
        .iter()
        .map(|program| InputValidatorArgs::command_line(own, &program.name, &[]))
        .collect();
    // The legacy format has one set of flags for all input validators, so all sets must be equal.
    sets.dedup();
    match &sets[..] {
        [] => String::new(),
        [only] => joined(only, about, remarks),
        _ => {
            remarks.refused(
                Part::Checker,
                about,
                "has different arguments for each input validator",
            );
            String::new()
        }
    }
}

fn joined(args: &[String], about: &str, remarks: &mut Remarks) -> String {
    if args
        .iter()
        .any(|arg| arg.is_empty() || arg.contains(char::is_whitespace))
    {
        remarks.refused(
            Part::Checker,
            about,
            "has an argument with a space, which the legacy format would split",
        );
    }
    args.join(" ")
}

/// Returns the groups with points, except for the samples.
fn scored_groups(problem: &Problem) -> Vec<(&TestGroup, &ScoreSettings)> {
    let scored = problem
        .test_groups
        .iter()
        .filter_map(|group| match &group.settings {
            GroupSettings::Scores(settings) if group.id != "sample" => Some((group, settings)),
            _ => None,
        });
    scored.collect()
}

/// Writes the settings for grading groups.
fn grade(
    loaded: &LoadedPackage,
    target: LegacyJudge,
    archive: &mut Archive,
    documents: &mut BTreeMap<String, String>,
    remarks: &mut Remarks,
) {
    let problem = &loaded.problem;
    let groups = scored_groups(problem);
    let mut total = 0;
    for (group, settings) in &groups {
        let about = format!("data/{}", group.id);
        if settings.static_validation.is_some() {
            remarks.refused(Part::Metadata, &about, "has points from a static validator");
        }
        let Some(max_score) = settings.max_score else {
            remarks.refused(Part::Groups, about, "has no bound for its score");
            continue;
        };
        let is_outer = group.id == "secret" && groups.len() > 1;
        if group.id == "secret" {
            total = max_score;
        }
        let text = documents.entry(group.id.clone()).or_default();
        if is_outer {
            if settings.aggregation != Aggregation::Sum {
                remarks.refused(
                    Part::Groups,
                    &about,
                    "does not add up the scores of its groups",
                );
            }
            text.push_str(&graded("sum", target, None, max_score));
            continue;
        }
        let cases = copy_required(loaded, group, settings, archive, remarks);
        let own = problem
            .test_cases
            .iter()
            .filter(|case| case.id.starts_with(&format!("{}/", group.id)))
            .count();
        if settings.aggregation != Aggregation::PassFail && may_write_score(loaded) {
            remarks.refused(
                Part::Groups,
                &about,
                "adds up scores, and the output validator may write its own",
            );
        }
        match settings.aggregation {
            Aggregation::PassFail | Aggregation::Min => {
                // The default grader takes the minimum. With a rejected test case it is 0, so the
                // group is all or nothing.
                text.push_str(&graded("min", target, Some(float(max_score)), max_score));
            }
            Aggregation::Sum => {
                if cases > 0 {
                    remarks.refused(
                        Part::Groups,
                        &about,
                        "adds up scores and requires other groups",
                    );
                }
                // `maybeSetScoringResult` in DOMjudge's SubmissionService.php.
                if target == LegacyJudge::Domjudge && own > 1 {
                    let message = "adds up the scores of its test cases: DOMjudge counts `accept_score` once, if all of them are accepted";
                    remarks.changed(Part::Groups, &about, message);
                }
                // In 2025-09, the score of a group is distributed among its test cases. In legacy,
                // each test case has its own.
                let each = float(max_score) / float(own.max(1) as u64);
                text.push_str(&graded("sum", target, Some(each), max_score));
            }
        }
    }
    // `ignore_sample` excludes the samples from the result. With `on_reject: continue`, the groups
    // after a rejected one count too.
    let flags = "on_reject: continue\ngrader_flags: ignore_sample first_error\n";
    let _ = writeln!(
        documents.entry(String::new()).or_default(),
        "{flags}range: 0 {total}"
    );
    if documents.contains_key("sample") || problem.test_cases.iter().any(TestCase::is_sample) {
        documents.entry("sample".to_owned()).or_default().push_str(
            "on_reject: continue\ngrader_flags: first_error\naccept_score: 0\nrange: 0 0\n",
        );
    }
    report_scores(problem, target, remarks);
}

/// Reports how the target treats rejected submissions with a score.
fn report_scores(problem: &Problem, target: LegacyJudge, remarks: &mut Remarks) {
    if target == LegacyJudge::Domjudge && problem.test_cases.iter().any(TestCase::is_sample) {
        let message = "accepts submissions that fail only the samples, since these have no score";
        remarks.changed(Part::Groups, "data", message);
    }
    if target == LegacyJudge::Kattis {
        let message = "accepts partial solutions with their score: Kattis gives no score to rejected submissions";
        remarks.changed(Part::Groups, "data", message);
    }
}

/// True if the output validator may write a score, which its source would mention.
fn may_write_score(loaded: &LoadedPackage) -> bool {
    let OutputValidator::Custom(programs) = &loaded.problem.output_validator else {
        return false;
    };
    // testlib itself contains these words.
    let mentions_score = |file: &ProgramFile| {
        let text = String::from_utf8_lossy(&file.bytes);
        let mut words = ["score", "quitp", "points"].into_iter();
        !file.name.ends_with("testlib.h") && words.any(|word| text.contains(word))
    };
    programs.iter().any(|program| {
        let files = read_files(&program.path, &[]).unwrap_or_default();
        files.iter().any(mentions_score)
    })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "scores and counts are far below 2^53"
)]
fn float(number: u64) -> f64 {
    number as f64
}

/// Returns the settings of a group. If it adds up scores, judging continues after a rejection.
fn graded(mode: &str, target: LegacyJudge, accept_score: Option<f64>, max_score: u64) -> String {
    let adds_up = mode == "sum";
    let mut flags = vec![mode, "first_error"];
    if adds_up && target == LegacyJudge::Kattis {
        // Kattis gives no score to a rejected group, so a group that adds up scores is accepted if
        // any of its parts is.
        flags.push("accept_if_any_accepted");
    }
    let on_reject = if adds_up { "continue" } else { "break" };
    let mut text = format!(
        "on_reject: {on_reject}\ngrader_flags: {}\nrange: 0 {max_score}\n",
        flags.join(" ")
    );
    if let Some(score) = accept_score {
        let _ = writeln!(text, "accept_score: {score}");
    }
    text
}

/// Returns the groups that a group requires directly or indirectly, in package order.
fn required_by(problem: &Problem, settings: &ScoreSettings) -> BTreeSet<String> {
    let mut required = BTreeSet::new();
    let mut left: Vec<String> = settings.require_pass.clone();
    while let Some(id) = left.pop() {
        let group = problem.test_groups.iter().find(|group| group.id == id);
        if let Some(GroupSettings::Scores(settings)) = group.map(|group| &group.settings) {
            // Visited groups are skipped, so the search ends even if requirements form a cycle.
            left.extend(
                settings
                    .require_pass
                    .iter()
                    .filter(|id| !required.contains(*id))
                    .cloned(),
            );
        }
        required.insert(id);
    }
    required
}

/// Copies the test cases of required groups into a group, since the legacy format has no
/// requirements. Returns the number of copies.
fn copy_required(
    loaded: &LoadedPackage,
    group: &TestGroup,
    settings: &ScoreSettings,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> usize {
    let mut count = 0;
    for required in &required_by(&loaded.problem, settings) {
        for case in loaded
            .problem
            .test_cases
            .iter()
            .filter(|case| case.id.starts_with(&format!("{required}/")))
        {
            // The names sort before the group's own test cases.
            let name = format!("{}/0required-{}", group.id, case.id.replace('/', "-"));
            put_case(archive, &name, case);
            count += 1;
        }
        let message = format!("also contains the test cases of `{required}`, which it requires");
        remarks.changed(Part::Groups, format!("data/{}", group.id), message);
    }
    count
}
