//! Duplicate test cases.
//!
//! Pure. Links are intended, and are not reported.

use std::collections::BTreeMap;

use judge_package::code;

use crate::files::changes::GeneratedFiles;
use crate::files::reading::{Content, case_of};
use crate::notice::Notice;
use crate::project::is_test_case;

/// Returns a notice for each test case with the same input as an earlier one. Answers are compared
/// too if they are not outputs, or if the case tests a validator of answers or outputs.
pub(crate) fn find(generated: &GeneratedFiles, answers_are_outputs: bool) -> Vec<Notice> {
    let mut first: BTreeMap<Vec<&Content>, &str> = BTreeMap::new();
    let mut notices = Vec::new();
    for (path, (input, _)) in generated {
        let (id, extension) = case_of(path);
        if extension != ".in" || matches!(input, Content::Link { .. }) {
            continue;
        }
        let counted: &[&str] = match id.split('/').next() {
            Some("invalid_input" | "testing_tool_test") => &[],
            Some("invalid_output" | "valid_output") => &[".ans", ".out"],
            Some("invalid_answer") => &[".ans"],
            _ if answers_are_outputs => &[],
            _ => &[".ans"],
        };
        let others = counted
            .iter()
            .filter_map(|extension| generated.get(&format!("{id}{extension}")));
        let key = std::iter::once(input)
            .chain(others.map(|(content, _)| content))
            .collect();
        if let Some(earlier) = first.get(&key) {
            let code = is_test_case(id).then_some(code::INPUT_TWICE);
            notices.push(Notice::new(id, format!("is equal to `{earlier}`"), code));
        } else {
            first.insert(key, id);
        }
    }
    notices
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generated(files: &[(&str, &str)]) -> GeneratedFiles {
        let content = |text: &str| Content::from_bytes(text.as_bytes());
        files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (content(text), String::new())))
            .collect()
    }

    #[test]
    fn equal_inputs_are_reported_once_each() {
        let files = generated(&[
            ("sample/1.in", "x"),
            ("secret/1.in", "x"),
            ("secret/2.in", "y"),
            ("secret/3.in", "x"),
            ("valid_output/1.in", "x"),
            ("valid_output/1.ans", "x"),
        ]);
        let ids: Vec<String> = find(&files, true)
            .into_iter()
            .map(|notice| notice.id)
            .collect();
        assert_eq!(ids, ["secret/1", "secret/3"]);
        let different = generated(&[
            ("secret/1.in", "x"),
            ("secret/1.ans", "1"),
            ("secret/2.in", "x"),
            ("secret/2.ans", "2"),
        ]);
        assert_eq!(
            (find(&different, true).len(), find(&different, false).len()),
            (1, 0)
        );
    }
}
