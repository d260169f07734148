//! The words of a command line that determine its workspace: paths that lead to it, and the profile
//! of its packages.
//!
//! Responsible for choosing these words. Must not read any path.

use judge_package::Profile;

use std::path::Path;

use super::Command;

/// The words of a command that name problems, parts of them, or programs.
#[derive(Debug, Default)]
pub(crate) struct Words<'a> {
    /// Problems and parts of them.
    pub(crate) what: Vec<&'a str>,
    /// Programs in any place, for a problem that is not named.
    pub(crate) programs: Vec<&'a str>,
}

impl Command {
    /// The profile that was typed.
    pub(crate) fn profile(&self) -> Option<Profile> {
        match self {
            Self::Check(args) => args.severity_args.profile,
            Self::Verify(args) => args.severity_args.profile,
            _ => None,
        }
    }

    /// True for a command that reports an interruption itself, with partial and cached results.
    pub(crate) fn shows_interruption(&self) -> bool {
        use Command::{Check, Compare, Grade, Mutate, Run, Stress, Submit, Verify};
        matches!(
            self,
            Grade(_)
                | Run(_)
                | Submit(_)
                | Verify(_)
                | Check(_)
                | Stress(_)
                | Compare(_)
                | Mutate(_)
        )
    }

    /// The words of this command that name problems or programs.
    pub(crate) fn words(&self) -> Words<'_> {
        match self {
            Self::Run(args) => words_of(&args.changes.selection.what),
            // The files that a hook passes lie below the directory in which it starts.
            Self::Check(args) if args.staged => Words::default(),
            Self::Check(args) => words_of(&args.changes.selection.what),
            Self::Verify(args) => words_of(&args.changes.selection.what),
            Self::List(args) => words_of(&args.changes.selection.what),
            Self::Generate(args) => words_of(&args.selection.what),
            Self::Statement(args) => words_of(&args.selection.what),
            Self::Pack(args) => words_of(&args.selection.what),
            Self::Upgrade(args) => words_of(&args.selection.what),
            Self::Mutate(args) => words_of(&args.what),
            Self::Add(args) => words_of(args.problem.as_slice()),
            Self::Submit(args) => of_programs(args.problem.as_deref(), args.file.to_str()),
            Self::Try(args) => of_programs(
                args.problem.name.as_deref(),
                args.file.as_deref().and_then(Path::to_str),
            ),
            Self::Visualize(args) => words_of(std::slice::from_ref(&args.problem)),
            Self::Compare(args) => of_programs(
                args.problem.name.as_deref(),
                args.submissions.iter().map(String::as_str),
            ),
            Self::Stress(args) => of_programs(
                args.problem.name.as_deref(),
                args.submissions.iter().map(String::as_str),
            ),
            Self::Grade(_)
            | Self::New(_)
            | Self::Import(_)
            | Self::Report(_)
            | Self::Print(_)
            | Self::Doctor(_) => Words::default(),
        }
    }
}

fn words_of(what: &[String]) -> Words<'_> {
    Words {
        what: what.iter().map(String::as_str).collect(),
        programs: Vec::new(),
    }
}

fn of_programs<'a>(
    problem: Option<&'a str>,
    programs: impl IntoIterator<Item = &'a str>,
) -> Words<'a> {
    match problem {
        Some(problem) => Words {
            what: vec![problem],
            ..Words::default()
        },
        None => Words {
            programs: programs.into_iter().collect(),
            ..Words::default()
        },
    }
}
