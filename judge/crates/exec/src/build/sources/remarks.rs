//! Remarks: the likely cause of a failure that the sources of a submission show.
//!
//! Responsible for mistakes of newcomers: an empty file, Windows line endings in a script, and a
//! file that is opened in place of standard input. Must not know verdicts.

use std::io::Read as _;
use std::path::Path;

use judge_model::{Problem, Submission};

use crate::build::sources::{Sources, shown_in};
use crate::regular_file;

/// The part of a source that is read, in bytes.
const MAX_SCANNED_BYTES: u64 = 64 << 10;
/// The maximum number of sources that are read.
const MAX_FILES: usize = 8;

/// Returns the likely cause for the failure of a submission, if the beginnings of its sources show
/// one. `has_run` is false for a submission that did not compile.
#[must_use]
pub fn source_remark(submission: &Submission, problem: &Problem, has_run: bool) -> Option<String> {
    let sources = Sources {
        shown: shown_in(problem),
        ..Sources::new(&submission.path, &submission.sources, None)
    };
    let mut texts = Vec::new();
    for file in sources.files.iter().take(MAX_FILES) {
        let path = sources.directory.join(file);
        let mut bytes = Vec::new();
        let opened = regular_file::open(&path).ok()?;
        opened
            .take(MAX_SCANNED_BYTES)
            .read_to_end(&mut bytes)
            .ok()?;
        let shown = sources.shown(&path).display().to_string();
        texts.push((shown, String::from_utf8_lossy(&bytes).into_owned()));
    }
    let (first, _) = texts.first()?;
    if texts.iter().all(|(_, text)| text.trim().is_empty()) {
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
        // A submission that is a directory may have data of its own.
        let is_own = submission.path.is_dir() && submission.path.join(name).exists();
        (!is_own).then(|| {
            format!(
                "`{file}:{line}` opens the file `{name}`: submissions read standard input and write standard output"
            )
        })
    })
}

/// The first file of data that a source opens, with the line. Only a guess: it knows no language,
/// and finds nothing in a source in which the call may depend on a condition.
fn opened_file(text: &str) -> Option<(usize, &str)> {
    if ["#ifdef", "#if ", "exists(", "isfile("]
        .iter()
        .any(|condition| text.contains(condition))
    {
        return None;
    }
    text.lines().zip(1..).find_map(|(line, number)| {
        let code = line.split("//").next().unwrap_or_default();
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
            extension.is_some_and(|extension| ["txt", "in", "inp"].iter().any(|e| extension == *e))
        });
        Some((number, names.next()?))
    })
}

#[cfg(test)]
mod tests {
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
        ] {
            assert_eq!(opened_file(text), found, "{text}");
        }
    }
}
