//! The place of a compile error: the first one in a submission's own files that the compiler
//! reports.
//!
//! Responsible for the formats of compilers: `file:line:column: error: …` (gcc, clang, Go, javac
//! without a column), ` --> file:line:column` below the message (rustc), `File "…", line N` above
//! it (Python), a line with only the place (Node.js). Pure. Must not know notices.

/// The first error of a compiler that has a place in the submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CompilePlace {
    /// The file, as the compiler writes it.
    pub(crate) file: String,
    /// The line, counted from 1.
    pub(crate) line: u32,
    /// The column, counted from 1, if the compiler reports it.
    pub(crate) column: Option<u32>,
    /// The compiler's message, in one line.
    pub(crate) message: String,
}

impl CompilePlace {
    /// Returns the first error in the compiler's output about the submission at this path, a file
    /// or a directory.
    pub(crate) fn first_in(output: &str, submission: &str) -> Option<Self> {
        let lines: Vec<&str> = output.lines().collect();
        let from_line = |(index, _): (usize, &&str)| {
            from_rustc(&lines, index)
                .or_else(|| from_python(&lines, index))
                .or_else(|| from_node(&lines, index))
                .or_else(|| from_gcc(lines[index]))
        };
        // Errors in headers and libraries are consequences, and these files are not in the
        // repository, so they cannot have annotations.
        let is_own = |place: &Self| {
            let rest = place.file.strip_prefix(submission);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        lines.iter().enumerate().filter_map(from_line).find(is_own)
    }
}

/// `file:line:column: error: message`, or the same without a column or without `error`, but neither
/// a warning nor a note.
fn from_gcc(line: &str) -> Option<CompilePlace> {
    let (place, rest) = place_in(line.trim_start())?;
    let rest = rest.strip_prefix(':')?.trim_start();
    let message = ["fatal error:", "error:"]
        .into_iter()
        .find_map(|word| rest.strip_prefix(word));
    let is_other = ["warning:", "note:", "required from", "In "]
        .iter()
        .any(|word| rest.starts_with(word));
    let message = message.or_else(|| Some(rest).filter(|rest| !is_other && !rest.is_empty()))?;
    Some(CompilePlace {
        message: message.trim().to_owned(),
        ..place
    })
}

/// Returns the place below `error[E0425]: message`.
fn from_rustc(lines: &[&str], index: usize) -> Option<CompilePlace> {
    let (place, rest) = place_in(lines[index].trim_start().strip_prefix("--> ")?)?;
    // Lines of the program and of notes are indented, so the first unindented line above is the
    // message.
    let above = lines[..index]
        .iter()
        .rev()
        .find(|line| !line.starts_with(' '))?;
    let (_, message) = above
        .strip_prefix("error")
        .filter(|_| rest.is_empty())?
        .split_once(": ")?;
    Some(CompilePlace {
        message: message.to_owned(),
        ..place
    })
}

/// Returns the place from a line that contains nothing else; the line of the program and then
/// `SyntaxError: …` follow.
fn from_node(lines: &[&str], index: usize) -> Option<CompilePlace> {
    let (place, rest) = place_in(lines[index])?;
    let message = lines[index + 1..]
        .iter()
        .take(5)
        .find(|line| line.contains("Error: "))
        .filter(|_| rest.is_empty())?;
    Some(CompilePlace {
        message: message.trim().to_owned(),
        ..place
    })
}

/// Returns the place of Python's message, whose last line describes the error.
fn from_python(lines: &[&str], index: usize) -> Option<CompilePlace> {
    let (file, rest) = lines[index]
        .trim_start()
        .strip_prefix("File \"")?
        .rsplit_once("\", line ")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let message = lines[index..]
        .iter()
        .rev()
        .find(|line| !line.trim().is_empty())?
        .trim();
    Some(CompilePlace {
        file: file.to_owned(),
        line: digits.parse().ok()?,
        column: None,
        message: message.to_owned(),
    })
}

/// Returns the place at the beginning of a text, and the rest of the text. Names of files may
/// contain colons: the first number counts.
fn place_in(text: &str) -> Option<(CompilePlace, &str)> {
    let number = |text: &str| {
        let end = text
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len());
        Some((text[..end].parse::<u32>().ok()?, end))
    };
    text.match_indices(':').find_map(|(at, _)| {
        let after = at + 1;
        let (line, digits) = number(&text[after..])?;
        let rest = &text[after + digits..];
        let column = rest.strip_prefix(':').and_then(number);
        let rest = column.map_or(rest, |(_, digits)| &rest[1 + digits..]);
        let file = text[..at].trim_start_matches("./").to_owned();
        let place = CompilePlace {
            file,
            line,
            column: column.map(|(column, _)| column),
            message: String::new(),
        };
        (!place.file.is_empty()).then_some((place, rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(output: &str, submission: &str) -> Option<(String, u32, Option<u32>, String)> {
        CompilePlace::first_in(output, submission)
            .map(|place| (place.file, place.line, place.column, place.message))
    }

    fn at(
        file: &str,
        line: u32,
        column: Option<u32>,
        message: &str,
    ) -> Option<(String, u32, Option<u32>, String)> {
        Some((file.to_owned(), line, column, message.to_owned()))
    }

    #[test]
    fn compiler_message_formats_are_parsed() {
        let gcc = "mine/a.c: In function 'main':\nmine/a.c:1:20: warning: unused\nmine/a.c:3:25: error: 'x' undeclared\n  3 | x\n";
        assert_eq!(
            place(gcc, "mine/a.c"),
            at("mine/a.c", 3, Some(25), "'x' undeclared")
        );
        let javac = "mine/A.java:7: error: ';' expected\n  int a\n       ^\n1 error\n";
        assert_eq!(
            place(javac, "mine/A.java"),
            at("mine/A.java", 7, None, "';' expected")
        );
        let rustc = "warning: unused\n --> a.rs:1:1\n\nerror[E0425]: cannot find value `x`\n --> a.rs:2:5\n  |\n2 |     x\n";
        assert_eq!(
            place(rustc, "a.rs"),
            at("a.rs", 2, Some(5), "cannot find value `x`")
        );
        let python =
            "  File \"mine/a.py\", line 2\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n";
        assert_eq!(
            place(python, "mine/a.py"),
            at("mine/a.py", 2, None, "SyntaxError: invalid syntax")
        );
        let node = "mine/a.js:3\nlet b = ;\n        ^\n\nSyntaxError: Unexpected token ';'\n    at x (node:vm:1)\n";
        assert_eq!(
            place(node, "mine/a.js"),
            at("mine/a.js", 3, None, "SyntaxError: Unexpected token ';'")
        );
        assert_eq!(
            place("# p\n./main.go:5:2: undefined: x\n", "main.go"),
            at("main.go", 5, Some(2), "undefined: x")
        );
    }

    #[test]
    fn only_files_of_the_submission_count() {
        let message = "/usr/include/stdio.h:3:1: error: bad\ndir/b.c:2:2: error: worse\n";
        assert_eq!(place(message, "dir"), at("dir/b.c", 2, Some(2), "worse"));
        assert_eq!(place(message, "di"), None);
        assert_eq!(
            place("dir: 1: :2\n:3:4: error: x\nld: cannot find -lx\n", "dir"),
            None
        );
    }

    proptest::proptest! {
        #[test]
        fn arbitrary_text_does_not_panic(output in "(?s).{0,200}|([a:0-9 \n\"]|error: |--> |File \"a\", line ){0,30}") {
            let _ = CompilePlace::first_in(&output, "a");
        }
    }
}
