//! `judge generate --review`: shows changed answers one by one, and accepts those that the user
//! chooses.
//!
//! Responsible for the questions, and for the exit code. Must not know how answers are generated,
//! nor how they replace files.

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

use judge_authoring::{ChangedAnswers, Project, Review, ReviewError};
use judge_exec::ExecError;
use judge_package::Filter;
use judge_report::{AcceptReport, AnswerChange, printable_lines};
use judge_sandbox::CancelToken;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use crate::args::GenerateArgs;
use crate::commands::authoring::session::{AuthoringSession, PackageWork, check, watched};
use crate::commands::selection::select_own;
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::messages::print;

/// Reviews the changed answers of the selected packages.
pub(super) fn review(config: &Config, args: &GenerateArgs) -> Result<ExitCode, Failure> {
    let selection = select_own(config, &args.selection.what)?;
    let work = PackageWork {
        config,
        cannot: "its answers cannot be generated",
        dry_run: args.check,
    };
    let opened = work.open(&selection, |directory| {
        Review::open(directory, &config.workspace)
    })?;
    let reviews = opened.packages;
    check(
        &selection,
        reviews.iter().map(|(review, _)| review.project()),
    )?;
    // No test case has an empty name. A filter that matches it does not name test cases.
    let by_name = !reviews.is_empty()
        && reviews
            .iter()
            .all(|(_, filter)| !filter.matches_test_case(""));
    let decider = Decider::choose(args.accept_answers || by_name);
    if reviews.is_empty() {
        return Ok(opened.code);
    }
    let all: Vec<&Project> = reviews
        .iter()
        .flat_map(|(review, _)| review.projects())
        .collect();
    let session = AuthoringSession::open(config, args.execution.into(), &all, false)?;
    let mut reviewing = Reviewing {
        work,
        session,
        decider,
        is_over: false,
    };
    let mut code = opened.code;
    for (review, filter) in &reviews {
        code = worse(code, reviewing.review(review, filter)?);
        if reviewing.is_over {
            break;
        }
    }
    Ok(code)
}

/// The review of the answers of several packages.
struct Reviewing<'a> {
    work: PackageWork<'a>,
    session: AuthoringSession<'a>,
    decider: Decider,
    /// True after `quit` or a signal.
    is_over: bool,
}

impl Reviewing<'_> {
    fn review(&mut self, review: &Review, filter: &Filter) -> Result<ExitCode, Failure> {
        let is_selected = |id: &str| filter.is_everything() || filter.matches_test_case(id);
        let problem = review.project().name();
        let changed = watched(self.work.config, problem, |on_progress| {
            review.changed_answers(self.session.observed_resources(on_progress), &is_selected)
        });
        let answers = match changed {
            Ok(Some(answers)) => answers,
            Ok(None) => return Ok(self.interrupted()),
            Err(ReviewError::Package(errors)) => return self.work.complain(problem, &errors),
            Err(error) => return Err(error.into()),
        };
        let Some(accepted) = self.decide(&answers)? else {
            return Ok(self.interrupted());
        };
        // All decisions of a package are applied together, after the last question.
        if !accepted.is_empty()
            && !self.work.dry_run
            && !review.accept(self.session.resources(), &accepted)?
        {
            return Ok(self.interrupted());
        }
        let report = AcceptReport {
            problem,
            changed: answers.ids.len(),
            missing: answers.missing,
            accepted: accepted.len(),
            others: answers.others,
        };
        print(report.to_text())?;
        Ok(ExitCode::ExpectationViolated.unless(report.is_complete()))
    }

    /// Shows the answers, and returns the accepted ones. `None` when it was interrupted.
    fn decide(&mut self, answers: &ChangedAnswers<'_>) -> Result<Option<Vec<String>>, Failure> {
        let mut accepted = Vec::new();
        if self.decider == Decider::NoTerminal && !self.work.dry_run && !answers.ids.is_empty() {
            return Err(Failure::Usage(
                "standard input is not a terminal\nhint: name the test cases, or accept every changed answer with \
                 `--accept-answers`"
                    .to_owned(),
            ));
        }
        for id in &answers.ids {
            let answer = answers.show(id)?;
            let change = AnswerChange {
                file: self.work.config.shown(&answer.file),
                by_hand: answer.is_by_hand,
                before: answer.shown.before,
                after: answer.shown.after,
                lines_left_out: answer.shown.lines_left_out,
                is_cut: answer.shown.is_cut,
            };
            print(change.to_text(self.work.config.terminal.look))?;
            let decision = match self.decider {
                Decider::CommandLine => Decision::Yes,
                Decider::Terminal => ask(self.session.cancel())?,
                Decider::NoTerminal => Decision::No,
            };
            match decision {
                Decision::Yes => accepted.push(id.clone()),
                Decision::No => {}
                Decision::Quit => {
                    self.is_over = true;
                    break;
                }
                Decision::Interrupted => return Ok(None),
            }
        }
        Ok(Some(accepted))
    }

    fn interrupted(&mut self) -> ExitCode {
        self.is_over = true;
        ExitCode::Interrupted
    }
}

/// The decision about an answer.
enum Decision {
    Yes,
    No,
    /// Rejects this answer and all further ones.
    Quit,
    /// A signal came. Earlier decisions are discarded too.
    Interrupted,
}

/// The source of decisions about changed answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decider {
    /// The command line accepts all of them.
    CommandLine,
    /// The user at the terminal is asked.
    Terminal,
    /// There is no terminal.
    NoTerminal,
}

impl Decider {
    /// The command line if it accepts answers, or else the user at the terminal, if there is one.
    fn choose(accepts_all: bool) -> Self {
        match accepts_all {
            true => Self::CommandLine,
            false if io::stdin().is_terminal() && io::stdout().is_terminal() => Self::Terminal,
            false => Self::NoTerminal,
        }
    }
}

/// Asks whether an answer that was just shown is accepted.
fn ask(cancel: &CancelToken) -> Result<Decision, Failure> {
    loop {
        print("accept the new answer? [y]es, [n]o, [q]uit: ")?;
        if !is_answered(cancel)? {
            print("\n")?;
            return Ok(Decision::Interrupted);
        }
        let mut line = String::new();
        let read = io::stdin()
            .lock()
            .read_line(&mut line)
            .map_err(|error| failed("read", error))?;
        match line.trim() {
            "y" | "yes" => return Ok(Decision::Yes),
            "n" | "no" => return Ok(Decision::No),
            "q" | "quit" => return Ok(Decision::Quit),
            // The end of input, as by Ctrl-D.
            _ if read == 0 => return Ok(Decision::Quit),
            other => {
                let text = printable_lines(&format!("expected y, n or q, found `{other}`\n"));
                print(text)?;
            }
        }
    }
}

/// Waits for a line at the terminal or for a signal. True for a line.
fn is_answered(cancel: &CancelToken) -> Result<bool, Failure> {
    let stdin = io::stdin();
    loop {
        let mut polled = [
            PollFd::new(&stdin, PollFlags::IN),
            PollFd::new(cancel, PollFlags::IN),
        ];
        match poll(&mut polled, None) {
            Ok(_) if !polled[1].revents().is_empty() => return Ok(false),
            // A terminal gives a line at a time, so nothing of it has been read before.
            Ok(_) => return Ok(true),
            Err(Errno::INTR) => {}
            Err(error) => return Err(failed("wait for", error.into())),
        }
    }
}

fn failed(action: &'static str, source: io::Error) -> Failure {
    ExecError::io(action, Path::new("/dev/stdin"))(source).into()
}
