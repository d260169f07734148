//! DMOJ's `init.yml`.
//!
//! Responsible for its keys. Must not know how they become groups.
//!
//! Source: DMOJ/docs, "Problem format"; DMOJ/judge-server, dmoj/problem.py.

use judge_event::{Fate, Part};
use judge_package::names::is_header;
use judge_package::yaml::Value;

use super::ImportFormat;
use crate::Result;
use crate::import::adapter::Protocol;
use crate::import::draft::Draft;
use crate::import::draft::naming::listed;
use crate::import::programs::{compare, put_judge};
use crate::import::settings::{get, items, list_unknown, number, points, read, text, texts};
use crate::import::signs::by_keys;
use crate::import::source::Source;
use crate::import::subtasks::{Origin, Subtask, Test, Tests, by_names, put};

const FILE: &str = "init.yml";

pub(super) const FORMAT: ImportFormat = ImportFormat {
    prepare: |source, is_stopped| match archive(source)? {
        Some(archive) => source.unpack(&archive, is_stopped),
        None => Ok(()),
    },
    ..ImportFormat::new(
        "dmoj",
        "`init.yml`",
        |source| by_keys(source, FILE, read, &SIGNS),
        convert,
    )
};

/// Keys that other files with this name rarely have.
const SIGNS: [&str; 7] = [
    "test_cases",
    "archive",
    "checker",
    "interactive",
    "custom_judge",
    "signature_grader",
    "generator",
];

/// Keys without an equivalent in packages, with the part of a problem that they concern.
const LOST: [(&str, Part); 9] = [
    ("custom_judge", Part::Checker),
    ("signature_grader", Part::Graders),
    ("generator", Part::Generators),
    ("pretest_test_cases", Part::Tests),
    ("hints", Part::Solutions),
    ("unbuffered", Part::Limits),
    ("output_limit_length", Part::Limits),
    ("wall_time_factor", Part::Limits),
    // Files of the problem in the working directory of submissions.
    ("symlinks", Part::Files),
];
/// Keys that are read or have no effect on verdicts. A test case may have nearly all of them.
const KNOWN: &str = "archive test_cases checker interactive points dependencies output_prefix_length binary_data short_circuit \
     meta in out batched generator_args generator_in";

/// Returns the archive that contains the data, if any.
fn archive(source: &Source) -> Result<Option<String>> {
    Ok(text(get(&read(source, FILE)?, "archive")))
}

fn convert(source: &Source, draft: &mut Draft) -> Result<()> {
    let settings = read(source, FILE)?;
    draft.mark_used(FILE);
    draft.name = source.stem();
    if let Some(archive) = archive(source)? {
        draft.mark_used(archive);
    }
    list_lost(&settings, draft);
    let tests = match get(&settings, "test_cases") {
        Some(Value::List(cases)) => tests_from_list(cases, &settings, draft),
        other => {
            if other.is_some() {
                let text = "patterns for names of files: files were paired by common naming schemes instead";
                draft.changed(Part::Tests, text);
            }
            if other.is_some_and(|value| get(value, "case_points").is_some()) {
                draft.lost_at(
                    Part::Groups,
                    FILE,
                    "`case_points`: points in the order of files",
                );
            }
            Tests::without_subtasks(by_names(source, "")?, false)
        }
    };
    put(source, tests, draft)?;
    judge(source, &settings, draft)?;
    draft.lost(
        Part::Limits,
        "limits are not in the files of DMOJ: add `limits.time_limit` to problem.yaml",
    );
    draft.lost(Part::Statement, "the statement is not in the files of DMOJ");
    Ok(())
}

/// Reports the keys of the problem or of a test case that are lost.
fn list_lost(entry: &Value, draft: &mut Draft) {
    for (key, part) in LOST
        .into_iter()
        .filter(|(key, _)| get(entry, key).is_some())
    {
        draft.lost_at(part, FILE, format!("`{key}`: packages have no equivalent"));
    }
    let known = LOST.map(|(key, _)| key).join(" ") + " " + KNOWN;
    list_unknown(entry, &known, FILE, draft);
}

