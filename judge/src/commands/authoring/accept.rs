//! `judge accept`: answers that would change, one by one.
//!
//! Responsible for asking, and for what is put in place. Must not know how answers are made.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use judge_authoring::{AuthoringError, ChangeKind, Project, Proposal, shown};
use judge_package::{Filter, PackageErrors};
use judge_report::{AnswerChange, printable_lines};
use judge_sandbox::CancelToken;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use crate::args::AcceptArgs;
use crate::commands::authoring::generate::as_planned;
use crate::commands::authoring::session::{AuthoringSession, authoring_failure, complain, finish_interrupted};
use crate::commands::judging::name_of;
use crate::commands::judging::run::{select_failure, select_packages};
use crate::commands::list::write;
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;

/// What a fault of a package means for it.
const CANNOT: &str = "its answers cannot be made";

pub(crate) fn carry_out(config: &Config, args: &AcceptArgs) -> Result<ExitCode, Failure> {
    let selection = select_packages(config, &args.what)?;
    let mut projects = Vec::new();
    let mut codes = vec![ExitCode::AsExpected];
    for package in &selection.packages {
        if !args.dry_run {
            finish_interrupted(config, &package.directory)?;
        }
        // One to look at, and one for what was accepted.
        let open = || Project::for_review(&package.directory, &config.workspace);
        match open().and_then(|project| Ok((project, open()?))) {
            Ok(pair) => projects.push((pair, &package.filter)),
            Err(errors) => codes.push(complain(config, &name_of(&package.directory), CANNOT, &errors)?),
        }
    }
    let planned: Vec<_> = projects.iter().map(|((project, _), _)| as_planned(project)).collect();
    selection.check(planned.iter()).map_err(|error| select_failure(&error))?;
    // No test case has an empty name: whatever matches it names none.
    let by_name = projects.iter().all(|(_, filter)| !filter.matches_test_case(""));
    let decide = if args.all || by_name && !projects.is_empty() {
        Decide::All
    } else if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        Decide::Ask
    } else {
        return Err(Failure::Usage(
            "there is no terminal to ask on\nhint: name the test cases, or accept every changed answer with `--all`"
                .to_owned(),
        ));
    };
    let all: Vec<&Project> = projects.iter().flat_map(|((project, again), _)| [project, again]).collect();
    if all.is_empty() {
        return Ok(codes.into_iter().reduce(worse).unwrap_or(ExitCode::AsExpected));
    }
    let mut reviewing = Reviewing { config, args, decide, over: false };
    let session = AuthoringSession::open(config, args.execution.into(), &all, false)?;
    for (pair, filter) in &projects {
        codes.push(reviewing.review(&session, pair, filter)?);
        if reviewing.over {
            break;
        }
    }
    Ok(codes.into_iter().reduce(worse).unwrap_or(ExitCode::AsExpected))
}

/// Who decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decide {
    /// It is decided: all of them.
    All,
    /// Whoever sits at the terminal.
    Ask,
}

struct Reviewing<'a> {
    config: &'a Config,
    args: &'a AcceptArgs,
    decide: Decide,
    /// Somebody has had enough, or a signal came.
    over: bool,
}

