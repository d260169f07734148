//! Testing tools: checks that the tools of a package accept its accepted submissions, and reject
//! one that fails.
//!
//! Responsible for the trials and the findings. Must not run anything itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use judge_exec::{
    Crew, ExecError, ReadyProgram, ReadyTestingTool, Session, ToolPartner, ToolReply, Toolchains,
    Worker, must_be_accepted,
};
use judge_model::{LanguageId, Program, Submission};
use judge_package::{Finding, LoadedPackage, code};
use serde::{Deserialize, Serialize};

use super::grouped::last_line;
use super::ready::{broken, missing_tools};

/// The findings of the runs of testing tools.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct ToolFindings {
    pub(super) findings: Vec<Finding>,
    pub(super) runs: u64,
    /// True unless a program exceeded its time limit or does not compile: the host may be the
    /// cause.
    pub(super) lasts: bool,
}

/// A run of a tool.
struct Trial<'a> {
    program: &'a Program,
    tool: &'a ReadyTestingTool,
    /// The submission with its name; `None` for the built-in failing one.
    solution: Option<&'a (String, ReadyProgram)>,
    input: &'a (String, PathBuf),
}

/// The languages that a package's testing tools and the submissions for them are written in.
pub(super) fn languages_of(loaded: &LoadedPackage) -> impl Iterator<Item = LanguageId> {
    let tools = &loaded.testing_tools.programs;
    let submissions = correct(loaded)
        .filter(|_| !tools.is_empty())
        .filter_map(|submission| submission.language.clone());
    tools.iter().flat_map(Program::languages).chain(submissions)
}

/// The submissions that every testing tool has to accept.
fn correct(loaded: &LoadedPackage) -> impl Iterator<Item = &Submission> {
    loaded
        .problem
        .submissions
        .iter()
        .filter(|submission| must_be_accepted(&submission.expectations))
}

/// The files and directories of the testing tools and of the submissions for them.
pub(super) fn programs(loaded: &LoadedPackage) -> Vec<&Path> {
    let tools = loaded.testing_tools.programs.iter();
    let tools = tools.map(|program| program.path.as_path());
    let submissions = correct(loaded).map(|submission| submission.path.as_path());
    tools.chain(submissions).collect()
}

/// Runs the testing tools of a package, `jobs` of them at a time.
pub(super) fn try_all(
    loaded: &LoadedPackage,
    session: &Session,
    toolchains: &Toolchains,
    jobs: usize,
) -> Result<ToolFindings, ExecError> {
    let mut worker = session.worker(None);
    let mut tried = ToolFindings::default();
    let tools = ready_tools(loaded, toolchains, &mut worker, &mut tried.findings)?;
    let solutions = match tools.is_empty() {
        true => Vec::new(),
        false => ready_solutions(loaded, toolchains, &mut worker)?,
    };
    let compiles = tried.findings.is_empty() && solutions.len() == correct(loaded).count();
    let trials = trials(loaded, &tools, &solutions);
    let replies = run_all(session, loaded, &trials, jobs)?;
    for (program, _) in &tools {
        tried.findings.extend(findings(program, &replies));
    }
    let lasts = compiles && !replies.iter().any(|(_, reply)| reply.timed_out);
    Ok(ToolFindings {
        runs: replies.len() as u64,
        lasts,
        ..tried
    })
}

/// Runs the trials and returns them with their replies, in order. After a cancellation, some are
/// missing. Those of a tool end with the first one that exceeds its time: the others would take as
/// long, and say no more.
fn run_all<'t, 'a>(
    session: &Session,
    loaded: &LoadedPackage,
    trials: &'t [Trial<'a>],
    jobs: usize,
) -> Result<Vec<(&'t Trial<'a>, ToolReply)>, ExecError> {
    let timed_out = TimedOut::default();
    let run = |worker: &mut Worker<'_>, (position, trial): &(usize, &'t Trial<'a>)| {
        if timed_out.is_before(*position, &trial.program.path) {
            return Ok(None);
        }
        let partner = match trial.solution {
            Some((_, solution)) => ToolPartner::Solution(solution),
            None => ToolPartner::Failing,
        };
        let limits = &loaded.problem.limits;
        let reply = worker.run_testing_tool(trial.tool, partner, &trial.input.1, limits)?;
        if reply.as_ref().is_some_and(|reply| reply.timed_out) {
            timed_out.record(*position, &trial.program.path);
        }
        Ok(reply)
    };
    let mut replies = BTreeMap::new();
    let begin = |_| Ok(session.worker(None));
    let numbered: Vec<(usize, &Trial<'_>)> = trials.iter().enumerate().collect();
    Crew::new(jobs).for_each_result(
        &numbered,
        begin,
        run,
        |index, reply| -> Result<(), ExecError> {
            replies.insert(index, (&trials[index], reply));
            Ok(())
        },
    )?;
    // Trials that ran at the same time as the first one to exceed its time are left out too, so
    // that the findings are the same for any number of jobs.
    replies.retain(|position, (trial, _)| !timed_out.is_before(*position, &trial.program.path));
    Ok(replies.into_values().collect())
}

