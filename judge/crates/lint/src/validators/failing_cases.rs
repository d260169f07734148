//! The synthetic inputs and outputs that findings are about, as test cases of the package.
//!
//! Pure. Responsible for the content and the name of such a case. Must not know which decisions are
//! faults, nor write anything.

use judge_exec::ValidatorDecision;
use judge_model::TestCase;
use judge_package::{Code, LoadedPackage};
use serde::{Deserialize, Serialize};

use super::questions::{Content, Purpose, Question, QuestionKind};
use super::synthetic::changes::{CHANGES, Role};
use super::synthetic::damage::DAMAGES;
use super::synthetic::junk::TEXT_NAMES;

/// The maximum size of an input or output that becomes a test case, in bytes.
const MAX_BYTES: usize = 64 << 10;
/// The maximum length of a name, so that it is readable in a list.
const MAX_NAME: usize = 48;

/// A directory of `data` whose cases define decisions of validators (2025-09, "Test Data").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExtraPart {
    /// Inputs that an input validator rejects.
    InvalidInput,
    /// Outputs that the output validator rejects.
    InvalidOutput,
    /// Outputs that the output validator accepts.
    ValidOutput,
}

impl ExtraPart {
    /// The name of the directory.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid_input",
            Self::InvalidOutput => "invalid_output",
            Self::ValidOutput => "valid_output",
        }
    }
}

/// A test case on which a validator makes a wrong decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailingCase {
    /// The code of the finding that the case shows.
    pub code: String,
    /// The directory for the case.
    pub part: ExtraPart,
    /// The name of the case, without its directory.
    pub name: String,
    /// The test case to whose input and answer the output belongs.
    pub like: String,
    /// The input that is invalid, or the output.
    pub bytes: Vec<u8>,
}

impl FailingCase {
    /// The output of a question. `None` when the package has no place for it: a conversation with
    /// an interactive validator is not a file, and some changes are right in one problem and wrong
    /// in another.
    pub(super) fn from_output(
        loaded: &LoadedPackage,
        question: &Question<'_>,
        code: Code,
    ) -> Option<Self> {
        let problem = &loaded.problem;
        if problem.interactive || problem.passes > 1 {
            return None;
        }
        let (case, part, name): (&TestCase, _, _) = match question.purpose {
            Purpose::JunkOutput { case, name, .. } => (case, ExtraPart::InvalidOutput, name),
            Purpose::ChangedAnswer {
                case,
                change,
                role: Role::Change,
            } => {
                let change = &CHANGES[change];
                let scores = problem.grading.scores();
                let part = match change.expected(&case.output_validator_args, scores)? {
                    ValidatorDecision::Accepted => ExtraPart::ValidOutput,
                    _ => ExtraPart::InvalidOutput,
                };
                (case, part, change.name)
            }
            _ => return None,
        };
        let QuestionKind::Output {
            output: Content::Bytes(bytes),
            ..
        } = &question.kind
        else {
            return None;
        };
        Self::new(code, part, name, &case.id, bytes)
    }

    /// The synthetic input of a question.
    pub(super) fn from_input(question: &Question<'_>, code: Code) -> Option<Self> {
        let (name, like) = match question.purpose {
            Purpose::JunkInput {
                junk,
                representative,
            } => (TEXT_NAMES[junk], representative),
            Purpose::DamagedInput { id, damage, .. } => (DAMAGES[damage].name, id),
            _ => return None,
        };
        let QuestionKind::Input {
            input: Content::Bytes(bytes),
            ..
        } = &question.kind
        else {
            return None;
        };
        Self::new(code, ExtraPart::InvalidInput, name, like, bytes)
    }

    fn new(code: Code, part: ExtraPart, name: &str, like: &str, bytes: &[u8]) -> Option<Self> {
        (bytes.len() <= MAX_BYTES).then(|| Self {
            code: code.id().to_owned(),
            part,
            name: file_name(name),
            like: like.to_owned(),
            bytes: bytes.to_owned(),
        })
    }
}

/// The words of a description that may be in the name of a test case.
fn file_name(description: &str) -> String {
    let words = description
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words {
        // Whole words only: a truncated one would read like a mistake.
        if name.len() + word.len() >= MAX_NAME {
            break;
        }
        name += if name.is_empty() { "" } else { "-" };
        name += &word.to_ascii_lowercase();
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_words_of_descriptions() {
        assert_eq!(
            file_name("`nan` in place of its first number"),
            "nan-in-place-of-its-first-number"
        );
        assert_eq!(
            file_name("2^32 added to its first number"),
            "2-32-added-to-its-first-number"
        );
        assert!(
            CHANGES
                .iter()
                .all(|change| !file_name(change.name).is_empty())
        );
        assert!(file_name(&"word ".repeat(40)).len() <= MAX_NAME);
    }
}
