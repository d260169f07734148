//! The command line of `judge`: wiring only.
//!
//! Responsible for the way from arguments to an exit code. The arguments are in `args`, their
//! meaning on this host in `config`, the commands in `commands`, and the conversion of a run's
//! state to a number in `exit_code`.

mod args;
mod ci;
mod commands;
mod completing;
mod config;
mod exit_code;
mod failure;
mod host;
mod log;
mod messages;
mod reporters;
mod session;
mod sharding;
mod watch;
mod whole_file;

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};
use clap::{ColorChoice, FromArgMatches};
use judge_report::{noun, printable_lines};

use crate::args::{Cli, Command, command, expand_json, message_of_input, message_of_other_tool};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// The size in bytes of the stack that commands run on, independent of the shell's limit: the
/// default of Linux.
const STACK_BYTES: usize = 8 << 20;

fn main() -> std::process::ExitCode {
    // The sandbox starts this very program again as its helper; that must come before anything
    // else.
    if let Some(code) = judge_sandbox::serve_if_zygote() {
        return code;
    }
    judge_sandbox::survive_file_size_limit();
    // The limit of the shell for stacks (`ulimit -s`) applies to the first thread only.
    match std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(run)
    {
        Ok(thread) => thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => run(),
    }
}

/// Parses the command line and runs the command.
fn run() -> std::process::ExitCode {
    let mut words: Vec<_> = std::env::args_os().collect();
    expand_json(&mut words);
    // clap would parse the option as the name of a command.
    if words.get(1).is_some_and(|word| word == "help") {
        words.retain(|word| word != "--help" && word != "-h");
    }
    if completing::answer_shell(&words) {
        return ExitCode::AsExpected.into();
    }
    let color = if config::color_is_forced() {
        ColorChoice::Always
    } else {
        ColorChoice::Auto
    };
    let command = command().color(color);
    let typed = words.clone();
    let cli = match command
        .try_get_matches_from(words)
        .and_then(|matches| Cli::from_arg_matches(&matches))
    {
        Ok(cli) => cli,
        Err(mut error) => {
            remove_tip_of_dashes(&mut error);
            if let Some(message) =
                message_of_other_tool(&error, &typed).or_else(|| message_of_input(&error, &typed))
            {
                reporters::print_failure(&Failure::Usage(message));
                return ExitCode::Usage.into();
            }
            // Help and version are not errors, and neither is a closed pipe.
            let _ = match safe_text(&error, &typed) {
                Some(text) => messages::complain(text.trim_end()).map_err(std::io::Error::other),
                None => error.print(),
            };
            let code = if error.use_stderr() {
                ExitCode::Usage
            } else {
                ExitCode::AsExpected
            };
            return code.into();
        }
    };
    // Registered before anything runs: an interrupt may come while a program cannot be killed.
    judge_runner::when_overdue(end_now);
    let done = run_command(&cli);
    // Reported after the output of the command: verdicts are right, but the host lacks resources.
    let replaced = judge_sandbox::replaced_helpers();
    if replaced > 0 {
        let runs = noun(u64::from(replaced), "run was", "runs were");
        messages::note(&format!(
            "a helper process of the sandbox ended unexpectedly: {replaced} {runs} repeated; hint: see `dmesg` for a lack of memory"
        ));
    }
    let abandoned = judge_sandbox::abandoned_helpers();
    if abandoned > 0 {
        let helpers = noun(u64::from(abandoned), "helper process", "helper processes");
        messages::note(&format!(
            "{abandoned} {helpers} of the sandbox could not be killed and may still run; hint: see `dmesg` for what the kernel waits for"
        ));
    }
    match done {
        Ok(ExitCode::Interrupted) if !cli.command.shows_interruption() => interrupted(),
        // An interrupt ends programs and calls in many places, so the first error to arrive is
        // rarely informative. The interrupt itself is reported.
        Err(failure)
            if judge_runner::is_interrupted() && failure.exit_code() != ExitCode::ReaderGone =>
        {
            interrupted()
        }
        Ok(code) => code.into(),
        Err(failure) => {
            let code = failure.exit_code();
            if !matches!(code, ExitCode::AsExpected | ExitCode::ReaderGone) {
                reporters::print_failure(&failure);
            }
            code.into()
        }
    }
}

