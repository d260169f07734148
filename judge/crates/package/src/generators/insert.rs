//! Insertion of a test case into the text of `generators.yaml`.
//!
//! Responsible for its position, and for leaving the rest of the file unchanged, including comments
//! and layout. Must not know what the command does.

use std::path::Path;

use crate::error::{PackageErrors, Position};
use crate::generators::GENERATORS_FILE;
use crate::yaml::{Document, Node, Value};

/// A text with an inserted test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsertedCase {
    /// The whole text.
    pub text: String,
    /// The line of the test case, counted from 1.
    pub line: u32,
}

/// Inserts a test case with a command at the end of a directory, which is named by its keys, such
/// as `secret` or `secret/group`. Without a text, a new one with this test case alone is returned.
///
/// # Errors
/// When the directory is missing, or is written in a style to which no line can be added.
pub fn insert_case(
    package: &Path,
    text: Option<&str>,
    directory: &str,
    key: &str,
    command: &str,
) -> Result<InsertedCase, PackageErrors> {
    let file = package.join(GENERATORS_FILE);
    let entry = format!("{}: {}", scalar(key), scalar(command));
    // Without a file, one with this test case alone is written.
    let Some(text) = text else {
        let mut text = "data:\n".to_owned();
        let mut indent = 2;
        for name in directory.split('/') {
            text.push_str(&format!(
                "{0:1$}{name}:\n{0:2$}data:\n",
                "",
                indent,
                indent + 2
            ));
            indent += 4;
        }
        text.push_str(&format!("{0:1$}{entry}\n", "", indent));
        let line = text.lines().count() as u32;
        return Ok(InsertedCase { text, line });
    };
    let document = Document::parse(&file, text.as_bytes().to_vec())?;
    let data = data_of(&document.root(), directory)?;
    let refuse = |what: &str| -> PackageErrors {
        let hint = format!("write it there yourself: `{entry}`, and run `judge generate`");
        data.invalid(format_args!(
            "the test case cannot be added to `{directory}`: {what}"
        ))
        .hint(Some(hint))
        .into()
    };
    let lines: Vec<&str> = text.lines().collect();
    let Some(Position { line, column }) = data.position() else {
        return Err(refuse("its position is unknown"));
    };
    // The entry gets the indentation of the existing ones, and comes after the last one.
    let (first, indent) = (line as usize - 1, column as usize - 1);
    let begin = lines
        .get(first)
        .map_or("", |line| line.get(indent..).unwrap_or_default());
    let is_list = matches!(data.value(), Value::List(_));
    let in_block = if is_list {
        begin.starts_with("- ")
    } else {
        matches!(data.value(), Value::Map(_))
    };
    if !in_block || begin.starts_with(['{', '[']) {
        return Err(refuse("its entries are not written on separate lines"));
    }
    let belongs = |line: &str| {
        let depth = line.len() - line.trim_start_matches(' ').len();
        depth > indent || depth == indent && (!is_list || line.trim_start().starts_with('-'))
    };
    let counts = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let mut end = first;
    for (index, line) in lines
        .iter()
        .enumerate()
        .skip(first)
        .filter(|(_, line)| counts(line))
    {
        if !belongs(line) {
            break;
        }
        end = index;
    }
    // A line of a block scalar may look like a comment, but belongs to its test case.
    while lines
        .get(end + 1)
        .is_some_and(|line| !line.trim().is_empty() && belongs(line) && !counts(line))
    {
        end += 1;
    }
    let dash = if is_list { "- " } else { "" };
    let new = format!("{0:1$}{dash}{entry}", "", indent);
    let mut whole: Vec<&str> = lines[..=end].to_vec();
    whole.push(&new);
    whole.extend(&lines[end + 1..]);
    Ok(InsertedCase {
        text: whole.join("\n") + "\n",
        line: end as u32 + 2,
    })
}

