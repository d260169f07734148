//! The calls of generators by which a package makes its inputs, and the program that answers.
//!
//! Responsible for giving them to code that makes other inputs of the same kind. Must not make any.

use judge_model::{Program, Submission};

use crate::project::{Project, Solution};

/// A call of a generator for a test case that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratorCall<'p> {
    /// The test case.
    pub test_case: &'p str,
    /// The generator's name in the rules.
    pub name: &'p str,
    /// The generator.
    pub program: &'p Program,
    /// The arguments, with `{seed}` still in them.
    pub args: Vec<String>,
}

impl Project {
    /// The calls of generators for samples and secret test cases, in the order of the test cases.
    #[must_use]
    pub fn calls(&self) -> Vec<GeneratorCall<'_>> {
        let counting = self.plan.cases.iter().filter(|case| matches!(case.root(), "sample" | "secret"));
        let call = |case: &'_ crate::generators::plan::PlannedCase| {
            let command = case.command.as_ref()?;
            Some((command.program.clone(), command.open_args()))
        };
        let found = counting.filter_map(|case| {
            let (name, args) = call(case)?;
            let (name, program) = self.generators.get_key_value(&name)?;
            Some(GeneratorCall { test_case: &case.id, name, program, args })
        });
        found.collect()
    }

    /// A generator that some rule names.
    #[must_use]
    pub fn generator(&self, name: &str) -> Option<&Program> {
        self.generators.get(name)
    }

    /// The submission that the rules have answers written by, if there is one.
    #[must_use]
    pub fn answers_by(&self) -> Option<&Submission> {
        self.solutions.values().find_map(|solution| match solution {
            Solution::Submission(submission) => Some(submission),
            Solution::Program(_) => None,
        })
    }
}
