//! Every command that runs programs, at every isolation level, with packages whose programs are in
//! different languages.
//!
//! Responsible for the product of the three: faults often affect two features that work separately.
//! `testdata/everywhere` has a problem for each language, and all of its programs are in that
//! language. A level that this host lacks is reported as skipped. All commands run at each level;
//! slow ones use another language at each level, so that every command runs with every language.

use std::fs;
use std::path::Path;

use judge_event::{Event, Mutation};
use judge_model::{Guarantee, IsolationLevel, Verdict};

use crate::workspace::{CommandOutput, Workspace, has, skipped};

/// A problem, the extension of its programs, and their language.
type Language = (&'static str, &'static str, &'static str);
const RUST: Language = ("rustsum", "rs", "rust");
const LANGUAGES: [Language; 3] = [RUST, ("cppsum", "cpp", "cpp"), ("pysum", "py", "python3")];

/// Programs that are compiled at each level.
const COMPILED_AT_EACH_LEVEL: [&str; 2] = [
    "rustsum/input_validators/validate.rs",
    "cppsum/submissions/accepted/sum.cpp",
];

/// The workspace of one level.
struct Level {
    level: IsolationLevel,
    workspace: Workspace,
    /// The guarantees that are missing on this host.
    gaps: Vec<Guarantee>,
    /// The languages whose tools can be used on this host.
    languages: Vec<Language>,
}

impl Level {
    /// A workspace with all problems, in which every command runs programs at a level; `None` when
    /// this host lacks it.
    fn new(level: IsolationLevel) -> Option<Self> {
        let workspace =
            Workspace::isolated().filter(|_| LANGUAGES.iter().all(|(_, _, name)| has(name)))?;
        let problems = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/everywhere");
        for (file, mut text) in workspace.files_below(&problems) {
            let file = file.strip_prefix(&problems).unwrap_or(&file);
            // Programs in the cache of all tests would be compiled at one level only.
            if COMPILED_AT_EACH_LEVEL
                .iter()
                .any(|program| file == Path::new(program))
            {
                text.extend_from_slice(
                    format!("// {level} {}\n", workspace.path("").display()).as_bytes(),
                );
            }
            workspace.write(&format!("problems/{}", file.display()), text);
        }
        let mut setup = Self {
            level,
            workspace,
            gaps: Vec::new(),
            languages: LANGUAGES.to_vec(),
        };
        setup.require(&[]);
        let output = setup.workspace.judge(["run", "--report=json", "--samples"]);
        if output.code == Some(4) && output.stderr.contains("is unavailable on this host") {
            skipped(level.name(), &output.stderr);
            return None;
        }
        let Some(Event::RunStarted(started)) = output.events.first() else {
            panic!("{output:?}")
        };
        assert_eq!(started.isolation.level, level);
        setup.gaps.clone_from(&started.isolation.gaps);
        for event in &output.events {
            let Event::LanguageUnavailable(unavailable) = event else {
                continue;
            };
            skipped(
                &format!("{} at {level}", unavailable.language),
                &unavailable.reason,
            );
            let gone = LANGUAGES
                .iter()
                .find(|language| language.2 == unavailable.language.0)
                .unwrap();
            setup.languages.retain(|language| language != gone);
            fs::remove_dir_all(setup.workspace.path(&format!("problems/{}", gone.0))).unwrap();
        }
        Some(setup)
    }

    /// Writes the level and the required guarantees to `judge.yaml`.
    fn require(&self, guarantees: &[Guarantee]) {
        let required: Vec<&str> = guarantees
            .iter()
            .map(|guarantee| guarantee.name())
            .collect();
        let isolation = format!(
            "{{level: {}, require: [{}]}}",
            self.level,
            required.join(", ")
        );
        self.workspace.write(
            "judge.yaml",
            format!("problems: [problems]\nisolation: {isolation}\n"),
        );
    }

    /// The language of a command at this level.
    fn language(&self, turn: usize) -> Language {
        let level = IsolationLevel::ALL
            .iter()
            .position(|level| *level == self.level)
            .unwrap();
        self.languages[(level + turn) % self.languages.len()]
    }

    fn judge(&self, command: &str, code: i32) -> CommandOutput {
        let output = self.workspace.judge(command.split_whitespace());
        assert_eq!(
            output.code,
            Some(code),
            "`{command}` at {}: {output:?}",
            self.level
        );
        output
    }

    fn events(&self, command: &str, code: i32) -> CommandOutput {
        self.judge(&format!("{command} --report=json"), code)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.workspace.path(path)).unwrap()
    }
}

