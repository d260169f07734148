//! Typed reading of YAML mappings: known keys, expected types, and the errors about both.
//!
//! Responsible for turning nodes into values of Rust. Must not know which keys any file has.

use std::collections::BTreeMap;
use std::str::FromStr;

use judge_model::UnknownName;

use crate::code;
use crate::error::Findings;
use crate::suggest::{did_you_mean, quoted};
use crate::yaml::{Node, Value};

/// The maximum size of a list of strings, in bytes. Most lists are arguments of programs, of which
/// the sandbox passes at most 160 KiB.
const MAX_TEXTS: usize = 64 << 10;

/// The entries of a mapping whose keys are known. A key without a value counts as absent.
#[derive(Debug)]
pub(crate) struct Fields<'d> {
    node: Node<'d>,
    entries: BTreeMap<String, Node<'d>>,
}

impl<'d> Fields<'d> {
    /// The mapping's entries; no value at all counts as an empty mapping. Unknown and repeated
    /// keys are errors. `None`, with an error, for anything but a mapping.
    pub(crate) fn open(node: &Node<'d>, known: &[&str], findings: &mut Findings) -> Option<Self> {
        Self::open_hinted(node, known, &|_| None, findings)
    }

    /// The mapping's entries, with hints for keys of other versions of the format.
    pub(crate) fn open_hinted(
        node: &Node<'d>,
        known: &[&str],
        hint: &dyn Fn(&str) -> Option<String>,
        findings: &mut Findings,
    ) -> Option<Self> {
        let mut fields = Self::open_any(node, findings)?;
        fields
            .entries
            .retain(|name, _| known.contains(&name.as_str()));
        for entry in node.entries().unwrap_or_default() {
            if !known.contains(&entry.name.as_str()) {
                let expected = quoted(known.iter().copied());
                let message = format!(
                    "unknown key `{}`; expected one of {expected}",
                    entry.key.key_path()
                );
                // A hint about the key of another version of the format is more helpful than one
                // about a similar spelling.
                let hint =
                    hint(&entry.name).or_else(|| did_you_mean(&entry.name, known.iter().copied()));
                findings.error(entry.key.finding(code::KEY_UNKNOWN, message).hint(hint));
            }
        }
        Some(fields)
    }

    /// The mapping's entries, with the lenience that files of the legacy format need: unknown and
    /// repeated keys are warnings. Of repeated ones, the last one counts, as in the tools for which
    /// these files were written.
    pub(crate) fn open_legacy(
        node: &Node<'d>,
        known: &[&str],
        findings: &mut Findings,
    ) -> Option<Self> {
        let mut fields = Self::collect(node, true, findings)?;
        fields
            .entries
            .retain(|name, _| known.contains(&name.as_str()));
        for entry in node.entries().unwrap_or_default() {
            let name = entry.name.as_str();
            if !known.contains(&name) {
                let message = format!("unknown key `{}` is ignored", entry.key.key_path());
                let hint = did_you_mean(name, known.iter().copied());
                findings.warn(entry.key.finding(code::KEY_UNKNOWN, message).hint(hint));
            }
        }
        Some(fields)
    }

    /// The entries of a mapping whose keys are names that the author chooses.
    pub(crate) fn open_any(node: &Node<'d>, findings: &mut Findings) -> Option<Self> {
        Self::collect(node, false, findings)
    }

    fn collect(node: &Node<'d>, last_holds: bool, findings: &mut Findings) -> Option<Self> {
        let entries = match (node.entries(), node.value()) {
            (Some(entries), _) => entries,
            // An empty file, or a key without a value, has no entries. That is not a mistake: all
            // keys may be optional.
            (None, Value::Null) => Vec::new(),
            (None, _) => {
                return findings.fail(node.expected("a mapping"));
            }
        };
        let mut fields: BTreeMap<String, Node<'d>> = BTreeMap::new();
        let mut seen: BTreeMap<String, Node<'d>> = BTreeMap::new();
        for entry in entries {
            if let Some(first) = seen.get(&entry.name) {
                let place = first
                    .position()
                    .map(|p| format!(" (first on line {})", p.line))
                    .unwrap_or_default();
                let mut message = format!("key `{}` is given twice{place}", entry.key.key_path());
                if !last_holds {
                    findings.error(entry.key.finding(code::KEY_TWICE, message));
                    continue;
                }
                message.push_str("; the last one is used");
                findings.warn(entry.key.finding(code::KEY_TWICE, message));
                fields.remove(&entry.name);
            }
            // A key without a value counts as absent, but repeating it is still a mistake.
            if *entry.value.value() != Value::Null {
                fields.insert(entry.name.clone(), entry.value);
            }
            seen.insert(entry.name, entry.key);
        }
        Some(Self {
            node: node.clone(),
            entries: fields,
        })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Node<'d>> {
        self.entries.get(name)
    }

