//! Converts `problem.yaml` of the legacy format to 2025-09, with its comments.
//!
//! Responsible for keys and the text around them. Must not interpret values: they have been loaded
//! already.

use std::fmt::Write as _;

use judge_event::Part;
use judge_files::regular_file;
use judge_model::Problem;
use judge_package::yaml::{Document, Value, to_text};
use judge_package::{Credits, LoadedPackage, METADATA_FILE, read_text_within};

use super::steps::{CURRENT, Upgrade};
use crate::import::uuid_of;
use crate::{InterchangeError, Result};

/// The file with the time limit next to a legacy `problem.yaml`.
const TIME_LIMIT: &str = ".timelimit";
/// The file that DOMjudge reads in addition to `problem.yaml`.
const INI: &str = "domjudge-problem.ini";
const MAX_INI_BYTES: u64 = 1 << 20;

const EXPECTED_KEYS: &str = "expected keys at the beginning of lines, so that comments can be kept";

/// A key with its value and the lines above it.
struct Block<'t> {
    /// Comments and empty lines above the key.
    above: Vec<&'t str>,
    key: String,
    lines: Vec<&'t str>,
}

/// Returns the version that a package states.
pub(super) fn version(document: &Document) -> Option<String> {
    let entries = document.root().entries()?;
    let version = entries
        .iter()
        .find(|entry| entry.name == "problem_format_version")?
        .value
        .value();
    Some(plain(version))
}

pub(super) fn upgrade(
    loaded: &LoadedPackage,
    document: &Document,
    upgrade: &mut Upgrade,
) -> Result<()> {
    let problem = &loaded.problem;
    let file = problem.directory.join(METADATA_FILE);
    let text = read_text_within(&file, 1 << 20).map_err(InterchangeError::unreadable(&file))?;
    let malformed = |why: &str| InterchangeError::malformed(file.display().to_string(), why);
    let (mut blocks, below) = blocks(&text).map_err(malformed)?;
    let credits = Credits::read(&problem.directory)?;
    let is_draft = upgrade.is_draft;
    let mut writer = Writer {
        problem,
        credits: &credits,
        document,
        is_draft,
        text: String::new(),
        kept: Vec::new(),
    };
    // Comments at the top of the file are kept there.
    let top = blocks
        .first_mut()
        .map(|block| std::mem::take(&mut block.above))
        .unwrap_or_default();
    writer.kept.extend(top.into_iter().map(str::to_owned));
    writer.line("problem_format_version", &format!("{CURRENT}\n"));
    let has = |key: &str| blocks.iter().any(|block| block.key == key);
    if !has("name") {
        writer.line("name", &to_text(&problem.title));
    }
    if !has("uuid") {
        writer.line(
            "uuid",
            &to_text(&uuid_of(&format!(
                "legacy {} {}",
                problem.name, problem.title
            ))),
        );
    }
    if !has("type") {
        writer.line("type", &types(problem));
    }
    blocks.iter().for_each(|block| writer.block(block, upgrade));
    if !is_draft && !has("limits") {
        writer.limits(&[]);
    }
    if !is_draft {
        // Always allowed in the legacy format, but not by default in 2025-09.
        writer.line("allow_file_writing", "true\n");
    }
    if !has("license") {
        writer.line("license", "unknown\n");
    }
    writer.kept.extend(below.into_iter().map(str::to_owned));
    writer.write_kept();
    let text = writer.text;
    upgrade.texts.insert(METADATA_FILE.into(), text);
    if problem.directory.join(TIME_LIMIT).is_file() {
        upgrade.removals.insert(TIME_LIMIT.into());
        upgrade
            .remarks
            .changed(Part::Limits, TIME_LIMIT, "is moved into `problem.yaml`");
    }
    if let Ok(ini) = regular_file::read(&problem.directory.join(INI), MAX_INI_BYTES) {
        remove_ini_time_limit(&String::from_utf8_lossy(&ini), upgrade);
    }
    Ok(())
}

/// Removes the time limit from the file that DOMjudge reads in addition to `problem.yaml`. Its
/// other keys, such as the colour, have no equivalent in `problem.yaml`, and DOMjudge still reads
/// them.
fn remove_ini_time_limit(text: &str, upgrade: &mut Upgrade) {
    let key = |line: &str| line.split_once('=').map(|(key, _)| key.trim().to_owned());
    let is_limit = |line: &&str| key(line).is_some_and(|key| key == "timelimit");
    let rest: Vec<&str> = text.lines().filter(|line| !is_limit(line)).collect();
    let keys: Vec<String> = rest
        .iter()
        .filter_map(|line| key(line))
        .map(|key| format!("`{key}`"))
        .collect();
    if keys.is_empty() {
        upgrade.removals.insert(INI.into());
        upgrade
            .remarks
            .changed(Part::Limits, INI, "is moved into `problem.yaml`");
    } else if rest.len() < text.lines().count() {
        upgrade.texts.insert(INI.into(), rest.join("\n") + "\n");
        let message = format!(
            "`timelimit` is moved into `problem.yaml`; {} are kept for DOMjudge",
            keys.join(", ")
        );
        upgrade.remarks.changed(Part::Limits, INI, message);
    }
}

