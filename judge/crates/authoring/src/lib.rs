//! Authoring test data: from `generators.yaml` to the files in `data/`.
//!
//! Responsible for planning test data, generating it, comparing it and putting it in place, and for
//! the worth of test cases. Must not print anything or know how judging works.
//!
//! A [`Project`] is a package with its plan, before programs run. [`make()`] generates all data on
//! a stage. The [`Proposal`] contains the changes, and only [`Proposal::put_in_place`] changes a
//! package.
//!
//! # Example
//!
//! ```
//! use std::path::Path;
//!
//! use judge_authoring::plan;
//! use judge_package::read_generators_text;
//!
//! let rules = "data: {secret: {data: [small: gen.py 5, {by_hand: {in: 1 2}}]}}\n";
//! let rules = read_generators_text(Path::new("sum"), rules)?.expect("there are rules");
//! let plan = plan(&rules, &[])?;
//! let ids: Vec<&str> = plan.cases.iter().map(|case| case.id.as_str()).collect();
//! assert_eq!(ids, ["secret/1-small", "secret/2-by_hand"]);
//! # Ok::<(), judge_package::PackageErrors>(())
//! ```

mod add;
mod differing;
mod error;
mod files;
mod generate;
mod generators;
mod make;
mod notice;
mod project;
mod proposal;
mod resources;
mod review;
mod stage;
#[cfg(test)]
mod testing;
mod worth;

pub use add::{AddError, AddStatus, Adding, CaseSource, GivenFile, Judge, NewTestCase, free_ids};
pub use differing::Excerpts;
pub use error::AuthoringError;
pub use files::changes::{Change, ChangeKind};
pub use files::lock::{HAND_WRITTEN, LOCK_FILE};
pub use files::reading::Content;
pub use generate::{GenerateEnd, GenerateSettings, GeneratedData, Objection, generate};
pub use generators::command::Command;
pub use generators::origins::add_origins;
pub use generators::plan::{Answers, DataPlan, PlannedCase, plan};
pub use make::make;
pub use notice::Notice;
pub use project::{GeneratorCall, Project, no_generators};
pub use proposal::Proposal;
pub use resources::{OnProgress, Resources};
pub use review::{ChangedAnswer, ChangedAnswers, Review, ReviewError};
pub use worth::{KilledMutants, TestDataDemands, assess_test_data};
