//! A small package, a session in a sandbox that starts no process, and artificial runs, for tests.
//!
//! Must not be compiled into the product.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_event::{
    End, ProblemStarted, ProblemState, RunState, SubmissionFinished, SubmissionStarted,
    SubmissionState,
};
use judge_exec::{Session, Toolchain, Toolchains};
use judge_fixtures::{FakeSandbox, script_language, test_case_finished};
use judge_model::{Expectation, FormatVersion, Limits, Problem, Submission, TestCase, Verdict};
use judge_package::Workspace;
use judge_sandbox::CancelToken;

use crate::{Project, Resources};

/// The problem `sum`: one test case, `secret/1`, and one accepted solution, which always writes 3.
pub(crate) struct Package {
    directory: tempfile::TempDir,
    pub(crate) workspace: Workspace,
    pub(crate) cancel: CancelToken,
}

/// Sets a directory of journals for all tests.
pub(crate) fn set_journals() {
    judge_files::set_journal_directory(
        &std::env::current_exe()
            .unwrap()
            .with_file_name("state-of-tests"),
    );
}

impl Package {
    pub(crate) fn sum() -> Self {
        set_journals();
        let directory = tempfile::tempdir().unwrap();
        let mut workspace = Workspace::find(directory.path()).unwrap();
        workspace.languages = vec![script_language()];
        let package = Self {
            directory,
            workspace,
            cancel: CancelToken::new().unwrap(),
        };
        let uuid = "5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e";
        let yaml = format!(
            "problem_format_version: 2025-09\nname: Sum\nuuid: {uuid}\nlimits: {{time_limit: 1}}\n"
        );
        package.write("problem.yaml", &yaml);
        package.write("data/secret/1.in", "0 3\n");
        package.write("data/secret/1.ans", "3\n");
        package.write("submissions/accepted/right.script", "* print 3\n");
        package
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("sum")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path().join(path)).ok()
    }

    /// Opens a session for the data of these packages.
    pub(crate) fn session(&self, projects: &[&Project]) -> Session {
        let language = Toolchain {
            language: script_language(),
            tools: Vec::new(),
            mounts: Vec::new(),
        };
        let (sandbox, cache) = (
            Arc::new(FakeSandbox::default()),
            self.directory.path().join("cache"),
        );
        let directories: Vec<PathBuf> = projects
            .iter()
            .flat_map(|project| project.directories())
            .collect();
        let toolchains = Toolchains::known(vec![language]);
        Session::for_packages(
            &toolchains,
            sandbox,
            &cache,
            &directories,
            self.cancel.clone(),
        )
        .unwrap()
    }

    pub(crate) fn resources<'a>(&'a self, session: &'a Session) -> Resources<'a> {
        Resources {
            session,
            jobs: 1,
            workspace: &self.workspace,
            on_progress: &|_| {},
        }
    }

    /// Writes rules that create `secret/1` from this input and answer.
    pub(crate) fn rule(&self, input: &str, answer: &str) {
        let rules = format!(
            "data:\n  secret:\n    data:\n      '1': {{in: \"{input}\", ans: \"{answer}\"}}\n"
        );
        self.write("generators/generators.yaml", &rules);
    }
}

/// All files below a directory, by path.
pub(crate) fn files(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push((entry.path(), fs::read(entry.path()).unwrap()));
        }
    }
    found.sort();
    found
}

pub(crate) const ACCEPTED: &str = "accepted/a.c";
pub(crate) const WRONG: &str = "wrong_answer/w.c";
pub(crate) const SLOW: &str = "time_limit_exceeded/s.c";

fn submission(id: &str) -> Submission {
    let (permitted, required) = match id {
        ACCEPTED => (vec![Verdict::Accepted], Vec::new()),
        _ => (
            Vec::new(),
            vec![Verdict::WrongAnswer, Verdict::TimeLimitExceeded],
        ),
    };
    let expectations = vec![Expectation {
        permitted,
        required,
        ..Expectation::default()
    }];
    Submission {
        id: id.to_owned(),
        expectations,
        ..Submission::default()
    }
}

pub(crate) fn problem(test_cases: &[&str]) -> Problem {
    let case = |id: &&str| TestCase {
        id: (*id).to_owned(),
        ..TestCase::default()
    };
    Problem {
        test_cases: test_cases.iter().map(case).collect(),
        submissions: [ACCEPTED, WRONG, SLOW].map(submission).to_vec(),
        ..Problem::new("sum", "".into(), FormatVersion::V2025_09)
    }
}

/// A run of a problem with the verdicts of a table, by submission and test case.
pub(crate) fn judged_run(problem: &Problem, verdict: impl Fn(&str, &str) -> Verdict) -> RunState {
    let submissions = problem
        .submissions
        .iter()
        .map(|submission| SubmissionState {
            started: SubmissionStarted {
                problem: problem.name.clone(),
                submission: submission.id.clone(),
                path: submission.id.clone(),
                language: None,
                expectations: submission.expectations.clone(),
                sources: Vec::new(),
            },
            compiled: None,
            test_cases: problem
                .test_cases
                .iter()
                .map(|c| test_case_finished(&c.id, verdict(&submission.id, &c.id), 5))
                .collect(),
            finished: Some(SubmissionFinished {
                problem: problem.name.clone(),
                submission: submission.id.clone(),
                verdict: Verdict::Accepted,
                deciding_test_case: None,
                slowest: None,
                memory_bytes: 0,
                test_cases_run: 0,
                test_cases_total: 0,
                as_expected: true,
                violations: Vec::new(),
                remarks: Vec::new(),
                score: None,
                max_score: None,
                groups: Vec::new(),
            }),
            skipped: None,
            error: None,
        });
    let started = ProblemStarted {
        problem: problem.name.clone(),
        title: String::new(),
        path: String::new(),
        time_limit_us: 1_000_000,
        time_factor: None,
        time_limit_from: None,
        limits: Limits::default(),
        test_cases: problem
            .test_cases
            .iter()
            .map(|case| case.id.clone())
            .collect(),
        test_cases_total: 0,
        submissions: Vec::new(),
        inputs: Vec::new(),
    };
    let problem = ProblemState {
        started,
        submissions: submissions.collect(),
        assessed: None,
    };
    RunState {
        end: Some(End::Completed),
        problems: vec![problem],
        ..RunState::default()
    }
}