/// Both submissions of a problem, with their verdicts.
fn has_verdicts(output: &CommandOutput, (_, extension, _): Language) {
    assert_eq!(
        output.verdict(&format!("accepted/sum.{extension}")),
        Verdict::Accepted
    );
    assert_eq!(
        output.verdict(&format!("wrong_answer/one_more.{extension}")),
        Verdict::WrongAnswer
    );
}

fn judges(at: &Level) {
    let output = at.events("run", 0);
    at.languages
        .iter()
        .for_each(|language| has_verdicts(&output, *language));

    let (problem, extension, _) = at.language(0);
    let wrong = format!("problems/{problem}/submissions/wrong_answer/one_more.{extension}");
    let output = at.events(&format!("submit --no-fail-fast -p {problem} {wrong}"), 1);
    assert!(
        output.test_cases().count() >= 3
            && output
                .test_cases()
                .all(|case| case.verdict == Verdict::WrongAnswer)
    );

    for (problem, extension, _) in &at.languages {
        let program = format!("problems/{problem}/submissions/accepted/sum.{extension}");
        let output = at.judge(&format!("try {program} -p {problem} --input secret/1"), 0);
        assert_eq!(
            output.stdout,
            at.read(&format!("problems/{problem}/data/secret/1.ans")),
            "{output:?}"
        );
        output.stderr_has(&["exited normally"]);
        at.judge(
            &format!("try {program} --input problems/{problem}/data/secret"),
            0,
        )
        .stdout_has(&["accepted on"]);
    }

    let (problem, extension, _) = at.language(1);
    let output = at.events(&format!("run --matrix {problem}"), 0);
    let assessed = output.events.iter().find_map(|event| match event {
        Event::TestDataAssessed(assessed) => Some(assessed),
        _ => None,
    });
    let rejected = &assessed.unwrap().must_be_rejected[0];
    assert_eq!(
        rejected.submission,
        format!("wrong_answer/one_more.{extension}")
    );
    assert_eq!(rejected.test_cases.len(), 3);

    let (problem, ..) = at.language(2);
    at.judge(
        &format!("run {problem} --shard=1/1 --report=json=shard.jsonl"),
        0,
    );
    has_verdicts(&at.events("report shard.jsonl", 0), at.language(2));
}

fn infers_a_time_limit(at: &Level) {
    let (problem, extension, _) = at.language(0);
    let metadata = format!("problems/{problem}/problem.yaml");
    let stated = at.read(&metadata);
    at.workspace
        .write(&metadata, stated.replace("  time_limit: 8\n", ""));
    let output = at.events(&format!("run {problem}"), 0);
    has_verdicts(&output, at.language(0));
    let started = &output.state().problems[0].started;
    let from = started.time_limit_from.as_ref().unwrap();
    assert!(
        from.submission.ends_with(extension) && from.cpu_time_us > 0,
        "{from:?}"
    );
    assert_eq!(started.time_limit_us, 1_000_000);
    at.workspace.write(&metadata, stated);
}

fn asks_validators(at: &Level) {
    let output = at.events("check --data", 0);
    let invalid = output.events.iter().filter(|event| match event {
        Event::DataValidated(data) => {
            assert!(
                data.inputs
                    .as_ref()
                    .is_some_and(|inputs| inputs.right > 0 && inputs.wrong == 0),
                "{data:?}"
            );
            data.directory == "invalid_input"
        }
        _ => false,
    });
    assert_eq!(invalid.count(), at.languages.len());

    let (problem, ..) = at.language(0);
    let output = at.events(&format!("check {problem}"), 0);
    assert!(
        !output
            .events
            .iter()
            .any(|event| matches!(event, Event::Finding(_))),
        "{output:?}"
    );
    let runs = output.events.iter().find_map(|event| match event {
        Event::PackageChecked(checked) => Some(checked.validator_runs),
        _ => None,
    });
    assert!(runs.unwrap() > 50, "{output:?}");

    let (problem, ..) = at.language(1);
    has_verdicts(&at.events(&format!("verify {problem}"), 0), at.language(1));
}

