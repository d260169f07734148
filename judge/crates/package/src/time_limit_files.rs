//! Time limits of legacy packages, which other tools keep in files of their own: `.timelimit` and
//! `domjudge-problem.ini`.
//!
//! Must not know what `problem.yaml` says.

use std::path::Path;
use std::time::Duration;

use crate::error::{Findings, PackageError, Position};

/// The time limit that one of the files states; `.timelimit` goes first, and a disagreement is a warning.
pub(crate) fn read(package: &Path, findings: &mut Findings) -> Option<Duration> {
    let dot_file = read_file(&package.join(".timelimit"), findings, |text| Some((1, text.trim().to_owned())));
    let ini_file = package.join("domjudge-problem.ini");
    let ini = read_file(&ini_file, findings, ini_time_limit);
    if let (Some(first), Some(second)) = (dot_file, ini)
        && first != second
    {
        findings.warn(&ini_file, None, format!("its time limit, {second:?}, is not that of `.timelimit`, {first:?}"));
    }
    dot_file.or(ini)
}

fn read_file(file: &Path, findings: &mut Findings, value: fn(&str) -> Option<(u32, String)>) -> Option<Duration> {
    let text = match std::fs::read(file) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return None,
        Err(cause) => {
            findings.error(PackageError::unreadable(file, &cause));
            return None;
        }
    };
    let (line, value) = value(&text)?;
    let seconds = value.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds < 1e6);
    if seconds.is_none() {
        let message = format!("expected a time limit in seconds above 0, found `{value}`");
        findings.error(PackageError::invalid(file, Some(Position { line, column: 1 }), message));
    }
    seconds.map(Duration::from_secs_f64)
}

/// The line and value of `timelimit = …`, quoted or not.
fn ini_time_limit(text: &str) -> Option<(u32, String)> {
    text.lines().zip(1..).find_map(|(line, number)| {
        let (key, value) = line.split_once('=')?;
        let value = value.trim().trim_matches(|c| c == '"' || c == '\'');
        (key.trim() == "timelimit").then(|| (number, value.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ini_file_quotes_or_not() {
        assert_eq!(ini_time_limit("name=x\ntimelimit='2.5'\n"), Some((2, "2.5".to_owned())));
        assert_eq!(ini_time_limit("timelimit = 3\r\n"), Some((1, "3".to_owned())));
        assert_eq!(ini_time_limit("timelimits=3\n"), None);
    }

    #[test]
    fn the_dot_file_goes_first() {
        let package = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(package.path().join(name), text).unwrap();
        let mut findings = Findings::default();
        assert_eq!(read(package.path(), &mut findings), None);
        write("domjudge-problem.ini", "timelimit=2\n");
        assert_eq!(read(package.path(), &mut findings), Some(Duration::from_secs(2)));
        write(".timelimit", "3\n");
        assert_eq!(read(package.path(), &mut findings), Some(Duration::from_secs(3)));
        assert_eq!(findings.into_result().unwrap().len(), 1);
        write(".timelimit", "soon\n");
        let mut findings = Findings::default();
        read(package.path(), &mut findings);
        assert_eq!(findings.into_result().unwrap_err().iter().next().unwrap().line, Some(1));
    }
}
