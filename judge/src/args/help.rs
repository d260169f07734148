//! The parts of `--help` other than options: groups of commands, examples, and the commands of
//! other tools.
//!
//! The tests below compare these tables with the subcommands. Does no I/O.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::builder::StyledStr;
use clap::builder::styling::Styles;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory as _};

use super::Cli;

/// The commands, grouped by task.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Judging", &["run", "submit", "try", "list"]),
    (
        "Writing problems",
        &[
            "new",
            "import",
            "pack",
            "upgrade",
            "generate",
            "add",
            "check",
            "statement",
            "visualize",
        ],
    ),
    (
        "Comparing and strengthening",
        &["compare", "stress", "mutate"],
    ),
    ("CI and clusters", &["grade", "verify", "report"]),
    ("This tool", &["doctor", "print", "help"]),
];

/// Examples, two for each command, each with its purpose on the next line.
const EXAMPLES: &str = include_str!("help/examples.txt");

/// Commands of other tools, each followed by a line with the command that replaces them.
const OTHER_TOOLS: &str = include_str!("help/other_tools.txt");

/// The hint for a name in place of a command.
const WITHOUT_COMMAND: &str = "`judge run PROBLEM` judges the submissions of a problem, `judge submit FILE -p PROBLEM` \
    your own program";

/// The pairs of lines of a table.
fn pairs(table: &str) -> impl Iterator<Item = (&str, &str)> {
    table
        .lines()
        .step_by(2)
        .zip(table.lines().skip(1).step_by(2).map(str::trim))
}

/// The examples of a command, each with its purpose.
fn examples(name: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    pairs(EXAMPLES).filter(move |(command, _)| command.split(' ').nth(1) == Some(name))
}

/// The command line, with its commands in groups, and with examples.
pub(crate) fn command() -> Command {
    let mut judge = Cli::command();
    // This also brings the commands into the order of the groups. `help` is added by clap.
    for name in GROUPS
        .iter()
        .flat_map(|(_, names)| *names)
        .filter(|name| **name != "help")
    {
        judge = judge.mut_subcommand(name, |command| command.after_help(help_of_examples(name)));
    }
    let template = template(&judge);
    judge.help_template(template)
}

/// The message for a command of another tool, or for a name without a command.
pub(crate) fn message_of_other_tool(error: &clap::Error, typed: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(command)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    // `judge print` has commands of its own, and clap has a tip for a mistyped command.
    let is_name = typed.get(1).is_some_and(|word| word == command.as_str())
        && error.get(ContextKind::SuggestedSubcommand).is_none();
    let instead = replacement_for(command).or_else(|| is_name.then_some(WITHOUT_COMMAND))?;
    Some(format!("unknown command `{command}`\nhint: {instead}"))
}

/// The message for an argument that other tools or other commands take: an input after the program,
/// the name of a test case after the problem, `-t` and `-p`.
pub(crate) fn message_of_input(error: &clap::Error, typed: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let before: Vec<_> = typed
        .iter()
        .skip(2)
        .take_while(|word| *word != argument.as_str())
        .map(|word| word.to_string_lossy())
        .collect();
    let before = before.join(" ");
    let hint = match (typed.get(1)?.to_str()?, argument.as_str()) {
        ("run" | "submit" | "try" | "compare" | "stress" | "mutate", "-t") => {
            "the time limit is `--time-limit SECONDS`".to_owned()
        }
        (command @ ("run" | "check" | "verify" | "list" | "generate"), "-p") => {
            format!("`judge {command} PROBLEM` takes the problem without `-p`")
        }
        (_, option) if option.starts_with('-') => return None,
        ("submit", _) => "`submit` takes one program; an option names the problem: \
                          `judge submit FILE -p PROBLEM`"
            .to_owned(),
        ("try", _) if has_input(typed) => {
            "an input has no second file; `-i DIRECTORY` compares the output for each input \
                         in a directory with the file next to it, such as `1.out` for `1.in`"
                .to_owned()
        }
        ("try", _) => {
            format!("for an input or a directory of examples: `judge try {before} -i {argument}`")
        }
        ("add", _) => "`add` takes one input file; options name the problem and the test case: \
                  `judge add INPUT --problem PROBLEM --to GROUP --name NAME`"
            .to_owned(),
        _ => return None,
    };
    Some(format!("unexpected argument `{argument}`\nhint: {hint}"))
}

