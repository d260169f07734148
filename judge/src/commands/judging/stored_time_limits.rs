//! Time limits from an earlier run, for packages that state none.
//!
//! Responsible for equal limits on all hosts: limits that each host measures would differ. Must not
//! know how limits are inferred.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use judge_event::{Event, ProblemStarted};
use judge_grading::TimedRun;
use judge_runner::{Inference, Plan, TimeLimitSource};
use judge_sharding::Shard;

use crate::commands::reporting::StoredRun;
use crate::config::Config;
use crate::failure::Failure;
use crate::messages::listed;

const HINT: &str = "hint: measure them once, with `judge run --samples --report json=limits.jsonl` and the same problems, \
    and give every shard `--time-limits limits.jsonl`; or state `limits.time_limit` in problem.yaml";

/// Takes the missing time limits of a plan from the events in a file.
pub(crate) fn take(config: &Config, plan: &mut Plan, file: &Path) -> Result<(), Failure> {
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
                "`{file}` has no inferred time limit for `{name}`\n{HINT}"
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
pub(crate) fn require(plan: &Plan, shard: Shard) -> Result<(), Failure> {
    let open = |problem: &&judge_runner::PlannedProblem| {
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
    Err(Failure::Usage(format!("{text} {}\n{HINT}", listed(open))))
}
