//! Makes plans from loaded packages.
//!
//! Responsible for the judged parts of each package, and for the time limit. Must not run anything.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{PackageFault, PackageWarning};
use judge_model::{Problem, micros};
use judge_package::{Filter, Finding, LoadedPackage, PackageErrors};
use judge_runner::{Margins, Plan, PlannedProblem, Skipping, TimeLimitSource};

use crate::commands::judging::{JudgingSettings, name_of};
use crate::config::Config;

/// Puts a plan together, package by package.
pub(crate) struct PlanBuilder<'a> {
    config: &'a Config,
    settings: JudgingSettings,
    plan: Plan,
}

impl<'a> PlanBuilder<'a> {
    pub(crate) fn new(config: &'a Config, settings: JudgingSettings) -> Self {
        let skipping = match settings.strict {
            true => Skipping::AllowedFor(config.workspace.allow_skipped.clone()),
            false => Skipping::Allowed,
        };
        Self {
            config,
            settings,
            plan: Plan {
                skipping,
                fail_fast: settings.fail_fast,
                impatient: settings.impatient,
                ..Plan::default()
            },
        }
    }

    /// Adds the faults of a package that cannot be loaded.
    pub(crate) fn add_errors(&mut self, directory: &Path, errors: &PackageErrors) {
        let problem = name_of(directory);
        let faults = errors.iter().map(|error| PackageFault {
            problem: problem.clone(),
            file: self.config.shown(&error.file),
            line: error.line,
            message: error.message.clone(),
            hint: error.hint.clone(),
        });
        self.plan.package_faults.extend(faults);
    }

    /// The plan of one problem, without warnings about its package. A missing time limit is inferred
    /// from the problem itself.
    pub(crate) fn plan_of(config: &'a Config, settings: JudgingSettings, problem: Problem) -> Plan {
        let mut builder = Self::new(config, settings);
        builder.add_problem(problem, Vec::new(), &Filter::default(), None);
        builder.finish()
    }

    /// The plan of a problem whose submissions or test cases were replaced, without warnings about
    /// its package. A missing time limit is inferred from the `whole` problem.
    pub(crate) fn plan_of_replaced(
        config: &'a Config,
        settings: JudgingSettings,
        problem: Problem,
        whole: Arc<Problem>,
    ) -> Plan {
        let mut builder = Self::new(config, settings);
        builder.add_problem(problem, Vec::new(), &Filter::default(), Some(whole));
        builder.finish()
    }

    /// Adds the selected part of a package.
    pub(crate) fn add(&mut self, loaded: LoadedPackage, filter: &Filter) {
        self.add_problem(loaded.problem, loaded.warnings, filter, None);
    }

    fn add_problem(
        &mut self,
        mut problem: Problem,
        warnings: Vec<Finding>,
        filter: &Filter,
        whole: Option<Arc<Problem>>,
    ) {
        let stated = self.settings.time_limit.or(problem.limits.time_limit);
        // A limit of the command line and an inferred limit are limits for this host.
        let is_package_limit = self.settings.time_limit.is_none() && stated.is_some();
        let time_factor = self
            .settings
            .time_factor
            .or(self.config.workspace.time_factor);
        let time_factor = time_factor.filter(|_| is_package_limit).unwrap_or(1.0);
        // Counted before filtering: the report states how many were selected.
        let test_cases_total = problem.test_cases.len();
        let solutions_total = PlannedProblem::count_solutions(whole.as_deref().unwrap_or(&problem));
        let time_limit_source = match stated {
            Some(_) => TimeLimitSource::Stated,
            None => TimeLimitSource::ToInfer(whole.unwrap_or_else(|| Arc::new(problem.clone()))),
        };
        problem
            .test_cases
            .retain(|test_case| filter.matches_test_case(&test_case.id));
        problem
            .submissions
            .retain(|submission| filter.matches_submission(&submission.id));
        if self.settings.samples {
            problem.test_cases.retain(judge_model::TestCase::is_sample);
        }
        let warnings = warnings.into_iter().map(|warning| PackageWarning {
            problem: problem.name.clone(),
            file: self.config.shown(&warning.file),
            line: warning.line,
            message: warning.message,
            hint: warning.hint,
        });
        let path = self.config.shown(&problem.directory);
        self.plan.problems.push(PlannedProblem {
            test_cases_total,
            solutions_total,
            time_factor,
            time_limit_source,
            // Margins are demanded for the package's own limit only.
            margins: if self.settings.time_limit.is_some() {
                Margins::Ignored
            } else {
                self.settings.margins
            },
            submission_paths: problem
                .submissions
                .iter()
                .map(|package| self.config.shown(&package.path))
                .collect(),
            warnings: warnings.collect(),
            ..PlannedProblem::new(
                Arc::new(problem),
                path,
                scaled(stated.unwrap_or_default(), time_factor),
            )
        });
    }

    /// Returns the plan. Every problem has its own name.
    pub(crate) fn finish(mut self) -> Plan {
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for planned in &self.plan.problems {
            *count.entry(planned.name.clone()).or_default() += 1;
        }
        // Events identify a problem by its name. Two packages of one name, such as two years
        // of a contest, get their paths instead.
        for planned in self
            .plan
            .problems
            .iter_mut()
            .filter(|planned| count[&planned.name] > 1)
        {
            planned.name.clone_from(&planned.path);
        }
        self.plan
    }
}

/// A time limit on a host that is slower by this factor, in whole microseconds.
fn scaled(limit: Duration, factor: f64) -> Duration {
    Duration::from_micros(micros(limit.mul_f64(factor)))
}
