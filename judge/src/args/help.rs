//! The parts of `--help` beside the options: verbs by who uses them, examples, and the verbs of other tools.
//!
//! Responsible for these tables; the tests below hold them against the subcommands that there are. Does no I/O.

use std::fmt::Write as _;

use clap::builder::StyledStr;
use clap::builder::styling::Styles;
use clap::error::{ContextKind, ContextValue};
use clap::{Command, CommandFactory as _};

use super::Cli;

/// The verbs, by who uses them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Judging", &["run", "submit", "try", "list"]),
    ("Writing problems", &["new", "import", "pack", "upgrade", "generate", "add", "check", "statement", "visualize"]),
    ("Comparing and strengthening", &["compare", "stress", "mutate"]),
    ("CI and clusters", &["verify", "report", "merge"]),
    ("This tool", &["doctor", "print", "help"]),
];

/// Two commands for each verb, each with what it does.
const EXAMPLES: [(&str, [(&str, &str); 2]); 21] = [
    (
        "run",
        [
            ("judge run 'fiveup/wrong_answer/*' -v", "some submissions, with a line per test case"),
            ("judge run --matrix fiveup", "which test case rejects which submission"),
        ],
    ),
    (
        "submit",
        [
            ("judge submit my/fiveup.rs", "the problem is guessed from the name"),
            ("judge submit -p fiveup main.cpp --no-fail-fast", "all test cases, even after a failure"),
        ],
    ),
    (
        "try",
        [
            ("judge try main.cpp --input mine.txt", "any program on any input"),
            ("judge try main.cpp --input samples/", "on 1.in, 1.out, …, compared with the answers"),
        ],
    ),
    (
        "list",
        [
            ("judge list -v fiveup", "its test cases and submissions"),
            ("judge list --report json", "all problems, as JSON"),
        ],
    ),
    (
        "new",
        [
            ("judge new adder", "a problem with one correct output per input"),
            ("judge new guess --type interactive", "a problem with an interactor"),
        ],
    ),
    (
        "import",
        [
            ("judge import closest-pair.zip --prove", "convert it and judge its solutions"),
            ("judge import tests/ --name sum --dry-run", "what would a folder of inputs and outputs become?"),
        ],
    ),
    (
        "pack",
        [
            ("judge pack fiveup --for kattis", "`fiveup.zip` for Kattis"),
            ("judge pack --for domjudge --output out/ --samples out/samples.zip", "all problems and their samples"),
        ],
    ),
    ("upgrade", [("judge upgrade oldproblem", "what would change"), ("judge upgrade oldproblem --write", "change it")]),
    (
        "generate",
        [
            ("judge generate --review fiveup", "show changed answers one by one"),
            ("judge generate --check", "in CI: fail if something would change"),
        ],
    ),
    (
        "add",
        [
            ("judge add mine.in -p fiveup --dry-run", "what would this test case be worth?"),
            ("judge add --generate 'random --n 5 {seed:3}' -p fiveup", "a test case from a generator"),
        ],
    ),
    (
        "check",
        [
            ("judge check --data fiveup", "run the validators on its test data, and check nothing else"),
            ("judge check --explain JP302", "what a finding means and how to fix it"),
        ],
    ),
    (
        "statement",
        [
            ("judge statement fiveup > fiveup.html", "a self-contained page"),
            ("judge statement --contest --pdf -o contest.pdf", "a booklet of all problems"),
        ],
    ),
    (
        "visualize",
        [
            ("judge visualize pousse sample/1 -o pictures", "a test case and its answer"),
            ("judge visualize pousse sample/1 --submission any_straight_wins", "the output of a submission"),
        ],
    ),
    (
        "compare",
        [
            ("judge compare fiveup/accepted/kuhn.rs my/fiveup.rs", "the same answers? which is faster?"),
            ("judge compare old.cpp new.cpp -p fiveup --gate 'time<=1.05'", "in CI: at most 5 % slower"),
        ],
    ),
    (
        "stress",
        [
            ("judge stress my/fiveup.rs", "a small input that it fails"),
            ("judge stress fiveup/wrong_answer/greedy.rs --add found", "the same, added as a test case"),
        ],
    ),
    (
        "mutate",
        [
            ("judge mutate fiveup", "which small mistakes do the test cases miss?"),
            ("judge mutate fiveup --hunt", "search for inputs that detect them"),
        ],
    ),
    (
        "verify",
        [
            ("judge verify --strict --report ci", "everything, with the reports that the CI reads"),
            ("judge verify --since main...", "only problems that this branch changed"),
        ],
    ),
    (
        "report",
        [
            ("judge report run.jsonl", "what `judge run --report json=run.jsonl` stored"),
            ("judge report run.jsonl --report html=run.html", "the same as an HTML page"),
        ],
    ),
    (
        "merge",
        [
            ("judge merge out", "the shards of `judge run --shard K/N --report json=out/K.jsonl`"),
            ("judge merge out --missing", "the numbers of shards that still have to run"),
        ],
    ),
    (
        "doctor",
        [
            ("judge doctor", "the isolation level and the compilers of this host"),
            ("judge doctor --calibrate", "how much slower it is than the reference"),
        ],
    ),
    (
        "print",
        [
            ("judge print completions bash", "a line for ~/.bashrc: source <(judge print completions bash)"),
            ("judge print testlib > library/testlib.rs", "the Rust library, to compile without judge"),
        ],
    ),
];

