//! Mutation testing of test data: which mistakes in a correct solution the test cases notice.
//!
//! Responsible for compiling mutants, judging them on test cases, remembering what came of it, the score, and for hunting
//! those that survive. Must not know packages, command lines, how inputs are made, or how any of it is rendered.
//!
//! Described in `judge/docs/reference/mutation.md`.
//!
//! # Example
//!
//! ```
//! use judge_mutation::parse_equivalents;
//!
//! let file = "# Nobody can see these.\naccepted/larger.rs 3f2a91c0de: `>=` takes the other one of two equal numbers\n";
//! let argued = parse_equivalents(file)?;
//! assert_eq!((argued[0].solution.as_str(), argued[0].line), ("accepted/larger.rs", 2));
//! # Ok::<(), judge_mutation::InvalidEquivalents>(())
//! ```

mod building;
mod diagnostics;
mod equivalents;
mod hunt;
mod judging;
mod language;
mod meaning;
mod memory;
mod mutants;
mod mutation;
mod order;
mod results;
mod sample;
mod score;
mod trying;
mod workplace;

pub use equivalents::{Equivalent, FILE as EQUIVALENTS, InvalidEquivalents, parse as parse_equivalents};
pub use hunt::{HuntSettings, HuntingGround, hunt, save};
pub use language::MutantLanguage;
pub use mutation::{MutationError, Settings, mutate};