/// True if a command line has an input already.
fn has_input(typed: &[OsString]) -> bool {
    let is_input = |word: &str| word.starts_with("--input") || word.starts_with("-i");
    typed.iter().filter_map(|word| word.to_str()).any(is_input)
}

/// The replacement for a command of another tool.
fn replacement_for(name: &str) -> Option<&'static str> {
    pairs(OTHER_TOOLS)
        .find(|(names, _)| names.split(' ').any(|other| other == name))
        .map(|(_, instead)| instead)
}

fn help_of_examples(name: &str) -> StyledStr {
    let mut text = heading("Examples");
    for (command, purpose) in examples(name) {
        let _ = write!(text, "\n  {command}\n      {purpose}");
    }
    text
}

fn heading(title: &str) -> StyledStr {
    let (styles, mut text) = (Styles::styled(), StyledStr::new());
    let style = styles.get_header();
    let _ = write!(text, "{style}{title}:{style:#}");
    text
}

/// The template of `judge --help`, since clap has no groups of subcommands.
fn template(judge: &Command) -> StyledStr {
    let styles = Styles::styled();
    let literal = styles.get_literal();
    let mut text = StyledStr::new();
    let _ = write!(
        text,
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n"
    );
    for (title, names) in GROUPS {
        let _ = write!(text, "\n{}\n", heading(title).ansi());
        for name in names {
            let about = match judge.find_subcommand(name).and_then(Command::get_about) {
                Some(about) => about.to_string(),
                None => "Show this help, or that of a command".to_owned(),
            };
            let _ = writeln!(text, "  {literal}{name:<11}{literal:#}  {about}");
        }
    }
    let _ = write!(text, "\n{}", heading("Options").ansi());
    for (option, purpose) in options(judge) {
        let _ = write!(text, "\n  {literal}{option:<21}{literal:#}  {purpose}");
    }
    let _ = write!(text, "{{after-help}}");
    text
}

