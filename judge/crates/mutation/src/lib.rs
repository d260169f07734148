//! Mutation testing of test data: which mistakes in a correct solution the test cases detect.
//!
//! Responsible for compiling mutants, running them on test cases, storing the results, computing
//! the score, and hunting survivors. Must not know packages, command lines, how inputs are created,
//! or how anything is rendered.
//!
//! | module | responsible for |
//! |---|---|
//! | `mutants` | the mutants of a program, and the combined programs; pure |
//! | `solution`, `sources`, `store` | the solution, the files of its mutants, and earlier results |
//! | `run` | building combined programs, running mutants on every core |
//! | `document`, `score`, `meaning` | the document: statuses, scores, and gaps in the test data |
//! | `hunt` | searching for inputs that kill survivors |
//!
//! Described in `judge/docs/reference/mutation.md`.
//!
//! # Example
//!
//! ```
//! use judge_mutation::parse_equivalents;
//!
//! let file = "# No output shows these.\naccepted/larger.rs 3f2a91c0de: equal numbers are the same\n";
//! let argued = parse_equivalents(file)?;
//! assert_eq!((argued[0].solution.as_str(), argued[0].line), ("accepted/larger.rs", 2));
//! # Ok::<(), judge_mutation::InvalidEquivalents>(())
//! ```

mod document;
mod equivalents;
mod error;
mod hunt;
mod meaning;
mod mutants;
mod mutation;
mod run;
mod score;
mod solution;
mod sources;
mod store;
mod subject;

pub use equivalents::{
    Equivalent, FILE as EQUIVALENTS, InvalidEquivalents, parse as parse_equivalents,
};
pub use error::MutationError;
pub use hunt::{HuntProblem, HuntSettings, hunt, save};
pub use mutation::mutate;
pub use subject::Settings;
