//! The target of `judge stress`: the package, and the submissions that were named.
//!
//! Responsible for what the words of the command line mean for a package. Must not run anything.

use std::collections::BTreeSet;
use std::sync::Arc;

use judge_authoring::Project;
use judge_model::{LanguageId, Problem};
use judge_package::LoadedPackage;
use judge_runner::Plan;
use judge_stress::{InputSources, Target, Wish};

use crate::args::StressArgs;
use crate::commands::judging::submission_args::{entered, load_package, paths_of};
use crate::commands::judging::submit::named;
use crate::commands::judging::{JudgingSettings, PlanBuilder};
use crate::commands::stress::inputs::inputs_of;
use crate::config::Config;
use crate::failure::Failure;

/// A package with what is looked for in it.
pub(crate) struct PackageTarget {
    /// The package; its submissions are the candidates.
    pub(crate) loaded: LoadedPackage,
    pub(crate) target: Target,
    /// The rules for its data, if it has any.
    pub(crate) project: Option<Project>,
    pub(crate) inputs: InputSources,
    /// The problem with all of its own submissions, which a time limit that it leaves open comes from.
    whole: Arc<Problem>,
}

impl PackageTarget {
    pub(crate) fn read(config: &Config, args: &StressArgs) -> Result<Self, Failure> {
        let (mut loaded, entrants) = match (args.submissions.as_slice(), &args.problem.name) {
            ([], problem) => (load_package(config, &named(config, problem.as_deref().unwrap_or("."))?)?, Vec::new()),
            (words, problem) => entered(config, problem.as_deref(), words)?,
        };
        let whole = Arc::new(loaded.problem.clone());
        let rules = Project::open(&whole.directory, &config.workspace);
        let wish = Wish {
            finder: args.find.as_deref(),
            reference: args.reference.as_deref(),
            answers_by: rules.as_ref().ok().and_then(|rules| rules.as_ref()?.answers_by()).map(|of| of.id.as_str()),
        };
        let problem = Problem::clone(&whole);
        let entered = entrants.clone();
        let paths = |word: &str| paths_of(config, &whole, &entered, word).map_err(|failure| failure.to_string());
        let target = Target::choose(problem, entrants, wish, &paths).map_err(Failure::Usage)?;
        loaded.problem = target.problem.clone();
        let project = rules.map_err(|errors| Failure::package(&errors, &config.workspace.root))?;
        let inputs = inputs_of(config, args, project.as_ref(), &target.problem)?;
        Ok(Self { loaded, target, project, inputs, whole })
    }

    /// A plan of the problem with the submissions that matter, of which nothing is expected.
    pub(crate) fn plan(&self, config: &Config, settings: JudgingSettings) -> Plan {
        let mut loaded = self.loaded.clone();
        for submission in &mut loaded.problem.submissions {
            submission.expectations.clear();
        }
        PlanBuilder::plan_of_replaced(config, settings, loaded, Arc::clone(&self.whole))
    }

    /// The languages that tools are needed for: of the submissions that take part, and of what makes and validates inputs.
    pub(crate) fn languages(&self, plan: &Plan) -> BTreeSet<LanguageId> {
        let needed = self.target.needed();
        let problems = plan.problems.iter().map(|planned| planned.with_submissions(|index| needed.contains(&index)));
        let plan = Plan { problems: problems.collect(), ..Plan::default() };
        plan.languages().into_iter().chain(self.inputs.languages(&self.target.problem)).collect()
    }
}