/// Reads a test case. Returns `None` if a generator creates a part of it.
///
/// Source: DMOJ/judge-server, dmoj/problem.py, `_make_input_data_io` and `output_data`: a generator
/// creates an input or answer without a file; without a generator it is empty. Keys of the problem
/// apply to all test cases.
fn test(case: &Value, has_generator: bool) -> Option<Test> {
    let is_generated = has_generator && ["in", "out"].iter().any(|key| get(case, key).is_none());
    let file = |key: &str| text(get(case, key)).map_or(Origin::Empty, Origin::File);
    let test = || Test {
        input: file("in"),
        answer: Some(file("out")),
        points: points(get(case, "points")),
    };
    (!is_generated).then(test)
}

fn tests_from_list(cases: &[Value], settings: &Value, draft: &mut Draft) -> Tests {
    let default = points(get(settings, "points")).unwrap_or(1.0);
    let has_generator = |entry: &Value| get(entry, "generator").is_some();
    let mut tests = Tests::default();
    // Dependencies are numbers of batches, from 1 (`_resolve_testcases` in dmoj/problem.py); other
    // entries are not counted.
    let is_batch = |index: &usize| get(&cases[*index], "batched").is_some();
    let batches: Vec<usize> = (0..cases.len()).filter(is_batch).collect();
    for (index, case) in cases.iter().enumerate() {
        let points = points(get(case, "points")).unwrap_or(default);
        let inner = match get(case, "batched") {
            Some(batch) => items(Some(batch)),
            None => std::slice::from_ref(case),
        };
        for case in std::iter::once(case).chain(inner) {
            list_lost(case, draft);
            if get(case, "checker").is_some() {
                draft.lost_at(
                    Part::Checker,
                    FILE,
                    "the checker of a single test case: a package has one",
                );
            }
        }
        let is_generated = has_generator(settings) || has_generator(case);
        let read = |case: &Value| test(case, is_generated || has_generator(case));
        let found: Vec<Test> = inner.iter().filter_map(read).collect();
        if found.len() < inner.len() {
            let text = format!("test case {}: generated files are missing", index + 1);
            draft.lost_at(Part::Tests, FILE, text);
        }
        // dmoj/judge.py skips everything after a failed test case of 0 points, including later
        // batches.
        if points == 0.0 && index + 1 < cases.len() {
            let text = format!(
                "test case {}: has 0 points, so DMOJ skips everything after it if it fails",
                index + 1
            );
            draft.lost_at(Part::Groups, FILE, text);
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an invalid number is reported when it is used"
        )]
        let batch = |number: f64| {
            batches
                .get((number as usize).wrapping_sub(1))
                .copied()
                .unwrap_or(cases.len())
        };
        let requires = items(get(case, "dependencies"))
            .iter()
            .filter_map(|dependency| number(Some(dependency)))
            .map(batch)
            .collect();
        tests.is_scoring |= get(case, "points").is_some();
        tests.subtasks.push(Subtask {
            points,
            requires,
            tests: found,
            ..Subtask::default()
        });
    }
    tests
}

/// Reports the options of a checker or an interactor that have no effect here.
fn report_options(options: &Value, part: Part, draft: &mut Draft) {
    for key in [
        "args_format_string",
        "flags",
        "time_limit",
        "memory_limit",
        "preprocessing_time",
    ] {
        if get(options, key).is_some() {
            draft.lost_at(part, FILE, format!("`{key}`: not supported"));
        }
    }
    let files = texts(get(options, "files")).into_iter().skip(1);
    let more: Vec<String> = files.filter(|file| !is_header(file)).collect();
    if !more.is_empty() {
        draft.lost_at(
            part,
            FILE,
            format!(
                "{}: only one file is compiled, with its headers",
                listed(&more)
            ),
        );
    }
}

