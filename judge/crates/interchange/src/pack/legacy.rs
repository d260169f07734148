//! Archives in the legacy format for Kattis and DOMjudge.
//!
//! Responsible for the layout, and for reporting what these judges do not support. Must not know
//! how parts are converted.

use std::io;

use judge_event::Part;
use judge_model::{FormatVersion, GroupSettings, OutputValidator, Problem, Program, TestGroup};
use judge_package::yaml::{Document, Value, to_text};
use judge_package::{METADATA_FILE, Profile, built_in_languages, code, names};

use super::archive::{Archive, files_below};
use super::checker::has_arguments;
use super::data::put_legacy_data;
use super::metadata::legacy_metadata;
use super::old_metadata::for_kattis;
use super::programs::testlib_protocol::{Role, translate};
use super::programs::{
    PackedProgram, ProgramFile, directory_name, main_file, packed_program, put_files, read_files,
};
use super::submissions::put_submissions;
use super::{PackTarget, Package, statement};
use crate::remarks::Remarks;

pub(super) const KATTIS: PackTarget = PackTarget {
    profile: Profile::Kattis,
    is_package: true,
    has_directory: true,
    edition: Some("2021"),
    rewrites: &[code::WRITTEN_AS_ELSEWHERE, code::UNREAD_BY_KATTIS],
    ..PackTarget::new("kattis", "the legacy format", |package, remarks| {
        assemble(package, LegacyJudge::Kattis, remarks)
    })
};

pub(super) const DOMJUDGE: PackTarget = PackTarget {
    profile: Profile::DomJudge,
    is_package: true,
    takes_pdf: true,
    edition: Some("2015, unless its script names another"),
    ..PackTarget::new(
        "domjudge",
        "the legacy format with a time limit",
        |package, remarks| assemble(package, LegacyJudge::Domjudge, remarks),
    )
};

/// The judges that read the legacy format, each with its own rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LegacyJudge {
    Kattis,
    Domjudge,
}

/// Assembles the archive of a package for Kattis or DOMjudge.
fn assemble(
    package: &Package<'_>,
    target: LegacyJudge,
    remarks: &mut Remarks,
) -> io::Result<Archive> {
    let problem = &package.loaded.problem;
    let mut archive = Archive::default();
    refuse(problem, target, remarks);
    let flags = if problem.format == FormatVersion::V2025_09 {
        put_legacy_data(package.loaded, target, &mut archive, remarks)
    } else {
        put_legacy_package_data(problem, target, &mut archive, remarks)?;
        None
    };
    if problem.format == FormatVersion::V2025_09 {
        match legacy_metadata(problem, target, flags.as_deref(), remarks) {
            Ok(text) => archive.put("problem.yaml", text),
            Err(error) => remarks.refused(Part::Files, "problem.yaml", error.to_string()),
        }
    } else {
        put_old_metadata(problem, target, &mut archive, remarks);
    }
    // DOMjudge reads the limit from this file (ImportProblemService.php), and problemtools
    // prints it in the statement (ProblemsetMacros.py).
    if let Some(limit) = problem.limits.time_limit {
        archive.put(".timelimit", format!("{}\n", limit.as_secs_f64()));
    }
    put_input_validators(problem, target, &mut archive, remarks)?;
    put_output_validators(problem, target, &mut archive, remarks)?;
    put_included(problem, target, &mut archive, remarks)?;
    let directories: &[&str] = if accepts_grader(problem, target) {
        &["attachments", "graders"]
    } else {
        &["attachments"]
    };
    for directory in directories {
        for found in files_below(&problem.directory.join(directory))? {
            archive.put_found(format!("{directory}/{}", found.name), &found);
        }
    }
    if put_submissions(problem, target, &mut archive, remarks)? == 0 {
        remarks.refused(Part::Solutions, "submissions/accepted", "has no submission");
    }
    statement::put(package, target, &mut archive, remarks)?;
    report_left_out(problem, target, remarks);
    Ok(archive)
}

