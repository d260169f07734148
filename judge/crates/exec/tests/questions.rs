//! Asking validators about data without a submission, with a sandbox that starts no process.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_exec::{
    Data, Generation, InputQuestion, OutputQuestion, Refusal, Session, Start, Toolchain, Toolchains,
};
use judge_fixtures::{FakeSandbox, script_language};
use judge_grading::{InputValidatorDecision, ValidatorDecision};
use judge_model::{
    Constant, FormatVersion, LanguageId, OutputValidator, OutputValidatorArgs, Problem, Program,
};
use judge_sandbox::CancelToken;

/// A problem in a separate directory, and a session for it.
struct Bench {
    dir: tempfile::TempDir,
    problem: Problem,
    session: Session,
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut problem = Problem::new("p", dir.path().to_owned(), FormatVersion::V2025_09);
        problem.constants = vec![Constant {
            name: "most".into(),
            value: "100".into(),
        }];
        let found = Toolchains::known(vec![Toolchain {
            language: script_language(),
            tools: Vec::new(),
            mounts: Vec::new(),
        }]);
        let (sandbox, cache) = (Arc::new(FakeSandbox::default()), dir.path().join("cache"));
        let cancel = CancelToken::new().unwrap();
        let session =
            Session::for_packages(&found, sandbox, &cache, &[dir.path().to_owned()], cancel)
                .unwrap();
        Self {
            dir,
            problem,
            session,
        }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn program(&self, name: &str, language: &str, text: &str) -> Program {
        Program {
            name: name.into(),
            path: self.write(name, text),
            sources: vec![name.into()],
            language: LanguageId(language.into()),
            entry_class: None,
            scripts: None,
        }
    }

    /// Returns the reason why an input validator cannot be made ready.
    fn refusal(&self, program: &Program) -> Refusal {
        self.session
            .worker(None)
            .input_validator(&self.problem, program)
            .unwrap_err()
            .refusal()
            .unwrap()
    }

    fn input_decision(
        &self,
        program: &Program,
        input: Data<'_>,
    ) -> (InputValidatorDecision, String) {
        let mut worker = self.session.worker(None);
        let validator = worker.input_validator(&self.problem, program).unwrap();
        let reply = worker
            .ask_input(
                &validator,
                &InputQuestion {
                    input,
                    args: &[],
                    files: None,
                    bounds: false,
                },
            )
            .unwrap();
        let texts = [reply.output.head, reply.output.tail].map(|part| part.to_text().into_owned());
        (reply.decision, texts.concat())
    }
}

#[test]
fn only_exit_code_42_accepts_an_input() {
    let bench = Bench::new();
    let program = bench.program(
        "v.script",
        "script",
        "good exit 42\nbad exit 43\nbad stderr line 1: too large\n",
    );
    let (good, bad) = (bench.write("good.in", ""), bench.write("bad.in", ""));
    assert_eq!(
        bench.input_decision(&program, Data::File(&good)).0,
        InputValidatorDecision::Accepted
    );
    let (decision, output) = bench.input_decision(&program, Data::File(&bad));
    assert!(
        matches!(decision, InputValidatorDecision::Rejected { .. }),
        "{decision:?}"
    );
    assert_eq!(output, "line 1: too large\n");
    let program = bench.program("w.script", "script", "bad flood\n");
    let reason = "exceeded its output limit of 1 MiB".to_owned();
    let (decision, _) = bench.input_decision(&program, Data::File(&bad));
    assert_eq!(decision, InputValidatorDecision::JudgeError { reason });
    let program = bench.program("v.script", "script", "good exit 42\nbad exit 43\n");
    // Bytes are not a file, so the simulated program has no line for them.
    let (decision, _) = bench.input_decision(&program, Data::Bytes(b"x"));
    assert!(
        matches!(decision, InputValidatorDecision::Rejected { .. }),
        "{decision:?}"
    );
}

