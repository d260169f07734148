//! Shards: the part of a run that this host judges.
//!
//! Responsible for which submissions belong to a shard, for the time limits that all shards have to
//! share, and for the description by which shards are merged. Must not know who starts shards, nor
//! how they are merged.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use judge_event::{Event, ProblemStarted, RunShard, ShardPart};
use judge_grading::TimedRun;
use judge_model::{ProblemIndex, SubmissionIndex, SubmissionPlace, micros};
use judge_package::quoted;
use judge_runner::{Inference, Plan, PlannedProblem, TimeLimitSource};
use judge_sharding::{
    Digester, Durations, Shard, Work, digest_of_package, format_numbers, partition,
};

use crate::args::RunArgs;
use crate::commands::judging::JudgingSettings;
use crate::commands::reporting::StoredRun;
use crate::config::Config;
use crate::failure::Failure;

/// Submissions of a plan, in its order.
type Places = BTreeSet<SubmissionPlace>;

/// The part of a plan that belongs to a shard.
pub(crate) fn shard_of(
    config: &Config,
    args: &RunArgs,
    whole: &Plan,
    shard: Shard,
) -> Result<Plan, Failure> {
    require_time_limits(whole, shard)?;
    let durations = args
        .sharding
        .durations
        .as_ref()
        .map(|path| Durations::read(&config.directory.join(path)));
    let (work, all): (Vec<Work>, Vec<SubmissionPlace>) = work_of(whole).into_iter().unzip();
    let costs = durations.transpose()?.unwrap_or_default().costs(&work);
    // Every shard computes the whole partition and takes its own share. All of them must agree
    // on it, which `digest` proves when they are merged.
    let mut shares = partition(&costs, usize::try_from(shard.count).unwrap_or(usize::MAX));
    let mine = shares.swap_remove(usize::try_from(shard.number - 1).unwrap_or(0));
    let places: Places = mine.into_iter().map(|place| all[place]).collect();
    let is_first = shard.number == 1;
    let described = RunShard {
        number: shard.number,
        of: shard.count,
        run: digest(config, args.settings(), whole, &costs),
        problems: whole.problems.len() as u64,
        submissions: whole.submissions() as u64,
        parts: parts(whole, &places, is_first)?,
    };
    let of_problem = |(problem, planned): (ProblemIndex, &PlannedProblem)| {
        let kept = submissions_of(problem, &places);
        is_part(planned, &kept, is_first)
            .then(|| planned.with_submissions(|index| kept.contains(&index)))
    };
    Ok(Plan {
        // Faults without a submission belong to one shard only, or the merged report would
        // repeat them.
        package_faults: if is_first {
            whole.package_faults.clone()
        } else {
            Vec::new()
        },
        problems: ProblemIndex::enumerate(&whole.problems)
            .filter_map(of_problem)
            .collect(),
        impatient: false,
        fail_fast: whole.fail_fast,
        output_hashes: whole.output_hashes,
        skipping: whole.skipping.clone(),
        shard: Some(Box::new(described)),
    })
}

/// True when a problem belongs to a shard: problems without any submission, and packages that
/// cannot be loaded, belong to the first one.
fn is_part(planned: &PlannedProblem, kept: &BTreeSet<SubmissionIndex>, is_first: bool) -> bool {
    !kept.is_empty() || (planned.problem.submissions.is_empty() && is_first)
}

/// Every submission of a plan in its order, with its place.
fn work_of(plan: &Plan) -> Vec<(Work, SubmissionPlace)> {
    let of_problem = |(problem, planned): (ProblemIndex, &PlannedProblem)| {
        let time_limit_us = micros(planned.time_limit);
        // Without measured durations, the limit times the number of test cases stands for the
        // cost.
        let estimate_us = time_limit_us.saturating_mul(planned.problem.test_cases.len() as u64);
        let work = |place: SubmissionPlace| {
            let submission = planned.problem.submissions[place.submission].id.clone();
            (
                Work {
                    problem: planned.name.clone(),
                    submission,
                    estimate_us,
                },
                place,
            )
        };
        SubmissionPlace::of_problem(problem, &planned.problem.submissions)
            .map(work)
            .collect::<Vec<_>>()
    };
    ProblemIndex::enumerate(&plan.problems)
        .flat_map(of_problem)
        .collect()
}

/// The submissions of a problem that are among these.
fn submissions_of(problem: ProblemIndex, places: &Places) -> BTreeSet<SubmissionIndex> {
    let first = |problem| SubmissionPlace {
        problem,
        submission: SubmissionIndex(0),
    };
    places
        .range(first(problem)..first(problem.next()))
        .map(|place| place.submission)
        .collect()
}

