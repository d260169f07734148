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
    (
        "Writing problems",
        &[
            "new",
            "import",
            "pack",
            "upgrade",
            "generate",
            "add",
            "accept",
            "check",
            "validate",
            "statement",
            "visualize",
        ],
    ),
    ("Comparing and strengthening", &["compare", "stress", "mutate", "matrix"]),
    ("CI and many machines", &["verify", "report", "merge"]),
    ("This tool", &["doctor", "print", "help"]),
];

/// Two commands for each verb, each with what it does.
const EXAMPLES: [(&str, [(&str, &str); 2]); 24] = [
    (
        "run",
        [
            ("judge run 'fiveup/wrong_answer/*' -v", "some submissions, with a line for every test case"),
            ("judge run secret/03-max", "in a package: all of its submissions on one test case"),
        ],
    ),
    (
        "submit",
        [
            ("judge submit my/fiveup.rs", "the problem is guessed from the name"),
            ("judge submit -p fiveup main.cpp --no-fail-fast", "every test case, also after the first failure"),
        ],
    ),
    (
        "try",
        [
            ("judge try main.cpp --input mine.txt", "any program on any input"),
            ("judge try main.cpp --input samples/", "on 1.in, 1.out and so on, compared with the answers"),
        ],
    ),
    (
        "list",
        [
            ("judge list -v fiveup", "its test cases and submissions"),
            ("judge list --json", "the same of all problems, for programs"),
        ],
    ),
    (
        "new",
        [
            ("judge new adder", "a problem with one right output for each input"),
            ("judge new guess --type interactive", "a problem in which programs talk with an interactor"),
        ],
    ),
    (
        "import",
        [
            ("judge import closest-pair.zip --prove", "convert it, and judge its solutions"),
            ("judge import tests/ --name sum --dry-run", "what would a folder of inputs and outputs become?"),
        ],
    ),
    (
        "pack",
        [
            ("judge pack fiveup --for kattis", "`fiveup.zip`, as Kattis installs it"),
            ("judge pack --for domjudge --output out/ --samples out/samples.zip", "all problems, and their samples"),
        ],
    ),
    ("upgrade", [("judge upgrade oldproblem", "what would change"), ("judge upgrade oldproblem --write", "change it")]),
    (
        "generate",
        [
            ("judge generate fiveup", "make what is missing or changed"),
            ("judge generate --check", "for a CI: fail when something would change"),
        ],
    ),
    (
        "add",
        [
            ("judge add mine.in -p fiveup --dry-run", "what would this test case be worth?"),
            ("judge add --generate 'random --n 5 {seed:3}' -p fiveup", "a test case that a generator makes"),
        ],
    ),
    (
        "accept",
        [
            ("judge accept fiveup", "look at each answer that changed"),
            ("judge accept --all fiveup", "take all of them"),
        ],
    ),
    (
        "check",
        [
            ("judge check fiveup --profile kattis", "what would Kattis mind?"),
            ("judge check --explain JP302", "what a finding means, and how to fix it"),
        ],
    ),
    (
        "validate",
        [("judge validate fiveup", "all of its data"), ("judge validate fiveup/secret/03-max", "one test case")],
    ),
    (
        "statement",
        [
            ("judge statement fiveup > fiveup.html", "a page that needs nothing besides itself"),
            ("judge statement --contest --pdf -o contest.pdf", "a booklet of all problems, by LaTeX or Chromium"),
        ],
    ),
    (
        "visualize",
        [
            ("judge visualize pousse sample/1 -o pictures", "a test case and its answer, into a directory"),
            ("judge visualize pousse sample/1 --submission any_straight_wins", "what that submission writes"),
        ],
    ),
    (
        "compare",
        [
            ("judge compare fiveup/accepted/kuhn.rs my/fiveup.rs", "the same answers? which is faster?"),
            ("judge compare old.cpp new.cpp -p fiveup --gate 'time<=1.05'", "for a CI: at most 5 % slower"),
        ],
    ),
    (
        "stress",
        [
            ("judge stress my/fiveup.rs", "an input that it fails, made small"),
            ("judge stress fiveup/wrong_answer/greedy.rs --add found", "and make it a test case"),
        ],
    ),
    (
        "mutate",
        [
            ("judge mutate fiveup", "which small mistakes do the test cases not notice?"),
            ("judge mutate fiveup --hunt", "look for inputs that do"),
        ],
    ),
    (
        "matrix",
        [
            ("judge matrix fiveup", "which test case rejects which submission"),
            ("judge matrix fiveup --min-kills 2", "for a CI: each wrong one is rejected twice"),
        ],
    ),
    (
        "verify",
        [
            ("judge verify --strict --ci", "everything, with the reports that the CI reads"),
            ("judge verify --since main...", "only problems that this branch changed"),
        ],
    ),
    (
        "report",
        [
            ("judge report run.jsonl", "what `judge run --json=run.jsonl` stored"),
            ("judge report run.jsonl --report html=run.html", "the same as a page to look into"),
        ],
    ),
    (
        "merge",
        [
            ("judge merge out", "the shards that `judge run --shard K/N --json=out/K.jsonl` wrote"),
            ("judge merge out --missing", "the numbers of shards that still have to run"),
        ],
    ),
    (
        "doctor",
        [
            ("judge doctor", "the isolation level and the compilers of this host"),
            ("judge doctor --fix-hints", "what an administrator can do for more"),
        ],
    ),
    (
        "print",
        [
            ("judge print completions bash", "a line for ~/.bashrc: source <(judge print completions bash)"),
            ("judge print testlib > library/testlib.rs", "the library, for those who compile without judge"),
        ],
    ),
];

