//! `judge mutate`: measures which mistakes in a correct solution the test data detects.
//!
//! Responsible for the steps for each problem, for the files of findings of a hunt, and for the exit
//! code. Must not know how mutants are made, run or hunted, nor the layout of reports.

pub(crate) mod matrix;
mod solution;

use std::fmt::Write as _;
use std::num::NonZero;
use std::time::Duration;

use judge_authoring::{NewTestCase, free_ids};
use judge_event::{Hunted, Mutation, MutationOverall, SearchEnd};
use judge_model::ReportKind;
use judge_mutation::{HuntSettings, Settings, hunt, save};
use judge_report::{MutationOverallReport, MutationReport, Verbosity};

use crate::args::MutateArgs;
use crate::commands::authoring::add::add;
use crate::commands::document::{DocumentOutput, refuse_on_stdout};
use crate::commands::judging::inferring::require_time_limit;
use crate::commands::judging::selected_plan::plan;
use crate::commands::judging::{JudgingSettings, RunContext};
use crate::commands::mutate::solution::{
    HuntPackage, Solution, choose_all, infer, languages, skip_package,
};
use crate::commands::stress::{search_bar, show_step};
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::messages::note;
use crate::reporters::write_stdout;

/// The default time of a hunt for each survivor.
const DEFAULT_HUNT_TIME: Duration = Duration::from_secs(10);

/// Measures the test data of the selected problems.
pub(crate) fn run(config: &Config, args: &MutateArgs) -> Result<ExitCode, Failure> {
    let settings = JudgingSettings {
        jobs: args.jobs.number,
        isolation: args.isolation.level,
        time_limit: args.time_limit.seconds,
        ..JudgingSettings::default()
    };
    if args.add.is_some() {
        refuse_on_stdout(&args.reports, "--add")?;
    }
    let plan = plan(config, &args.what, settings)?;
    let (mut solutions, code) = choose_all(config, args.hunt.is_some(), args.all, &plan)?;
    if solutions.is_empty() {
        return Ok(code);
    }
    let context = RunContext::open(config, settings, &languages(&solutions))?;
    if let Some(code) = infer(config, &mut solutions, &context)? {
        return Ok(code);
    }
    let _interrupts = context.listen()?;
    let output = DocumentOutput::open(config, &args.reports)?;
    let mut measuring = Measuring {
        config,
        args,
        context: &context,
        prints_reports: !output.is_on_stdout(),
        documents: String::new(),
        reports: Vec::new(),
        overall_reports: Vec::new(),
    };
    let measured = measuring.measure_all(&solutions);
    // Nothing was measured: reports of an earlier run are kept.
    if matches!(measured, Ok(ExitCode::Interrupted)) && measuring.documents.is_empty() {
        return Ok(ExitCode::Interrupted);
    }
    let measured = output.write_after(measured, &measuring.documents, |kind| match kind {
        ReportKind::Html => MutationReport::to_html(&measuring.reports, &measuring.overall_reports),
        _ => measuring.documents.clone(),
    })?;
    Ok(worse(code, measured))
}

/// The measurement of test data, with the documents and reports so far.
struct Measuring<'a> {
    config: &'a Config,
    args: &'a MutateArgs,
    context: &'a RunContext,
    /// False when documents go to standard output.
    prints_reports: bool,
    documents: String,
    reports: Vec<MutationReport>,
    overall_reports: Vec<MutationOverallReport>,
}