/// The global options with their purposes, one line each, so that the help fits on a screen: clap
/// uses several lines.
fn options(judge: &Command) -> Vec<(String, String)> {
    let option = |arg: &Arg| {
        let short = arg
            .get_short()
            .map_or_else(|| "    ".to_owned(), |short| format!("-{short}, "));
        let value = arg
            .get_value_names()
            .and_then(<[_]>::first)
            .filter(|_| arg.get_action().takes_values());
        let value = value.map(|name| format!(" <{name}>")).unwrap_or_default();
        let purpose = arg.get_help().map(ToString::to_string).unwrap_or_default();
        (
            format!("{short}--{}{value}", arg.get_long().unwrap_or_default()),
            purpose,
        )
    };
    let ours = judge.get_arguments().map(option);
    let clap_options = [
        ("-h, --help", "Print help"),
        ("-V, --version", "Print version"),
    ];
    ours.chain(clap_options.map(|(option, purpose)| (option.to_owned(), purpose.to_owned())))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Parser as _;

    use super::*;

    fn subcommands() -> BTreeSet<String> {
        let judge = Cli::command();
        judge
            .get_subcommands()
            .map(|command| command.get_name().to_owned())
            .collect()
    }

    #[test]
    fn every_command_has_a_group_and_examples() {
        let grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .filter(|command| *command != "help")
            .collect();
        let set: BTreeSet<String> = grouped.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(set.len(), grouped.len(), "{grouped:?}");
        assert_eq!(
            set,
            subcommands(),
            "the groups of `judge --help`, in args/help.rs"
        );
        for name in subcommands() {
            assert_eq!(
                examples(&name).count(),
                2,
                "the examples of `judge {name} --help`, in args/help/examples.txt"
            );
        }
        assert_eq!(
            pairs(EXAMPLES).count(),
            2 * subcommands().len(),
            "an example of an unknown command"
        );
    }

    #[test]
    fn examples_run_the_described_command() {
        for name in subcommands() {
            for (command, purpose) in examples(&name) {
                let typed = command.split([' ', '>', '|']).next().unwrap();
                assert_eq!(typed, "judge", "{command}");
                let ours = command
                    .split(" | ")
                    .next()
                    .unwrap()
                    .split(" > ")
                    .next()
                    .unwrap();
                let words = judge_package::shell_words(ours).unwrap();
                Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{command}: {error}"));
                for submission in ours
                    .split(' ')
                    .filter(|word| word.matches('/').count() == 2 && !word.contains('*'))
                {
                    let solutions = concat!(env!("CARGO_MANIFEST_DIR"), "/../solutions");
                    let exists = std::path::Path::new(solutions).join(submission).is_file();
                    assert!(
                        exists || !submission.starts_with("fiveup/"),
                        "{command}: no submission {submission}"
                    );
                }
                assert!(
                    command.len() + 2 <= 78 && purpose.chars().count() + 6 <= 78,
                    "{command}: too long"
                );
            }
        }
    }

    #[test]
    fn the_main_help_fits_on_a_screen() {
        let help = command().term_width(80).render_long_help().to_string();
        assert!(
            help.lines().count() <= 50 && help.lines().all(|line| line.chars().count() <= 80),
            "{help}"
        );
        for option in ["-v, --verbose  ", "-C, --directory <DIR>", "-h, --help"] {
            assert!(help.contains(option), "{option}: {help}");
        }
    }

    #[test]
    fn command_lines_fit_on_80_columns() {
        for command in Cli::command().get_subcommands() {
            let about = command
                .get_about()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(
                about.chars().count() <= 65,
                "{}: {about}",
                command.get_name()
            );
        }
    }

    #[test]
    fn commands_of_other_tools_have_replacements() {
        let mut seen = BTreeSet::new();
        for (names, instead) in pairs(OTHER_TOOLS) {
            let names: Vec<&str> = names.split(' ').collect();
            assert!(names.iter().all(|name| seen.insert(*name)), "{names:?}");
            assert!(
                names.iter().all(|name| !subcommands().contains(*name)),
                "{names:?}: one of them is a command of judge"
            );
            assert!(
                instead.contains("`judge ") || instead.starts_with("there is nothing"),
                "{instead}"
            );
            for ours in instead.split("`judge ").skip(1) {
                let name = ours.split([' ', '`']).next().unwrap();
                assert!(
                    name == "--version" || subcommands().contains(name),
                    "{name} in {instead}"
                );
            }
        }
        assert_eq!(
            replacement_for("fuzz").map(|text| text.contains("judge stress")),
            Some(true)
        );
        assert_eq!(replacement_for("run"), None);
    }

    #[test]
    fn arguments_of_other_commands_have_hints() {
        for (typed, hint) in [
            (
                "judge submit total a.py",
                "hint: `submit` takes one program",
            ),
            (
                "judge run total -t 5",
                "hint: the time limit is `--time-limit",
            ),
            ("judge run -p total", "hint: `judge run PROBLEM` takes"),
            ("judge total", "hint: `judge run PROBLEM` judges"),
            ("judge a.py", "`judge submit FILE -p PROBLEM`"),
            (
                "judge try a.py --input 1.in 1.out",
                "hint: an input has no second file; `-i DIRECTORY`",
            ),
        ] {
            let words: Vec<_> = typed.split(' ').map(OsString::from).collect();
            let error = Cli::try_parse_from(&words).unwrap_err();
            let message =
                message_of_other_tool(&error, &words).or_else(|| message_of_input(&error, &words));
            assert!(
                message.as_ref().is_some_and(|text| text.contains(hint)),
                "{typed}: {message:?}"
            );
        }
        // These have a tip, or are mistakes that no hint is known for.
        for typed in [
            "judge chekc",
            "judge run --cp",
            "judge print total",
            "judge doctor -t 5",
        ] {
            let words: Vec<_> = typed.split(' ').map(OsString::from).collect();
            let error = Cli::try_parse_from(&words).unwrap_err();
            let message =
                message_of_other_tool(&error, &words).or_else(|| message_of_input(&error, &words));
            assert_eq!(message, None, "{typed}");
        }
    }
}