    /// The entry, or an error that it is missing.
    pub(crate) fn require(&self, name: &str, findings: &mut Findings) -> Option<&Node<'d>> {
        self.require_hinted(name, None, findings)
    }

    /// The entry, or an error that it is missing, with a hint.
    pub(crate) fn require_hinted(
        &self,
        name: &str,
        hint: Option<&str>,
        findings: &mut Findings,
    ) -> Option<&Node<'d>> {
        let entry = self.entries.get(name);
        if entry.is_none() {
            let message = format_args!("missing key `{name}`");
            let error = self.node.error(code::KEY_MISSING, message);
            findings.error(error.hint(hint.map(str::to_owned)));
        }
        entry
    }

    /// The entries in order of their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Node<'d>)> {
        self.entries
            .iter()
            .map(|(name, node)| (name.as_str(), node))
    }

    /// The value of an entry, if it exists and can be read.
    pub(crate) fn read<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Node<'d>, &mut Findings) -> Option<T>,
        findings: &mut Findings,
    ) -> Option<T> {
        self.get(name).and_then(|node| read(node, findings))
    }

    /// Replaces a value with that of an entry, if it exists and can be read.
    pub(crate) fn read_into<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Node<'d>, &mut Findings) -> Option<T>,
        into: &mut T,
        findings: &mut Findings,
    ) {
        self.read(name, read, findings)
            .into_iter()
            .for_each(|value| *into = value);
    }

    pub(crate) fn text(&self, name: &str, findings: &mut Findings) -> Option<String> {
        self.read(name, Node::text, findings)
    }

    pub(crate) fn texts(&self, name: &str, findings: &mut Findings) -> Option<Vec<String>> {
        self.read(name, Node::texts, findings)
    }

    pub(crate) fn boolean(&self, name: &str, findings: &mut Findings) -> Option<bool> {
        self.read(name, Node::boolean, findings)
    }

    /// An integer of at least `min`.
    pub(crate) fn integer(&self, name: &str, min: u64, findings: &mut Findings) -> Option<u64> {
        self.get(name).and_then(|node| node.integer(min, findings))
    }
}

impl<'d> Node<'d> {
    /// The value as a string. Values of other types, such as numbers and booleans, are refused with
    /// the advice to quote them.
    pub(crate) fn text(&self, findings: &mut Findings) -> Option<String> {
        match self.value() {
            Value::Text(text) => Some(text.clone()),
            // A value such as `1.10` changes when it is read as a number, so the author must quote
            // it.
            Value::Bool(_) | Value::Integer(_) | Value::Float(_) => {
                let hint = "write it in quotes to make it a string".to_owned();
                findings.fail(self.expected("a string").hint(Some(hint)))
            }
            _ => findings.fail(self.expected("a string")),
        }
    }

    /// A string that is one of the names of a type.
    pub(crate) fn named<T: FromStr<Err = UnknownName>>(
        &self,
        findings: &mut Findings,
    ) -> Option<T> {
        match self.text(findings)?.parse() {
            Ok(value) => Some(value),
            Err(error) => findings.fail(self.invalid(error)),
        }
    }

    /// A number or a string as text. Numbers are returned as written if possible: `1e9` is not
    /// `1000000000`.
    pub(crate) fn number_or_text(&self) -> Option<String> {
        match self.value() {
            Value::Text(text) => Some(text.clone()),
            Value::Integer(value) => Some(
                self.written()
                    .filter(|t| t.parse() == Ok(*value))
                    .unwrap_or_else(|| value.to_string()),
            ),
            Value::Float(value) => Some(
                self.written()
                    .filter(|t| t.parse() == Ok(*value))
                    .unwrap_or_else(|| value.to_string()),
            ),
            _ => None,
        }
    }

    /// The text at this node's position that can belong to a number.
    fn written(&self) -> Option<String> {
        let position = self.position()?;
        let line = self.source().lines().nth(position.line as usize - 1)?;
        // An anchor or an alias may be at the position, so callers compare the text with the value.
        let is_part = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        Some(
            line.chars()
                .skip(position.column as usize - 1)
                .take_while(is_part)
                .collect(),
        )
    }

