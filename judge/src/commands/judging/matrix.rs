//! `judge matrix`: every submission on every test case, and what the test cases are worth.
//!
//! Responsible for adding what the test data is worth to the stream of a run. Must not know how anything is judged, nor
//! how it is told.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::Path;

use judge_event::{
    Command, Event, MutantsKilled, MutantsKilledBy, ProblemState, Progress, RedundantTestCase, RejectedBy,
    TestDataAssessed,
};
use judge_grading::{Rejections, ignores_samples, must_be_rejected, rejects};
use judge_model::Verdict;
use judge_mutation::{Mutation, Status};
use judge_report::{View, printable_lines};
use judge_runner::Observer;

use crate::args::MatrixArgs;
use crate::commands::judging::judge_into;
use crate::commands::judging::run::plan;
use crate::commands::list::write;
use crate::commands::mutate::{Tried, try_all};
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::reporters::{Reporters, Wanted};

pub(crate) fn carry_out(config: &Config, args: &MatrixArgs) -> Result<ExitCode, Failure> {
    if args.markdown && args.judging.reports.json.as_deref() == Some(Path::new("-")) {
        let hint = "give one of them a file: --json=FILE";
        return Err(Failure::Usage(format!("--json and --markdown both write to standard output\nhint: {hint}")));
    }
    // Every test case for every submission: what was not run is worth nothing here.
    let settings = args.judging.settings(Command::Matrix, false);
    let plan = plan(config, &args.what, settings)?;
    let wanted = Wanted::new(&args.judging.reports);
    // What is asked here is how good the test data is, and not how the workspace is.
    let wanted = Wanted { view: View::Matrix, markdown: args.markdown, configured: false, ..wanted };
    let demanded = Demanded { min_kills: args.min_kills, samples_count: args.count_samples, samples_exist: true };
    let tried = if args.mutants { try_all(config, settings, &plan)? } else { Some(Tried::default()) };
    let Some(Tried { mutations, unknown }) = tried else { return Ok(ExitCode::Interrupted) };
    for why in unknown {
        let text = format!("note: without mutants: {why}\n");
        write(&mut io::stderr(), &printable_lines(&text))?;
    }
    let ignoring = plan.problems.iter().filter(|planned| ignores_samples(&planned.problem));
    let without_samples: BTreeSet<String> = ignoring.map(|planned| planned.name.clone()).collect();
    let mut assessing = None;
    judge_into(config, settings, plan, || {
        let reporters = Reporters::open(config, wanted)?;
        Ok(assessing.insert(Assessing { reporters, demanded, without_samples, mutations }))
    })?;
    let state = assessing.map(|assessing: Assessing| assessing.reporters.finish()).transpose()?.unwrap_or_default();
    Ok(exit_code::of(&state))
}

/// Passes events on, and after the last event of each problem says what its test data is worth.
struct Assessing {
    reporters: Reporters,
    demanded: Demanded,
    /// Problems whose samples count for nothing.
    without_samples: BTreeSet<String>,
    /// By problem, where mutants count too.
    mutations: BTreeMap<String, Mutation>,
}

/// How many test cases must reject each submission, and which ones count.
#[derive(Clone, Copy)]
struct Demanded {
    min_kills: Option<u64>,
    samples_count: bool,
    /// False where samples count for nothing at all: they reject nobody, and make nothing redundant.
    samples_exist: bool,
}

impl Observer for Assessing {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        if matches!(event, Event::ProblemStarted(_) | Event::RunFinished(_)) {
            let last = self.reporters.state().problems.last().filter(|problem| problem.is_whole());
            let mutants = |problem: &ProblemState| self.mutations.get(&problem.started.problem);
            let demanded = |problem: &ProblemState| Demanded {
                samples_exist: !self.without_samples.contains(&problem.started.problem),
                ..self.demanded
            };
            if let Some(assessed) = last.map(|problem| assess(problem, demanded(problem), mutants(problem))) {
                self.reporters.event(&Event::TestDataAssessed(assessed))?;
            }
        }
        self.reporters.event(event)
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.reporters.progress(progress)
    }
}

