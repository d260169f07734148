//! Filters: the selected test cases and submissions of a problem.
//!
//! Must not touch the file system.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};
use judge_model::Problem;

/// A filter for the test cases and the submissions of a problem. The default selects all of them.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub(crate) test_cases: Vec<Pattern>,
    pub(crate) submissions: Vec<Pattern>,
}

impl Filter {
    /// True if a test case with this id, such as `secret/03-max`, is selected.
    #[must_use]
    pub fn matches_test_case(&self, id: &str) -> bool {
        self.test_cases.is_empty() || self.test_cases.iter().any(|pattern| pattern.matches(id))
    }

    /// True if a submission with this id, such as `wrong_answer/greedy.rs`, is selected.
    #[must_use]
    pub fn matches_submission(&self, id: &str) -> bool {
        self.submissions.is_empty() || self.submissions.iter().any(|pattern| pattern.matches(id))
    }

    /// True if submissions were named, and not only test cases or the whole problem.
    #[must_use]
    pub fn names_submissions(&self) -> bool {
        !self.submissions.is_empty()
    }

    /// True if everything is selected.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.test_cases.is_empty() && self.submissions.is_empty()
    }

    /// True if the filter selects nothing to run in a problem: no test case, or no submission. For
    /// example, `five*/wrong_answer` may match several packages of which only some have such
    /// submissions.
    #[must_use]
    pub fn leaves_nothing_of(&self, problem: &Problem) -> bool {
        !problem
            .test_cases
            .iter()
            .any(|case| self.matches_test_case(&case.id))
            || !problem
                .submissions
                .iter()
                .any(|submission| self.matches_submission(&submission.id))
    }

    /// Adds a part to the selection.
    pub(crate) fn add(&mut self, part: Part) {
        match part {
            Part::Everything => {}
            Part::TestCases(pattern) => self.test_cases.push(pattern),
            Part::Submissions(pattern) => self.submissions.push(pattern),
        }
    }
}

/// A part of a problem that one word of the user names.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Everything,
    TestCases(Pattern),
    Submissions(Pattern),
}

/// A pattern for ids. A match includes everything below it: `secret/group1` means all test cases in
/// it.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// The whole word in which the user named it.
    pub(crate) word: String,
    matcher: Matcher,
}

#[derive(Clone, Debug)]
enum Matcher {
    Exact(String),
    Glob(GlobMatcher),
    /// The name of a directory, or of a file in any directory, with or without its extension.
    Name(String),
}

impl Pattern {
    pub(crate) fn exact(word: &str, id: String) -> Self {
        Self {
            word: word.to_owned(),
            matcher: Matcher::Exact(id),
        }
    }

    /// # Errors
    /// The reason why the text is not a glob.
    pub(crate) fn glob(word: &str, text: &str) -> Result<Self, globset::Error> {
        Ok(Self {
            word: word.to_owned(),
            matcher: Matcher::Glob(glob(text)?),
        })
    }

    /// The pattern for submissions: a text without a directory is also the name of a file in one,
    /// with or without its extension.
    ///
    /// # Errors
    /// The reason why the text is not a glob.
    pub(crate) fn of_submissions(word: &str, text: &str) -> Result<Self, globset::Error> {
        if !text.contains(['/', '*', '?', '[', '{']) {
            return Ok(Self {
                word: word.to_owned(),
                matcher: Matcher::Name(text.to_owned()),
            });
        }
        Self::glob(word, text)
    }

    pub(crate) fn matches(&self, id: &str) -> bool {
        let ends = id.match_indices('/').map(|(end, _)| end).chain([id.len()]);
        let mut above_and_itself = ends.map(|end| &id[..end]);
        match &self.matcher {
            Matcher::Exact(pattern) => above_and_itself.any(|id| id == pattern),
            Matcher::Glob(pattern) => above_and_itself.any(|id| pattern.is_match(id)),
            Matcher::Name(pattern) => above_and_itself.any(|id| {
                let stem = id
                    .contains('/')
                    .then(|| Path::new(id).file_stem())
                    .flatten();
                id.rsplit('/').next() == Some(pattern)
                    || stem.is_some_and(|stem| stem == pattern.as_str())
            }),
        }
    }
}

/// True if a word for submissions, such as `greedy` or `wrong_answer/*`, names the one with this
/// id.
#[must_use]
pub fn names_submission(word: &str, id: &str) -> bool {
    Pattern::of_submissions(word, word).is_ok_and(|pattern| pattern.matches(id))
}

/// A glob in which `*` does not match a slash.
pub(crate) fn glob(text: &str) -> Result<GlobMatcher, globset::Error> {
    Ok(GlobBuilder::new(text)
        .literal_separator(true)
        .build()?
        .compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_everything_below() {
        let pattern = Pattern::glob("", "secret/g*").unwrap();
        assert!(
            pattern.matches("secret/g1")
                && pattern.matches("secret/g1/03")
                && !pattern.matches("secret/03")
        );
        assert!(
            !Pattern::glob("", "*1").unwrap().matches("secret/01"),
            "a star stays between slashes"
        );
        assert!(
            !Pattern::glob("", "secret*")
                .unwrap()
                .matches("sample/secret")
        );
        let exact = Pattern::exact("", "secret/[1]".to_owned());
        assert!(
            exact.matches("secret/[1]")
                && exact.matches("secret/[1]/x")
                && !exact.matches("secret/1")
        );
    }

    #[test]
    fn submissions_match_by_file_name_with_or_without_extension() {
        let names = |text: &str, id: &str| Pattern::of_submissions("", text).unwrap().matches(id);
        assert!(
            names("greedy.rs", "wrong_answer/greedy.rs")
                && names("greedy", "wrong_answer/greedy.rs")
        );
        assert!(
            names("wrong_answer", "wrong_answer/greedy.rs") && names("multi", "accepted/multi")
        );
        assert!(
            !names("greed", "wrong_answer/greedy.rs")
                && !names("greedy.py", "wrong_answer/greedy.rs")
        );
        assert!(
            !names("accepted", "accepted.extra/a.rs"),
            "a directory has no extension"
        );
    }

    #[test]
    fn parts_of_one_kind_are_combined_and_kinds_filter_separately() {
        let mut filter = Filter::default();
        assert!(
            filter.is_everything()
                && filter.matches_test_case("sample/1")
                && filter.matches_submission("a/b")
        );
        filter.add(Part::TestCases(Pattern::glob("", "sample").unwrap()));
        filter.add(Part::TestCases(Pattern::glob("", "secret/0?").unwrap()));
        assert!(filter.matches_test_case("sample/1") && filter.matches_test_case("secret/03"));
        assert!(!filter.matches_test_case("secret/13") && filter.matches_submission("a/b"));
    }
}