    /// One of the allowed strings.
    pub(crate) fn one_of<'a>(
        &self,
        allowed: &[&'a str],
        findings: &mut Findings,
    ) -> Option<&'a str> {
        let expected = || format!("one of {}", quoted(allowed.iter().copied()));
        let Value::Text(text) = self.value() else {
            return findings.fail(self.expected(&expected()));
        };
        let found = allowed.iter().find(|candidate| *candidate == text).copied();
        if found.is_none() {
            findings.error(
                self.expected(&expected())
                    .hint(did_you_mean(text, allowed.iter().copied())),
            );
        }
        found
    }

    /// A list of strings.
    pub(crate) fn texts(&self, findings: &mut Findings) -> Option<Vec<String>> {
        let Some(items) = self.items() else {
            return findings.fail(self.expected("a list of strings"));
        };
        let texts: Vec<String> = items
            .iter()
            .map(|item| item.text(findings))
            .collect::<Option<_>>()?;
        self.is_argument_list(&texts, findings).then_some(texts)
    }

    /// False, with an error, for strings that cannot be passed to a program as arguments.
    pub(crate) fn is_argument_list(&self, texts: &[String], findings: &mut Findings) -> bool {
        // Checked here, because the position in the file is no longer known when the kernel refuses
        // the arguments.
        let bytes: usize = texts.iter().map(String::len).sum();
        if bytes > MAX_TEXTS {
            let (found, max) = (bytes / 1024, MAX_TEXTS / 1024);
            findings.error(self.invalid(format_args!(
                "expected at most {max} KiB of text, found {found} KiB"
            )));
            return false;
        }
        // execve(2) takes arguments that end with a NUL byte, so they cannot contain one.
        let has_nul = texts.iter().any(|text| text.contains('\0'));
        if has_nul {
            findings.error(self.expected("strings without NUL characters"));
        }
        !has_nul
    }

    /// A string, or a list of strings.
    pub(crate) fn text_or_texts(&self, findings: &mut Findings) -> Option<Vec<String>> {
        match self.value() {
            Value::List(_) => self.texts(findings),
            _ => self.text(findings).map(|text| vec![text]),
        }
    }

    pub(crate) fn boolean(&self, findings: &mut Findings) -> Option<bool> {
        match self.value() {
            Value::Bool(value) => Some(*value),
            // YAML 1.2 reads `yes` as a string. The author meant a boolean, and tools that use YAML
            // 1.1 read it as one.
            Value::Text(text) if yaml_1_1_boolean(text).is_some() => {
                let hint = "YAML 1.2 knows only `true` and `false`".to_owned();
                findings.fail(self.expected("`true` or `false`").hint(Some(hint)))
            }
            _ => findings.fail(self.expected("`true` or `false`")),
        }
    }

    /// A boolean, also as YAML 1.1 writes it, because packages of the legacy format were written
    /// for its readers.
    pub(crate) fn boolean_1_1(&self, findings: &mut Findings) -> Option<bool> {
        match self.value() {
            Value::Text(text) if yaml_1_1_boolean(text).is_some() => yaml_1_1_boolean(text),
            _ => self.boolean(findings),
        }
    }

    /// An integer of at least `min`.
    pub(crate) fn integer(&self, min: u64, findings: &mut Findings) -> Option<u64> {
        let error = || self.expected(&format!("an integer of at least {min}"));
        self.integer_from(min).or_else(|| findings.fail(error()))
    }

    fn integer_from(&self, min: u64) -> Option<u64> {
        match self.value() {
            Value::Integer(value) => u64::try_from(*value).ok().filter(|value| *value >= min),
            _ => None,
        }
    }

    /// A quantity in a unit, as an integer of at least `min`. A hint says to leave out the
    /// unit.
    pub(crate) fn quantity(&self, unit: &str, min: u64, findings: &mut Findings) -> Option<u64> {
        if let Some(value) = self.integer_from(min) {
            return Some(value);
        }
        // Authors write `512MB`, of which only the digits are allowed.
        let with_unit = match self.value() {
            Value::Text(text) => text
                .find(|character: char| !character.is_ascii_digit())
                .map(|end| &text[..end]),
            _ => None,
        };
        let hint = with_unit
            .filter(|number| !number.is_empty())
            .map(|_| format!("write only a number: the unit is {unit}"));
        findings.fail(
            self.expected(&format!("an integer of at least {min}, in {unit}"))
                .hint(hint),
        )
    }

    /// An integer from `min` to `max`.
    pub(crate) fn integer_within(
        &self,
        min: usize,
        max: usize,
        findings: &mut Findings,
    ) -> Option<usize> {
        let value = match self.value() {
            Value::Integer(value) => usize::try_from(*value)
                .ok()
                .filter(|value| (min..=max).contains(value)),
            _ => None,
        };
        value.or_else(|| findings.fail(self.expected(&format!("an integer from {min} to {max}"))))
    }

    /// A finite number for which `fits` is true; `expected` describes it in words.
    pub(crate) fn number(
        &self,
        expected: &str,
        fits: fn(f64) -> bool,
        findings: &mut Findings,
    ) -> Option<f64> {
        let number = match self.value() {
            #[expect(
                clippy::cast_precision_loss,
                reason = "figures of limits are far below 2^53"
            )]
            Value::Integer(value) => Some(*value as f64),
            Value::Float(value) => Some(*value),
            _ => None,
        };
        // YAML can write `.inf` and `.nan` (YAML 1.2.2, 10.3.2), which are invalid in packages.
        number
            .filter(|value| value.is_finite() && fits(*value))
            .or_else(|| findings.fail(self.expected(expected)))
    }
}