/// Puts the `problem.yaml` of a legacy package, without parts that Kattis refuses.
fn put_old_metadata(
    problem: &Problem,
    target: LegacyJudge,
    archive: &mut Archive,
    remarks: &mut Remarks,
) {
    let file = problem.directory.join(METADATA_FILE);
    let document = Document::read(&file)
        .ok()
        .filter(|_| target == LegacyJudge::Kattis);
    match document.and_then(|document| for_kattis(document.root().value(), problem, remarks)) {
        Some(text) => archive.put(METADATA_FILE, text),
        None => archive.put_file(METADATA_FILE, &file),
    }
}

/// False if Kattis refuses a grader, as in pass-fail problems. Custom graders are refused earlier.
fn accepts_grader(problem: &Problem, target: LegacyJudge) -> bool {
    let is_custom = |group: &TestGroup| matches!(&group.settings, GroupSettings::Legacy(settings) if settings.custom);
    target != LegacyJudge::Kattis
        || problem.grading.scores()
        || problem.test_groups.iter().any(is_custom)
}

/// Reports directories that are left out.
fn report_left_out(problem: &Problem, target: LegacyJudge, remarks: &mut Remarks) {
    let exists = |directory: &&str| problem.directory.join(directory).is_dir();
    if exists(&"graders") && !accepts_grader(problem, target) {
        remarks.lost(
            Part::Files,
            "graders",
            "is left out: no group uses it, and Kattis does not accept it",
        );
    }
    for directory in [
        "generators",
        "solution",
        "input_visualizer",
        "output_visualizer",
        "visualizers",
        "data/testing_tool_test",
    ] {
        if exists(&directory) {
            remarks.lost(
                Part::Files,
                directory,
                "is left out: the target does not read it",
            );
        }
    }
    let of_validators = ["invalid_input", "invalid_output", "valid_output"];
    for directory in of_validators
        .map(|name| format!("data/{name}"))
        .iter()
        .filter(|name| exists(&name.as_str()))
    {
        remarks.lost(
            Part::Validators,
            directory,
            "is left out: it tests validators",
        );
    }
}

/// Reports everything that the target cannot express.
fn refuse(problem: &Problem, target: LegacyJudge, remarks: &mut Remarks) {
    let is_2025_09 = problem.format == FormatVersion::V2025_09;
    let is_multi_pass =
        problem.passes > 1 && (target == LegacyJudge::Kattis || problem.interactive);
    let is_legacy = |group: &TestGroup| matches!(group.settings, GroupSettings::Legacy(_));
    for (applies, message) in [
        (
            problem.submit_answer,
            "is of type `submit-answer`, which the target does not support",
        ),
        (
            is_multi_pass && problem.interactive,
            "is an interactive multi-pass problem, which the target does not support",
        ),
        (
            is_multi_pass && !problem.interactive,
            "is a multi-pass problem, which the target does not support",
        ),
        (
            problem.interactive && problem.output_validator == OutputValidator::Default,
            "is interactive, but has no output validator",
        ),
        (
            problem.static_validator.is_some(),
            "has a static validator, which the target does not support",
        ),
        (
            is_2025_09 && problem.test_groups.iter().any(is_legacy),
            "is in a draft format with groups of the legacy format; `judge upgrade` converts it",
        ),
    ] {
        if applies {
            remarks.refused(Part::Metadata, METADATA_FILE, message);
        }
    }
    if problem.languages.is_some() {
        let message =
            "has `languages`, which is ignored: set it manually for the contest or the problem";
        remarks.lost(Part::Metadata, METADATA_FILE, message);
    }
    if is_2025_09 && !problem.allow_file_writing {
        let message = if states(problem, "allow_file_writing") {
            "forbids submissions to write files, but the target allows it"
        } else {
            "has no `allow_file_writing`, so submissions may not write files, but the target allows it"
        };
        remarks.lost(Part::Metadata, METADATA_FILE, message);
    }
    match (target, problem.limits.time_limit) {
        (LegacyJudge::Kattis, Some(limit)) => {
            let message = format!(
                "states a time limit of {} s; Kattis computes its own from the accepted submissions",
                limit.as_secs_f64()
            );
            remarks.lost(Part::Limits, "problem.yaml", message);
        }
        (LegacyJudge::Domjudge, None) => {
            let message = "states no `limits.time_limit`, and DOMjudge would use 10 s; `judge run` suggests one";
            remarks.refused(Part::Limits, "problem.yaml", message);
        }
        _ => {}
    }
    if target == LegacyJudge::Kattis && !names::is_short_name(&problem.name) {
        let message = "is not a valid name for Kattis; expected lower-case letters and digits only";
        remarks.refused(Part::Metadata, &problem.name, message);
    }
}