/// Returns the mapping or the list under `data` of a directory.
fn data_of<'d>(root: &Node<'d>, directory: &str) -> Result<Node<'d>, PackageErrors> {
    let mut data = root
        .entry("data")
        .ok_or_else(|| PackageErrors::from(root.invalid("missing key `data`")))?;
    for name in directory.split('/') {
        let items = data.each();
        let found = items.iter().find_map(|item| item.entry(name));
        let inner = found.and_then(|found| found.entry("data"));
        data = inner.ok_or_else(|| {
            let hint = "write its key, and `data` with a first test case, into the file".to_owned();
            let message = format!("expected a directory `{name}` with `data`, found none");
            PackageErrors::from(data.invalid(message).hint(Some(hint)))
        })?;
    }
    Ok(data)
}

/// Returns a string as YAML, without quotes if it is then read as the same string.
fn scalar(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./{}=+-,:@% ".contains(c);
    // YAML would read others as numbers, signs or something else.
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain);
    let misread = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
        .contains(&text.to_lowercase().as_str());
    let is_bare = is_word && !misread && !text.contains(": ") && !text.ends_with([':', ' ']);
    if is_bare {
        text.to_owned()
    } else {
        quoted(text)
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inserted(text: Option<&str>, directory: &str, key: &str) -> Result<(String, u32), String> {
        let inserted = insert_case(Path::new("/p"), text, directory, key, "gen.py {seed:3}");
        inserted
            .map(|inserted| (inserted.text, inserted.line))
            .map_err(|errors| errors.to_string())
    }

    #[test]
    fn cases_are_inserted_at_the_end_of_their_directory() {
        let text = "# top\ndata:\n  sample:\n    data:\n      - a: x # one\n\n  # next\n  secret:\n    data:\n    - b: y\n    - \
                    g:\n        data:\n          c: z\n          d: |\n            # no comment\n    # last\nretries: 2\n";
        let add = |directory: &str, key: &str| inserted(Some(text), directory, key).unwrap();
        let line = "      - new: gen.py {seed:3}";
        assert_eq!(
            add("sample", "new"),
            (text.replace("# one\n", &format!("# one\n{line}\n")), 6)
        );
        let line = "    - \"1\": gen.py {seed:3}";
        assert_eq!(
            add("secret", "1"),
            (
                text.replace("    # last", &format!("{line}\n    # last")),
                16
            )
        );
        let line = "          new: gen.py {seed:3}";
        assert_eq!(
            add("secret/g", "new"),
            (
                text.replace("# no comment\n", &format!("# no comment\n{line}\n")),
                16
            )
        );
    }

    #[test]
    fn a_new_file_is_written_for_the_first_case() {
        let (text, line) = inserted(None, "secret/g", "new").unwrap();
        let expected = "data:\n  secret:\n    data:\n      g:\n        data:\n          new: gen.py {seed:3}\n";
        assert_eq!((text.as_str(), line), (expected, 6));
    }

    #[test]
    fn missing_directories_and_flow_style_are_refused() {
        for (text, directory, expected) in [
            (
                "data:\n  secret:\n    data: {a: x}\n",
                "secret",
                "/p/generators/generators.yaml:3: `data.secret.data`: the test case cannot be added",
            ),
            (
                "data:\n  secret:\n    data: []\n",
                "secret",
                "not written on separate lines",
            ),
            (
                "data:\n  secret:\n    data:\n",
                "sample",
                "expected a directory `sample` with `data`, found none",
            ),
            (
                "data:\n  secret:\n    data:\n      a: x\n",
                "secret/a",
                "expected a directory `a` with `data`",
            ),
            ("retries: 2\n", "secret", "missing key `data`"),
        ] {
            let error = inserted(Some(text), directory, "new").unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn texts_are_quoted_if_necessary() {
        for (text, expected) in [
            ("gen.py --n=3 {seed}", "gen.py --n=3 {seed}"),
            ("gen.py 'a b'", "\"gen.py 'a b'\""),
            ("gen.py a: b", "\"gen.py a: b\""),
            ("12", "\"12\""),
            ("yes", "\"yes\""),
            ("", "\"\""),
        ] {
            assert_eq!(scalar(text), expected);
        }
    }
}
