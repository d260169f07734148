//! Test data without a package: inputs and outputs under names that belong together.
//!
//! Responsible for these names. Must not know which program compares outputs.

use std::io;

use judge_model::{OutputValidator, Problem};
use judge_package::{LoadedPackage, ShownContent, shown_samples};

use super::archive::Archive;
use super::remark::{RemarkKind, Remarks};
use super::{PackTarget, Package};

pub(super) const TARGET: PackTarget = PackTarget::new("plain", "inputs and outputs", assemble);

/// Puts inputs and outputs into an archive below `prefix`, by names without directories.
pub(super) fn put_cases(problem: &Problem, prefix: &str, archive: &mut Archive, remarks: &mut Remarks) {
    for case in &problem.test_cases {
        let (name, about) = (flat(&case.id), format!("data/{}", case.id));
        if archive.has(&format!("{prefix}{name}.in")) {
            remarks.add(RemarkKind::CASES, &about, format!("there are two test cases called `{name}`"));
        }
        if !case.args.is_empty() || case.files.is_some() {
            remarks.add(RemarkKind::CASES, &about, "has arguments or files of its own");
        }
        archive.put_file(format!("{prefix}{name}.in"), &case.input, false);
        archive.put_file(format!("{prefix}{name}.out"), &case.answer, false);
    }
}

/// Assembles the archive of the test data.
fn assemble(package: &Package<'_>, remarks: &mut Remarks) -> io::Result<Archive> {
    let problem = &package.loaded.problem;
    let mut archive = Archive::default();
    put_cases(problem, "", &mut archive, remarks);
    let what = if problem.interactive {
        "submissions talk with the output validator, which is not among inputs and outputs"
    } else if let OutputValidator::Custom(_) = problem.output_validator {
        "outputs are judged by the output validator, which is not among inputs and outputs"
    } else {
        "outputs are compared as the judge that takes them does it"
    };
    remarks.add(RemarkKind::CHECKER, "", what);
    if problem.grading.scores() {
        remarks.add(
            RemarkKind::GROUPS,
            "",
            "the names of files begin with their groups, and nothing says what these are worth",
        );
    }
    remarks.add(RemarkKind::LIMITS, "", "limits are not among inputs and outputs");
    remarks.add(RemarkKind::NOTHING_ELSE, "", "statement, submissions and validators are not among inputs and outputs");
    Ok(archive)
}

/// The name of a test case without directories. Its order among others stays.
pub(super) fn flat(id: &str) -> String {
    id.replace('/', "-")
}

/// Puts the samples as contestants see them into a directory named like the problem.
pub(super) fn put_samples(loaded: &LoadedPackage, archive: &mut Archive) -> io::Result<()> {
    let problem = &loaded.problem;
    // A sample may be shown as another text than that of its test case.
    let shown = shown_samples(problem).map_err(|errors| io::Error::other(errors.to_string()))?;
    for (index, sample) in shown.into_iter().enumerate() {
        let place = format!("{}/{}", problem.name, index + 1);
        match sample.content {
            ShownContent::Pair { input, output } => {
                for (extension, text) in [("in", input), ("ans", output)] {
                    if text.bytes_left_out > 0 {
                        return Err(io::Error::other(format!("`{}`: sample {} is too large", problem.name, index + 1)));
                    }
                    archive.put(format!("{place}.{extension}"), text.text, false);
                }
            }
            ShownContent::Interaction(log) => archive.put(format!("{place}.interaction"), log.text, false),
        }
    }
    Ok(())
}
