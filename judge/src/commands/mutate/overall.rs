//! The score of several solutions of a problem together.
//!
//! Responsible for which of them belong together, and for the exit code of their mean. Must not know how one is measured.

use std::fmt::Write as _;

use judge_event::{Mutation, MutationOverall};
use judge_report::MutationOverallReport;

use crate::args::MutateArgs;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::reporters::write_stdout;

/// The solutions of one problem that were mutated.
#[derive(Default)]
pub(super) struct Overall {
    pub(super) mutations: Vec<Mutation>,
    /// True when scores are printed for people.
    pub(super) is_printed: bool,
    /// The scores of the problems before.
    pub(super) reports: Vec<MutationOverallReport>,
}

impl Overall {
    /// Prints their score, unless they are of this problem, of which more are to come.
    pub(super) fn print_unless(
        &mut self,
        problem: &str,
        config: &Config,
        args: &MutateArgs,
        documents: &mut String,
    ) -> Result<ExitCode, Failure> {
        let is_done = self.mutations.first().is_some_and(|first| first.problem != problem);
        if is_done { self.print(config, args, documents) } else { Ok(ExitCode::AsExpected) }
    }

    /// Prints their score, when all solutions were asked for.
    pub(super) fn print(
        &mut self,
        config: &Config,
        args: &MutateArgs,
        documents: &mut String,
    ) -> Result<ExitCode, Failure> {
        let mutations = std::mem::take(&mut self.mutations);
        let Some(overall) = MutationOverall::new(&mutations).filter(|_| args.all) else {
            return Ok(ExitCode::AsExpected);
        };
        let _ = writeln!(documents, "{}", overall.to_json());
        let report = MutationOverallReport::new(overall, args.min_score);
        if self.is_printed {
            write_stdout(&report.to_text(config.terminal.look))?;
        }
        let code = if report.is_enough() { ExitCode::AsExpected } else { ExitCode::ExpectationViolated };
        self.reports.push(report);
        Ok(code)
    }
}