/// The text of an error about words that are not safe to print: they have control characters, or
/// lines that a CI would interpret as commands. `None` if the text can be printed unchanged, with
/// colours.
fn safe_text(error: &clap::Error, typed: &[OsString]) -> Option<String> {
    if !error.use_stderr() {
        return None;
    }
    let original = error.render().to_string();
    let mut text = original.clone();
    for word in typed
        .iter()
        .map(|word| word.to_string_lossy())
        .filter(|word| word.contains(char::is_control))
    {
        // Errors quote the value alone of `--name=value` and of `-nvalue`.
        let value = word.split_once('=').map(|(_, value)| value);
        for part in [Some(&*word), value, word.get(2..)]
            .into_iter()
            .flatten()
            .filter(|part| part.contains('\n'))
        {
            text = text.replace(part, &part.replace('\n', "\\n"));
        }
    }
    let text = printable_lines(&text);
    (text != original).then_some(text)
}

/// Removes the tip to write `--` before a mistyped option, which would make it the name of a file.
/// Other tips are kept.
fn remove_tip_of_dashes(error: &mut clap::Error) {
    let Some(ContextValue::StyledStrs(tips)) = error.remove(ContextKind::Suggested) else {
        return;
    };
    let tips: Vec<_> = tips
        .into_iter()
        .filter(|tip| !tip.to_string().contains("as a value"))
        .collect();
    if !tips.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
}

/// Reports the interruption of a command that does not report it itself.
fn interrupted() -> std::process::ExitCode {
    messages::note("interrupted: anything not listed above did not run");
    ExitCode::Interrupted.into()
}

/// Ends an interrupted command that is still waiting when its time for cleaning up is over.
#[expect(
    clippy::exit,
    clippy::disallowed_methods,
    reason = "the threads whose guards would run are stuck"
)]
fn end_now() {
    judge_sandbox::kill_helpers();
    messages::note(
        "interrupted before every program had ended: what is not reported above has no result",
    );
    // Directories of slots and control groups that are left are removed by the next command.
    std::process::exit(ExitCode::Interrupted.number().into());
}

fn run_command(cli: &Cli) -> Result<ExitCode, Failure> {
    log::start()?;
    // Set before any command: a command that changes a package may first have to revert the changes
    // of a killed one.
    judge_files::set_journal_directory(&host::cache_path());
    match &cli.command {
        // These need no workspace, so an invalid one does not matter.
        Command::Print(args) => return commands::print::run(args),
        // A mistake in the workspace may be fixed while the command waits.
        Command::Run(args) if args.watch => return commands::watching::run(cli, args),
        Command::Submit(args) if args.watch => return commands::watching::run(cli, args),
        Command::Check(args) if args.watch => return commands::watching::run(cli, args),
        Command::Statement(args) if args.watch => return commands::watching::run(cli, args),
        _ => {}
    }
    let config = Config::new(cli)?;
    config.note_workspace();
    match &cli.command {
        Command::Print(_) => Ok(ExitCode::AsExpected),
        Command::Run(args) => commands::judging::run::run(&config, args),
        Command::Submit(args) => commands::judging::submit::run(&config, args),
        Command::Grade(args) => commands::grade::run(&config, args),
        Command::Try(args) => commands::trial::run(&config, args),
        Command::Compare(args) => commands::compare::run(&config, args),
        Command::Stress(args) => commands::stress::run(&config, args),
        Command::Mutate(args) => commands::mutate::run(&config, args),
        Command::Check(args) => commands::check::run(&config, args),
        Command::Verify(args) => commands::judging::verify::run(&config, args),
        Command::Generate(args) => commands::authoring::generate::run(&config, args),
        Command::New(args) => commands::authoring::new::run(&config, args),
        Command::Import(args) => commands::interchange::import::run(&config, args),
        Command::Pack(args) => commands::interchange::pack::run(&config, args),
        Command::Upgrade(args) => commands::interchange::upgrade::run(&config, args),
        Command::Add(args) => commands::authoring::add::run(&config, args),
        Command::List(args) => commands::list::run(&config, args),
        Command::Visualize(args) => commands::visualize::run(&config, args),
        Command::Statement(args) => commands::statement::run(&config, args),
        Command::Report(args) => commands::reporting::run(&config, args),
        Command::Doctor(args) => commands::doctor::run(&config, args),
    }
}