/// The first trial of each tool that exceeded its time, by the tool's path.
#[derive(Default)]
struct TimedOut(Mutex<BTreeMap<PathBuf, usize>>);

impl TimedOut {
    fn record(&self, position: usize, tool: &Path) {
        let mut first = self.0.lock().expect("no holder panics");
        first
            .entry(tool.to_owned())
            .and_modify(|earlier| *earlier = position.min(*earlier))
            .or_insert(position);
    }

    /// Returns true if an earlier trial of the same tool exceeded its time.
    fn is_before(&self, position: usize, tool: &Path) -> bool {
        let first = self.0.lock().expect("no holder panics");
        first.get(tool).is_some_and(|earlier| *earlier < position)
    }
}

fn ready_tools<'a>(
    loaded: &'a LoadedPackage,
    toolchains: &Toolchains,
    worker: &mut Worker<'_>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<(&'a Program, ReadyTestingTool)>, ExecError> {
    let mut tools = Vec::new();
    // Contestants use their own tools of a language, so a missing one on this host is not a finding.
    let is_available = |program: &&Program| missing_tools(program, toolchains).is_none();
    for program in loaded.testing_tools.programs.iter().filter(is_available) {
        match worker.testing_tool(&loaded.problem, program) {
            Ok(tool) => tools.push((program, tool)),
            Err(fault) => findings.push(broken(code::TESTING_TOOL_BROKEN, &program.path, fault)?),
        }
    }
    Ok(tools)
}

/// The accepted submissions that can be run here. `judge run` reports those that do not compile.
fn ready_solutions(
    loaded: &LoadedPackage,
    toolchains: &Toolchains,
    worker: &mut Worker<'_>,
) -> Result<Vec<(String, ReadyProgram)>, ExecError> {
    let mut solutions = Vec::new();
    for submission in correct(loaded) {
        let language = submission.language.as_ref();
        if !language
            .is_some_and(|language| matches!(toolchains.for_submissions(language), Some(Ok(_))))
        {
            continue;
        }
        match worker.solution(&loaded.problem, submission) {
            Ok(ready) => solutions.push((submission.id.clone(), ready)),
            Err(fault) => drop(fault.refusal()?),
        }
    }
    Ok(solutions)
}

fn trials<'a>(
    loaded: &'a LoadedPackage,
    tools: &'a [(&Program, ReadyTestingTool)],
    solutions: &'a [(String, ReadyProgram)],
) -> Vec<Trial<'a>> {
    let inputs = &loaded.testing_tools.inputs;
    let mut trials = Vec::new();
    for (program, tool) in tools {
        let trial = |input, solution| Trial {
            program,
            tool,
            solution,
            input,
        };
        for input in inputs {
            trials.extend(
                solutions
                    .iter()
                    .map(|solution| trial(input, Some(solution))),
            );
        }
        trials.extend(inputs.first().map(|input| trial(input, None)));
    }
    trials
}

/// The findings about a tool: the first accepted submission that it rejects, with the number of
/// others, and its acceptance of the failing one.
fn findings(program: &Program, replies: &[(&Trial<'_>, ToolReply)]) -> Vec<Finding> {
    let own = || {
        replies
            .iter()
            .filter(|(trial, _)| trial.program.path == program.path)
    };
    let failures = own().filter_map(|(trial, reply)| {
        let ((submission, _), how) = (trial.solution?, reply.failure.as_ref()?);
        // The solution also writes to standard error, but only the tool to standard output.
        let line = [&reply.stdout, &reply.stderr]
            .map(last_line)
            .into_iter()
            .find(|line| !line.is_empty());
        let (id, why) = (&trial.input.0, line.unwrap_or_default());
        Some(format!("{how} for `{submission}` on `{id}`{why}"))
    });
    let failures: Vec<String> = failures.collect();
    let rejects = failures.first().map(|first| {
        let more = match failures.len() - 1 {
            0 => String::new(),
            more => format!(" (and in {more} more runs)"),
        };
        let message = format!("{first}{more}");
        Finding::new(code::TESTING_TOOL_REJECTS, &program.path, message)
    });
    let accepts = own().any(|(trial, reply)| trial.solution.is_none() && reply.failure.is_none());
    let accepts = accepts.then(|| {
        let message = "exits with code 0 for a solution that exits with code 1 and writes nothing";
        Finding::new(code::TESTING_TOOL_ACCEPTS, &program.path, message)
    });
    rejects.into_iter().chain(accepts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trials_after_a_time_out_are_skipped() {
        let (slow, other) = (Path::new("slow"), Path::new("other"));
        let timed_out = TimedOut::default();
        // The order of the reports does not matter.
        timed_out.record(3, slow);
        timed_out.record(2, slow);
        let skipped = |tool| (0..5).filter(|at| timed_out.is_before(*at, tool)).collect();
        let (of_slow, of_other): (Vec<usize>, Vec<usize>) = (skipped(slow), skipped(other));
        assert_eq!((of_slow, of_other), (vec![3, 4], vec![]));
    }
}
