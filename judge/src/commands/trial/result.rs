//! The result of a program on one input: its output, how it ended, and what it used.
//!
//! Responsible for where each of them is printed, and for the exit code. Must not know how the program was run.

use std::io::{self, IsTerminal as _, Write as _};

use judge_exec::{Refusal, Trial};
use judge_model::{Verdict, micros};
use judge_report::{TrialReport, printable_lines};
use judge_runner::PlannedProblem;

use crate::commands::judging::RunContext;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::{Failure, RESULT};
use crate::reporters::write;

/// Prints why there is nothing to run.
pub(super) fn print_refusal(
    context: &RunContext,
    planned: &PlannedProblem,
    refusal: &Refusal,
) -> Result<ExitCode, Failure> {
    let language = planned.problem.submissions.iter().find_map(|submission| submission.language.as_ref());
    let missing = language.and_then(|language| context.environment.toolchains.for_submissions(language)?.err());
    match (missing, refusal) {
        (Some(missing), _) => Err(Failure::Measuring(missing.to_string())),
        (None, Refusal::Submission { why, compiler_said }) => {
            // What the compiler says first stands in the reason too.
            let text = match compiler_said.is_empty() {
                true => format!("CE: {why}\n"),
                false => format!("CE: it does not compile\n{}", String::from_utf8_lossy(compiler_said)),
            };
            write(&mut io::stderr(), &printable_lines(&text))?;
            Ok(ExitCode::ExpectationViolated)
        }
        (None, refusal) => Err(Failure::Package(format!("{}: {refusal}", planned.path))),
    }
}

/// Prints the output of the program, or its conversation, and how it ended.
pub(super) fn print_trial(config: &Config, planned: &PlannedProblem, trial: Trial) -> Result<ExitCode, Failure> {
    let Trial { result, stdout, stderr } = trial;
    let usage = result.outcome.usage;
    let is_judged = planned.problem.interactive;
    let report = TrialReport {
        verdict: result.verdict,
        is_judged,
        termination: result.outcome.termination,
        cpu_time_us: micros(usage.cpu_time),
        wall_time_us: micros(usage.wall_time),
        time_limit_us: micros(planned.time_limit),
        memory_bytes: usage.memory_bytes,
        memory_limit: planned.problem.limits.memory_bytes,
        output_bytes: (!is_judged).then_some(usage.stdout_bytes),
        stderr: judge_event::Bytes(stderr),
        interaction: result.interaction.map(|interaction| *interaction),
        judge_message: result.judge_message,
        reason: result.reason,
    };
    if is_judged {
        write(&mut io::stdout(), &report.conversation(config.terminal.look))?;
    } else {
        print_output(&stdout)?;
    }
    write(&mut io::stderr(), &report.to_text(config.terminal.look))?;
    Ok(exit_code(report.verdict))
}

/// The exit code for the verdict on one run.
pub(super) fn exit_code(verdict: Verdict) -> ExitCode {
    match verdict {
        Verdict::Accepted => ExitCode::AsExpected,
        Verdict::JudgeError => ExitCode::PackageFault,
        _ => ExitCode::ExpectationViolated,
    }
}

/// Prints the output of the program: as it is for programs, and so that it cannot control the terminal for people.
fn print_output(output: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout();
    if stdout.is_terminal() {
        let text = printable_lines(&String::from_utf8_lossy(output)).to_string();
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        return write(&mut stdout, &format!("{text}{end}"));
    }
    let written = stdout.write_all(output).and_then(|()| stdout.flush());
    written.map_err(|source| Failure::Write { what: RESULT.to_owned(), source })
}