impl Measuring<'_> {
    /// Measures the test data of every problem, with its solutions.
    fn measure_all(&mut self, solutions: &[Solution]) -> Result<ExitCode, Failure> {
        let mut code = ExitCode::AsExpected;
        for of_problem in solutions.chunk_by(|one, other| one.planned.name == other.planned.name) {
            let earlier = self.reports.len();
            for solution in of_problem {
                match require_time_limit(&solution.planned).and_then(|()| self.measure(solution)) {
                    Ok(Some(of_solution)) => code = worse(code, of_solution),
                    Ok(None) => return Ok(ExitCode::Interrupted),
                    // A package at fault must not prevent the others from being measured.
                    Err(failure) => code = worse(code, skip_package(failure)?),
                }
                if code == ExitCode::Interrupted {
                    note("interrupted: anything not listed above did not run");
                    return Ok(code);
                }
            }
            code = worse(code, self.report_overall(earlier)?);
        }
        Ok(code)
    }

    /// Measures the test data of one problem with one solution, prints the report, and adds the
    /// findings of a hunt. `None` when it was interrupted.
    fn measure(&mut self, solution: &Solution) -> Result<Option<ExitCode>, Failure> {
        let (config, args, context) = (self.config, self.args, self.context);
        let settings = Settings {
            full: args.full,
            apart: args.apart,
            max_mutants: args.sample.map(NonZero::get),
            seed: args.seed,
        };
        let Some(mut mutation) = solution.mutate(config, &settings, context)? else {
            return Ok(None);
        };
        let hunted = match &solution.hunt_package {
            Some(hunt_package) if mutation.score.survived > 0 => {
                Some(self.hunt_survivors(hunt_package, solution, &mutation)?)
            }
            _ => None,
        };
        // With `--all`, only the mean of the solutions is compared with `--min-score`.
        let min_score = args.min_score.filter(|_| !args.all);
        mutation.hunt = hunted.as_ref().map(|hunted| hunted.result.clone());
        let report = MutationReport::new(mutation, hunted.as_ref(), min_score);
        if self.prints_reports {
            let quiet = config.terminal.verbosity == Verbosity::Quiet;
            write_stdout(&report.to_text(config.terminal.look, quiet))?;
        }
        // Written before test cases are added: if that fails, the findings are still in the
        // document.
        let _ = writeln!(self.documents, "{}", report.mutation().to_json());
        let mut code = worse(
            ExitCode::ExpectationViolated.unless(report.is_enough()),
            hunted.as_ref().map_or(ExitCode::AsExpected, exit_code),
        );
        self.reports.push(report);
        if code != ExitCode::Interrupted
            && let (Some(hunted), Some(name)) = (&hunted, &args.add)
        {
            code = worse(code, self.add_all(solution, name, hunted)?);
        }
        Ok(Some(code))
    }

    /// Searches for inputs that kill the survivors of a solution, and writes them to files.
    fn hunt_survivors(
        &self,
        package: &HuntPackage,
        solution: &Solution,
        mutation: &Mutation,
    ) -> Result<Hunted, Failure> {
        let (config, args, context) = (self.config, self.args, self.context);
        let settings = HuntSettings {
            seed: args.seed,
            inputs: args.inputs,
            time: args
                .hunt
                .flatten()
                .or_else(|| args.inputs.is_none().then_some(DEFAULT_HUNT_TIME)),
            shrink: args.shrink,
        };
        let session = context.session_of(&package.directories)?;
        let subject = (&solution.planned.timed(), &solution.submission);
        let (mut bar, with) = (search_bar(config), (&session, &context.environment));
        let hunted = hunt(
            &package.problem,
            subject,
            mutation,
            with,
            &settings,
            &mut |step| show_step(&mut bar, step),
        );
        bar.clear();
        let mut hunted = hunted?;
        save(&mut hunted, &config.directory.join(&args.save), &|path| {
            config.shown(path)
        })?;
        Ok(hunted)
    }

    /// Adds every input that was found as a test case.
    fn add_all(
        &self,
        solution: &Solution,
        name: &str,
        hunted: &Hunted,
    ) -> Result<ExitCode, Failure> {
        let problem = &solution.planned.problem;
        let settings = JudgingSettings {
            jobs: self.args.jobs.number,
            isolation: self.args.isolation.level,
            ..JudgingSettings::default()
        };
        for (found, id) in hunted.found.iter().zip(free_ids(problem, name)) {
            let new = NewTestCase::found(&found.input.0, &id);
            match add(
                self.config,
                &problem.directory,
                &new,
                settings,
                DocumentOutput::default(),
            )? {
                ExitCode::AsExpected => {}
                other => return Ok(other),
            }
        }
        Ok(ExitCode::AsExpected)
    }

    /// Prints the mean score of the solutions of one problem, with `--all`: of all reports after the
    /// `earlier` ones.
    fn report_overall(&mut self, earlier: usize) -> Result<ExitCode, Failure> {
        let reports = self.reports[earlier..].iter();
        let mutations: Vec<&Mutation> = reports.map(MutationReport::mutation).collect();
        let Some(overall) = MutationOverall::new(&mutations).filter(|_| self.args.all) else {
            return Ok(ExitCode::AsExpected);
        };
        let _ = writeln!(self.documents, "{}", overall.to_json());
        let report = MutationOverallReport::new(overall, self.args.min_score);
        if self.prints_reports {
            write_stdout(&report.to_text(self.config.terminal.look))?;
        }
        let code = ExitCode::ExpectationViolated.unless(report.is_enough());
        self.overall_reports.push(report);
        Ok(code)
    }
}

/// The exit code of a hunt.
fn exit_code(hunted: &Hunted) -> ExitCode {
    match hunted.result.end {
        SearchEnd::Interrupted => ExitCode::Interrupted,
        _ if hunted.is_judge_error => ExitCode::PackageFault,
        _ => ExitCode::AsExpected,
    }
}