/// Splits the text at its outermost keys. Returns the blocks and the comments below the last one.
fn blocks(text: &str) -> Result<(Vec<Block<'_>>, Vec<&str>), &'static str> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut pending: Vec<&str> = Vec::new();
    for line in text.trim_start_matches('\u{feff}').lines() {
        let is_comment = line.trim().is_empty() || line.trim_start().starts_with('#');
        let is_inside = line.starts_with([' ', '\t', '-']) && line != "---";
        if is_comment {
            pending.push(line);
        } else if is_inside || line.starts_with(['}', ']']) {
            let block = blocks.last_mut().ok_or(EXPECTED_KEYS)?;
            block.lines.append(&mut pending);
            block.lines.push(line);
        } else if line == "---" && blocks.is_empty() {
            pending.push(line);
        } else {
            let key = line
                .split_once(':')
                .map(|(key, _)| key.trim().trim_matches(['"', '\'']));
            let is_key = |key: &&str| {
                key.chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
            };
            let key = key.filter(is_key).ok_or(EXPECTED_KEYS)?;
            blocks.push(Block {
                above: std::mem::take(&mut pending),
                key: key.to_owned(),
                lines: vec![line],
            });
        }
    }
    Ok((blocks, pending))
}

/// Returns the value of `type`.
fn types(problem: &Problem) -> String {
    let mut types = vec![problem.grading.kind()];
    types.extend(problem.interactive.then_some("interactive"));
    types.extend((problem.passes > 1).then_some("multi-pass"));
    types.extend(problem.submit_answer.then_some("submit-answer"));
    if types.len() == 1 {
        to_text(&types[0])
    } else {
        format!("[{}]\n", types.join(", "))
    }
}

/// Returns the comment at the end of a line, if there certainly is one.
fn comment(line: &str) -> Option<&str> {
    if line.contains(['"', '\'']) {
        return None;
    }
    line.find(" #").map(|at| &line[at + 1..])
}

struct Writer<'a> {
    problem: &'a Problem,
    credits: &'a Credits,
    document: &'a Document,
    is_draft: bool,
    text: String,
    /// Comments of removed keys, which go to the next key.
    kept: Vec<String>,
}

