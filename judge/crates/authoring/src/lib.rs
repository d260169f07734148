//! Authoring test data: from `generators.yaml` to the files in `data/`.
//!
//! Responsible for planning test data, generating it, comparing it and putting it in place, and for
//! the worth of test cases. Must not print anything or know how judging works.
//!
//! A [`Project`] is a package with its plan, before programs run. `make` generates all data on a
//! stage. The `Proposal` contains the changes, and only `Proposal::put_in_place` changes a package.
//!
//! # Example
//!
//! ```
//! use judge_authoring::free_ids;
//! use judge_model::{FormatVersion, Problem};
//!
//! let problem = Problem::new("sum", "sum".into(), FormatVersion::V2025_09);
//! assert_eq!(free_ids(&problem, "found").next().as_deref(), Some("secret/found-01"));
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
pub use generate::{GenerateEnd, GenerateSettings, GeneratedData, Objection, generate};
pub use generators::origins::add_origins;
pub use notice::Notice;
pub use project::{GeneratorCall, Project, no_generators};
pub use resources::{OnProgress, Resources};
pub use review::{ChangedAnswer, ChangedAnswers, Review, ReviewError};
pub use worth::{KilledMutants, TestDataDemands, assess_test_data};