/// Verbs of other tools, and what is there instead.
const FOREIGN: [(&[&str], &str); 22] = [
    (
        &["test", "judge", "samples"],
        "`judge submit FILE` judges your program on all test cases, `judge try FILE` runs it on any input",
    ),
    (&["irun", "exec", "play", "solve"], "`judge try FILE --input INPUT` runs your program on any input"),
    (&["fuzz", "hack", "random"], "`judge stress FILE` searches for an input that your program fails"),
    (&["stats", "show", "ls", "problems"], "`judge list -v` lists problems, test cases and submissions"),
    (
        &["pdf", "problem2pdf", "html", "problem2html", "slides"],
        "`judge statement PROBLEM` renders the statement as HTML, with `--pdf` as PDF",
    ),
    (
        &["zip", "package", "export", "samplezip"],
        "`judge pack PROBLEM --for JUDGE` writes an archive for another judge, `--samples FILE` one of the samples",
    ),
    (&["build", "gen", "gen_data", "make"], "`judge generate` generates test data; programs are compiled when needed"),
    (
        &["validate", "validate-all", "validate_all", "validation", "input", "unit"],
        "`judge check --data` runs the validators on all test data",
    ),
    (
        &["lint", "verifyproblem", "issues", "constraints", "format"],
        "`judge check` finds mistakes in packages; `judge verify` also judges their submissions",
    ),
    (&["all", "ci", "gitlabci"], "`judge verify --report ci` checks packages and judges their submissions"),
    (&["new_problem", "new-problem", "skel", "init", "create", "new_contest"], "`judge new NAME` creates a problem"),
    (
        &["time_limit", "time-limit", "timelimit", "time"],
        "`judge run` infers missing time limits; `judge compare A B` times submissions",
    ),
    (&["bench", "benchmark", "diff", "duel"], "`judge compare A B` finds out which submission is faster"),
    (&["watch"], "`judge run --watch` and `judge submit FILE --watch` judge again after every save"),
    (&["hunt", "mutation", "mutants"], "`judge mutate PROBLEM` measures test data by inserting small mistakes"),
    (
        &["matrix", "table", "grid", "invocations"],
        "`judge run --matrix PROBLEM` shows which test cases reject which submissions",
    ),
    (&["accept", "review"], "`judge generate --review PROBLEM` shows changed answers, and accepts those that you want"),
    (&["clean", "cleanup"], "there is nothing to clean: delete the cache directory to free disk space"),
    (&["convert", "polygon"], "`judge import SOURCE` converts a problem from another format"),
    (&["explain"], "`judge check --explain CODE` explains a finding"),
    (
        &["shard", "slurm"],
        "`judge run --shard K/N --report json=FILE` judges a part of a run, `judge merge FILE…` merges the parts",
    ),
    (&["version"], "`judge --version` prints the version"),
];

