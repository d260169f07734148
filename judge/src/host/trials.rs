//! Trials of languages: a small program in each, compiled and run like any submission.
//!
//! Responsible for which languages work here, and the reason where one does not. Must not find
//! tools.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use judge_event::SubmissionState;
use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_model::{LanguageId, Verdict};
use judge_package::{CPYTHON, PYPY};

use crate::commands::judging::JudgingSettings;
use crate::config::Config;
use crate::failure::Failure;
use crate::host::own_run::{self, OwnRunLimits};

/// Programs that print the sum of two numbers; each file is named after its language. Other
/// languages are not tried.
const SMALL: [(&str, &str); 36] = [
    ("ada.adb", include_str!("small/ada.adb")),
    ("bash.sh", include_str!("small/bash.sh")),
    ("c.c", include_str!("small/c.c")),
    ("cgmp.c", include_str!("small/cgmp.c")),
    ("cobol.cob", include_str!("small/cobol.cob")),
    ("cpp.cpp", include_str!("small/cpp.cpp")),
    ("cppgmp.cpp", include_str!("small/cppgmp.cpp")),
    ("crystal.cr", include_str!("small/crystal.cr")),
    ("csharp.cs", include_str!("small/csharp.cs")),
    ("d.d", include_str!("small/d.d")),
    ("elixir.ex", include_str!("small/elixir.ex")),
    ("erlang.erl", include_str!("small/erlang.erl")),
    ("forth.fth", include_str!("small/forth.fth")),
    ("fortran.f90", include_str!("small/fortran.f90")),
    ("go.go", include_str!("small/go.go")),
    ("haskell.hs", include_str!("small/haskell.hs")),
    ("java.java", include_str!("small/java.java")),
    ("javascript.js", include_str!("small/javascript.js")),
    ("kotlin.kt", include_str!("small/kotlin.kt")),
    ("lisp.lisp", include_str!("small/lisp.lisp")),
    ("lua.lua", include_str!("small/lua.lua")),
    ("nim.nim", include_str!("small/nim.nim")),
    ("objectivec.m", include_str!("small/objectivec.m")),
    ("ocaml.ml", include_str!("small/ocaml.ml")),
    ("octave.m", include_str!("small/octave.m")),
    ("pascal.pas", include_str!("small/pascal.pas")),
    ("perl.pm", include_str!("small/perl.pm")),
    ("php.php", include_str!("small/php.php")),
    ("prolog.pl", include_str!("small/prolog.pl")),
    ("python2.py2", include_str!("small/python2.py2")),
    ("python3.py", include_str!("small/python3.py")),
    ("python3numpy.py", include_str!("small/python3numpy.py")),
    ("racket.rkt", include_str!("small/racket.rkt")),
    ("ruby.rb", include_str!("small/ruby.rb")),
    ("rust.rs", include_str!("small/rust.rs")),
    ("scala.scala", include_str!("small/scala.scala")),
];
const PROBLEM: &str = "problem_format_version: 2025-09\nname: Languages\nuuid: 5e0e6c52-3f4f-4d0a-9f5e-0d6a0c1b7a12\n\
                       limits:\n  time_limit: 20\n  compilation_time: 60\n";

/// The maximum time of all trials. Programs that were compiled by then are in the cache, and take
/// no time in the next attempt.
const MAX_TIME: Duration = Duration::from_secs(30);
const DIRECTORY: &str = "tried";

/// The results of languages that were tried. The error is the reason why a language does not work.
pub(crate) type Trials = BTreeMap<LanguageId, Result<(), String>>;

/// Tries these languages, in parallel by the number of jobs. If one of them ends the run by a fault
/// of the host, each is tried alone, so that the others have results.
pub(crate) fn try_languages(
    config: &Config,
    languages: &BTreeSet<LanguageId>,
) -> Result<Trials, Failure> {
    let (mut trials, faulty) = try_together(config, languages)?;
    if faulty && languages.len() > 1 {
        for language in languages {
            trials.extend(try_together(config, &BTreeSet::from([language.clone()]))?.0);
        }
    }
    Ok(trials)
}