/// Puts the checker or the interactor. Source: DMOJ/judge-server, dmoj/checkers.
fn judge(source: &Source, settings: &Value, draft: &mut Draft) -> Result<()> {
    if let Some(interactive) = get(settings, "interactive") {
        report_options(interactive, Part::Interactor, draft);
        let file = text(items(get(interactive, "files")).first()).unwrap_or_default();
        let protocol = match text(get(interactive, "type"))
            .as_deref()
            .unwrap_or("default")
        {
            "testlib" => Protocol::TestlibInteractor,
            _ => Protocol::Interactor,
        };
        return put_judge(source, &file, protocol, draft);
    }
    let checker = get(settings, "checker");
    let name = text(checker)
        .or_else(|| text(checker.and_then(|checker| get(checker, "name"))))
        .unwrap_or_else(|| "standard".to_owned());
    let argument = |key: &str| {
        checker
            .and_then(|checker| get(checker, "args"))
            .and_then(|args| get(args, key))
    };
    match name.as_str() {
        "standard" => compare(&name, &["case_sensitive"], Fate::Changed, draft),
        "easy" => compare(&name, &[], Fate::Changed, draft),
        "rstripped" | "identical" => compare(
            &name,
            &["case_sensitive", "space_change_sensitive"],
            Fate::Changed,
            draft,
        ),
        "floats" => {
            let mode = match text(argument("error_mode")).as_deref() {
                Some("absolute") => "float_absolute_tolerance",
                Some("relative") => "float_relative_tolerance",
                _ => "float_tolerance",
            };
            let precision = text(argument("precision")).unwrap_or_else(|| "6".to_owned());
            compare(
                &name,
                &[mode, &format!("1e-{precision}")],
                Fate::Carried,
                draft,
            );
        }
        "bridged" => {
            if let Some(arguments) = checker.and_then(|checker| get(checker, "args")) {
                report_options(arguments, Part::Checker, draft);
            }
            let file = text(items(argument("files")).first()).unwrap_or_default();
            match text(argument("type")).as_deref().unwrap_or("default") {
                "default" | "testlib" => put_judge(source, &file, Protocol::TestlibChecker, draft)?,
                "coci" => put_judge(source, &file, Protocol::Coci, draft)?,
                "peg" => put_judge(source, &file, Protocol::Peg, draft)?,
                other => {
                    let text =
                        format!("`{file}` has the protocol `{other}`, which is not supported");
                    draft.lost_at(Part::Checker, FILE, text);
                }
            }
        }
        other => {
            let text = format!(
                "`{other}`: packages have no equivalent, so the default comparison is used"
            );
            draft.lost_at(Part::Checker, FILE, text);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests_of_dmoj {
    use super::*;
    use crate::fixture::Tree;

    #[test]
    fn generated_files_are_reported_as_missing() {
        let read = |settings: &str| {
            let tree = Tree::with(&[(FILE, settings), ("1.in", "1\n"), ("1.out", "1\n")]);
            let source = Source::open(&tree.path(""), &|| false).unwrap();
            let mut draft = Draft::default();
            convert(&source, &mut draft).unwrap();
            let (files, remarks) = draft.finish("here");
            let lost: Vec<String> = remarks
                .into_iter()
                .filter(|remark| {
                    remark.fate == Fate::Lost && matches!(remark.part, Part::Tests | Part::Metadata)
                })
                .map(|remark| remark.text)
                .collect();
            (
                files
                    .keys()
                    .filter(|file| file.extension().is_some_and(|extension| extension == "in"))
                    .count(),
                lost,
            )
        };
        let missing = |number: u32| format!("test case {number}: generated files are missing");
        let both = "generator: g.py\ntest_cases:\n- {in: 1.in, out: 1.out}\n- {points: 1}\n";
        assert_eq!(read(both), (1, vec![missing(2)]));
        let own = "test_cases:\n- {in: 1.in, out: 1.out}\n- {generator: g.py, generator_in: 1.in, out: 1.out}\n";
        assert_eq!(read(own), (1, vec![missing(2)]));
        // Without a generator, the input is empty; DMOJ has no key of this name.
        let empty = "test_cases:\n- {out: 1.out, generator_out: x}\n";
        assert_eq!(
            read(empty),
            (1, vec!["the key `generator_out`: not supported".to_owned()])
        );
    }
}
