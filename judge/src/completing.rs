//! Completions of words in a shell.
//!
//! Responsible for the words that each argument accepts, and for answering shells. Must not load
//! packages or run anything, since the user waits at the keyboard, and must not write errors into
//! the command line.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use clap::Arg;
use clap_complete::CompleteEnv;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _,
};
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};
use judge_interchange::pack::Target;
use judge_model::{IsolationLevel, ReportKind};
use judge_package::{
    Code, Profile, SchemaName, Workspace, continuations, continuations_in, group_continuations,
};

use crate::args::command;

/// The variable by which a shell asks for completions. Its value is the name of the shell.
const VARIABLE: &str = "COMPLETE";

/// The shells. Zsh, Fish and Elvish quote the words that they insert; the others insert them
/// unchanged.
const SHELLS: Shells<'static> = Shells(&[&Plain(Bash), &Elvish, &Fish, &Plain(Powershell), &Zsh]);

/// A shell that is offered plain words only: it would execute the name of a file such as
/// `$(reboot).py`.
struct Plain<S>(S);

impl<S: EnvCompleter> EnvCompleter for Plain<S> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn is(&self, name: &str) -> bool {
        self.0.is(name)
    }

    fn write_registration(
        &self,
        variable: &str,
        name: &str,
        program: &str,
        completer: &str,
        into: &mut dyn io::Write,
    ) -> io::Result<()> {
        self.0
            .write_registration(variable, name, program, completer, into)
    }

    fn write_complete(
        &self,
        command: &mut clap::Command,
        words: Vec<OsString>,
        directory: Option<&Path>,
        into: &mut dyn io::Write,
    ) -> io::Result<()> {
        let mut offered = Vec::new();
        self.0
            .write_complete(command, words, directory, &mut offered)?;
        // Scripts of shells name the separator in this variable, and clap reads it there.
        let separator = std::env::var("_CLAP_IFS")
            .ok()
            .filter(|text| !text.is_empty())
            .unwrap_or_else(|| "\n".to_owned());
        let offered = String::from_utf8_lossy(&offered);
        // Words with other characters are not offered at all: quoting differs between shells, and a
        // wrong quote would run something. A description follows a tab.
        let is_safe = |word: &&str| {
            !word.is_empty()
                && word
                    .split('\t')
                    .next()
                    .unwrap_or_default()
                    .chars()
                    .all(is_plain)
        };
        let words: Vec<&str> = offered.split(&*separator).filter(is_safe).collect();
        into.write_all(words.join(&*separator).as_bytes())?;
        Ok(())
    }
}

/// True for a character without a meaning in any shell.
fn is_plain(letter: char) -> bool {
    letter.is_alphanumeric() || "/._-+,:=@%".contains(letter)
}

/// Answers a shell that asks for completions. True if one asked.
pub(crate) fn answer_shell(words: &[OsString]) -> bool {
    let is_requested = std::env::var_os(VARIABLE)
        .is_some_and(|name| SHELLS.names().any(|shell| name.to_str() == Some(shell)));
    let here = std::env::current_dir().ok();
    is_requested
        && CompleteEnv::with_factory(command_with_completions)
            .shells(SHELLS)
            .try_complete(words.to_vec(), here.as_deref())
            .is_ok()
}

/// The script that makes a shell ask this program for completions.
pub(crate) fn registration(shell: &str) -> Vec<u8> {
    let mut text = Vec::new();
    if let Some(completer) = SHELLS.completer(shell) {
        // Writing to memory cannot fail.
        let _ = completer.write_registration(VARIABLE, "judge", "judge", "judge", &mut text);
    }
    text
}

/// The command line with completions for its arguments.
fn command_with_completions() -> clap::Command {
    command().mut_subcommands(|subcommand| {
        subcommand
            .mut_args(with_words)
            .mut_subcommands(|subcommand| subcommand.mut_args(with_words))
    })
}