#[test]
fn ordinary_runs_of_warm_programs_get_the_full_time_limit() {
    let bench = Bench::new();
    let input = bench.write("slow.in", "");
    let program = bench.program("v.script", "script", "slow cpu 20000\nslow exit 42\n");
    let mut worker = bench.session.worker(None).with_warm_programs();
    let validator = worker.input_validator(&bench.problem, &program).unwrap();
    let question = InputQuestion {
        input: Data::File(&input),
        args: &[],
        files: None,
        bounds: false,
    };
    let reply = worker
        .try_warm(
            Start::Warm,
            |worker| worker.ask_input(&validator, &question),
            Result::is_ok,
        )
        .unwrap();
    assert_eq!(reply.decision, InputValidatorDecision::Accepted);
    let program = bench.program("s.script", "script", "* cpu 20000\n* print 7\n");
    let solution = worker.maker(&bench.problem, &program, "generator").unwrap();
    let making = Generation {
        program: &solution,
        args: &[],
        input: b"",
        leaves: None,
        time: None,
    };
    let made = worker.try_warm(Start::Warm, |worker| worker.make(&making), Result::is_ok);
    assert_eq!(
        made.map(|made| made.stdout).ok().as_deref(),
        Some(&b"7\n"[..])
    );
}

#[test]
fn checktestdata_programs_are_interpreted_with_the_packages_constants() {
    let bench = Bench::new();
    let program = bench.program("v.ctd", "checktestdata", "INT(1, {{most}}) NEWLINE EOF\n");
    assert_eq!(
        bench.input_decision(&program, Data::Bytes(b"100\n")).0,
        InputValidatorDecision::Accepted
    );
    let (decision, output) =
        bench.input_decision(&program, Data::File(&bench.write("1.in", "101\n")));
    assert!(
        matches!(decision, InputValidatorDecision::Rejected { .. }),
        "{decision:?}"
    );
    assert!(output.contains("101"), "{output}");
    let faulty = bench.program("w.ctd", "checktestdata", "INT(1,\n");
    let why = bench.refusal(&faulty).to_string();
    assert!(
        why.starts_with("the input validator `w.ctd` cannot be read"),
        "{why}"
    );
}

#[test]
fn unusable_validators_are_package_faults() {
    let bench = Bench::new();
    let program = bench.program("v.cob", "cobol", "");
    let why =
        "the input validator `v.cob` is in `cobol`, for which this host has no tools".to_owned();
    assert_eq!(bench.refusal(&program), Refusal::Package(why));
}

fn output_decision(bench: &Bench, args: &[&str], output: &str) -> ValidatorDecision {
    let mut worker = bench.session.worker(None);
    let validators = worker.output_validators(&bench.problem).unwrap();
    let args = OutputValidatorArgs {
        all: args.iter().map(ToString::to_string).collect(),
        ..OutputValidatorArgs::default()
    };
    let (input, answer) = (bench.write("1.in", ""), bench.write("1.ans", "1.5\n"));
    let question = OutputQuestion {
        limits: &bench.problem.limits,
        input: Path::new(&input),
        answer: &answer,
        args: &args,
        output: output.as_bytes(),
    };
    worker.ask_output(&validators, &question).unwrap().decision
}

#[test]
fn output_is_compared_with_an_answer_without_a_submission() {
    let mut bench = Bench::new();
    assert_eq!(
        output_decision(&bench, &[], "1.5"),
        ValidatorDecision::Accepted
    );
    assert_eq!(
        output_decision(&bench, &[], "1.50"),
        ValidatorDecision::Rejected
    );
    assert_eq!(
        output_decision(&bench, &["float_tolerance", "1e-3"], "1.50"),
        ValidatorDecision::Accepted
    );
    assert!(matches!(
        output_decision(&bench, &["unknown"], "1.5"),
        ValidatorDecision::JudgeError { .. }
    ));

    for (exit, expected) in [
        (42, ValidatorDecision::Accepted),
        (43, ValidatorDecision::Rejected),
    ] {
        let program = bench.program(
            &format!("v{exit}.script"),
            "script",
            &format!("* exit {exit}"),
        );
        bench.problem.output_validator = OutputValidator::Custom(vec![program]);
        assert_eq!(output_decision(&bench, &[], "1"), expected);
    }
}
