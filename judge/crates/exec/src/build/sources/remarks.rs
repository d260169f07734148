//! Remarks: the likely cause of a failure that the sources of a submission show.
//!
//! Responsible for mistakes of newcomers: an empty file, Windows line endings in a script, and a
//! file that is opened in place of standard input. Must not know verdicts.

use std::io::Read as _;
use std::path::{Component, Path};

use judge_model::{Problem, Submission};

use crate::build::sources::{Sources, shown_in};
use crate::regular_file;

/// The part of a source that is read, in bytes.
const MAX_SCANNED_BYTES: u64 = 64 << 10;
/// The maximum number of sources that are read.
const MAX_FILES: usize = 8;
/// The maximum number of characters in the name of a file that a remark quotes.
const MAX_NAME: usize = 80;

/// Signs that a source does not always open a file: preprocessor conditions, checks whether the
/// file exists, and handlers for the case that it does not. Quotes of three characters contain
/// text.
const CONDITIONS: [&str; 9] = [
    "#ifdef",
    "#if ",
    "exists(",
    "isfile(",
    "except",
    "catch",
    "suppress(",
    "\"\"\"",
    "'''",
];

/// Returns the likely cause for the failure of a submission, if the beginnings of its sources show
/// one. `has_run` is false for a submission that did not compile.
#[must_use]
pub fn source_remark(submission: &Submission, problem: &Problem, has_run: bool) -> Option<String> {
    let sources = Sources {
        shown: shown_in(problem),
        ..Sources::new(&submission.path, &submission.sources, None)
    };
    let mut texts = Vec::new();
    let mut is_complete = sources.files.len() <= MAX_FILES;
    for file in sources.files.iter().take(MAX_FILES) {
        let path = sources.directory.join(file);
        let mut bytes = Vec::new();
        let opened = regular_file::open(&path).ok()?;
        opened
            .take(MAX_SCANNED_BYTES)
            .read_to_end(&mut bytes)
            .ok()?;
        is_complete &= (bytes.len() as u64) < MAX_SCANNED_BYTES;
        let shown = sources.shown(&path).display().to_string();
        texts.push((shown, String::from_utf8_lossy(&bytes).into_owned()));
    }
    let (first, _) = texts.first()?;
    if is_complete && texts.iter().all(|(_, text)| text.trim().is_empty()) {
        return Some(format!("`{first}` is empty: expected a program"));
    }
    if !has_run {
        return None;
    }
    let is_script = submission
        .language
        .as_ref()
        .is_some_and(|id| id.0 == "bash");
    if is_script && let Some((file, _)) = texts.iter().find(|(_, text)| text.contains("\r\n")) {
        return Some(format!(
            "`{file}` has Windows line endings (CRLF), which Bash reads as part of its commands: convert it with \
             `sed -i 's/\\r$//' {file}`"
        ));
    }
    // These problems have files that a submission may open.
    let has_files = !problem.named_files.are_standard()
        || !problem.included.is_empty()
        || problem.test_cases.iter().any(|case| case.files.is_some());
    if has_files {
        return None;
    }
    texts.iter().find_map(|(file, text)| {
        let (line, name) = opened_file(text)?;
        (!may_be_own(submission, name)).then(|| {
            format!(
                "`{file}:{line}` may open the file `{name}`: submissions read standard input and write standard output"
            )
        })
    })
}

/// True for a submission that is a directory if it may have a file of this name itself. Only a
/// plain name is looked up: a source must not find out which files this host has.
fn may_be_own(submission: &Submission, name: &str) -> bool {
    let name = Path::new(name);
    let is_plain = name.components().count() == 1;
    submission.path.is_dir() && (!is_plain || submission.path.join(name).symlink_metadata().is_ok())
}

/// True for a name that a remark may quote: relative, without `..`, and short.
fn is_quotable(name: &str) -> bool {
    let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    name.chars().count() <= MAX_NAME
        && !name.contains(char::is_control)
        && Path::new(name).components().all(is_inside)
}

/// True for a line that has a condition.
fn has_condition(code: &str) -> bool {
    let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| ["if", "else", "elif", "and", "or"].contains(&word)) || code.contains('?')
}

