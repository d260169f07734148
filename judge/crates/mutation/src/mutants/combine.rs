//! The combined program: it contains many mutants and chooses one by a number in its own file.
//!
//! Responsible for the text of that program, and for the place of each mutant in it. Must not know
//! compilers.
//!
//! The number follows a pattern of bytes that can be found in the compiled file, so a mutant is
//! created by copying the program and changing four bytes. A second form of the program chooses
//! nothing and reports which mutants were reached.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use std::ops::Range;

use judge_exec::leading_includes;
use judge_model::LanguageFamily;
use tree_sitter::Node;

use crate::mutants::choices::{REPORT_RUST, Syntax, boolean, choosing, recording, support};
use crate::mutants::mutant::{ChoiceKind, Combined, Differs, Mutant, MutantIndex, Purpose, apply};
use crate::mutants::parse::{Unreadable, parse, with_stack};

/// A choice and the choices inside of it.
struct ChoiceTree {
    range: Range<usize>,
    kind: ChoiceKind,
    mutants: Vec<MutantIndex>,
    inner: Vec<ChoiceTree>,
}

/// Puts the chosen mutants of a program into one program. Mutants without a choice are left out.
///
/// # Errors
/// Fails when no thread with enough stack can be started.
pub(crate) fn combined(
    source: &str,
    language: LanguageFamily,
    mutants: &[Mutant],
    chosen: &BTreeSet<MutantIndex>,
    purpose: Purpose,
) -> Result<Combined, Unreadable> {
    with_stack(language, || {
        Ok(combine(source, language, mutants, chosen, purpose))
    })
}

pub(super) fn combine(
    source: &str,
    language: LanguageFamily,
    mutants: &[Mutant],
    chosen: &BTreeSet<MutantIndex>,
    purpose: Purpose,
) -> Combined {
    let mut choices: BTreeMap<(usize, Reverse<usize>, ChoiceKind), Vec<MutantIndex>> =
        BTreeMap::new();
    for index in chosen {
        if let Some(choice) = mutants
            .get(index.0)
            .and_then(|mutant| mutant.choice.as_ref())
        {
            // Outer ranges precede the inner ones that begin at the same place, as `nest` requires.
            let key = (choice.range.start, Reverse(choice.range.end), choice.kind);
            choices.entry(key).or_default().push(*index);
        }
    }
    let ordered = choices
        .into_iter()
        .map(|((start, end, kind), mutants)| (start..end.0, kind, mutants));
    let mut trees = Vec::new();
    nest(&mut ordered.peekable(), source.len(), &mut trees);
    let is_rust = language == LanguageFamily::Rust;
    let report_at = if is_rust && purpose == Purpose::Recording {
        beginning_of_main(source)
    } else {
        None
    };
    // In C, declarations precede their uses. The first headers stay in front, since they are
    // precompiled. In Rust the attributes of the file come first.
    let support = support(language, purpose, mutants.len());
    let first = if is_rust {
        0
    } else {
        leading_includes(source.as_bytes())
    };
    let text = source[..first].to_owned() + if is_rust { "" } else { &support };
    let mut writer = Writer {
        source,
        language,
        mutants,
        purpose,
        report_at,
        written: Combined {
            text,
            branches: Vec::new(),
            choices: Vec::new(),
        },
    };
    writer.part(first..source.len(), &trees);
    writer.push(if is_rust { &support } else { "" });
    writer.written
}

/// The offset of the beginning of the body of `main` in Rust.
fn beginning_of_main(source: &str) -> Option<usize> {
    let tree = parse(source, LanguageFamily::Rust).ok()?;
    let root = tree.root_node();
    let mut cursor = root.walk();
    let mut functions = root
        .children(&mut cursor)
        .filter(|node| node.kind() == "function_item");
    let is_main = |name: Node<'_>| &source[name.byte_range()] == "main";
    let main =
        functions.find(|function| function.child_by_field_name("name").is_some_and(is_main))?;
    Some(main.child_by_field_name("body")?.start_byte() + 1)
}

/// Builds trees of the choices that begin before `end`, which are nested in one another.
fn nest(
    ordered: &mut Peekable<impl Iterator<Item = (Range<usize>, ChoiceKind, Vec<MutantIndex>)>>,
    end: usize,
    trees: &mut Vec<ChoiceTree>,
) {
    while let Some((range, kind, mutants)) = ordered.next_if(|(range, ..)| range.start < end) {
        let mut tree = ChoiceTree {
            range,
            kind,
            mutants,
            inner: Vec::new(),
        };
        nest(ordered, tree.range.end, &mut tree.inner);
        trees.push(tree);
    }
}

