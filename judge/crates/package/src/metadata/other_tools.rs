//! Files of other tools in legacy packages: `.timelimit` and `domjudge-problem.ini`.
//!
//! Must not know what `problem.yaml` says.
//!
//! Source: DOMjudge, `ImportProblemService.php`: `timelimit` of the ini file has priority over
//! `.timelimit`, and `problem.yaml` over both; a package in which `.timelimit` differs from the
//! result is refused.

use std::path::Path;
use std::time::Duration;

use crate::code;
use crate::disk::bounded::head;
use crate::error::{Finding, Findings, Position};

const INI: &str = "domjudge-problem.ini";
/// The maximum number of bytes that are read from such a file. These files have a few lines.
const MAX_BYTES: u64 = 64 << 10;

/// The contents of these files that are needed.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct OtherTools {
    /// The time limit. The ini file has priority, as in DOMjudge, and a difference is a warning.
    pub(crate) time_limit: Option<Duration>,
    /// The problem's name.
    pub(crate) name: Option<String>,
    /// Programs of the other tool that judge the problem and are not in the package: key and name.
    pub(crate) elsewhere: Vec<(String, String)>,
}

pub(crate) fn read(package: &Path, findings: &mut Findings) -> OtherTools {
    let dot_path = package.join(".timelimit");
    let dot_file = read_text(&dot_path, findings).and_then(|text| {
        seconds(
            &dot_path,
            Setting {
                line: 1,
                key: "",
                value: text.trim(),
            },
            findings,
        )
    });
    let ini_path = package.join(INI);
    let ini_text = read_text(&ini_path, findings).unwrap_or_default();
    let entries: Vec<Setting<'_>> = ini_entries(&ini_text).collect();
    let find = |key: &str| entries.iter().find(|entry| entry.key == key).copied();
    let ini = find("timelimit").and_then(|entry| seconds(&ini_path, entry, findings));
    if let (Some(first), Some(second)) = (ini, dot_file)
        && first != second
    {
        let message =
            format!("its time limit, {second:?}, differs from that of `{INI}`, {first:?}");
        findings.warn_at(code::TIME_LIMITS_DIFFER, &dot_path, message);
    }
    let special = ["special_compare", "special_run"]
        .into_iter()
        .filter_map(find);
    OtherTools {
        time_limit: ini.or(dot_file),
        name: find("name")
            .map(|entry| entry.value.to_owned())
            .filter(|name| !name.is_empty()),
        elsewhere: special
            .map(|entry| (entry.key.to_owned(), entry.value.to_owned()))
            .collect(),
    }
}

/// A line `key = value`, quoted or not.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Setting<'t> {
    line: u32,
    key: &'t str,
    value: &'t str,
}

fn ini_entries(text: &str) -> impl Iterator<Item = Setting<'_>> {
    text.lines().zip(1..).filter_map(|(text, line)| {
        let (key, value) = text.split_once('=')?;
        Some(Setting {
            line,
            key: key.trim(),
            value: value.trim().trim_matches(|c| c == '"' || c == '\''),
        })
    })
}

fn read_text(file: &Path, findings: &mut Findings) -> Option<String> {
    match head(file, MAX_BYTES) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => None,
        Err(cause) => findings.fail(Finding::unreadable(file, &cause)),
    }
}

fn seconds(file: &Path, entry: Setting<'_>, findings: &mut Findings) -> Option<Duration> {
    let seconds = entry
        .value
        .parse::<f64>()
        .ok()
        .filter(|seconds| *seconds > 1e-6 && *seconds < 1e6);
    if seconds.is_none() {
        let message = format!(
            "expected a time limit in seconds above 0, found `{}`",
            entry.value
        );
        let position = Some(Position {
            line: entry.line,
            column: 1,
        });
        findings.error(Finding::new(code::VALUE_UNEXPECTED, file, message).at_position(position));
    }
    seconds.map(Duration::from_secs_f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ini(text: &str) -> Vec<(u32, &str, &str)> {
        ini_entries(text)
            .map(|entry| (entry.line, entry.key, entry.value))
            .collect()
    }

    #[test]
    fn ini_values_may_be_quoted() {
        assert_eq!(
            ini("name=x\n\ntimelimit='2.5'\n"),
            [(1, "name", "x"), (3, "timelimit", "2.5")]
        );
        assert_eq!(ini("timelimit = 3\r\n[x]\n"), [(1, "timelimit", "3")]);
    }

    #[test]
    fn the_ini_file_has_priority_as_in_domjudge() {
        let package = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(package.path().join(name), text).unwrap();
        let mut findings = Findings::default();
        assert_eq!(read(package.path(), &mut findings), OtherTools::default());
        write(INI, "timelimit=2\nname = \"A B\"\nspecial_run=talk\n");
        let message = read(package.path(), &mut findings);
        assert_eq!(
            (message.time_limit, message.name.as_deref()),
            (Some(Duration::from_secs(2)), Some("A B"))
        );
        assert_eq!(
            message.elsewhere,
            [("special_run".to_owned(), "talk".to_owned())]
        );
        write(".timelimit", "3\n");
        assert_eq!(
            read(package.path(), &mut findings).time_limit,
            Some(Duration::from_secs(2))
        );
        assert_eq!(findings.into_result().unwrap().len(), 1);
        write(INI, "name=x\n");
        assert_eq!(
            read(package.path(), &mut Findings::default()).time_limit,
            Some(Duration::from_secs(3))
        );
        write(".timelimit", "soon\n");
        let mut findings = Findings::default();
        read(package.path(), &mut findings);
        assert_eq!(
            findings
                .into_result()
                .unwrap_err()
                .iter()
                .next()
                .unwrap()
                .line,
            Some(1)
        );
    }
}