/// The first file of data that a source opens, with the line. Only a guess: it knows no language,
/// and finds nothing in a source in which the call may depend on a condition.
fn opened_file(text: &str) -> Option<(usize, &str)> {
    if CONDITIONS.iter().any(|condition| text.contains(condition)) {
        return None;
    }
    let (mut in_comment, mut is_conditional) = (false, false);
    text.lines().zip(1..).find_map(|(line, number)| {
        let code = line.split("//").next().unwrap_or_default();
        // A comment of C may have several lines.
        in_comment = match (code.rfind("/*"), code.rfind("*/")) {
            (begin @ Some(_), end) if begin > end => true,
            (_, Some(_)) => false,
            _ => in_comment,
        };
        if in_comment || code.trim().is_empty() {
            return None;
        }
        let after_condition = std::mem::replace(&mut is_conditional, has_condition(code));
        if after_condition || is_conditional {
            return None;
        }
        let opens = ["open", "File", "file", "stream"]
            .iter()
            .any(|word| code.contains(word));
        if !opens || code.trim_start().starts_with('#') {
            return None;
        }
        // Between quotes, every second part is a text.
        let texts = code.split(['"', '\'']).skip(1).step_by(2);
        let mut names = texts.filter(|name| {
            let extension = Path::new(name).extension();
            let is_data = extension
                .is_some_and(|extension| ["txt", "in", "inp"].iter().any(|e| extension == *e));
            is_data && is_quotable(name)
        });
        Some((number, names.next()?))
    })
}

#[cfg(test)]
mod tests {
    use judge_model::FormatVersion;

    use super::*;

    #[test]
    fn files_of_data_are_found() {
        for (text, found) in [
            (
                "import sys\nf = open('input.txt')\n",
                Some((2, "input.txt")),
            ),
            (
                "int main() { freopen(\"in/a.in\", \"r\", stdin); }",
                Some((1, "in/a.in")),
            ),
            ("std::ifstream f(\"a.txt\");", Some((1, "a.txt"))),
            ("File::open(\"input.txt\")", Some((1, "input.txt"))),
            ("// freopen(\"input.txt\", \"r\", stdin);", None),
            ("# open('input.txt')", None),
            ("print('input.txt')", None),
            ("open('/dev/stdin')", None),
            (
                "#ifdef LOCAL\nfreopen(\"input.txt\", \"r\", stdin);\n#endif\n",
                None,
            ),
            (
                "#ifndef ONLINE_JUDGE\nfreopen(\"input.txt\", \"r\", stdin);\n#endif\n",
                Some((2, "input.txt")),
            ),
            (
                "if os.path.exists('input.txt'): sys.stdin = open('input.txt')",
                None,
            ),
            (
                "try:\n    f = open('input.txt')\nexcept OSError:\n    f = sys.stdin\n",
                None,
            ),
            (
                "if (fopen(\"in.txt\", \"r\")) freopen(\"in.txt\", \"r\", stdin);",
                None,
            ),
            (
                "if len(sys.argv) > 1:\n    sys.stdin = open('input.txt')\n",
                None,
            ),
            ("\"\"\"Not by open('input.txt').\"\"\"\n", None),
            ("/*\n * freopen(\"input.txt\", \"r\", stdin);\n */\n", None),
            (
                "/* Sum */\nfreopen(\"input.txt\", \"r\", stdin);\n",
                Some((2, "input.txt")),
            ),
            ("open('/etc/input.txt')", None),
            ("open('../input.txt')", None),
            ("open('a/../../input.txt')", None),
        ] {
            assert_eq!(opened_file(text), found, "{text}");
        }
        let long = format!("open('{}.txt')", "a".repeat(MAX_NAME));
        assert_eq!(opened_file(&long), None);
    }

    /// The remark on a submission with these files, the first of which are its sources.
    fn remark(files: &[(&str, &str)], sources: usize) -> Option<String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::create_dir(&path).unwrap();
        std::fs::write(dir.path().join("there.txt"), "1").unwrap();
        for (name, text) in files {
            std::fs::write(path.join(name), text).unwrap();
        }
        let submission = Submission {
            sources: files[..sources]
                .iter()
                .map(|(name, _)| name.into())
                .collect(),
            path,
            ..Submission::default()
        };
        let problem = Problem::new("p", dir.path().to_owned(), FormatVersion::V2025_09);
        source_remark(&submission, &problem, true)
    }

    #[test]
    fn files_outside_a_submission_are_not_looked_up() {
        let remark = |name: &str| {
            let text = format!("open('{name}')");
            remark(&[("a.py", &text), ("own.txt", "1")], 1)
        };
        assert!(remark("input.txt").is_some_and(|it| it.contains("a.py:1` may open the file")));
        for name in ["own.txt", "./own.txt", "../there.txt", "../missing.txt"] {
            assert_eq!(remark(name), None, "{name}");
        }
    }

    #[test]
    fn programs_are_empty_only_if_all_files_were_read() {
        let is_empty = |files: &[(&str, &str)]| {
            remark(files, files.len())
                .is_some_and(|it| it.ends_with("is empty: expected a program"))
        };
        let names = ["1.c", "2.c", "3.c", "4.c", "5.c", "6.c", "7.c", "8.c"];
        let mut files = names.map(|name| (name, "\n")).to_vec();
        assert!(is_empty(&files));
        files.push(("z.c", "int main(void) {}"));
        assert!(!is_empty(&files));
        let late = format!("{}int main(void) {{}}", "\n".repeat(70_000));
        assert!(!is_empty(&[("a.c", &late)]));
    }
}