struct Writer<'a> {
    source: &'a str,
    language: LanguageFamily,
    mutants: &'a [Mutant],
    purpose: Purpose,
    /// The place where a report begins.
    report_at: Option<usize>,
    written: Combined,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        self.written.text.push_str(text);
    }

    /// Writes a part of the source, with choices in their places.
    fn part(&mut self, range: Range<usize>, trees: &[ChoiceTree]) {
        let mut from = range.start;
        for tree in trees {
            self.plain(from..tree.range.start);
            self.choice(tree);
            from = tree.range.end;
        }
        self.plain(from..range.end);
    }

    /// Writes text without choices. The body of `main` begins in one of these parts.
    fn plain(&mut self, range: Range<usize>) {
        let (source, mut from) = (self.source, range.start);
        if let Some(at) = self
            .report_at
            .take_if(|at| range.start < *at && *at <= range.end)
        {
            self.push(&source[from..at]);
            self.push(REPORT_RUST);
            from = at;
        }
        self.push(&source[from..range.end]);
    }

    fn choice(&mut self, tree: &ChoiceTree) {
        // The entry is reserved before the inner choices are written, so that outer ones come
        // first. Its range is known only afterwards.
        let (start, place) = (self.written.text.len(), self.written.choices.len());
        self.written.choices.push((0..0, tree.mutants.clone()));
        let syntax = match self.purpose {
            Purpose::Choosing => choosing(self.language, tree.kind),
            Purpose::Recording => recording(self.language, tree.kind),
        };
        self.push(syntax.open);
        let open_calls = match self.purpose {
            Purpose::Choosing => self.mutants_to_choose(tree, &syntax),
            Purpose::Recording => self.records(tree, &syntax),
        };
        self.push(syntax.original[0]);
        self.part(tree.range.clone(), &tree.inner);
        self.push(syntax.original[1]);
        self.push(&")".repeat(open_calls));
        self.push(syntax.close);
        self.written.choices[place].0 = start..self.written.text.len();
    }

    fn mutants_to_choose(&mut self, tree: &ChoiceTree, syntax: &Syntax) -> usize {
        let mutants = self.mutants;
        for index in &tree.mutants {
            let (mutant, number) = (&mutants[*index], index.number());
            self.push(&format!("{}{number}{}", syntax.before, syntax.between));
            let choice = mutant.choice.as_ref();
            let instead = choice.and_then(|choice| choice.instead.clone());
            // The text of a mutant contains no choices: only one mutant is chosen at a time, so the
            // rest of the text is the original.
            let text =
                instead.unwrap_or_else(|| apply(self.source, tree.range.clone(), &mutant.edits));
            self.branch(*index, &text);
            self.push(syntax.behind);
        }
        0
    }

    /// Writes the calls that record that each mutant was reached. Returns the number of calls
    /// around the original, which record its value.
    fn records(&mut self, tree: &ChoiceTree, syntax: &Syntax) -> usize {
        let (language, before) = (self.language, syntax.before);
        let mut values = Vec::new();
        for index in tree.mutants.iter().copied() {
            let differs = self.mutants[index]
                .choice
                .as_ref()
                .map_or(&Differs::Always, |choice| &choice.differs);
            let condition = match differs {
                Differs::Always => boolean(language, true).to_owned(),
                Differs::When(condition) => format!("({condition})"),
                Differs::UnlessValueIs(value) => {
                    values.push((index, boolean(language, *value)));
                    continue;
                }
            };
            self.branch(index, &format!("{before}saw({index}, {condition})"));
            self.push(syntax.behind);
        }
        // The calls are nested around the original expression and each passes its value on, so the
        // original is evaluated only once.
        for (index, value) in &values {
            self.branch(*index, &format!("{before}value({index}, {value}, "));
        }
        values.len()
    }

    /// Writes the text of a mutant.
    fn branch(&mut self, index: MutantIndex, text: &str) {
        let start = self.written.text.len();
        self.push(text);
        self.written
            .branches
            .push((start..self.written.text.len(), index));
    }
}

#[cfg(test)]
#[path = "combine_tests.rs"]
mod tests;
