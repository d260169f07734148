//! Complaints of LaTeX: the errors that it reports in a document and continues after.
//!
//! Responsible for reading its messages (`-file-line-error`). Must not know the content of a
//! document.

/// The maximum number of complaints.
const MAX_COMPLAINTS: usize = 200;

/// The document that includes the statements.
pub(crate) const FRAME: &str = "main.tex";

/// An error that LaTeX reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The file of the document, by its name there.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The message.
    pub message: String,
}

/// True when LaTeX gave up because a line exceeds its limit. It reports that on standard error,
/// without a file and line.
pub(crate) fn has_too_long_a_line(output: &str) -> bool {
    output
        .lines()
        .any(|line| line.starts_with("! Unable to read an entire line"))
}

/// The complaints in the engine's output, in order, each once.
pub(crate) fn complaints(output: &str) -> Vec<Complaint> {
    let lines: Vec<&str> = output.lines().collect();
    let mut found: Vec<Complaint> = Vec::new();
    let mut unplaced = None;
    for (index, text) in lines.iter().enumerate() {
        // A missing file is reported without a file and line. They follow when LaTeX gives up
        // because of it.
        unplaced = text.strip_prefix("! ").or(unplaced);
        let Some((file, line, message)) = located(text) else {
            continue;
        };
        let message = match unplaced.take() {
            // `judge` writes the frame around the statements: a file that it needs is missing on
            // this host.
            Some(cause) if message.starts_with("Emergency stop") && file != FRAME => cause,
            // This follows from an earlier complaint.
            _ if message.trim_start().starts_with("==> Fatal error")
                || message.starts_with("Emergency stop") =>
            {
                continue;
            }
            _ => message,
        };
        let mut message = message.trim_end_matches('.').to_owned();
        if message == "Undefined control sequence" {
            // The text up to the error follows, `l.12 so far \foo`, and within a macro one more
            // line before it.
            let context = lines[index + 1..]
                .iter()
                .take(4)
                .find(|line| !line.trim().is_empty());
            let name = context
                .and_then(|context| context.trim_end().rsplit_once('\\'))
                .map(|(_, name)| name);
            if let Some(name) = name.filter(|name| !name.is_empty() && name.len() < 60) {
                message = format!("`\\{name}` is not defined");
            }
        }
        let complaint = Complaint {
            file,
            line,
            message,
        };
        if found.len() < MAX_COMPLAINTS && !found.contains(&complaint) {
            found.push(complaint);
        }
    }
    found
}

/// A line such as `./p1/statement.tex:12: Undefined control sequence.`, in its parts.
fn located(text: &str) -> Option<(String, u32, &str)> {
    let text = text.strip_prefix("./").unwrap_or(text);
    let (file, rest) = text.split_once(".tex:")?;
    let (line, message) = rest.split_once(": ")?;
    let is_name = !file.is_empty() && !file.contains([' ', '(', ')', ':']);
    Some((format!("{file}.tex"), line.parse().ok()?, message)).filter(|_| is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_with_file_and_line() {
        let output = "This is pdfTeX\n(./p1/statement.tex\n./p1/statement.tex:3: Undefined control sequence.\n\
            l.3 Add \\foo\n            {all}\n./p1/statement.tex:3: Undefined control sequence.\nl.3 Add \\foo\n\n\
            p1/statement.tex:7: LaTeX Error: File `x.png' not found.\n\nnothing.tex: here\n\
            ./p1/statement.tex:7: Emergency stop.\n./p1/statement.tex:7:  ==> Fatal error occurred, no output PDF!\n";
        let complaint = |line, message: &str| Complaint {
            file: "p1/statement.tex".into(),
            line,
            message: message.into(),
        };
        assert_eq!(
            complaints(output),
            [
                complaint(3, "`\\foo` is not defined"),
                complaint(7, "LaTeX Error: File `x.png' not found")
            ]
        );
    }

    #[test]
    fn missing_files_are_read_with_file_and_line() {
        let output = |file: &str| {
            format!(
                "(./p1/statement.tex\n\n! LaTeX Error: File `x.txt' not found.\n\nEnter file name: \n\
                 ./{file}:2: Emergency stop.\n<read *> \n./{file}:2:  ==> Fatal error occurred, no output PDF!\n"
            )
        };
        let message = "LaTeX Error: File `x.txt' not found".to_owned();
        let found = Complaint {
            file: "p1/statement.tex".into(),
            line: 2,
            message,
        };
        assert_eq!(complaints(&output("p1/statement.tex")), [found]);
        assert_eq!(complaints(&output(FRAME)), []);
    }

    #[test]
    fn long_lines_are_distinguished_from_a_broken_installation() {
        let output = "(./p1/statement.tex\n! Unable to read an entire line---bufsize=200000.\nPlease increase buf_size.\n";
        assert!(has_too_long_a_line(output));
        assert!(!has_too_long_a_line(
            "! I can't find the format file `pdflatex.fmt'!\n"
        ));
    }
}
