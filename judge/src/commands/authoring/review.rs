//! `judge generate --review`: shows changed answers one by one, and accepts those that the user wants.
//!
//! Responsible for the order of the questions, and for the exit code. Must not know how answers are made, who decides about
//! them, nor how they are put in place.

use std::io;

use judge_authoring::{ChangedAnswers, Project, Review, ReviewError};
use judge_package::Filter;
use judge_report::{AcceptReport, AnswerChange};

use crate::args::GenerateArgs;
use crate::commands::authoring::packages::{PackageWork, check};
use crate::commands::authoring::progress::watched;
use crate::commands::authoring::question::{Decider, Word};
use crate::commands::authoring::session::AuthoringSession;
use crate::commands::selection::select_own;
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::reporters::write;

/// Reviews the changed answers of the selected packages.
pub(super) fn review(config: &Config, args: &GenerateArgs) -> Result<ExitCode, Failure> {
    let selection = select_own(config, &args.selection.what)?;
    let work = PackageWork { config, cannot: "its answers cannot be made", dry_run: args.dry_run };
    let opened = work.open(&selection, |directory| Review::open(directory, &config.workspace))?;
    let reviews = opened.packages;
    check(&selection, reviews.iter().map(|(review, _)| review.project()))?;
    // No test case has an empty name: whatever matches it names none.
    let by_name = !reviews.is_empty() && reviews.iter().all(|(_, filter)| !filter.matches_test_case(""));
    let decider = Decider::choose(args.accept_answers || by_name);
    if reviews.is_empty() {
        return Ok(opened.code);
    }
    let all: Vec<&Project> = reviews.iter().flat_map(|(review, _)| review.projects()).collect();
    let session = AuthoringSession::open(config, args.execution.into(), &all, false)?;
    let mut reviewing = Reviewing { work, session, decider, is_over: false };
    let mut code = opened.code;
    for (review, filter) in &reviews {
        code = worse(code, reviewing.review(review, filter)?);
        if reviewing.is_over {
            break;
        }
    }
    Ok(code)
}

/// Going through the changed answers of packages.
struct Reviewing<'a> {
    work: PackageWork<'a>,
    session: AuthoringSession<'a>,
    decider: Decider,
    /// True when somebody has had enough, or a signal came.
    is_over: bool,
}

impl Reviewing<'_> {
    fn review(&mut self, review: &Review, filter: &Filter) -> Result<ExitCode, Failure> {
        let is_wanted = |id: &str| filter.is_everything() || filter.matches_test_case(id);
        let problem = review.project().name();
        let changed = watched(self.work.config, problem, |on_progress| {
            review.changed_answers(self.session.observed_resources(on_progress), &is_wanted)
        });
        let answers = match changed {
            Ok(Some(answers)) => answers,
            Ok(None) => return Ok(self.interrupted()),
            Err(ReviewError::Package(errors)) => return self.work.complain(problem, &errors),
            Err(error) => return Err(error.into()),
        };
        let Some(accepted) = self.decide(&answers)? else { return Ok(self.interrupted()) };
        if !accepted.is_empty() && !self.work.dry_run && !review.accept(self.session.resources(), &accepted)? {
            return Ok(self.interrupted());
        }
        let report = AcceptReport {
            problem,
            changed: answers.ids().len(),
            missing: answers.missing(),
            accepted: accepted.len(),
            others: answers.others(),
        };
        write(&mut io::stdout(), &report.to_text())?;
        Ok(if report.is_complete() { ExitCode::AsExpected } else { ExitCode::ExpectationViolated })
    }

    /// Shows the answers, and finds out which are accepted. `None` when it was interrupted.
    fn decide(&mut self, answers: &ChangedAnswers<'_>) -> Result<Option<Vec<String>>, Failure> {
        let mut accepted = Vec::new();
        if self.decider == Decider::Nobody && !self.work.dry_run && !answers.ids().is_empty() {
            return Err(Failure::Usage(
                "standard input is not a terminal\nhint: name the test cases, or accept every changed answer with \
                 `--accept-answers`"
                    .to_owned(),
            ));
        }
        for id in answers.ids() {
            let answer = answers.show(id)?;
            let change = AnswerChange {
                file: self.work.config.shown(&answer.file),
                by_hand: answer.is_by_hand,
                before: answer.shown.before,
                after: answer.shown.after,
                lines_left_out: answer.shown.lines_left_out,
                is_cut: answer.shown.is_cut,
            };
            write(&mut io::stdout(), &change.to_text(self.work.config.terminal.look))?;
            match self.decider.decide(self.session.cancel())? {
                Word::Yes => accepted.push(id.clone()),
                Word::No => {}
                Word::Quit => {
                    self.is_over = true;
                    break;
                }
                Word::Interrupted => return Ok(None),
            }
        }
        Ok(Some(accepted))
    }

    fn interrupted(&mut self) -> ExitCode {
        self.is_over = true;
        ExitCode::Interrupted
    }
}
