//! Assembly text, and whether two functions in it do the same.
//!
//! Responsible for reading what GCC writes with `-S`. Pure. Must not know where the functions come from.
//!
//! Two functions are the same when their instructions are, and everything that belongs to them alone: constants, tables of
//! jumps, local variables, lambdas, and what was made of templates for these. What belongs to a function alone has its name
//! in its own; names of labels mean nothing, and what they stand before is compared in their place.

use std::collections::{BTreeMap, HashMap, HashSet};

/// The answer to whether two functions are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// They do the same.
    Same,
    /// Their instructions differ.
    Different,
    /// What is written does not say so.
    Unknown,
}

/// An assembly text that was read.
pub(super) struct Assembly<'t> {
    /// The lines of what has a name: functions, with all that lies between their beginning and their end, and variables.
    named: BTreeMap<&'t str, Vec<&'t str>>,
    /// The lines behind a label, of what has no name: constants.
    constants: HashMap<&'t str, Vec<&'t str>>,
    /// All other lines.
    others: Vec<&'t str>,
}

impl<'t> Assembly<'t> {
    pub(super) fn read(text: &'t str) -> Self {
        let mut read = Self { named: BTreeMap::new(), constants: HashMap::new(), others: Vec::new() };
        let functions: HashSet<&str> = text.lines().filter_map(end_of_function).collect();
        let mut function: Option<&str> = None;
        let mut label: Option<&str> = None;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            if let Some(name) = function {
                read.named.entry(name).or_default().push(line);
                function = function.filter(|_| end_of_function(line) != Some(name));
                continue;
            }
            match label_of(line) {
                Some(name) if functions.contains(name) => {
                    (function, label) = (Some(name), None);
                    read.named.entry(name).or_default();
                }
                Some(name) => {
                    label = Some(name);
                    if is_local(name) {
                        read.constants.insert(name, Vec::new());
                    } else {
                        read.named.entry(name).or_default();
                    }
                }
                None if label.is_some() && is_data(line) => {
                    let of = label.unwrap_or_default();
                    match read.constants.get_mut(of) {
                        Some(lines) if is_local(of) => lines.push(line),
                        _ => read.named.entry(of).or_default().push(line),
                    }
                }
                None => {
                    label = None;
                    read.others.push(line);
                }
            }
        }
        read
    }

    /// Compares two functions, which have these words in their names, and in those of what belongs to them alone. The words
    /// are of the same length, and stand nowhere else.
    pub(super) fn compare(&self, one: &str, other: &str) -> Comparison {
        let (Some(first), Some(second)) = (self.form(one), self.form(other)) else { return Comparison::Unknown };
        let without_numbers = |form: &[String]| form.iter().map(|line| without_number(line)).collect::<Vec<_>>();
        if first == second {
            Comparison::Same
        } else if without_numbers(&first) == without_numbers(&second) {
            Comparison::Unknown
        } else {
            Comparison::Different
        }
    }

    /// A form of everything that has a word in its name, in which neither the word nor labels stand. `None` when there is
    /// nothing, or something that cannot be told.
    fn form(&self, word: &str) -> Option<Vec<String>> {
        // In the order of their names, which are alike.
        let named: Vec<(&str, &Vec<&str>)> =
            self.named.iter().filter(|(name, _)| name.contains(word)).map(|(name, lines)| (*name, lines)).collect();
        if named.is_empty() {
            return None;
        }
        let inner: HashSet<&str> =
            named.iter().flat_map(|(_, lines)| lines.iter().filter_map(|line| label_of(line))).collect();
        let mut form = Form { word, numbers: HashMap::new(), lines: Vec::new(), outer: Vec::new() };
        for (name, lines) in named {
            form.add(name, &inner);
            lines.iter().for_each(|line| form.add(line, &inner));
        }
        let mut others: Vec<&str> = self.others.iter().copied().filter(|line| line.contains(word)).collect();
        others.sort_unstable();
        others.iter().for_each(|line| form.add(line, &inner));
        let mut next = 0;
        while let Some(label) = form.outer.get(next).copied() {
            let lines = self.constants.get(label).filter(|lines| !lines.is_empty() || is_edge(label))?;
            lines.iter().for_each(|line| form.add(line, &inner));
            next += 1;
        }
        Some(form.lines)
    }
}

/// A form in the making.
struct Form<'t> {
    word: &'t str,
    /// The numbers of labels, in the order in which they are mentioned.
    numbers: HashMap<&'t str, usize>,
    lines: Vec<String>,
    /// The labels that lie elsewhere.
    outer: Vec<&'t str>,
}

impl<'t> Form<'t> {
    fn add(&mut self, line: &'t str, inner: &HashSet<&'t str>) {
        let mut text = String::new();
        let mut rest = line;
        while let Some(at) = rest.find(".L") {
            text.push_str(&rest[..at]);
            let label = &rest[at..];
            let end = label[2..].find(|letter: char| !is_of_name(letter)).map_or(label.len(), |end| end + 2);
            let label = &label[..end];
            // In the middle of a name it is no label.
            if text.ends_with(is_of_name) {
                text.push_str(label);
            } else {
                let next = self.numbers.len();
                let is_new = !self.numbers.contains_key(label);
                let number = *self.numbers.entry(label).or_insert(next);
                text.push_str(&format!(".L#{number}"));
                if is_new && !inner.contains(label) {
                    self.outer.push(label);
                }
            }
            rest = &rest[at + end..];
        }
        text.push_str(rest);
        self.lines.push(text.replace(self.word, "#"));
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.')
}

/// True for the names that the compiler gives to what has none.
fn is_local(name: &str) -> bool {
    name.starts_with(".L")
}

/// True for the labels at the edges of a function's parts: of what runs often and of what seldom does, such as what is left to
/// do after an exception. They stand before nothing of their own, and places in the function are told from them.
fn is_edge(name: &str) -> bool {
    [".LCOLDB", ".LCOLDE", ".LHOTB", ".LHOTE"].iter().any(|edge| name.starts_with(edge))
}

/// The label that a line begins something with.
fn label_of(line: &str) -> Option<&str> {
    let name = line.strip_suffix(':')?;
    (!name.starts_with([' ', '\t']) && !name.contains([' ', '\t', '"'])).then_some(name)
}

/// The function that ends with a line that says how long it is.
fn end_of_function(line: &str) -> Option<&str> {
    let (name, size) = line.trim().strip_prefix(".size")?.split_once(',')?;
    size.trim().starts_with(".-").then_some(name.trim())
}

/// True for a line of data, and false for one that says where something is to be put.
fn is_data(line: &str) -> bool {
    const PLACING: [&str; 17] = [
        ".section", ".text", ".data", ".bss", ".globl", ".global", ".local", ".weak", ".type", ".size", ".align",
        ".balign", ".p2align", ".comm", ".set", ".hidden", ".ident",
    ];
    let word = line.split_whitespace().next().unwrap_or_default();
    word.starts_with('.') && !PLACING.contains(&word)
}

/// A line without the numbers at the ends of names. In C, variables in functions have such, and everywhere what the compiler
/// has made, counted in the whole text: nothing in them says whose they are.
fn without_number(line: &str) -> String {
    let mut text = String::new();
    for part in line.split_inclusive(|letter: char| !is_of_name(letter)) {
        let name = part.trim_end_matches(|letter: char| !is_of_name(letter));
        let base = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let is_numbered = base.len() < name.len() && base.len() > 1 && base.ends_with('.');
        text.push_str(if is_numbered { base } else { name });
        text.push_str(&part[name.len()..]);
    }
    text
}

#[cfg(test)]
#[path = "assembly_tests.rs"]
mod tests;