/// Verbs of other tools, and what is there instead.
const FOREIGN: [(&[&str], &str); 21] = [
    (
        &["test", "judge", "samples"],
        "`judge submit FILE` judges your program on all test cases, `judge try FILE` runs it on any input",
    ),
    (&["irun", "exec", "play", "solve"], "`judge try FILE --input INPUT` runs your program on any input"),
    (&["fuzz", "hack", "random"], "`judge stress FILE` looks for an input that your program fails"),
    (&["stats", "show", "ls", "problems"], "`judge list -v` lists problems, test cases and submissions"),
    (
        &["pdf", "problem2pdf", "html", "problem2html", "slides"],
        "`judge statement PROBLEM` makes a page of the statement, and `--pdf` a PDF",
    ),
    (
        &["zip", "package", "export", "samplezip"],
        "`judge pack PROBLEM --for JUDGE` makes the archive that another judge takes, `--samples FILE` that of the samples",
    ),
    (
        &["build", "gen", "gen_data", "make"],
        "`judge generate` makes the test data; programs are compiled when they are needed",
    ),
    (
        &["validate-all", "validate_all", "validation", "input", "unit"],
        "`judge validate` gives all test data to the validators",
    ),
    (
        &["lint", "verifyproblem", "issues", "constraints", "format"],
        "`judge check` finds mistakes in packages; `judge verify` also judges their submissions",
    ),
    (&["all", "ci", "gitlabci"], "`judge verify --ci` checks packages and judges their submissions"),
    (&["new_problem", "new-problem", "skel", "init", "create", "new_contest"], "`judge new NAME` begins a problem"),
    (
        &["time_limit", "time-limit", "timelimit", "time"],
        "`judge run` infers a time limit that the package does not state; `judge compare A B` times submissions",
    ),
    (&["bench", "benchmark", "diff", "duel"], "`judge compare A B` says which of two submissions is faster"),
    (&["watch"], "`judge run --watch` and `judge submit FILE --watch` judge again what is saved"),
    (&["hunt", "mutation", "mutants"], "`judge mutate PROBLEM` measures test data by small mistakes"),
    (&["table", "grid", "invocations"], "`judge matrix PROBLEM` shows which test cases reject which submissions"),
    (
        &["clean", "cleanup"],
        "there is nothing to clean: what is kept lies in the cache of the user, and may be deleted",
    ),
    (&["convert", "polygon"], "`judge import SOURCE` makes a package of a problem in another format"),
    (&["explain"], "`judge check --explain CODE` explains a finding"),
    (
        &["shard", "slurm"],
        "`judge run --shard K/N --json=FILE` judges a part of a run, `judge merge FILE…` merges the parts",
    ),
    (&["version"], "`judge --version` says which one this is"),
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
    instead_of(verb).map(|instead| format!("there is no verb `{verb}`\nhint: {instead}"))
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
                None => "Show this, or the help of a command".to_owned(),
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
