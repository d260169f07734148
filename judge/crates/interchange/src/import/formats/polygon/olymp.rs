//! Statements that are written with Polygon's `olymp.sty`.
//!
//! Responsible for replacing its commands with those of the package format. Must not know the paths
//! of statements.
//!
//! Source: `olymp.sty` in packages of Polygon.

/// The commands that begin a section, with its heading.
const SECTIONS: [(&str, &str); 7] = [
    ("InputFile", "Input"),
    ("OutputFile", "Output"),
    ("Interaction", "Interaction"),
    ("Scoring", "Scoring"),
    ("Notes", "Notes"),
    ("Note", "Notes"),
    ("Explanation", "Notes"),
];
/// The commands and environments of samples, which judges show automatically.
const SAMPLE_COMMANDS: [&str; 2] = ["Examples", "Example"];
const SAMPLE_ENVIRONMENTS: [&str; 4] =
    ["example", "examplewide", "examplethree", "examplewidethree"];

/// Converts a statement to the commands of the package format. Returns `None` if it is not written
/// with `olymp.sty`.
pub(super) fn statement(text: &str) -> Option<String> {
    let (_, text) = text.split_once("\\begin{problem}")?;
    let (arguments, body) = arguments(text);
    let name = arguments.first()?;
    let mut body = body
        .split_once("\\end{problem}")
        .map_or(body, |(body, _)| body)
        .to_owned();
    // The samples of a package are part of its data, and its page shows them automatically.
    for environment in SAMPLE_ENVIRONMENTS {
        let end = format!("\\end{{{environment}}}");
        while let Some((before, rest)) = body.split_once(&format!("\\begin{{{environment}}}")) {
            let after = rest.split_once(&end).map_or("", |(_, after)| after);
            body = format!("{before}{after}");
        }
    }
    for command in SAMPLE_COMMANDS {
        body = replaced(&body, command, "");
    }
    for (command, heading) in SECTIONS {
        body = replaced(&body, command, &format!("\\section*{{{heading}}}"));
    }
    Some(format!(
        "\\problemname{{{}}}\n\n{}\n",
        name.trim(),
        body.trim()
    ))
}

/// Returns the arguments in braces at the beginning of a text, and the text after them.
fn arguments(text: &str) -> (Vec<&str>, &str) {
    let mut arguments = Vec::new();
    let mut rest = text;
    loop {
        // A line between two arguments may end with a comment.
        let mut next = rest.trim_start();
        while let Some(comment) = next.strip_prefix('%') {
            next = comment
                .split_once('\n')
                .map_or("", |(_, after)| after)
                .trim_start();
        }
        // `\begin{problem}` of `olymp.sty` has the name, two files and two limits as
        // arguments.
        let Some(argument) = next.strip_prefix('{') else {
            return (arguments, rest);
        };
        let Some(end) = end_of_group(argument) else {
            return (arguments, rest);
        };
        arguments.push(&argument[..end]);
        rest = &argument[end + 1..];
    }
}

/// Returns the position of the brace that closes a group whose opening brace precedes the text.
fn end_of_group(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            // A brace after a backslash is a literal character.
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Replaces a command, whose name must not be followed by a letter.
fn replaced(text: &str, command: &str, by: &str) -> String {
    let command = format!("\\{command}");
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(&command) {
        replaced.push_str(before);
        replaced.push_str(if after.starts_with(|c: char| c.is_ascii_alphabetic()) {
            &command
        } else {
            by
        });
        rest = after;
    }
    replaced + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn commands_are_converted_and_samples_are_left_out() {
        let text = "\\documentclass{article}\n\\begin{document}\n\\begin{problem}{A {\\bf B} \\} C}{standard input}%\n\
                    {standard output}{1 second}{256 megabytes}\n\nLegend.\n\n\\InputFile\nOne $n$.\n\\OutputFile\nTwo.\n\\Note\nN.\n\
                    \\Notebook\n\\Examples\n\n\\begin{example}\n\\exmpfile{example.01}{example.01.a}%\n\\exmp{1}{2}%\n\\end{example}\n\
                    \\end{problem}\n\\end{document}\n";
        let expected = "\\problemname{A {\\bf B} \\} C}\n\nLegend.\n\n\\section*{Input}\nOne $n$.\n\\section*{Output}\nTwo.\n\
                        \\section*{Notes}\nN.\n\\Notebook\n";
        assert_eq!(statement(text).as_deref(), Some(expected));
        assert_eq!(statement("\\section{x} Text."), None);
        assert_eq!(statement("\\begin{problem} no name"), None);
    }

    proptest! {
        #[test]
        fn arbitrary_text_does_not_panic(text in "(\\\\begin\\{problem\\}|\\\\end\\{problem\\}|\\\\begin\\{example\\}|\\\\Note|[{}\\\\%é\n a])*") {
            statement(&text);
        }
    }
}