/// The command line, with verbs in groups and examples.
pub(crate) fn command() -> Command {
    let mut judge = Cli::command();
    for (verb, examples) in EXAMPLES {
        judge = judge.mut_subcommand(verb, |of| of.after_help(of_examples(&examples)));
    }
    let template = template(&judge);
    judge.help_template(template)
}

/// The message for a mistake that was to type a verb of another tool.
pub(crate) fn message_of_foreign_verb(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(verb)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    instead_of(verb).map(|instead| format!("unknown command `{verb}`\nhint: {instead}"))
}

/// The command that does what a verb of another tool does.
fn instead_of(verb: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(verbs, _)| verbs.contains(&verb)).map(|(_, instead)| *instead)
}

fn of_examples(examples: &[(&str, &str)]) -> StyledStr {
    let mut text = heading("Examples");
    for (command, purpose) in examples {
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

/// The help of the whole: clap knows no groups of subcommands.
fn template(judge: &Command) -> StyledStr {
    let styles = Styles::styled();
    let literal = styles.get_literal();
    let mut text = StyledStr::new();
    let _ = write!(text, "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n");
    for (title, verbs) in GROUPS {
        let _ = write!(text, "\n{}\n", heading(title).ansi());
        for verb in verbs {
            let about = match judge.find_subcommand(verb).and_then(Command::get_about) {
                Some(about) => about.to_string(),
                None => "Show this help, or that of a command".to_owned(),
            };
            let _ = writeln!(text, "  {literal}{verb:<11}{literal:#}  {about}");
        }
    }
    let _ = write!(text, "\n{}\n{{options}}{{after-help}}", heading("Options").ansi());
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Parser as _;

    use super::*;

    fn subcommands() -> BTreeSet<String> {
        let judge = Cli::command();
        judge.get_subcommands().map(|of| of.get_name().to_owned()).collect()
    }

    #[test]
    fn every_verb_stands_in_one_group_and_has_examples() {
        let grouped: Vec<&str> =
            GROUPS.iter().flat_map(|(_, verbs)| *verbs).copied().filter(|of| *of != "help").collect();
        let set: BTreeSet<String> = grouped.iter().map(|verb| (*verb).to_owned()).collect();
        assert_eq!(set.len(), grouped.len(), "{grouped:?}");
        assert_eq!(set, subcommands(), "the groups of `judge --help`, in args/help.rs");
        let with_examples: BTreeSet<String> = EXAMPLES.iter().map(|(verb, _)| (*verb).to_owned()).collect();
        assert_eq!(with_examples, subcommands(), "the examples of each `--help`, in args/help.rs");
    }

    #[test]
    fn every_example_is_a_command_of_its_verb() {
        for (verb, examples) in EXAMPLES {
            for (command, purpose) in examples {
                let typed = command.split([' ', '>', '|']).next().unwrap();
                assert_eq!(typed, "judge", "{command}");
                let ours = command.split(" | ").next().unwrap().split(" > ").next().unwrap();
                let words = judge_package::shell_words(ours).unwrap();
                assert_eq!(words[1], verb, "{command}");
                Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{command}: {error}"));
                assert!(command.len() + 2 <= 78 && purpose.chars().count() + 6 <= 78, "{command}: too long");
            }
        }
    }

    #[test]
    fn lines_of_verbs_fit_on_80_columns() {
        for of in Cli::command().get_subcommands() {
            let about = of.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(about.chars().count() <= 65, "{}: {about}", of.get_name());
        }
    }

    #[test]
    fn verbs_of_other_tools_lead_to_ours() {
        let mut seen = BTreeSet::new();
        for (verbs, instead) in FOREIGN {
            assert!(verbs.iter().all(|verb| seen.insert(*verb)), "{verbs:?}");
            assert!(verbs.iter().all(|verb| !subcommands().contains(*verb)), "{verbs:?}: one of them is a verb here");
            for ours in instead.split("`judge ").skip(1) {
                let verb = ours.split([' ', '`']).next().unwrap();
                assert!(verb == "--version" || subcommands().contains(verb), "{verb} in {instead}");
            }
        }
        assert_eq!(instead_of("fuzz").map(|text| text.contains("judge stress")), Some(true));
        assert_eq!(instead_of("run"), None);
    }
}
