//! Checking packages: their files and their validators.
//!
//! Responsible for the checks of a package, and for the severities of their findings. Must not
//! judge submissions, nor know how findings are shown.
//!
//! # Example
//!
//! ```
//! use judge_lint::check_files;
//! use judge_package::Workspace;
//!
//! let directory = tempfile::tempdir()?;
//! std::fs::write(directory.path().join("problem.yaml"), "problem_format_version: 2025-09\nname: Sum\n")?;
//! let workspace = Workspace::find(directory.path()).expect("no `judge.yaml` is a workspace too");
//! let checked = check_files(&[directory.path().to_owned()], &workspace, 1);
//! assert!(checked[0].findings.iter().any(|finding| finding.code.id() == "JP501"), "{checked:?}");
//! # Ok::<(), std::io::Error>(())
//! ```

mod check;
mod extent;
mod files;
mod packages;
mod severities;
mod severity;
#[cfg(test)]
mod testing;
mod validators;

pub use check::{Check, Emit, Notice};
pub use extent::Extent;
pub use packages::{Package, check_files, languages, load_data};
pub use severity::severity;
pub use validators::{ExtraPart, FailingCase, Validators};
