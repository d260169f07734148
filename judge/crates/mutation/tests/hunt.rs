//! Whole hunts with a sandbox that starts no process.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{Hunted, MutantResult, Mutation, SearchEnd, Smallness};
use judge_exec::{Environment, Session, TimedProblem, Toolchain, Toolchains};
use judge_fixtures::{FakeSandbox, script_language};
use judge_model::{
    FormatVersion, Language, LanguageFamily, LanguageId, Problem, Program, Submission, Verdict,
};
use judge_mutation::{HuntProblem, HuntSettings, hunt, save};
use judge_sandbox::{CancelToken, Sandbox};
use judge_stress::{InputSources, Step, add_placeholder};

/// A package with a solution that prints 1. Its generators always write the same input.
struct Package {
    dir: tempfile::TempDir,
    solution: Submission,
    cancel: CancelToken,
}

impl Package {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("solution.rs");
        fs::write(&path, "* leave\n* print 1\n").unwrap();
        let solution = Submission {
            id: "accepted/solution.rs".into(),
            path,
            sources: vec!["solution.rs".into()],
            language: Some(LanguageId("rust".into())),
            ..Submission::default()
        };
        Self {
            dir,
            solution,
            cancel: CancelToken::new().unwrap(),
        }
    }

    fn hunt_problem(&self, generators: usize) -> HuntProblem {
        let mut problem = Problem::new("p", self.dir.path().to_owned(), FormatVersion::V2025_09);
        add_placeholder(&mut problem);
        let mut inputs = InputSources::default();
        for number in 0..generators {
            let path = self.dir.path().join(format!("gen{number}.script"));
            fs::write(&path, "* print 5\n").unwrap();
            let program = Program {
                name: format!("gen{number}"),
                sources: vec![path.file_name().unwrap().into()],
                path,
                language: script_language().id,
                entry_class: None,
                scripts: None,
            };
            inputs
                .add_template(&program.name, &program, &["{seed}".to_owned()])
                .unwrap();
        }
        HuntProblem {
            problem,
            inputs,
            input_args: Vec::new(),
        }
    }

    /// Hunts survivors with these sources and 6 inputs. Also returns the steps of the progress.
    fn hunt(&self, hunt_problem: &HuntProblem, survivors: &[&str]) -> (Hunted, Vec<&'static str>) {
        let (id, family) = (LanguageId("rust".into()), Some(LanguageFamily::Rust));
        let rust = Language {
            id,
            family,
            extensions: vec!["rs".into()],
            ..script_language()
        };
        let known = |language| Toolchain {
            language,
            tools: Vec::new(),
            mounts: Vec::new(),
        };
        let toolchains = Toolchains::known(vec![known(script_language()), known(rust)]);
        let sandbox: Arc<dyn Sandbox> = Arc::new(FakeSandbox::default());
        let cache_dir = self.dir.path().join("cache");
        let directories = [self.dir.path().to_owned()];
        let cancel = self.cancel.clone();
        let session = Session::for_packages(
            &toolchains,
            Arc::clone(&sandbox),
            &cache_dir,
            &directories,
            cancel,
        )
        .unwrap();
        let environment = Environment {
            toolchains,
            sandbox,
            cache_dir,
            jobs: 2,
            cores: Vec::new(),
            judge_version: "0".into(),
            cancel: self.cancel.clone(),
            stores: None,
        };
        let timed = TimedProblem {
            name: "p".into(),
            problem: Arc::new(hunt_problem.problem.clone()),
            time_limit: Duration::from_secs(1),
        };
        let settings = HuntSettings {
            seed: 3,
            inputs: NonZero::new(6),
            time: None,
            shrink: Duration::from_secs(9),
        };
        let mut steps = Vec::new();
        let mut on_progress = |step: Step<'_>| {
            let step = if let Step::Minimizing = step {
                "minimizing"
            } else {
                "looking"
            };
            if steps.last() != Some(&step) {
                steps.push(step);
            }
        };
        let (subject, with) = ((&timed, &self.solution), (&session, &environment));
        let hunted = hunt(
            hunt_problem,
            subject,
            &mutation(survivors),
            with,
            &settings,
            &mut on_progress,
        )
        .unwrap();
        (hunted, steps)
    }
}

