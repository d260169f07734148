//! Manifests: the digests by which shards belong together.
//!
//! Responsible for digests of plans and of what they are made of. Must not know what becomes of shards that do not fit.

use judge_event::ShardPart;
use judge_model::ProblemIndex;
use judge_runner::{Plan, PlannedProblem};
use judge_sharding::{Digester, LocalPackages, digest_of_package, digest_of_tree, format_numbers};

use crate::args::RunArgs;
use crate::config::Config;
use crate::failure::Failure;
use crate::sharding::slice::{Places, submissions_of};

/// The digest of everything that decides about the partition and about verdicts, but for the contents of packages: those
/// only matter to who judges them. Paths are left out, since hosts may have the same files in different places.
pub(crate) fn manifest(config: &Config, args: &RunArgs, whole: &Plan, costs: &[u64]) -> String {
    let mut digester = Digester::default();
    digester.part(env!("CARGO_PKG_VERSION"));
    digester.part(format!("{:?}", (args.fail_fast.fail_fast(), args.judging.samples, &whole.skipping)));
    for language in &config.workspace.languages {
        digester.part(format!("{language:?}"));
    }
    for fault in &whole.package_faults {
        digester.part(format!("{fault:?}"));
    }
    for planned in &whole.problems {
        add_problem(&mut digester, planned);
    }
    for cost in costs {
        digester.part(cost.to_le_bytes());
    }
    digester.finish()
}

fn add_problem(digester: &mut Digester, planned: &PlannedProblem) {
    let problem = &planned.problem;
    digester.part(&planned.name);
    // Where it comes from decides about margins.
    let source = match &planned.time_limit_source {
        judge_runner::TimeLimitSource::Inferred(run) => format!("{run:?}"),
        _ => String::new(),
    };
    digester.part(format!("{:?}", (planned.time_limit, planned.margins, source)));
    digester.part(format!("{:?}", (problem.format, &problem.limits, problem.interactive, problem.passes)));
    digester.part(problem.test_cases.len().to_le_bytes());
    for test_case in &problem.test_cases {
        digester.part(&test_case.id);
        digester.part(format!("{:?}", (&test_case.args, &test_case.output_validator_args)));
    }
    digester.part(problem.submissions.len().to_le_bytes());
    for submission in &problem.submissions {
        digester.part(&submission.id);
        digester.part(format!("{:?}", (&submission.language, &submission.expectations)));
    }
}

/// Returns the part of each problem that belongs to a shard. Reads every file that it will be judged with, unless the node
/// knows them.
pub(crate) fn parts(
    whole: &Plan,
    places: &Places,
    first: bool,
    local: Option<&LocalPackages>,
) -> Result<Vec<ShardPart>, Failure> {
    let mut parts = Vec::new();
    for (index, planned) in ProblemIndex::enumerate(&whole.problems) {
        let indices = submissions_of(index, places);
        let problem = &planned.problem;
        if indices.is_empty() && !(problem.submissions.is_empty() && first) {
            continue;
        }
        let mut sources = Digester::default();
        for index in &indices {
            let submission = &problem.submissions[*index];
            sources.part(&submission.id);
            sources.part(digest_of_tree(&submission.path)?);
        }
        parts.push(ShardPart {
            problem: planned.name.clone(),
            position: index.0 as u64 + 1,
            content: match local {
                Some(local) => local.digest_of(&problem.directory)?,
                None => digest_of_package(&problem.directory)?,
            },
            submissions: format_numbers(indices.iter().map(|index| index.0 as u64 + 1)),
            submissions_total: problem.submissions.len() as u64,
            sources: sources.finish(),
        });
    }
    Ok(parts)
}