/// The words for booleans besides `true` and `false`.
///
/// Source: YAML 1.1, "Boolean Language-Independent Type". Single letters are left out, as
/// readers do.
pub(crate) const YAML_1_1_BOOLEANS: [(&str, bool); 12] = [
    ("yes", true),
    ("Yes", true),
    ("YES", true),
    ("on", true),
    ("On", true),
    ("ON", true),
    ("no", false),
    ("No", false),
    ("NO", false),
    ("off", false),
    ("Off", false),
    ("OFF", false),
];

fn yaml_1_1_boolean(text: &str) -> Option<bool> {
    YAML_1_1_BOOLEANS
        .iter()
        .find(|(word, _)| *word == text)
        .map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::yaml::Document;

    fn messages_of(text: &str, check: impl Fn(&Node<'_>, &mut Findings)) -> Vec<String> {
        let document = Document::parse(Path::new("/x.yaml"), text.as_bytes().to_vec()).unwrap();
        let mut findings = Findings::default();
        check(&document.root(), &mut findings);
        findings
            .into_result()
            .err()
            .map(|e| e.iter().map(ToString::to_string).collect())
            .unwrap_or_default()
    }

    #[test]
    fn unknown_and_repeated_keys_are_reported_with_their_line() {
        let messages = messages_of("name: a\nlimit: 1\nname: b\n", |node, findings| {
            let fields = Fields::open(node, &["name", "limits"], findings).unwrap();
            assert_eq!(fields.text("name", findings).as_deref(), Some("a"));
        });
        assert_eq!(
            messages,
            [
                "/x.yaml:3: key `name` is given twice (first on line 1)",
                "/x.yaml:2: unknown key `limit`; expected one of `name`, `limits`\nhint: did you mean `limits`?"
            ]
        );
    }

    #[test]
    fn types_are_checked() {
        let messages = messages_of(
            "a: 5\nb: yes\nc: -1\nd: [x, 2]\ne: .inf\nf: unknwon\ng:\n",
            |node, findings| {
                let fields = Fields::open_any(node, findings).unwrap();
                fields.text("a", findings);
                fields.boolean("b", findings);
                assert_eq!(fields.get("b").unwrap().boolean_1_1(findings), Some(true));
                fields.integer("c", 1, findings);
                fields.texts("d", findings);
                fields
                    .get("e")
                    .unwrap()
                    .number("a number above 0", |x| x > 0.0, findings);
                fields.get("f").unwrap().one_of(&["unknown"], findings);
                fields.require("g", findings);
            },
        );
        assert_eq!(
            messages,
            [
                "/x.yaml:1: `a`: expected a string, found the number `5`\nhint: write it in quotes to make it a string",
                "/x.yaml:2: `b`: expected `true` or `false`, found the string `yes`\nhint: YAML 1.2 knows only `true` and \
                 `false`",
                "/x.yaml:3: `c`: expected an integer of at least 1, found the number `-1`",
                "/x.yaml:4: `d[1]`: expected a string, found the number `2`\nhint: write it in quotes to make it a string",
                "/x.yaml:5: `e`: expected a number above 0, found the number `inf`",
                "/x.yaml:6: `f`: expected one of `unknown`, found the string `unknwon`\nhint: did you mean `unknown`?",
                "/x.yaml:1: missing key `g`",
            ]
        );
    }
}
