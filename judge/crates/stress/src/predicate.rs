//! Predicates: the condition of `--find` on the results of submissions.
//!
//! Responsible for the grammar and its meaning. Pure.
//!
//! ```text
//! predicate = term { "||" term }
//! term      = factor { "&&" factor }
//! factor    = "!" factor | "(" predicate ")" | NAME ("~" | "!~") (VERDICT { "|" VERDICT } | NAME) | NAME ("==" | "!=") NAME
//! ```
//! `~` compares the verdict with the named ones, or with the verdict of another submission. `==`
//! and `!=` compare outputs word by word. The notation is from rbx.

use std::collections::BTreeSet;

use judge_model::{SubmissionIndex, Verdict};

/// A predicate on the results of submissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// The verdict is one of these.
    Gets(SubmissionIndex, Vec<Verdict>),
    /// Two submissions get the same verdict.
    SameVerdict(SubmissionIndex, SubmissionIndex),
    /// Two submissions write the same words.
    SameOutput(SubmissionIndex, SubmissionIndex),
    /// The predicate does not hold.
    Not(Box<Self>),
    /// Both predicates hold.
    And(Box<Self>, Box<Self>),
    /// At least one of the predicates holds.
    Or(Box<Self>, Box<Self>),
    /// At least one of these submissions is not accepted. All of them run, so that every verdict is
    /// known.
    AnyFails(Vec<SubmissionIndex>),
}

/// Provides the results of submissions for evaluating a predicate.
pub(crate) trait Witness {
    type Error;

    fn verdict(&mut self, submission: SubmissionIndex) -> Result<Verdict, Self::Error>;

    /// Returns the hash of the words of an output.
    fn output(&mut self, submission: SubmissionIndex) -> Result<u64, Self::Error>;
}

impl Predicate {
    /// Parses a predicate. `find` returns the submission with a name, or a message if none has it.
    ///
    /// # Errors
    /// Returns a message that describes the fault.
    pub fn read(
        text: &str,
        find: &mut dyn FnMut(&str) -> Result<SubmissionIndex, String>,
    ) -> Result<Self, String> {
        let mut reader = Reader {
            words: words(text)?.into_iter().peekable(),
            find,
        };
        let predicate = reader.predicate()?;
        match reader.words.next() {
            None => Ok(predicate),
            Some(word) => Err(format!(
                "expected `&&`, `||` or the end of the condition, found `{word}`"
            )),
        }
    }

    /// Creates the predicate that a submission is not accepted.
    #[must_use]
    pub fn fails(submission: SubmissionIndex) -> Self {
        Self::Not(Box::new(Self::Gets(submission, vec![Verdict::Accepted])))
    }

    /// Creates the predicate that one of the submissions gets a different verdict from the first.
    /// Returns `None` for fewer than two submissions.
    #[must_use]
    pub fn disagree(submissions: &[SubmissionIndex]) -> Option<Self> {
        let (first, others) = submissions.split_first()?;
        let differ = others
            .iter()
            .map(|other| Self::Not(Box::new(Self::SameVerdict(*first, *other))));
        differ.reduce(|one, other| Self::Or(Box::new(one), Box::new(other)))
    }

    /// The submissions in the predicate.
    #[must_use]
    pub fn submissions(&self) -> BTreeSet<SubmissionIndex> {
        match self {
            Self::Gets(one, _) => [*one].into(),
            Self::SameVerdict(one, other) | Self::SameOutput(one, other) => [*one, *other].into(),
            Self::Not(inner) => inner.submissions(),
            Self::And(one, other) | Self::Or(one, other) => {
                &one.submissions() | &other.submissions()
            }
            Self::AnyFails(all) => all.iter().copied().collect(),
        }
    }

    /// Returns true when the predicate holds. Only [`AnyFails`](Self::AnyFails) requests more
    /// results than needed.
    pub(crate) fn holds<W: Witness>(&self, witness: &mut W) -> Result<bool, W::Error> {
        Ok(match self {
            Self::Gets(submission, verdicts) => verdicts.contains(&witness.verdict(*submission)?),
            Self::SameVerdict(one, other) => witness.verdict(*one)? == witness.verdict(*other)?,
            Self::SameOutput(one, other) => witness.output(*one)? == witness.output(*other)?,
            Self::Not(inner) => !inner.holds(witness)?,
            Self::And(one, other) => one.holds(witness)? && other.holds(witness)?,
            Self::Or(one, other) => one.holds(witness)? || other.holds(witness)?,
            Self::AnyFails(all) => {
                let mut any = false;
                for submission in all {
                    // No early exit: a sweep needs every submission that fails on this input.
                    any |= witness.verdict(*submission)? != Verdict::Accepted;
                }
                any
            }
        })
    }
}

