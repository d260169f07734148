//! Output validators and interactors: their input, and their decisions.
//!
//! Responsible for the feedback directory, and for distinguishing faults of the submission from
//! faults of the package. Must not know what a right output is.
//!
//! Source: package format, "Output Validators", "Interactive Problems" and "Multi-pass".

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::args::Args;
use super::ending::{append, append_to, broken, end, reject, ACCEPTED};
use super::float::Tolerance;
use super::reader::{OnFault, Reader};

/// The files and arguments of an output validator. Created by
/// [`validate_output`](super::validate_output) and [`interact`](super::interact).
pub struct Judge {
    /// The test case's input. A fault in it is a judge error.
    pub input: Reader,
    /// The jury's answer. A fault in it is a judge error.
    pub answer: Reader,
    /// The output of the team's submission. A fault in it is a wrong answer.
    pub team: Reader,
    /// The arguments of the problem or the test case (`output_validator_args`).
    pub args: Args,
    feedback: PathBuf,
    scored: bool,
}

impl Judge {
    pub(super) fn from_program() -> Self {
        let mut words = std::env::args_os().skip(1);
        let (Some(input), Some(answer), Some(feedback)) =
            (words.next(), words.next(), words.next())
        else {
            broken("wrong call: expected `validator INPUT ANSWER FEEDBACK_DIRECTORY [ARGUMENT…] < OUTPUT`")
        };
        let feedback = PathBuf::from(feedback);
        let file = |path: PathBuf, name: &'static str| match File::open(&path) {
            Ok(file) => Reader::new(Box::new(file), name, OnFault::Broken),
            Err(error) => broken(format_args!("cannot open `{}`: {error}", path.display())),
        };
        Self {
            input: file(input.into(), "the input"),
            answer: file(answer.into(), "the answer"),
            team: Reader::new(
                Box::new(io::stdin()),
                "the output",
                OnFault::Wrong(feedback.clone()),
            ),
            args: Args::from_words(
                words
                    .map(|word| word.to_string_lossy().into_owned())
                    .collect(),
            ),
            feedback,
            scored: false,
        }
    }

    /// Rejects the output as wrong. The message is for the jury only.
    pub fn wrong(&mut self, message: impl Display) -> ! {
        reject(&self.feedback, &message.to_string())
    }

    /// Accepts the output as right, without checking whether anything follows.
    pub fn right(&mut self) -> ! {
        end(ACCEPTED)
    }

    /// Reports a fault of the package, such as an output that is better than the jury's: a judge
    /// error.
    pub fn broken(&mut self, message: impl Display) -> ! {
        broken(message)
    }

    /// Writes a message to the jury, for any verdict: a line of `judgemessage.txt`.
    pub fn message(&mut self, message: impl Display) {
        append(&self.feedback, &message.to_string());
    }

    /// Writes a message to the submission's author: a line of `teammessage.txt`.
    pub fn tell_team(&mut self, message: impl Display) {
        append_to(&self.feedback.join("teammessage.txt"), &message.to_string());
    }

    /// Gives a right output a score: `score.txt`.
    ///
    /// # Panics
    /// When it is negative, not finite, or given twice, which is a judge error.
    pub fn score(&mut self, score: f64) {
        assert!(
            score.is_finite() && score >= 0.0,
            "expected a score that is not negative, found {}",
            score
        );
        self.write_score("score.txt", score);
    }

    /// Gives a right output a part of the test case's score: `score_multiplier.txt`.
    ///
    /// # Panics
    /// When it is not from 0 to 1, or a score is given twice, which is a judge error.
    pub fn score_multiplier(&mut self, part: f64) {
        assert!(
            (0.0..=1.0).contains(&part),
            "expected a part from 0 to 1, found {}",
            part
        );
        self.write_score("score_multiplier.txt", part);
    }

    /// Requests another pass (`nextpass.in`): the submission runs again with this input if its
    /// output is right so far.
    pub fn next_pass(&mut self, input: &str) {
        self.write("nextpass.in", input);
    }

    /// Saves a text for the next pass, as a file in the feedback directory.
    pub fn remember(&mut self, name: &str, text: &str) {
        self.write(name, text);
    }

    /// Returns the text that an earlier pass saved under this name.
    pub fn recall(&mut self, name: &str) -> Option<String> {
        fs::read_to_string(self.feedback.join(name)).ok()
    }

    /// The feedback directory.
    #[must_use]
    pub fn feedback(&self) -> &Path {
        &self.feedback
    }

    /// Writes a line to the submission immediately. If the submission has ended, its output is
    /// wrong: it should have read everything that the interactor sends.
    pub fn send(&mut self, line: impl Display) {
        // The line is flushed, since the submission waits for it.
        let text = format!("{line}\n");
        let mut out = io::stdout().lock();
        if out
            .write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .is_err()
        {
            reject(
                &self.feedback,
                &format!("the submission ended before it read `{}`", text.trim_end()),
            );
        }
    }

    /// Takes the tolerances of the default output validator from the arguments: `float_tolerance
    /// E`, `float_absolute_tolerance E` and `float_relative_tolerance E`. `None` when none is
    /// given.
    pub fn tolerance(&mut self) -> Option<Tolerance> {
        let mut value_of = |name: &str| {
            let value = self.args.value_after(name)?;
            match value
                .parse::<f64>()
                .ok()
                .filter(|value| value.is_finite() && *value >= 0.0)
            {
                Some(value) => Some(value),
                None => broken(format_args!(
                    "wrong call: `{name}`: expected a number from 0, found `{value}`"
                )),
            }
        };
        // A tolerance for one kind of error takes precedence over the common one.
        let both = value_of("float_tolerance");
        let (absolute, relative) = (
            value_of("float_absolute_tolerance").or(both),
            value_of("float_relative_tolerance").or(both),
        );
        (absolute.is_some() || relative.is_some()).then_some(Tolerance { absolute, relative })
    }

    fn write_score(&mut self, name: &str, score: f64) {
        assert!(!self.scored, "the score is given twice");
        self.scored = true;
        self.write(name, &format!("{score}\n"));
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.feedback.join(name);
        if let Err(error) = fs::write(&path, text) {
            broken(format_args!("cannot write `{}`: {error}", path.display()));
        }
    }
}
