//! Test data without a package: inputs and outputs under names that belong together.
//!
//! Responsible for these names. Must not know which program compares outputs.

use std::io;

use judge_model::OutputValidator;
use judge_package::{LoadedPackage, ShownContent, shown_samples};

use super::archive::Archive;
use super::remark::{RemarkKind, Remarks};
use super::subtasks::put_cases;
use super::{PackTarget, Package};

pub(super) const TARGET: PackTarget = PackTarget::new("plain", "inputs and outputs", assemble);

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
    remarks.add(
        RemarkKind::LIMITS,
        "",
        "limits are not among inputs and outputs",
    );
    remarks.add(
        RemarkKind::NOTHING_ELSE,
        "",
        "statement, submissions and validators are not among inputs and outputs",
    );
    Ok(archive)
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
                        return Err(io::Error::other(format!(
                            "`{}`: sample {} is too large",
                            problem.name,
                            index + 1
                        )));
                    }
                    archive.put(format!("{place}.{extension}"), text.text, false);
                }
            }
            ShownContent::Interaction(log) => {
                archive.put(format!("{place}.interaction"), log.text, false);
            }
        }
    }
    Ok(())
}