fn makes_data(at: &Level) {
    at.judge("generate", 0)
        .stdout_has(&vec!["put in place"; at.languages.len()]);
    for (problem, ..) in &at.languages {
        let input = at.read(&format!("problems/{problem}/data/secret/1-made.in"));
        assert!(input.starts_with("5 "), "{problem}: {input}");
        let sum: i32 = input
            .split_whitespace()
            .map(|word| word.parse::<i32>().unwrap())
            .sum();
        assert_eq!(
            at.read(&format!("problems/{problem}/data/secret/1-made.ans")),
            format!("{sum}\n")
        );
    }

    let (problem, ..) = at.language(0);
    let answer = format!("problems/{problem}/data/secret/1.ans");
    at.workspace.write(&answer, "998\n");
    at.judge(&format!("generate --review --accept-answers {problem}"), 0)
        .stdout_has(&["1 of 1 changed answers accepted"]);
    assert_eq!(at.read(&answer), "999\n");

    let (problem, extension, _) = at.language(1);
    at.workspace.write("mine.in", "3 4\n");
    let output = at.judge(
        &format!("add mine.in -p {problem} --name mine --require-kill one_more.{extension}"),
        0,
    );
    output.stdout_has(&[&format!("wrong_answer/one_more.{extension}"), "WA"]);
    assert_eq!(
        at.read(&format!("problems/{problem}/data/secret/mine.ans")),
        "7\n"
    );
}

fn distinguishes_submissions(at: &Level) {
    let (problem, extension, _) = at.language(0);
    let submissions =
        format!("{problem}/accepted/sum.{extension} {problem}/wrong_answer/one_more.{extension}");
    at.judge(&format!("compare {submissions} --budget 0.1"), 1)
        .stdout_has(&["only A is right on"]);

    let (problem, extension, _) = at.language(1);
    let wrong = format!("{problem}/wrong_answer/one_more.{extension}");
    let output = at.judge(&format!("stress {wrong} --inputs 9 --shrink 0 --seed 1"), 1);
    output.stdout_has(&["found", &format!("wrong_answer/one_more.{extension} WA")]);

    // Mutants are made of Rust alone.
    if !at.languages.contains(&RUST) {
        return;
    }
    let output = at.judge("mutate rustsum --limit 3 --seed 1 --report=json", 0);
    let mutation = Mutation::parse(&output.stdout).unwrap();
    assert!(
        mutation.mutants.len() == 3 && mutation.survivors().count() == 0,
        "{output:?}"
    );
}

fn refuses_missing_guarantees(at: &Level) {
    let Some(gap) = at.gaps.first() else {
        skipped(
            at.level.name(),
            "it guarantees everything on this host, so no requirement can fail",
        );
        return;
    };
    at.require(&[*gap]);
    at.workspace.write("mine.in", "5 6\n");
    let (problem, extension, _) = at.language(0);
    let right = format!("{problem}/accepted/sum.{extension}");
    let mut commands = vec![
        "run".to_owned(),
        "run --shard=1/1 --report=json=refused".to_owned(),
        format!("submit -p {problem} problems/{problem}/submissions/accepted/sum.{extension}"),
        "verify".to_owned(),
        "check".to_owned(),
        "check --data".to_owned(),
        format!("run --matrix {problem}"),
        "generate".to_owned(),
        "generate --review --accept-answers".to_owned(),
        format!("add mine.in -p {problem} --name other"),
        format!("compare {right} {right}"),
        format!("stress {problem}/wrong_answer/one_more.{extension}"),
        format!("try problems/{problem}/submissions/accepted/sum.{extension} --input mine.in"),
    ];
    commands.extend(
        at.languages
            .contains(&RUST)
            .then(|| "mutate rustsum".to_owned()),
    );
    for command in commands {
        at.judge(&command, 4)
            .stderr_has(&[at.level.name(), gap.name()]);
    }
    at.require(&[]);
}

fn verdicts_at(level: IsolationLevel) {
    let Some(at) = Level::new(level) else { return };
    judges(&at);
    infers_a_time_limit(&at);
    refuses_missing_guarantees(&at);
}

fn test_data_at(level: IsolationLevel) {
    let Some(at) = Level::new(level) else { return };
    asks_validators(&at);
    makes_data(&at);
    distinguishes_submissions(&at);
}

fn everything_at(level: IsolationLevel) {
    verdicts_at(level);
    test_data_at(level);
}

#[test]
fn every_command_for_verdicts_at_full() {
    verdicts_at(IsolationLevel::Full);
}

#[test]
fn every_command_for_test_data_at_full() {
    test_data_at(IsolationLevel::Full);
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn every_command_at_namespaces() {
    everything_at(IsolationLevel::Namespaces);
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn every_command_at_user() {
    everything_at(IsolationLevel::User);
}

#[test]
fn every_command_at_landlock() {
    everything_at(IsolationLevel::Landlock);
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn every_command_at_none() {
    everything_at(IsolationLevel::None);
}
