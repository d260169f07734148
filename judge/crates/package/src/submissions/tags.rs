//! Tags in sources: `@EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT`.
//!
//! Responsible for finding and reading them. Must not touch the file system, or know when a tag
//! counts.
//!
//! They are not part of the package format. DOMjudge introduced them, and its archives rely on
//! them.

use judge_model::Verdict;

/// The tags in the sources of a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tags {
    /// The expected overall verdicts, of which the submission must get one. `None` without a tag;
    /// empty for a manual check.
    pub(super) results: Option<Vec<Verdict>>,
    /// Words that are not results.
    pub(super) unknown: Vec<String>,
    /// True if two tags differ; the first one counts.
    pub(super) contradictory: bool,
    /// The score of `@EXPECTED_SCORE@`, as written. A word instead of a score counts as one of
    /// `@EXPECTED_RESULTS@`, as in DOMjudge.
    pub(super) score: Option<String>,
}

/// Returns the verdicts for a word; empty for a manual check. `None` for an unknown word.
///
/// Words are those of DOMjudge, and those of the package format in the same form; letter case, and
/// `_` for `-`, do not count. Many judges report memory and output limits as crashes, so a crash
/// includes them. A program that is refused memory often crashes, so MEMORY-LIMIT includes RTE. An
/// empty output is a wrong one.
#[must_use]
pub fn verdicts_of_word(word: &str) -> Option<Vec<Verdict>> {
    use Verdict::{
        Accepted as AC, CompileError as CE, MemoryLimitExceeded as MLE, OutputLimitExceeded as OLE,
        RunTimeError as RTE, TimeLimitExceeded as TLE, WrongAnswer as WA,
    };
    let word = word.to_ascii_uppercase().replace('_', "-");
    Some(match word.as_str() {
        "CORRECT" | "ACCEPTED" => vec![AC],
        "WRONG-ANSWER" | "NO-OUTPUT" | "PRESENTATION-ERROR" => vec![WA],
        "TIMELIMIT" | "TIME-LIMIT" | "TIMELIMIT-EXCEEDED" | "TIME-LIMIT-EXCEEDED" => vec![TLE],
        "RUN-ERROR" | "RUNTIME-ERROR" | "RUN-TIME-ERROR" => vec![RTE, MLE, OLE],
        "MEMORY-LIMIT" | "MEMORY-LIMIT-EXCEEDED" => vec![MLE, RTE],
        "OUTPUT-LIMIT" | "OUTPUT-LIMIT-EXCEEDED" => vec![OLE],
        "COMPILER-ERROR" | "COMPILE-ERROR" => vec![CE],
        _ => return None,
    })
}

/// The word that requests a manual check of the result.
const MANUAL: &str = "CHECK-MANUALLY";

/// Returns the expected overall verdicts of a submission, from the tags in its sources; empty for a
/// manual check. `None` without a tag, with an unknown word, or with tags that differ.
#[must_use]
pub fn tagged_results<'a>(sources: impl IntoIterator<Item = &'a str>) -> Option<Vec<Verdict>> {
    let tags = read(sources);
    tags.results
        .filter(|_| tags.unknown.is_empty() && !tags.contradictory)
}

/// Returns true when a tag in the sources states a score.
#[must_use]
pub fn is_score_tagged<'a>(sources: impl IntoIterator<Item = &'a str>) -> bool {
    read(sources).score.is_some()
}

/// Reads the tags in the sources of a submission.
pub(super) fn read<'a>(sources: impl IntoIterator<Item = &'a str>) -> Tags {
    let mut tags = Tags::default();
    for line in sources.into_iter().flat_map(str::lines) {
        let score_text = after(line, "@EXPECTED_SCORE@:");
        let score = score_text
            .and_then(|text| text.split_whitespace().next())
            .filter(|word| word.parse::<f64>().is_ok());
        let results_text =
            after(line, "@EXPECTED_RESULTS@:").or(score_text.filter(|_| score.is_none()));
        if let Some(score) = score {
            tags.score.get_or_insert_with(|| score.to_owned());
        }
        if let Some(text) = results_text {
            // DOMjudge refuses a second tag; here the first one counts, and a warning names
            // the file.
            let found = read_results(text, &mut tags.unknown);
            match &tags.results {
                Some(first) => tags.contradictory |= *first != found,
                None => tags.results = Some(found),
            }
        }
    }
    tags
}

fn after<'a>(line: &'a str, tag: &str) -> Option<&'a str> {
    line.split_once(tag).map(|(_, text)| text)
}

/// Reads the results up to the end of the words: a comment may be closed after them.
fn read_results(text: &str, unknown: &mut Vec<String>) -> Vec<Verdict> {
    // The end of a comment, such as `*/` or `-->`, is not part of the words.
    let belongs = |c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '_' | ',' | ' ' | '\t');
    let end = text.find(|c| !belongs(c)).unwrap_or(text.len());
    let mut results: Vec<Verdict> = Vec::new();
    let mut manual = false;
    for word in text[..end].split(',') {
        let word = word.trim_matches(|c: char| c.is_whitespace() || c == '-');
        match verdicts_of_word(word) {
            Some(verdicts) => results.extend(verdicts),
            None if word.eq_ignore_ascii_case(MANUAL) => manual = true,
            None => unknown.push(word.to_owned()),
        }
    }
    results.sort_unstable();
    results.dedup();
    if manual { Vec::new() } else { results }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(text: &str) -> Option<Vec<&'static str>> {
        let tags = read([text]);
        assert_eq!(tags.unknown, [""; 0], "{text}");
        tags.results
            .map(|results| results.into_iter().map(Verdict::code).collect())
    }

    #[test]
    fn results_are_read_from_any_kind_of_comment() {
        assert_eq!(
            results("# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT\n"),
            Some(vec!["WA", "TLE"])
        );
        assert_eq!(
            results("int x;\n/* @EXPECTED_RESULTS@: time_limit_exceeded */"),
            Some(vec!["TLE"])
        );
        assert_eq!(
            results("<!-- @EXPECTED_RESULTS@:CORRECT -->"),
            Some(vec!["AC"])
        );
        assert_eq!(
            results(" * @EXPECTED_RESULTS@: RUN-ERROR, correct\r\n"),
            Some(vec!["AC", "MLE", "OLE", "RTE"])
        );
        assert_eq!(
            results("// @EXPECTED_RESULTS@: CHECK-MANUALLY"),
            Some(vec![])
        );
        assert_eq!(
            results("# @EXPECTED_SCORE@: WRONG-ANSWER"),
            Some(vec!["WA"])
        );
        assert_eq!(results("# @EXPECTED_SCORE@: 60.5"), None);
        assert_eq!(results("nothing of the kind"), None);
    }

    #[test]
    fn invalid_tags_are_reported() {
        let tags = read(["@EXPECTED_RESULTS@: WRONG, CORRECT"]);
        assert_eq!(
            (tags.unknown, tags.results),
            (vec!["WRONG".to_owned()], Some(vec![Verdict::Accepted]))
        );
        assert_eq!(read(["@EXPECTED_RESULTS@:"]).unknown, [""]);
        let twice = [
            "@EXPECTED_RESULTS@: CORRECT",
            "@EXPECTED_RESULTS@: WRONG-ANSWER",
        ];
        assert!(read(twice).contradictory && !read([twice[0], twice[0]]).contradictory);
        assert_eq!(
            read(["// @EXPECTED_SCORE@: 60 */"]).score.as_deref(),
            Some("60")
        );
    }
}
