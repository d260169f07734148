//! Equivalent mutants: on every input, they behave like the original. They are declared in a file,
//! or compile to the same program.
//!
//! Responsible for the format of the file.
//!
//! Described in `judge/docs/reference/mutation.md`.

pub(crate) mod bytecode;

/// The name of the file, in the package's directory.
pub const FILE: &str = "equivalent_mutants.txt";

/// The argument that a mutant is equivalent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equivalent {
    /// The solution, such as `accepted/greedy.rs`.
    pub solution: String,
    /// The id of the mutant.
    pub mutant: String,
    /// The reason why the mutant is equivalent. Never empty.
    pub reason: String,
    /// The line of the argument, counted from 1.
    pub line: usize,
}

/// The error about an invalid line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{line}: {what}\nhint: write `SOLUTION MUTANT: REASON`, such as `accepted/greedy.rs 3f2a91c0de: n is never 0`; \
    further lines of a reason begin with a space"
)]
pub struct InvalidEquivalents {
    /// The line, counted from 1.
    pub line: usize,
    what: String,
}

/// Parses the file. It has a line for each mutant; further lines of a reason are indented, and
/// lines that begin with `#` are comments.
///
/// # Errors
/// Fails for the first invalid line.
pub fn parse(text: &str) -> Result<Vec<Equivalent>, InvalidEquivalents> {
    let mut found: Vec<Equivalent> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let invalid = |what: String| InvalidEquivalents {
            line: index + 1,
            what,
        };
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if line.starts_with([' ', '\t']) {
            let Some(last) = found.last_mut() else {
                return Err(invalid("expected a mutant before its reason".to_owned()));
            };
            last.reason = format!("{} {}", last.reason, line.trim()).trim().to_owned();
            continue;
        }
        let words = line
            .split_once(':')
            .and_then(|(head, reason)| Some((head.split_once(' ')?, reason)));
        let Some(((solution, mutant), reason)) = words else {
            return Err(invalid(format!(
                "expected a solution, a mutant, a colon and a reason, found `{line}`"
            )));
        };
        let mutant = mutant.trim();
        if mutant.len() != 10 || !mutant.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(invalid(format!(
                "expected ten hexadecimal digits, found `{mutant}`"
            )));
        }
        if found
            .iter()
            .any(|other| other.solution == solution && other.mutant == mutant)
        {
            return Err(invalid(format!("`{mutant}` occurs twice")));
        }
        let (solution, mutant, reason) = (
            solution.to_owned(),
            mutant.to_owned(),
            reason.trim().to_owned(),
        );
        found.push(Equivalent {
            solution,
            mutant,
            reason,
            line: index + 1,
        });
    }
    // This can be checked only at the end, because a reason may begin on the line after the colon.
    match found.iter().find(|equivalent| equivalent.reason.is_empty()) {
        Some(bare) => Err(InvalidEquivalents {
            line: bare.line,
            what: format!("expected a reason for `{}`, found none", bare.mutant),
        }),
        None => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_may_have_several_lines() {
        let text = "# Argued.\n\naccepted/a.rs 0123456789: n is\n  at least 1\naccepted/b.rs abcdefabcd:\n\tbecause\n";
        let found = parse(text).unwrap();
        let short: Vec<_> = found
            .iter()
            .map(|one| (&*one.solution, &*one.mutant, &*one.reason, one.line))
            .collect();
        let expected = [
            ("accepted/a.rs", "0123456789", "n is at least 1", 3),
            ("accepted/b.rs", "abcdefabcd", "because", 5),
        ];
        assert_eq!(short, expected);
    }

    #[test]
    fn invalid_arguments_are_reported_with_the_line() {
        for (text, line, what) in [
            ("accepted/a.rs 0123456789\n", 1, "a colon and a reason"),
            (
                "\naccepted/a.rs 012345678: x\n",
                2,
                "ten hexadecimal digits, found `012345678`",
            ),
            ("  x\n", 1, "expected a mutant before"),
            ("a 0123456789: x\na 0123456789: y\n", 2, "twice"),
            ("a 0123456789:\n", 1, "expected a reason for `0123456789`"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.line, line, "{text}");
            assert!(error.to_string().contains(what), "{error}");
        }
    }
}
