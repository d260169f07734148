//! Pairs inputs with their outputs by file names.
//!
//! Responsible for common naming patterns, including those of other judges. Must not read any file.

use std::collections::{BTreeMap, BTreeSet};

use judge_model::natural;

use crate::examples::error::ExamplesError;

/// A part of an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Input,
    Output,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

/// An input and the output that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// The common part of their names.
    pub(crate) key: String,
    /// The file with the input.
    pub(crate) input: String,
    /// The file with the output.
    pub(crate) output: String,
}

/// The files of a directory, paired by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pairs {
    /// Inputs with their outputs, in natural order.
    pub(crate) pairs: Vec<Pair>,
    /// Inputs that have no output, each after its key.
    pub(crate) unanswered: Vec<(String, String)>,
    /// Other files, and outputs without an input.
    pub(crate) others: Vec<String>,
}

const SEPARATORS: [char; 3] = ['.', '-', '_'];
/// The words for the two parts, longer ones first. Those from `DIRECTORY_WORDS` on are only
/// extensions.
const WORDS: [(&str, Part); 19] = [
    ("inputs", Part::Input),
    ("input", Part::Input),
    ("in", Part::Input),
    ("outputs", Part::Output),
    ("output", Part::Output),
    ("out", Part::Output),
    ("answers", Part::Output),
    ("answer", Part::Output),
    ("ans", Part::Output),
    ("inp", Part::Input),
    ("expected", Part::Output),
    ("exp", Part::Output),
    ("ok", Part::Output),
    ("i", Part::Input),
    ("o", Part::Output),
    ("ou", Part::Output),
    ("sol", Part::Output),
    ("diff", Part::Output),
    ("a", Part::Output),
];
/// The number of words that may name a directory or precede a number.
const DIRECTORY_WORDS: usize = 9;

/// Finds the files that belong together by their names, which may include directories.
///
/// # Errors
/// If two files could be the same part of an example.
pub(crate) fn pairs(names: &[String]) -> Result<Pairs, ExamplesError> {
    let mut found: BTreeMap<(String, Part), &str> = BTreeMap::new();
    let mut add = |key: &str, part: Part, name| match found.insert((key.to_owned(), part), name) {
        None => Ok(()),
        Some(one) => Err(ExamplesError::Ambiguous {
            one: one.to_owned(),
            other: str::to_owned(name),
            part: part.name(),
            name: key.to_owned(),
        }),
    };
    let mut bare = Vec::new();
    for name in names {
        match part_of(name) {
            Some((key, part)) => add(&key, part, name)?,
            None => bare.push(name),
        }
    }
    let known: BTreeSet<(String, Part)> = names.iter().filter_map(|name| part_of(name)).collect();
    let has = |key: &str, part| known.contains(&(key.to_owned(), part));
    for name in bare {
        // `x.dat` is the missing counterpart of `x.in` or `x.out`.
        let stem = name.strip_suffix(".dat").unwrap_or_default();
        match (has(stem, Part::Input), has(stem, Part::Output)) {
            (true, false) => add(stem, Part::Output, name)?,
            (false, true) => add(stem, Part::Input, name)?,
            // Polygon: `01` and `01.a`.
            _ if has(name, Part::Output) => add(name, Part::Input, name)?,
            _ => {}
        }
    }
    // Natural order puts `2` before `10`.
    let mut keys: Vec<&String> = found
        .keys()
        .filter(|(_, part)| *part == Part::Input)
        .map(|(key, _)| key)
        .collect();
    keys.sort_by(|one, other| natural(one, other));
    let mut found_pairs = Pairs::default();
    for key in keys {
        let file = |part| {
            found
                .get(&(key.clone(), part))
                .map(|name| (*name).to_owned())
        };
        match (file(Part::Input), file(Part::Output)) {
            (Some(input), Some(output)) => found_pairs.pairs.push(Pair {
                key: key.clone(),
                input,
                output,
            }),
            (input, _) => found_pairs
                .unanswered
                .extend(input.map(|input| (key.clone(), input))),
        }
    }
    let paired = found_pairs
        .pairs
        .iter()
        .flat_map(|pair| [&pair.input, &pair.output]);
    let used: BTreeSet<&String> = paired
        .chain(found_pairs.unanswered.iter().map(|(_, input)| input))
        .collect();
    let others: Vec<String> = names
        .iter()
        .filter(|name| !used.contains(name))
        .cloned()
        .collect();
    found_pairs.others = others;
    Ok(found_pairs)
}

