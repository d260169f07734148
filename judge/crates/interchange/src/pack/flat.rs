//! Test data without a package: inputs and outputs with matching names.
//!
//! Responsible for these names. Must not know how outputs are compared.

use std::io;

use judge_event::Part;
use judge_model::OutputValidator;
use judge_package::{LoadedPackage, ShownContent};

use super::archive::Archive;
use super::subtasks::put_cases;
use super::{PackTarget, Package, samples_of};
use crate::remarks::Remarks;

pub(super) const TARGET: PackTarget = PackTarget::new("plain", "inputs and outputs", assemble);

/// Assembles the archive of the test data.
fn assemble(package: &Package<'_>, remarks: &mut Remarks) -> io::Result<Archive> {
    let problem = &package.loaded.problem;
    let mut archive = Archive::default();
    put_cases(problem, "", &mut archive, remarks);
    let what = if problem.interactive {
        "submissions communicate with the output validator, which is not in the archive"
    } else if let OutputValidator::Custom(_) = problem.output_validator {
        "outputs are judged by the output validator, which is not in the archive"
    } else {
        "the other judge decides how outputs are compared"
    };
    remarks.lost(Part::Checker, "", what);
    if problem.grading.scores() {
        remarks.lost(
            Part::Groups,
            "",
            "the names of files begin with their groups, but the points of groups are lost",
        );
    }
    remarks.lost(Part::Limits, "", "limits are not in the archive");
    remarks.lost(
        Part::Files,
        "",
        "statement, submissions and validators are not in the archive",
    );
    Ok(archive)
}

/// Puts the samples as shown to contestants into a directory with the name of the problem.
pub(super) fn put_samples(loaded: &LoadedPackage, archive: &mut Archive) -> io::Result<()> {
    let problem = &loaded.problem;
    for (index, sample) in samples_of(problem)?.into_iter().enumerate() {
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
                    archive.put(format!("{place}.{extension}"), text.text);
                }
            }
            ShownContent::Interaction(log) => {
                archive.put(format!("{place}.interaction"), log.text);
            }
        }
    }
    Ok(())
}