fn with_words(arg: Arg) -> Arg {
    let value = arg
        .get_value_names()
        .and_then(<[_]>::first)
        .map(ToString::to_string)
        .unwrap_or_default();
    match (arg.get_id().as_str(), value.as_str()) {
        (_, "WHAT" | "PROBLEM") => {
            arg.add(ArgValueCompleter::new(|typed: &OsStr| named(typed, None)))
        }
        (_, "SUBMISSION" | "CASE" | "INPUT") => arg.add(ArgValueCompleter::new(|typed: &OsStr| {
            named(typed, problem_typed().as_deref())
        })),
        ("checker" | "validator" | "calls", _) => {
            arg.add(ArgValueCompleter::new(PathCompleter::any()))
        }
        (_, "GROUP") => arg.add(ArgValueCompleter::new(groups)),
        (_, "KIND[=FILE]" | "json[=FILE]") => arg.add(words(|| {
            ReportKind::ALL
                .map(|kind| (format!("{kind}="), ""))
                .to_vec()
        })),
        (_, "LEVEL") => arg.add(words(|| {
            IsolationLevel::ALL
                .map(|level| (level.to_string(), ""))
                .to_vec()
        })),
        ("explain", _) => arg.add(words(|| {
            Code::all()
                .into_iter()
                .map(|code| (code.id().to_owned(), code.title()))
                .collect()
        })),
        ("profile", _) => arg.add(words(|| {
            Profile::ALL
                .map(|profile| (profile.name().to_owned(), ""))
                .to_vec()
        })),
        ("judge", "JUDGE") => arg.add(words(|| {
            Target::all()
                .map(|target| (target.name().to_owned(), target.description()))
                .collect()
        })),
        ("name", "NAME") => arg.add(words(|| {
            SchemaName::ALL.map(|name| (name.to_string(), "")).to_vec()
        })),
        (_, "COMMAND") if arg.get_id() == "about" => arg.add(words(subcommands)),
        _ => arg,
    }
}

fn subcommands() -> Vec<(String, &'static str)> {
    command()
        .get_subcommands()
        .map(|subcommand| (subcommand.get_name().to_owned(), ""))
        .collect()
}

/// Offers the words, each with its description, that begin with the typed text.
fn words(all: fn() -> Vec<(String, &'static str)>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |typed: &OsStr| {
        let typed = typed.to_string_lossy().to_lowercase();
        let found = all()
            .into_iter()
            .filter(|(word, _)| word.to_lowercase().starts_with(&typed));
        let candidate = |(word, meaning): (String, &'static str)| {
            CompletionCandidate::new(word).help((!meaning.is_empty()).then(|| meaning.into()))
        };
        found.map(candidate).collect()
    })
}

/// Offers problems, submissions and test cases of the workspace, and paths. The parts of `problem`
/// are offered without its name too.
fn named(typed: &OsStr, problem: Option<&str>) -> Vec<CompletionCandidate> {
    let directory = directory();
    let mut words = BTreeSet::new();
    if let (Ok(workspace), Some(typed)) = (Workspace::find(&directory), typed.to_str()) {
        words.extend(continuations(&workspace, typed, &directory));
        if problem.is_some() {
            words.extend(continuations_in(&workspace, problem, typed, &directory));
        }
    }
    let mut found: Vec<CompletionCandidate> =
        words.into_iter().map(CompletionCandidate::new).collect();
    found.extend(PathCompleter::any().current_dir(directory).complete(typed));
    found
}

/// Offers the groups that a test case can be added to.
fn groups(typed: &OsStr) -> Vec<CompletionCandidate> {
    let directory = directory();
    let (Ok(workspace), Some(typed)) = (Workspace::find(&directory), typed.to_str()) else {
        return Vec::new();
    };
    let groups = group_continuations(&workspace, problem_typed().as_deref(), typed, &directory);
    groups.into_iter().map(CompletionCandidate::new).collect()
}

/// The words of the command line that a shell sends.
fn words_typed() -> Vec<OsString> {
    std::env::args_os()
        .skip_while(|word| word != "--")
        .skip(1)
        .collect()
}

/// The value of an option, in either of its forms.
fn option_typed(short: &str, long: &str) -> Option<OsString> {
    let words = words_typed();
    let after = |flag: &str| {
        words
            .iter()
            .position(|word| word == flag)
            .and_then(|at| words.get(at + 1))
            .cloned()
    };
    let joined = || {
        words
            .iter()
            .find_map(|word| Some(word.to_str()?.strip_prefix(long)?.strip_prefix('=')?.into()))
    };
    after(short).or_else(|| after(long)).or_else(joined)
}

/// The problem that is named in the line: by an option, or by the first word after a command that
/// expects it there.
fn problem_typed() -> Option<String> {
    let words = words_typed();
    let subcommand = words.iter().position(|word| word == "visualize");
    let first = || {
        words
            .get(subcommand? + 1..)?
            .iter()
            .find(|word| !word.to_string_lossy().starts_with('-'))
            .cloned()
    };
    option_typed("-p", "--problem")
        .or_else(first)?
        .into_string()
        .ok()
}

/// The directory in which the command would run: that of `-C`, or the current one.
fn directory() -> PathBuf {
    let here = option_typed("-C", "--directory").map_or_else(|| PathBuf::from("."), PathBuf::from);
    here.canonicalize().unwrap_or(here)
}