impl Writer<'_> {
    /// Writes a key and its value, which ends with a line break. A value of several lines is
    /// written below the key.
    fn line(&mut self, key: &str, value: &str) {
        self.write_kept();
        let value = value.trim_end();
        if value.contains('\n') {
            let indented: String = value.lines().map(|line| format!("\n  {line}")).collect();
            let _ = writeln!(self.text, "{key}:{indented}");
        } else {
            let _ = writeln!(self.text, "{key}: {value}");
        }
    }

    fn block(&mut self, block: &Block<'_>, upgrade: &mut Upgrade) {
        self.kept
            .extend(block.above.iter().map(|line| (*line).to_owned()));
        let comment = comment(block.lines[0]).map(str::to_owned);
        match block.key.as_str() {
            // The version is already the first line of the file, and `type` replaces `validation`.
            "problem_format_version"
            | "validation"
            | "validator_flags"
            | "source_url"
            | "grading" => {
                self.kept.extend(comment);
                if block.key == "grading" && self.minimizes_score() {
                    let text = "prefers small scores, which 2025-09 does not support";
                    upgrade.remarks.refused(Part::Groups, METADATA_FILE, text);
                } else if block.key == "grading" {
                    let text =
                        "loses `grading`: 2025-09 always adds scores up, and higher is better";
                    upgrade.remarks.lost(Part::Metadata, METADATA_FILE, text);
                }
            }
            "type" => self.commented("type", &types(self.problem), comment),
            "author" => {
                let authors = to_text(&self.authors());
                let indented: String = authors
                    .trim_end()
                    .lines()
                    .map(|line| format!("  {line}\n"))
                    .collect();
                self.commented("credits", &format!("authors:\n{indented}"), comment);
            }
            "source" | "languages" | "limits" if self.is_draft => self.unchanged(block),
            "source" => self.commented("source", &self.source(), comment),
            key @ ("keywords" | "languages") => match self.value(key) {
                Some(Value::Text(words)) if key == "keywords" || words != "all" => {
                    let words: Vec<&str> = words.split_whitespace().collect();
                    self.commented(key, &to_text(&words), comment);
                }
                _ => self.unchanged(block),
            },
            "limits" => self.limits(&block.lines),
            _ => self.unchanged(block),
        }
    }

    /// Writes the comments of removed keys.
    fn write_kept(&mut self) {
        for line in self.kept.drain(..) {
            let _ = writeln!(self.text, "{line}");
        }
    }

    fn unchanged(&mut self, block: &Block<'_>) {
        self.write_kept();
        for line in &block.lines {
            let _ = writeln!(self.text, "{line}");
        }
    }

    fn commented(&mut self, key: &str, value: &str, comment: Option<String>) {
        self.kept.extend(comment);
        self.line(key, value);
    }

    fn value(&self, key: &str) -> Option<Value> {
        let entries = self.document.root().entries()?;
        entries
            .into_iter()
            .find(|entry| entry.name == key)
            .map(|entry| entry.value.value().clone())
    }

    /// True if `grading.objective` is `min`.
    fn minimizes_score(&self) -> bool {
        let Some(Value::Map(entries)) = self.value("grading") else {
            return false;
        };
        let [key, value] = ["objective", "min"].map(|word| Value::Text(word.to_owned()));
        entries.contains(&(key, value))
    }

    /// Returns the authors. A list of them is accepted, although the legacy format does not allow
    /// it.
    fn authors(&self) -> Vec<String> {
        match self.value("author") {
            Some(Value::List(items)) => items.iter().map(plain).collect(),
            _ => self.credits.authors.clone(),
        }
    }

    fn source(&self) -> String {
        let Some(source) = self.credits.sources.first() else {
            return to_text(&"");
        };
        match &source.url {
            None => to_text(&source.name),
            Some(url) => format!("name: {}url: {}", to_text(&source.name), to_text(url)),
        }
    }

    /// Writes the limits: stated ones with their new names, and those whose defaults differ.
    fn limits(&mut self, lines: &[&str]) {
        let limits = &self.problem.limits;
        let mut inner: Vec<String> = Vec::new();
        let value = |line: &str| {
            let written =
                comment(line).map_or(line, |comment| line.strip_suffix(comment).unwrap_or(line));
            written
                .split_once(':')
                .map_or(String::new(), |(_, value)| value.trim().to_owned())
        };
        // An anchor precedes a block.
        let is_block = lines
            .first()
            .map(|line| value(line))
            .is_none_or(|value| value.is_empty() || value.starts_with('&'));
        if is_block {
            let is_old = |line: &&&str| {
                !["time_multiplier:", "time_safety_margin:"]
                    .iter()
                    .any(|key| line.trim_start().starts_with(key))
            };
            inner.extend(
                lines
                    .iter()
                    .skip(1)
                    .filter(is_old)
                    .map(|line| (*line).to_owned()),
            );
            self.kept.extend(
                lines
                    .first()
                    .and_then(|line| comment(line))
                    .map(str::to_owned),
            );
        } else if let Some(Value::Map(entries)) = self.value("limits") {
            // Braces on one line cannot contain comments that would be lost.
            for (key, value) in entries {
                if let (Value::Text(key), value) = (key, value)
                    && !["time_multiplier", "time_safety_margin"].contains(&key.as_str())
                {
                    inner.push(format!("  {key}: {}", plain(&value)));
                }
            }
        }
        let first = inner
            .iter()
            .find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
        let indentation = first
            .map_or("  ", |line| &line[..line.len() - line.trim_start().len()])
            .to_owned();
        if let Some(limit) = limits.time_limit
            && !inner
                .iter()
                .any(|line| line.trim_start().starts_with("time_limit:"))
        {
            inner.insert(
                0,
                format!("{indentation}time_limit: {}", limit.as_secs_f64()),
            );
        }
        // The defaults of the formats differ, and inferred limits depend on them.
        inner.push(format!("{indentation}time_multipliers:"));
        for (key, before, multiplier) in [
            (
                "ac_to_time_limit",
                "time_multiplier:",
                limits.ac_to_time_limit,
            ),
            (
                "time_limit_to_tle",
                "time_safety_margin:",
                limits.time_limit_to_tle,
            ),
        ] {
            let line = lines
                .iter()
                .find(|line| line.trim_start().starts_with(before));
            let comment = line
                .and_then(|line| comment(line))
                .map(|comment| format!("  {comment}"))
                .unwrap_or_default();
            inner.push(format!(
                "{indentation}{indentation}{key}: {multiplier}{comment}"
            ));
        }
        self.write_kept();
        let _ = writeln!(self.text, "limits:\n{}", inner.join("\n"));
    }
}

/// Returns a value on one line, without quotes.
fn plain(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_at_keys_and_keeps_comments() {
        let text = "# top\nname: x # here\n\n# limits are\nlimits:\n  memory: 5\n  # inner\n  output: 8\n# end\n";
        let (found, below) = blocks(text).unwrap();
        assert_eq!(
            found
                .iter()
                .map(|block| block.key.as_str())
                .collect::<Vec<_>>(),
            ["name", "limits"]
        );
        assert_eq!(found[0].above, ["# top"]);
        assert_eq!(found[1].above, ["", "# limits are"]);
        assert_eq!(
            found[1].lines,
            ["limits:", "  memory: 5", "  # inner", "  output: 8"]
        );
        assert_eq!(below, ["# end"]);
        assert_eq!(comment("name: x # here"), Some("# here"));
        assert_eq!(comment("name: 'x # here'"), None);
        assert!(blocks("{name: x}\n").is_err());
        assert!(blocks("  name: x\n").is_err());
    }
}