impl Reviewing<'_> {
    fn review(
        &mut self,
        session: &AuthoringSession<'_>,
        (project, again): &(Project, Project),
        filter: &Filter,
    ) -> Result<ExitCode, Failure> {
        let is_wanted = |id: &str| filter.is_everything() || filter.matches_test_case(id);
        let Some(mut proposal) = session.make(project, &is_wanted)? else { return Ok(self.interrupted()) };
        if let Err(errors) = PackageErrors::check(std::mem::take(&mut proposal.faults)) {
            return complain(self.config, project.name(), CANNOT, &errors);
        }
        let changes = proposal.changes().iter();
        let (answers, others): (Vec<_>, Vec<_>) = changes.partition(|change| change.kind == ChangeKind::AnswerChanged);
        let mut accepted = Vec::new();
        for change in &answers {
            let shown = self.change(project.directory(), &proposal, &change.id)?;
            write(&mut std::io::stdout(), &shown.to_text(self.config.terminal.look))?;
            match self.decide {
                Decide::All => accepted.push(change.id.clone()),
                Decide::Ask => match ask(session.cancel())? {
                    Answer::Yes => accepted.push(change.id.clone()),
                    Answer::No => {}
                    Answer::Quit => {
                        self.over = true;
                        break;
                    }
                    Answer::Interrupted => return Ok(self.interrupted()),
                },
            }
        }
        if !accepted.is_empty() && !self.put_in_place(session, again, &accepted)? {
            return Ok(self.interrupted());
        }
        let left = answers.len() - accepted.len();
        let mut text =
            format!("{}: {} of {} changed answers accepted\n", project.name(), accepted.len(), answers.len());
        if !others.is_empty() {
            text.push_str(&format!("note: {} other test cases would change too: see `judge generate`\n", others.len()));
        }
        write(&mut std::io::stdout(), &text)?;
        Ok(if left > 0 { ExitCode::ExpectationViolated } else { ExitCode::AsExpected })
    }

    fn interrupted(&mut self) -> ExitCode {
        self.over = true;
        ExitCode::Interrupted
    }

    fn change(&self, directory: &Path, proposal: &Proposal<'_>, id: &str) -> Result<AnswerChange, Failure> {
        let path = format!("{id}.ans");
        let place = directory.join("data").join(&path);
        let shown = shown(&place, &proposal.staged(&path)).map_err(failed("read", &place))?;
        Ok(AnswerChange {
            file: self.config.told(&place),
            by_hand: proposal.is_by_hand(id),
            before: shown.before,
            after: shown.after,
            lines_left_out: shown.lines_left_out,
            is_cut: shown.is_cut,
        })
    }

    /// Makes what was accepted once more, and nothing else. Not when it was interrupted.
    fn put_in_place(&self, session: &AuthoringSession<'_>, project: &Project, ids: &[String]) -> Result<bool, Failure> {
        if self.args.dry_run {
            return Ok(true);
        }
        let is_wanted = |id: &str| ids.iter().any(|known| known == id);
        let Some(proposal) = session.make(project, &is_wanted)? else { return Ok(false) };
        if let Some(path) = proposal.in_the_way().first() {
            return Err(Failure::Usage(format!(
                "`data/{path}` was written by hand, and generators.yaml makes something else\nhint: see `judge generate {}`",
                project.name()
            )));
        }
        if !proposal.faults.is_empty() {
            return Err(Failure::Package(format!("{}: the package was changed meanwhile", project.name())));
        }
        proposal.put_in_place().map_err(authoring_failure)?;
        Ok(true)
    }
}

/// What somebody at the terminal says.
enum Answer {
    Yes,
    No,
    /// Not this one, and no further one.
    Quit,
    /// Nothing: not even what was accepted before.
    Interrupted,
}

fn ask(cancel: &CancelToken) -> Result<Answer, Failure> {
    loop {
        write(&mut std::io::stdout(), "accept the new answer? [y]es, [n]o, [q]uit: ")?;
        if !is_answered(cancel)? {
            write(&mut std::io::stdout(), "\n")?;
            return Ok(Answer::Interrupted);
        }
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line).map_err(failed("read", Path::new("/dev/stdin")))?;
        match line.trim() {
            "y" | "yes" => return Ok(Answer::Yes),
            "n" | "no" => return Ok(Answer::No),
            "q" | "quit" => return Ok(Answer::Quit),
            _ if read == 0 => return Ok(Answer::Quit),
            other => {
                let text = printable_lines(&format!("expected y, n or q, found `{other}`\n"));
                write(&mut std::io::stdout(), &text)?;
            }
        }
    }
}

/// Waits for a line at the terminal; not any longer than until a signal comes.
fn is_answered(cancel: &CancelToken) -> Result<bool, Failure> {
    let stdin = std::io::stdin();
    loop {
        let mut polled = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(cancel, PollFlags::IN)];
        match poll(&mut polled, None) {
            Ok(_) if !polled[1].revents().is_empty() => return Ok(false),
            // A terminal gives a line at a time, so nothing of it has been read before.
            Ok(_) => return Ok(true),
            Err(Errno::INTR) => {}
            Err(error) => return Err(failed("wait for", Path::new("/dev/stdin"))(error.into())),
        }
    }
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Failure {
    let path = path.to_owned();
    move |source| Failure::Authoring(AuthoringError::Io { action, path, source })
}