/// Tries languages in one run; true with a fault of the host.
fn try_together(
    config: &Config,
    languages: &BTreeSet<LanguageId>,
) -> Result<(Trials, bool), Failure> {
    let unwritten = |source: io::Error| Failure::write("the programs of the trials", source);
    let directory = LockedDirectory::temporary(TemporaryPurpose::Measuring).map_err(unwritten)?;
    let package = directory.path().join("languages");
    let tried = write_package(&package, languages).map_err(unwritten)?;
    if tried.is_empty() {
        return Ok((Trials::new(), false));
    }
    let limits = OwnRunLimits {
        time_limit: Duration::from_secs(20),
        max_time: Some(MAX_TIME),
    };
    let state = own_run::run(config, &package, JudgingSettings::default(), limits)?;
    let submissions = || {
        state
            .problems
            .iter()
            .flat_map(|problem| &problem.submissions)
    };
    let result = |language: &LanguageId| {
        if let Some(missing) = state
            .languages_unavailable
            .iter()
            .find(|missing| missing.language == *language)
        {
            return Err(missing.reason.clone());
        }
        let path = format!("{DIRECTORY}/{language}");
        let not_tried = || match state.host_faults.first() {
            Some(fault) => format!("not tried: {}", fault.message),
            None => format!(
                "not tried within {} s; run `judge doctor` again",
                MAX_TIME.as_secs()
            ),
        };
        let finished = submissions().find(|submission| {
            submission.started.submission == path && submission.finished.is_some()
        });
        finished.map_or_else(|| Err(not_tried()), result_of)
    };
    let trials = tried
        .iter()
        .map(|language| (language.clone(), result(language)))
        .collect();
    Ok((trials, !state.host_faults.is_empty()))
}

/// The reason, in one line, why a program did not print the sum.
fn result_of(submission: &SubmissionState) -> Result<(), String> {
    let verdict = submission
        .finished
        .as_ref()
        .map(|finished| finished.verdict);
    if verdict == Some(Verdict::Accepted) {
        return Ok(());
    }
    if let Some(skipped) = &submission.skipped {
        return Err(skipped.reason.clone());
    }
    if let (Some(Verdict::CompileError), Some(compiled)) = (verdict, &submission.compiled) {
        let text = compiled.message.head.to_text();
        let line = text
            .lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or("without a message");
        return Err(format!("a small program does not compile: {}", line.trim()));
    }
    let test = submission.test_cases.first();
    let reason = test
        .and_then(|test| test.reason.clone())
        .unwrap_or_else(|| match test {
            Some(test) => format!("{:?}", test.termination),
            None => "it was not run".to_owned(),
        });
    Err(format!("a small program is not accepted: {reason}"))
}

/// Writes a package with a submission in each of these languages that has a program. Returns these
/// languages.
fn write_package(
    package: &Path,
    languages: &BTreeSet<LanguageId>,
) -> io::Result<BTreeSet<LanguageId>> {
    let (data, submissions) = (package.join("data/secret"), package.join("submissions"));
    fs::create_dir_all(&data)?;
    fs::create_dir_all(&submissions)?;
    fs::write(package.join("problem.yaml"), PROBLEM)?;
    fs::write(data.join("sum.in"), "3 4\n")?;
    fs::write(data.join("sum.ans"), "7\n")?;
    let mut tried = BTreeSet::new();
    let mut rules = String::new();
    for language in languages {
        // PyPy runs the program in Python 3.
        let known = if language.0 == PYPY {
            CPYTHON
        } else {
            &*language.0
        };
        let extension_of = |file: &'static str| file.strip_prefix(known)?.strip_prefix('.');
        let small = SMALL
            .iter()
            .find_map(|(file, text)| Some((extension_of(file)?, text)));
        let Some((extension, text)) = small else {
            continue;
        };
        let directory = submissions.join(DIRECTORY).join(&language.0);
        fs::create_dir_all(&directory)?;
        // The name of the class in Java, and of the module in Erlang.
        let name = if language.0 == "java" {
            "Main"
        } else {
            "small"
        };
        fs::write(directory.join(format!("{name}.{extension}")), text)?;
        rules += &format!("{DIRECTORY}/{language}:\n  language: {language}\n");
        tried.insert(language.clone());
    }
    fs::write(submissions.join("submissions.yaml"), rules)?;
    Ok(tried)
}