/// True if the metadata of a package has this key.
fn states(problem: &Problem, key: &str) -> bool {
    let document = Document::read(&problem.directory.join(METADATA_FILE));
    document.is_ok_and(|document| document.root().entry(key).is_some())
}

/// Puts the data of a legacy package: test cases and settings.
fn put_legacy_package_data(
    problem: &Problem,
    target: LegacyJudge,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> io::Result<()> {
    let data = problem.directory.join("data");
    for found in files_below(&data)? {
        let counts = found.name.split('/').all(names::counts);
        let is_data = found.name == "testdata.yaml"
            || found.name.starts_with("sample/")
            || found.name.starts_with("secret/");
        if counts && is_data {
            archive.put_file(format!("data/{}", found.name), &found.path);
        }
    }
    if target == LegacyJudge::Kattis {
        for group in problem
            .test_groups
            .iter()
            .filter(|group| ["sample", "secret"].contains(&group.id.as_str()))
        {
            if let Some(text) = without_ignore_sample(problem, group) {
                let place = format!("data/{}/testdata.yaml", group.id);
                let message = "gets `grader_flags` without `ignore_sample`, which groups would inherit in Kattis";
                remarks.changed(Part::Groups, &place, message);
                archive.put(place, text);
            }
        }
    }
    Ok(())
}

/// Returns the settings of a group in `data` with explicit flags, if it would inherit
/// `ignore_sample`. Source: problemtools, checks/testdata.py, which refuses the flag in every group
/// except the outermost one.
fn without_ignore_sample(problem: &Problem, group: &TestGroup) -> Option<String> {
    let outermost = problem
        .test_groups
        .iter()
        .find(|group| group.id.is_empty())?;
    let (GroupSettings::Legacy(above), GroupSettings::Legacy(own)) =
        (&outermost.settings, &group.settings)
    else {
        return None;
    };
    if own.custom
        || !above
            .grader_flags
            .iter()
            .any(|flag| flag == "ignore_sample")
    {
        return None;
    }
    let document = Document::read(&group.directory.join("testdata.yaml"));
    let entries = document.as_ref().map(|document| document.root().value());
    let mut entries = if let Ok(Value::Map(entries)) = entries {
        entries.clone()
    } else {
        Vec::new()
    };
    let key = Value::Text("grader_flags".to_owned());
    // A key without a value counts as missing, so it is replaced.
    entries.retain(|(known, value)| *known != key || *value != Value::Null);
    if entries.iter().any(|(known, _)| *known == key) {
        return None;
    }
    entries.push((key, Value::Text(own.grader_flags.join(" "))));
    Some(to_text(&Value::Map(entries)))
}

fn put_input_validators(
    problem: &Problem,
    target: LegacyJudge,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> io::Result<()> {
    if problem.input_validators.is_empty() && target == LegacyJudge::Kattis {
        remarks.refused(Part::Validators, "input_validators", "contains no program");
    }
    for program in &problem.input_validators {
        let mut packed = packed_program(program, problem)?;
        let about = format!("input_validators/{}", program.name);
        translate(
            &mut packed,
            Role::InputValidator,
            program.scripts.is_some(),
            &about,
            remarks,
        );
        packed.report_library(&about, remarks);
        let directory = if program.path.is_dir() {
            about
        } else if packed.needs_directory {
            format!("input_validators/{}", directory_name(&program.path)?)
        } else {
            "input_validators".to_owned()
        };
        put_files(packed.files, &directory, archive);
    }
    Ok(())
}

/// Languages for which DOMjudge creates the build script of a validator. Source:
/// judgedaemon.main.php.
const BUILT_BY_DOMJUDGE: [&str; 4] = ["c", "cpp", "java", "python3"];

fn put_output_validators(
    problem: &Problem,
    target: LegacyJudge,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> io::Result<()> {
    let OutputValidator::Custom(programs) = &problem.output_validator else {
        return Ok(());
    };
    if programs.len() > 1 {
        let message = format!("has {} programs; expected one", programs.len());
        remarks.refused(Part::Checker, "output_validators", message);
    }
    for program in programs {
        let mut packed = packed_program(program, problem)?;
        let about = "output_validator";
        let role = if problem.interactive {
            Role::Interactor
        } else {
            Role::Checker
        };
        let is_translated = translate(&mut packed, role, program.scripts.is_some(), about, remarks);
        if is_translated && has_arguments(problem) {
            remarks.refused(
                Part::Checker,
                about,
                "uses testlib, which does not support the arguments that it gets",
            );
        }
        packed.report_library(about, remarks);
        let directory = "output_validators/validator";
        let has_script = program.scripts.is_some();
        if target == LegacyJudge::Domjudge && !has_script {
            put_build_script(program, &packed, directory, archive, remarks);
        }
        let is_lost =
            |file: &&ProgramFile| target == LegacyJudge::Domjudge && file.name.contains('/');
        for file in packed.files.iter().filter(is_lost) {
            let message = format!(
                "has `{}` in a subdirectory; DOMjudge puts all files of a validator into one directory",
                file.name
            );
            remarks.refused(Part::Checker, about, message);
        }
        put_files(packed.files, directory, archive);
    }
    Ok(())
}

/// Adds a script to a validator that DOMjudge cannot build correctly, since it compiles only one
/// file.
fn put_build_script(
    program: &Program,
    packed: &PackedProgram,
    directory: &str,
    archive: &mut Archive,
    remarks: &mut Remarks,
) {
    const ABOUT: &str = "output_validator";
    let language = program.language.0.as_str();
    let main = main_file(program).unwrap_or_default();
    let extension = names::extension(&main).unwrap_or_default();
    let sources = packed
        .files
        .iter()
        .filter(|file| names::extension(&file.name) == Some(extension))
        .count();
    let (name, text) = match language {
        "rust" => {
            let message = "is compiled by `rustc`, which must be installed on judgehosts; by default, they have C, C++, Java and Python";
            remarks.changed(Part::Checker, ABOUT, message);
            (
                "build",
                format!("exec rustc -O --edition 2021 -o run {main}"),
            )
        }
        "c" if sources > 1 => (
            "build",
            format!("exec gcc -O2 -std=gnu11 -o run *.{extension} -lm"),
        ),
        "cpp" if sources > 1 => (
            "build",
            format!("exec g++ -O2 -std=gnu++20 -o run *.{extension}"),
        ),
        // DOMjudge uses only one file of a validator. This script starts the main file, which
        // imports the others from its directory.
        "python3" if sources > 1 => (
            "run",
            format!("exec python3 \"$(dirname \"$0\")/{main}\" \"$@\""),
        ),
        _ if BUILT_BY_DOMJUDGE.contains(&language) => return,
        _ => {
            let message = format!(
                "is written in `{language}`, which judgehosts cannot build; expected C, C++, Java, Python or Rust"
            );
            remarks.refused(Part::Checker, ABOUT, message);
            return;
        }
    };
    archive.put_program(
        format!("{directory}/{name}"),
        format!("#!/bin/sh\n{text}\n"),
        true,
    );
}

fn put_included(
    problem: &Problem,
    target: LegacyJudge,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> io::Result<()> {
    if problem.included.is_empty() {
        return Ok(());
    }
    if target == LegacyJudge::Domjudge {
        remarks.refused(
            Part::Graders,
            "include",
            "is left out: DOMjudge does not compile files of the package with submissions",
        );
        return Ok(());
    }
    // Languages with their own directory do not get the files for all languages: in 2025-09, one
    // replaces the other.
    let named: Vec<_> = problem
        .included
        .iter()
        .flat_map(|files| &files.languages)
        .cloned()
        .collect();
    for included in &problem.included {
        // The legacy format has no directory for all languages.
        let mut languages = included.languages.clone();
        if languages.is_empty() {
            languages.extend(built_in_languages().into_iter().map(|row| row.id));
            languages.retain(|id| !named.contains(id));
        }
        let files = read_files(&included.directory, &problem.constants)?;
        for language in languages {
            put_files(files.clone(), &format!("include/{language}"), archive);
        }
    }
    Ok(())
}