const SYMBOLS: [&str; 9] = ["!~", "==", "!=", "&&", "||", "~", "|", "(", ")"];

/// Splits a text into names, verdicts and symbols. A name in brackets may contain any character.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol))
        {
            symbol.len()
        } else if first == '!' {
            1
        } else if first == '[' {
            let end = rest
                .find(']')
                .ok_or_else(|| format!("`[` is not closed: `{rest}`"))?;
            words.push(rest[1..end].to_owned());
            rest = rest[end + 1..].trim_start();
            continue;
        } else {
            // Names need no brackets: they end at white space or at a symbol.
            let end = rest.find(|c: char| c.is_whitespace() || "!~=&|()[".contains(c));
            match end.filter(|end| *end > 0) {
                Some(end) => end,
                None if "=&".contains(first) => return Err(format!("unexpected `{first}`")),
                None => rest.len(),
            }
        };
        words.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    Ok(words)
}

struct Reader<'a> {
    words: std::iter::Peekable<std::vec::IntoIter<String>>,
    find: &'a mut dyn FnMut(&str) -> Result<SubmissionIndex, String>,
}

impl Reader<'_> {
    fn take(&mut self, symbol: &str) -> bool {
        self.words.next_if(|word| word == symbol).is_some()
    }

    fn predicate(&mut self) -> Result<Predicate, String> {
        let mut predicate = self.term()?;
        while self.take("||") {
            predicate = Predicate::Or(Box::new(predicate), Box::new(self.term()?));
        }
        Ok(predicate)
    }

    fn term(&mut self) -> Result<Predicate, String> {
        let mut predicate = self.factor()?;
        while self.take("&&") {
            predicate = Predicate::And(Box::new(predicate), Box::new(self.factor()?));
        }
        Ok(predicate)
    }

    fn factor(&mut self) -> Result<Predicate, String> {
        if self.take("!") {
            return Ok(Predicate::Not(Box::new(self.factor()?)));
        }
        if self.take("(") {
            let predicate = self.predicate()?;
            return if self.take(")") {
                Ok(predicate)
            } else {
                Err("`(` is not closed".to_owned())
            };
        }
        let submission = self.submission()?;
        let operator = self.words.next().unwrap_or_default();
        let predicate = match operator.as_str() {
            "~" | "!~" => self.verdicts(submission)?,
            "==" | "!=" => Predicate::SameOutput(submission, self.submission()?),
            _ => {
                return Err(format!(
                    "expected `~`, `!~`, `==` or `!=` after a name, found `{operator}`"
                ));
            }
        };
        Ok(if operator.starts_with('!') {
            Predicate::Not(Box::new(predicate))
        } else {
            predicate
        })
    }

    fn submission(&mut self) -> Result<SubmissionIndex, String> {
        let is_symbol = |word: &String| SYMBOLS.contains(&word.as_str()) || word == "!";
        match self.words.next() {
            Some(word) if !is_symbol(&word) => (self.find)(&word),
            Some(word) => Err(format!("expected the name of a submission, found `{word}`")),
            None => Err("expected the name of a submission, found nothing".to_owned()),
        }
    }

    fn verdicts(&mut self, submission: SubmissionIndex) -> Result<Predicate, String> {
        let Some(first) = self.words.peek().and_then(|word| Verdict::from_code(word)) else {
            return Ok(Predicate::SameVerdict(submission, self.submission()?));
        };
        self.words.next();
        let mut verdicts = vec![first];
        while self.take("|") {
            let word = self.words.next().unwrap_or_default();
            let verdict = Verdict::from_code(&word);
            verdicts.push(verdict.ok_or_else(|| {
                format!("expected a verdict such as WA after `|`, found `{word}`")
            })?);
        }
        Ok(Predicate::Gets(submission, verdicts))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    const NAMES: [&str; 3] = ["a", "slow.rs", "wrong_answer/b c.rs"];

    fn read(text: &str) -> Result<Predicate, String> {
        let mut find = |name: &str| {
            let found = NAMES
                .iter()
                .position(|known| *known == name)
                .map(SubmissionIndex);
            found.ok_or_else(|| format!("no submission `{name}`"))
        };
        Predicate::read(text, &mut find)
    }

    struct Results([Verdict; 3], [u64; 3], BTreeSet<SubmissionIndex>);

    impl Witness for Results {
        type Error = Infallible;

        fn verdict(&mut self, submission: SubmissionIndex) -> Result<Verdict, Infallible> {
            self.2.insert(submission);
            Ok(self.0[submission.0])
        }

        fn output(&mut self, submission: SubmissionIndex) -> Result<u64, Infallible> {
            Ok(self.1[submission.0])
        }
    }

    fn holds(text: &str) -> bool {
        use Verdict::{Accepted as AC, TimeLimitExceeded as TLE, WrongAnswer as WA};
        let Ok(holds) =
            read(text)
                .unwrap()
                .holds(&mut Results([WA, AC, TLE], [1, 1, 2], BTreeSet::new()));
        holds
    }

    #[test]
    fn predicates_are_read_and_evaluated() {
        for text in [
            "a ~ WA && slow.rs !~ TLE",
            "a~WA&&slow.rs!~TLE",
            "a ~ RTE|WA",
            "!(a ~ AC)",
            "! a ~ AC",
            "a ~ AC || slow.rs ~ AC",
            "a == slow.rs && a != [wrong_answer/b c.rs]",
            "a !~ slow.rs",
            "a ~ AC && a ~ AC || a ~ WA",
        ] {
            assert!(holds(text), "{text}");
        }
        for text in [
            "a ~ AC",
            "a ~ slow.rs",
            "a != slow.rs",
            "a ~ WA && (a ~ AC || slow.rs ~ WA)",
        ] {
            assert!(!holds(text), "{text}");
        }
    }

    #[test]
    fn evaluation_stops_when_the_value_is_known() {
        let mut results = Results([Verdict::Accepted; 3], [0; 3], BTreeSet::new());
        let Ok(holds) = read("a ~ WA && slow.rs ~ WA").unwrap().holds(&mut results);
        assert!(!holds && results.2 == [SubmissionIndex(0)].into());
    }

    #[test]
    fn any_fails_requests_every_verdict() {
        let verdicts = [
            Verdict::WrongAnswer,
            Verdict::Accepted,
            Verdict::RunTimeError,
        ];
        let evaluate = |all: &[SubmissionIndex]| {
            let mut results = Results(verdicts, [0; 3], BTreeSet::new());
            let Ok(holds) = Predicate::AnyFails(all.to_vec()).holds(&mut results);
            (holds, results.2)
        };
        assert_eq!(
            evaluate(&[0, 1, 2].map(SubmissionIndex)),
            (true, [0, 1, 2].map(SubmissionIndex).into())
        );
        assert_eq!(
            evaluate(&[SubmissionIndex(1)]),
            (false, [SubmissionIndex(1)].into())
        );
        assert_eq!(evaluate(&[]), (false, [].into()));
    }

    #[test]
    fn syntax_errors_are_explained() {
        for (text, says) in [
            ("", "found nothing"),
            ("a", "expected `~`"),
            ("b ~ WA", "no submission `b`"),
            ("a ~ wa", "no submission `wa`"),
            ("a ~ WA |", "expected a verdict"),
            ("a ~ WA slow.rs ~ AC", "expected `&&`"),
            ("(a ~ WA", "is not closed"),
            ("[a ~ WA", "is not closed"),
            ("a ~ WA & a ~ AC", "unexpected `&`"),
            ("~ WA", "expected the name"),
            ("a = a", "unexpected `=`"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn submissions_of_a_predicate_are_listed() {
        let predicate = read("a ~ WA || !(slow.rs == [wrong_answer/b c.rs])").unwrap();
        assert_eq!(
            predicate.submissions(),
            [0, 1, 2].map(SubmissionIndex).into()
        );
        assert_eq!(
            Predicate::disagree(&[4, 6].map(SubmissionIndex))
                .unwrap()
                .submissions(),
            [4, 6].map(SubmissionIndex).into()
        );
        assert_eq!(Predicate::disagree(&[SubmissionIndex(4)]), None);
    }
}
