//! Starting: the cost of a program that does nothing.
//!
//! Responsible for one such program in each language of the judge's table. Must not know what is compared.
//!
//! The programs are what people write: a C++ program reads with `iostream`, so the one that does nothing includes it.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use judge_exec::{ExecError, Fault, TimedProblem, Worker};
use judge_model::{
    FormatVersion, LanguageId, Problem, ProblemIndex, Submission, SubmissionIndex, SubmissionPlace, TestCase,
    TestCaseIndex,
};

use crate::statistics::estimate::median;

/// Language, file name, source.
const PROGRAMS: [(&str, &str, &str); 17] = [
    ("bash", "main.sh", ":\n"),
    ("c", "main.c", "#include <stdio.h>\nint main(void) { return 0; }\n"),
    ("cpp", "main.cpp", "#include <iostream>\nint main() { return 0; }\n"),
    ("csharp", "Main.cs", "class Program { static void Main() {} }\n"),
    ("go", "main.go", "package main\n\nfunc main() {}\n"),
    ("haskell", "Main.hs", "main :: IO ()\nmain = return ()\n"),
    ("java", "Main.java", "public class Main { public static void main(String[] args) {} }\n"),
    ("javascript", "main.js", ";\n"),
    ("kotlin", "Main.kt", "fun main() {}\n"),
    ("lua", "main.lua", "local nothing\n"),
    ("pascal", "main.pas", "begin end.\n"),
    ("perl", "main.pm", "1;\n"),
    ("php", "main.php", "<?php\n"),
    ("python2", "main.py2", "pass\n"),
    ("python3", "main.py", "pass\n"),
    ("ruby", "main.rb", "nil\n"),
    ("rust", "main.rs", "fn main() {}\n"),
];
/// Measurements of each.
const MEASUREMENTS: usize = 15;

/// A problem whose only test case is empty, answered in each of the languages by a program that does nothing, as far as
/// there is one for it. It lies in a directory, which must outlive every use of it.
pub(crate) fn problem(directory: &Path, languages: &[LanguageId]) -> Result<TimedProblem, std::io::Error> {
    let file = |name: &str, text: &str| {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().unwrap_or(directory))?;
        fs::write(&path, text)?;
        Ok::<_, std::io::Error>(path)
    };
    let test_case = TestCase {
        id: "secret/nothing".to_owned(),
        input: file("nothing.in", "")?,
        answer: file("nothing.ans", "")?,
        ..TestCase::default()
    };
    let mut submissions = Vec::new();
    for (language, name, source) in PROGRAMS.iter().filter(|(id, ..)| languages.iter().any(|of| of.0 == *id)) {
        let path = file(&format!("{language}/{name}"), source)?;
        submissions.push(Submission {
            id: (*language).to_owned(),
            path,
            sources: vec![(*name).into()],
            language: Some(LanguageId((*language).to_owned())),
            entry_class: (*language == "java").then(|| "Main".to_owned()),
            ..Submission::default()
        });
    }
    let name = "start-up".to_owned();
    Ok(TimedProblem {
        time_limit: Duration::from_secs(60),
        problem: Arc::new(Problem {
            test_cases: vec![test_case],
            submissions,
            ..Problem::new(&name, directory.to_owned(), FormatVersion::V2025_09)
        }),
        name,
    })
}

/// The cost of starting a program of one language: CPU times in microseconds.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) language: LanguageId,
    pub(crate) times: Vec<f64>,
    /// The least peak of memory in bytes.
    pub(crate) memory: u64,
}

impl Start {
    /// The middle of the times, which is reported.
    pub(crate) fn middle(&self) -> u64 {
        median(&mut self.times.clone()).map_or(0, |time| time.round() as u64)
    }

    /// The shortest of the times in seconds: other programs can only add to it.
    pub(crate) fn shortest(&self) -> f64 {
        self.times.iter().copied().min_by(f64::total_cmp).unwrap_or_default() / 1e6
    }
}

/// Measures doing nothing in each language. Programs that fail or do not compile are left out; `None` when it was cancelled.
pub(crate) fn measure(
    timed: &TimedProblem,
    problem: ProblemIndex,
    worker: &mut Worker<'_>,
) -> Result<Option<Vec<Start>>, ExecError> {
    let mut measured = Vec::new();
    for (index, submission) in SubmissionIndex::enumerate(&timed.problem.submissions) {
        let place = SubmissionPlace { problem, submission: index };
        let prepared = Fault::apart(worker.prepare_submission(place))?;
        let (Ok(prepared), Some(language)) = (prepared, &submission.language) else { continue };
        let (mut times, mut memory) = (Vec::new(), u64::MAX);
        for _ in 0..MEASUREMENTS {
            let Some(measurement) = worker.measure(&prepared, TestCaseIndex(0))? else { return Ok(None) };
            if measurement.verdict == judge_model::Verdict::Accepted {
                times.push(measurement.outcome.usage.cpu_time.as_secs_f64() * 1e6);
                memory = memory.min(measurement.outcome.usage.memory_bytes);
            }
        }
        if times.iter().any(|time| *time > 0.0) {
            measured.push(Start { language: language.clone(), times, memory });
        }
    }
    Ok(Some(measured))
}