/// What the test data of a problem is worth, by what was judged.
fn assess(problem: &ProblemState, demanded: Demanded, mutation: Option<&Mutation>) -> TestDataAssessed {
    let names = &problem.started.test_cases;
    let index: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    // One that did not compile says nothing about test cases.
    let judged = problem.submissions.iter().filter(|submission| {
        let verdict = submission.finished.as_ref().map(|finished| finished.verdict);
        verdict.is_some_and(|verdict| verdict != Verdict::CompileError)
    });
    let doomed: Vec<_> = judged.filter(|submission| must_be_rejected(&submission.started.expectations)).collect();
    let mut by_case = vec![Vec::new(); names.len()];
    for (number, submission) in doomed.iter().enumerate() {
        for test in submission.test_cases.iter().filter(|test| rejects(test.verdict)) {
            if let Some(case) = index.get(test.test_case.as_str()) {
                by_case[*case].push(number);
            }
        }
    }
    // What a test case kills is as good a reason to keep it as what it rejects. Mutants come behind the submissions.
    let killed = mutation.map(|mutation| killed_by(mutation, &index)).unwrap_or_default();
    for (number, cases) in (doomed.len()..).zip(&killed) {
        cases.iter().for_each(|case| by_case[*case].push(number));
    }
    let counts = |case: usize| demanded.samples_exist || !names[case].starts_with("sample/");
    (0..names.len()).filter(|case| !counts(*case)).for_each(|case| by_case[case].clear());
    let table = Rejections::new(doomed.len() + killed.len(), by_case);
    let named = |cases: Vec<usize>| cases.into_iter().map(|case| names[case].clone()).collect::<Vec<_>>();
    let rejected = doomed.iter().zip(0..).map(|(submission, number)| RejectedBy {
        submission: submission.started.submission.clone(),
        test_cases: named(table.of(number)),
    });
    let redundant = table.redundant().into_iter().map(|one| RedundantTestCase {
        test_case: names[one.test_case].clone(),
        covered_by: names[one.covered_by].clone(),
    });
    let smallest = table.smallest();
    TestDataAssessed {
        problem: problem.started.problem.clone(),
        must_be_rejected: rejected.collect(),
        idle: named(table.idle().into_iter().filter(|case| counts(*case)).collect()),
        redundant: redundant.collect(),
        smallest: named(smallest.test_cases),
        smallest_is_exact: smallest.exact,
        min_kills: demanded.min_kills,
        samples_count: demanded.samples_count || demanded.min_kills.is_none(),
        mutants: mutation.map(|mutation| mutants_killed(mutation, &killed, names)),
    }
}

/// For each mutant that was killed, the test cases that kill it.
fn killed_by(mutation: &Mutation, index: &HashMap<&str, usize>) -> Vec<Vec<usize>> {
    let dead = mutation.mutants.iter().filter(|mutant| mutant.status == Status::Killed);
    let cases = dead.map(|mutant| mutant.kills.iter().filter_map(|kill| index.get(kill.test_case.as_str()).copied()));
    cases.map(Iterator::collect).collect()
}

fn mutants_killed(mutation: &Mutation, killed: &[Vec<usize>], names: &[String]) -> MutantsKilled {
    let by = names.iter().enumerate().map(|(case, name)| {
        let its = || killed.iter().filter(|cases| cases.contains(&case));
        let alone = its().filter(|cases| cases.len() == 1).count() as u64;
        MutantsKilledBy { test_case: name.clone(), mutants: its().count() as u64, alone }
    });
    MutantsKilled {
        solution: mutation.solution.clone(),
        killed: mutation.score.totals.killed,
        of: mutation.score.totals.of,
        by: by.filter(|by| by.mutants > 0).collect(),
    }
}