/// Returns the example that a file belongs to and its part, by its name (`1.in`, `sample1.out`,
/// `01.a`, `in1.txt`, `output_2`, `1-in.txt`, `name.in3`, `name.in.3`, `I.1`) or by its directory
/// (`in/1` and `out/1`).
fn part_of(path: &str) -> Option<(String, Part)> {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let word = |component: &str| {
        WORDS[..DIRECTORY_WORDS]
            .iter()
            .find(|(word, _)| component.eq_ignore_ascii_case(word))
            .map(|entry| entry.1)
    };
    let of_directory = directory
        .split('/')
        .rev()
        .find_map(|component| Some((component, word(component)?)));
    let rest: Vec<&str> = directory
        .split('/')
        .filter(|component| {
            !component.is_empty() && of_directory.is_none_or(|(word, _)| word != *component)
        })
        .collect();
    let full_key = |key: String| {
        rest.iter()
            .map(|component| format!("{component}/"))
            .collect::<String>()
            + &key
    };
    match (part_of_name(name), of_directory) {
        (Some((key, part)), _) => Some((full_key(key), part)),
        (None, Some((_, part))) => {
            // `in/1.txt` and `out/1.txt`, `in/1` and `out/1`.
            Some((
                full_key(name.strip_suffix(".txt").unwrap_or(name).to_owned()),
                part,
            ))
        }
        (None, None) => None,
    }
}

fn part_of_name(name: &str) -> Option<(String, Part)> {
    let name = name.strip_suffix(".txt").unwrap_or(name);
    let lower = name.to_ascii_lowercase();
    if let Some((stem, extension)) = lower.rsplit_once(SEPARATORS)
        && !stem.is_empty()
    {
        // `name.in3` is the third input of a task, as in old olympiads.
        let letters = extension.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = &extension[letters.len()..];
        let stem = &name[..stem.len()];
        let part = WORDS
            .iter()
            .find(|(word, _)| *word == letters)
            .map(|(_, part)| *part);
        // `a.in` and `name.in3`, but not `x.a1`.
        match part {
            Some(part) if number.is_empty() => return Some((stem.to_owned(), part)),
            Some(part) if letters.len() > 1 => return Some((format!("{stem}.{number}"), part)),
            // `name.in.3`: the word is in the middle.
            None if letters.is_empty() => {
                let middle = stem
                    .rsplit_once(SEPARATORS)
                    .filter(|(task, word)| !task.is_empty() && word.len() > 1);
                let part = |word: &str| {
                    WORDS
                        .iter()
                        .find(|(known, _)| known.eq_ignore_ascii_case(word))
                        .map(|entry| entry.1)
                };
                if let Some((task, part)) =
                    middle.and_then(|(task, word)| Some((task, part(word)?)))
                {
                    return Some((format!("{task}.{number}"), part));
                }
            }
            _ => {}
        }
    }
    // A word at the beginning must be followed by a number: `insane.dat` is not an input.
    let front = WORDS[..DIRECTORY_WORDS].iter().find_map(|(word, part)| {
        let rest = lower.strip_prefix(word)?.trim_start_matches(SEPARATORS);
        let is_number = rest.is_empty() || rest.starts_with(|first: char| first.is_ascii_digit());
        is_number.then(|| (name[name.len() - rest.len()..].to_owned(), *part))
    });
    // Old olympiads: `I.1` and `O.1`.
    let letter = || {
        let (word, number) = lower.split_once('.')?;
        let part = WORDS
            .iter()
            .find(|(known, _)| *known == word && word.len() == 1 && word != "a")?
            .1;
        number
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| (number.to_owned(), part))
    };
    front
        .or_else(letter)
        .map(|(key, part)| (if key.is_empty() { "1".to_owned() } else { key }, part))
}