/// The document of mutants that no test case kills, numbered from 1.
fn mutation(survivors: &[&str]) -> Mutation {
    let survivor = |(number, source): (usize, &&str)| MutantResult {
        id: format!("m{number}"),
        operator: "comparison".into(),
        line: 1,
        source: Some((*source).to_owned()),
        ..MutantResult::default()
    };
    Mutation {
        mutants: survivors.iter().enumerate().map(survivor).collect(),
        ..Mutation::default()
    }
}

#[test]
fn survivors_are_killed_or_likely_equivalent() {
    let bench = Package::new();
    let (mut hunted, steps) = bench.hunt(
        &bench.hunt_problem(1),
        &[
            "* leave\n* print 1\n",
            "* leave\n* print 2\n",
            "* leave\n\ninput signal 11\n",
            "* signal 9\n",
        ],
    );
    assert_eq!(steps, ["looking", "minimizing"]);
    let [(unready, why)] = hunted.not_ready.as_slice() else {
        panic!("{hunted:?}")
    };
    assert!(
        unready == "m3" && why.starts_with("it does not compile"),
        "{why}"
    );
    // One input kills both.
    let [found] = hunted.found.as_slice() else {
        panic!("{hunted:?}")
    };
    let kills: Vec<_> = found
        .seen
        .iter()
        .map(|seen| (seen.submission.as_str(), seen.verdict))
        .collect();
    assert_eq!(
        kills,
        [("m1", Verdict::WrongAnswer), ("m2", Verdict::RunTimeError)]
    );
    assert_eq!(
        (found.name.as_str(), found.smallness),
        ("mutant-m1", Smallness::NotValidated)
    );
    let answer = found.answer.as_ref().unwrap();
    assert_eq!(
        (found.input.0.trim_ascii(), answer.0.trim_ascii()),
        (&b"5"[..], &b"1"[..])
    );
    assert!(
        found.is_generated && found.made_by.starts_with("gen0 "),
        "{found:?}"
    );
    let result = &hunted.result;
    assert_eq!((result.end, result.seed), (SearchEnd::Inputs, 3));
    assert_eq!(result.likely_equivalent, ["m0"]);
    assert_eq!(
        (result.found.len(), result.found[0].kills[0].mutant.as_str()),
        (1, "m1")
    );
    assert_eq!((result.tally.kinds, result.tally.kinds_reached), (1, 1));
    assert!(hunted.is_searched && !hunted.is_judge_error, "{hunted:?}");
    assert!(
        result.warnings[0].contains("no input validator"),
        "{result:?}"
    );

    let into = bench.dir.path().join("found");
    save(&mut hunted, &into, &|path: &Path| {
        path.strip_prefix(&into).unwrap().display().to_string()
    })
    .unwrap();
    assert_eq!(
        hunted.found[0].shown_file.as_deref(),
        Some("p/mutant-m1.in")
    );
    assert_eq!(
        hunted.result.found[0].file.as_deref(),
        into.join("p/mutant-m1.in").to_str()
    );
    assert_eq!(
        fs::read(into.join("p/mutant-m1.ans")).unwrap().trim_ascii(),
        b"1"
    );
}

#[test]
fn hunts_without_inputs_and_cancelled_hunts_find_nothing() {
    let bench = Package::new();
    let (hunted, steps) = bench.hunt(&bench.hunt_problem(0), &["* leave\n* print 2\n"]);
    assert!(steps.is_empty() && hunted.found.is_empty() && !hunted.is_searched);
    assert_eq!(hunted.result.end, SearchEnd::Inputs);
    assert!(
        hunted.result.warnings[0].starts_with("no source of inputs"),
        "{hunted:?}"
    );
    bench.cancel.cancel();
    let (hunted, _) = bench.hunt(&bench.hunt_problem(1), &["* leave\n* print 2\n"]);
    assert_eq!(
        (hunted.result.end, hunted.is_searched),
        (SearchEnd::Interrupted, false)
    );
    assert!(hunted.result.likely_equivalent.is_empty());
}
