//! `judge run --matrix`: judges every submission on every test case, and assesses the test data.
//!
//! Responsible for adding the assessment of test data to the events of a run. Must not know how to
//! judge, assess or report anything.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use judge_authoring::{KilledMutants, TestDataDemands, assess_test_data};
use judge_event::{Event, MutantStatus, Mutation, ProblemState, Progress, TestDataAssessed};
use judge_grading::ignores_samples;
use judge_report::{View, printable_lines};
use judge_runner::Observer;

use crate::args::RunArgs;
use crate::commands::judging::RunContext;
use crate::commands::judging::selected_plan::plan;
use crate::commands::mutate::matrix::{MatrixMutants, run_mutants};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::write;
use crate::reporters::{ReportRequest, Reporters};

/// Judges every selected submission on every test case.
pub(super) fn run(config: &Config, args: &RunArgs) -> Result<ExitCode, Failure> {
    let settings = args.settings();
    let plan = plan(config, &args.changes.selection.what, settings)?;
    // The reports that the workspace configures describe its submissions, and not its test data.
    let request = ReportRequest {
        view: View::Matrix,
        configured: false,
        ..ReportRequest::new(&args.judging.reports)
    };
    let demands = TestDataDemands {
        min_kills: args.matrix.min_kills,
        samples_exist: true,
    };
    // Mutants run first, since the matrix reports their kills together with those of
    // submissions.
    let results = if args.matrix.mutants {
        run_mutants(config, settings, &plan)?
    } else {
        Some(MatrixMutants::default())
    };
    let Some(MatrixMutants { mutations, missing }) = results else {
        return Ok(ExitCode::Interrupted);
    };
    for why in missing {
        let text = format!("note: without mutants: {why}\n");
        write(&mut io::stderr(), printable_lines(&text))?;
    }
    let ignoring = plan
        .problems
        .iter()
        .filter(|planned| ignores_samples(&planned.problem));
    let without_samples: BTreeSet<String> = ignoring.map(|planned| planned.name.clone()).collect();
    let mutants = mutations
        .iter()
        .map(|(problem, mutation)| (problem.clone(), killed(mutation)))
        .collect();
    let context = RunContext::open(config, settings, &plan.languages())?;
    let mut assessing = Assessing {
        reporters: Reporters::open(config, request)?,
        demands,
        without_samples,
        mutants,
    };
    context.run(plan, &mut assessing)?;
    assessing.reporters.finish()
}

/// Passes events on, and adds the assessment of test data after the last event of each problem.
struct Assessing {
    reporters: Reporters,
    demands: TestDataDemands,
    /// Problems whose graders ignore samples.
    without_samples: BTreeSet<String>,
    /// The mutants of each problem, with `--mutants`.
    mutants: BTreeMap<String, KilledMutants>,
}

/// The mutants that were killed.
fn killed(mutation: &Mutation) -> KilledMutants {
    let dead = mutation
        .mutants
        .iter()
        .filter(|mutant| mutant.status == MutantStatus::Killed);
    KilledMutants {
        solution: mutation.solution.clone(),
        killed: mutation.score.totals.killed,
        counted: mutation.score.totals.of,
        kills: dead
            .map(|mutant| {
                mutant
                    .kills
                    .iter()
                    .map(|kill| kill.test_case.clone())
                    .collect()
            })
            .collect(),
    }
}

impl Assessing {
    fn assess(&self, problem: &ProblemState) -> TestDataAssessed {
        let name = &problem.started.problem;
        let demands = TestDataDemands {
            samples_exist: !self.without_samples.contains(name),
            ..self.demands
        };
        assess_test_data(problem, demands, self.mutants.get(name))
    }
}

impl Observer for Assessing {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        // Test data can be assessed when a problem is complete: before the next one starts, or at
        // the end of the run.
        if matches!(event, Event::ProblemStarted(_) | Event::RunFinished(_)) {
            let last = self
                .reporters
                .state()
                .problems
                .last()
                .filter(|problem| problem.is_whole());
            if let Some(assessed) = last.map(|problem| self.assess(problem)) {
                self.reporters.event(&Event::TestDataAssessed(assessed))?;
            }
        }
        self.reporters.event(event)
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.reporters.progress(progress)
    }

    fn shows_excerpts(&self) -> bool {
        self.reporters.shows_excerpts()
    }
}