/// The digest of everything that decides about the partition and about verdicts, except for the
/// contents of packages: those only matter to shards that judge them. Paths do not count, since
/// hosts may have the same files in different places.
fn digest(config: &Config, settings: JudgingSettings, whole: &Plan, costs: &[u64]) -> String {
    let mut digester = Digester::default();
    digester.part(env!("CARGO_PKG_VERSION"));
    digester.part(settings.shared_by_shards());
    digester.part(format!(
        "{:?}",
        (
            &config.workspace.languages,
            &whole.skipping,
            &whole.package_faults
        )
    ));
    for planned in &whole.problems {
        let problem = &planned.problem;
        let source = match &planned.time_limit_source {
            // An inferred limit is part of the run: shards with another one would judge by
            // another rule.
            TimeLimitSource::Inferred(run) => format!("{run:?}"),
            _ => String::new(),
        };
        digester.part(format!(
            "{:?}",
            (&planned.name, planned.time_limit, planned.margins, source)
        ));
        digester.part(format!(
            "{:?}",
            problem
                .test_cases
                .iter()
                .map(|test_case| &test_case.id)
                .collect::<Vec<_>>()
        ));
        for submission in &problem.submissions {
            digester.part(format!(
                "{:?}",
                (
                    &submission.id,
                    &submission.language,
                    &submission.expectations
                )
            ));
        }
    }
    costs
        .iter()
        .for_each(|cost| digester.part(cost.to_le_bytes()));
    digester.finish()
}

/// The parts of the problems that belong to a shard. Reads every file that they are judged with.
fn parts(whole: &Plan, places: &Places, is_first: bool) -> Result<Vec<ShardPart>, Failure> {
    let mut parts = Vec::new();
    for (index, planned) in ProblemIndex::enumerate(&whole.problems) {
        let indices = submissions_of(index, places);
        if is_part(planned, &indices, is_first) {
            parts.push(ShardPart {
                problem: planned.name.clone(),
                position: index.0 as u64 + 1,
                // The content is compared between shards of the same problem only. Hashing it
                // for all shards would read every package on every host.
                content: digest_of_package(&planned.problem.directory)?,
                submissions: format_numbers(indices.iter().map(|index| index.0 as u64 + 1)),
                submissions_total: planned.problem.submissions.len() as u64,
            });
        }
    }
    Ok(parts)
}

/// The hint when shards would judge by different time limits.
const TIME_LIMITS_HINT: &str = "hint: measure them once, with `judge run --samples --report json=limits.jsonl` and the same problems, \
    and give every shard `--time-limits limits.jsonl`; or state `limits.time_limit` in problem.yaml";

/// Takes the missing time limits of a plan from the events in a file.
pub(crate) fn take_time_limits(
    config: &Config,
    plan: &mut Plan,
    file: &Path,
) -> Result<(), Failure> {
    let mut limits: BTreeMap<String, ProblemStarted> = BTreeMap::new();
    for event in StoredRun::open(config, file)? {
        if let Event::ProblemStarted(started) = event? {
            limits.insert(started.problem.clone(), started);
        }
    }
    for planned in &mut plan.problems {
        // A limit of the package or of the command line takes precedence.
        if !matches!(planned.time_limit_source, TimeLimitSource::ToInfer(_)) {
            continue;
        }
        let found = limits
            .get(&planned.name)
            .and_then(|limit| Some((limit.time_limit_us, limit.time_limit_from.as_ref()?)));
        let Some((time_limit_us, from)) = found else {
            let (file, name) = (file.display(), &planned.name);
            return Err(Failure::Usage(format!(
                "`{file}` has no inferred time limit for `{name}`\n{TIME_LIMITS_HINT}"
            )));
        };
        planned.time_limit = Duration::from_micros(time_limit_us);
        planned.time_limit_source = TimeLimitSource::Inferred(Inference {
            run: TimedRun {
                submission: from.submission.clone(),
                test_case: from.test_case.clone(),
                cpu_time: Duration::from_micros(from.cpu_time_us),
                stopped: false,
            },
            measured_at: from.measured_at.clone(),
            // An earlier run has measured it, on this host or another one.
            cached: true,
        });
    }
    Ok(())
}

/// Refuses to measure time limits on one of several hosts.
fn require_time_limits(plan: &Plan, shard: Shard) -> Result<(), Failure> {
    let open = |problem: &&PlannedProblem| {
        matches!(problem.time_limit_source, TimeLimitSource::ToInfer(_))
    };
    let open: Vec<&str> = plan
        .problems
        .iter()
        .filter(open)
        .map(|problem| problem.name.as_str())
        .collect();
    if open.is_empty() || shard.count == 1 {
        return Ok(());
    }
    let text = "each shard would infer its own time limit, since none is stated, for";
    Err(Failure::Usage(format!(
        "{text} {}\n{TIME_LIMITS_HINT}",
        quoted(open)
    )))
}
