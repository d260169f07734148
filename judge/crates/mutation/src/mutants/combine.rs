//! One program that holds many mutants, and chooses one by a number in its own file.
//!
//! Responsible for the text of that program, and for where in it each mutant stands. Must not know compilers.
//!
//! The number follows a pattern of bytes that is found in the compiled file, so that a mutant is made by copying the
//! program and changing four bytes. A second form of the program chooses nothing and tells what was reached.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

use judge_exec::leading_includes;

use crate::language::MutantLanguage;
use crate::mutants::c_choices;
use crate::mutants::encoding::without_shebang;
use crate::mutants::mutant::{Differs, Mutant, MutantIndex, SeatKind, apply};

/// The purpose of a combined program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It does what the chosen mutant does; 0 is the original, and mutants are counted from 1.
    Choosing,
    /// It does what the original does, and at its end writes to standard error which mutants could have made a
    /// difference: [`Combined::MARK`], a space, and a digit for each mutant that was given: 0 where its place was not
    /// reached, 1 where that was with no value that makes a difference, 2 where it was with one.
    Recording,
}

/// A program with many mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Combined {
    /// The whole text.
    pub(crate) text: String,
    /// The places of the texts of mutants, each with the mutant's index among all.
    pub(crate) branches: Vec<(Range<usize>, MutantIndex)>,
    /// The places of choices, each with the mutants to choose among; inner ones after outer ones.
    pub(crate) seats: Vec<(Range<usize>, Vec<MutantIndex>)>,
}

impl Combined {
    /// The bytes before the number in the compiled program, and the word before what was recorded.
    pub(crate) const MARK: &'static str = "judge-mutants:7f3ac1e95b";
}

/// A seat and those that lie in it.
pub(super) struct Node {
    pub(super) range: Range<usize>,
    pub(super) kind: SeatKind,
    pub(super) mutants: Vec<MutantIndex>,
    pub(super) inner: Vec<Node>,
}

/// Puts these of the mutants of a program into one program; those without a seat are left out.
#[must_use]
pub(crate) fn combine(
    source: &str,
    language: MutantLanguage,
    mutants: &[Mutant],
    chosen: &BTreeSet<MutantIndex>,
    purpose: Purpose,
) -> Combined {
    let mut seats: BTreeMap<(usize, std::cmp::Reverse<usize>, SeatKind), Vec<MutantIndex>> = BTreeMap::new();
    for index in chosen {
        if let Some(seat) = mutants.get(index.0).and_then(|mutant| mutant.seat.as_ref()) {
            let key = (seat.range.start, std::cmp::Reverse(seat.range.end), seat.kind);
            seats.entry(key).or_default().push(*index);
        }
    }
    let mut nodes = Vec::new();
    let ordered = seats.into_iter().map(|((start, end, kind), mutants)| (start..end.0, kind, mutants));
    nest(&mut ordered.peekable(), source.len(), &mut nodes);
    let is_rust = language == MutantLanguage::Rust;
    let begin = if purpose == Purpose::Recording && is_rust { beginning(source) } else { None };
    // What is used must stand before it in C, and may stand behind it in Rust, where attributes of the file come first.
    // Headers that come first of all stay there: they are compiled once.
    let (first, support) = match is_rust {
        true => (0, String::new()),
        false => (leading_includes(source.as_bytes()), c_choices::support(purpose, mutants.len())),
    };
    let text = source[..first].to_owned() + &support;
    let mut writer = Writer { source, mutants, is_rust, purpose, begin, text, branches: Vec::new(), seats: Vec::new() };
    writer.part(first..source.len(), &nodes);
    let Writer { mut text, branches, seats, .. } = writer;
    let support = match purpose {
        _ if !is_rust => String::new(),
        Purpose::Choosing => CHOOSING.replace("@MARK@", Combined::MARK),
        Purpose::Recording => {
            RECORDING.replace("@MARK@", Combined::MARK).replace("@COUNT@", &mutants.len().to_string())
        }
    };
    text.push_str(&support);
    Combined { text, branches, seats }
}

/// The beginning of the body of `main`.
fn beginning(source: &str) -> Option<usize> {
    // It was read before, and is no deeper now.
    let file = syn::parse_file(&without_shebang(source)).ok()?;
    let main = file.items.iter().find_map(|item| match item {
        syn::Item::Fn(function) if function.sig.ident == "main" => Some(function),
        _ => None,
    });
    Some(main?.block.brace_token.span.open().byte_range().end)
}

/// Takes the seats that begin before `end` and lie in one another.
fn nest(
    ordered: &mut std::iter::Peekable<impl Iterator<Item = (Range<usize>, SeatKind, Vec<MutantIndex>)>>,
    end: usize,
    nodes: &mut Vec<Node>,
) {
    while let Some((range, kind, mutants)) = ordered.next_if(|(range, ..)| range.start < end) {
        let mut node = Node { range, kind, mutants, inner: Vec::new() };
        nest(ordered, node.range.end, &mut node.inner);
        nodes.push(node);
    }
}

pub(super) struct Writer<'a> {
    pub(super) source: &'a str,
    pub(super) mutants: &'a [Mutant],
    is_rust: bool,
    purpose: Purpose,
    /// The place where a report is to be begun.
    begin: Option<usize>,
    pub(super) text: String,
    pub(super) branches: Vec<(Range<usize>, MutantIndex)>,
    seats: Vec<(Range<usize>, Vec<MutantIndex>)>,
}

impl Writer<'_> {
    /// A part of the source, with choices in place of the seats in it.
    pub(super) fn part(&mut self, range: Range<usize>, nodes: &[Node]) {
        let mut from = range.start;
        for node in nodes {
            self.plain(from..node.range.start);
            self.node(node);
            from = node.range.end;
        }
        self.plain(from..range.end);
    }

    /// Text without seats; the body of `main` begins in some such part.
    fn plain(&mut self, range: Range<usize>) {
        let mut from = range.start;
        if let Some(begin) = self.begin.take_if(|begin| range.start < *begin && *begin <= range.end) {
            self.text.push_str(&self.source[from..begin]);
            self.text.push_str(" let _report = crate::__mutants::Report;");
            from = begin;
        }
        self.text.push_str(&self.source[from..range.end]);
    }

    fn node(&mut self, node: &Node) {
        let start = self.text.len();
        let place = self.seats.len();
        self.seats.push((0..0, node.mutants.clone()));
        match self.purpose {
            Purpose::Choosing if self.is_rust => self.choice(node),
            Purpose::Recording if self.is_rust => self.record(node),
            Purpose::Choosing => self.choice_in_c(node),
            Purpose::Recording => self.record_in_c(node),
        }
        self.seats[place].0 = start..self.text.len();
    }

    fn choice(&mut self, node: &Node) {
        let parenthesis = !node.kind.is_statement();
        self.text.push_str(if parenthesis { "(" } else { "" });
        for index in &node.mutants {
            let mutant = &self.mutants[*index];
            let _ = write!(self.text, "if crate::__mutants::is({}) {{ ", index.number());
            let start = self.text.len();
            let instead = mutant.seat.as_ref().and_then(|seat| seat.instead.clone());
            self.text += &instead.unwrap_or_else(|| apply(self.source, node.range.clone(), &mutant.edits));
            self.branches.push((start..self.text.len(), *index));
            self.text.push_str(" } else ");
        }
        self.text.push_str("{ ");
        self.part(node.range.clone(), &node.inner);
        self.text.push_str(if parenthesis { " })" } else { " }" });
    }

    fn record(&mut self, node: &Node) {
        let is_statement = node.kind.is_statement();
        let mut by_value = Vec::new();
        // In parentheses: what begins with a brace may be taken for a statement.
        self.text.push_str(if is_statement { "" } else { "({ " });
        for index in &node.mutants {
            let differs = self.mutants[*index].seat.as_ref().map_or(&Differs::Always, |seat| &seat.differs);
            let start = self.text.len();
            match differs {
                Differs::Always => {
                    let _ = write!(self.text, "crate::__mutants::saw({index}, true); ");
                }
                Differs::When(condition) => {
                    let _ = write!(self.text, "crate::__mutants::saw({index}, {condition}); ");
                }
                Differs::UnlessValueIs(value) => by_value.push((*index, *value)),
            }
            self.branches.push((start..self.text.len(), *index));
        }
        if by_value.is_empty() {
            self.part(node.range.clone(), &node.inner);
        } else {
            self.text.push_str("let __value: bool = ");
            self.part(node.range.clone(), &node.inner);
            for (index, value) in by_value {
                let _ = write!(self.text, "; crate::__mutants::saw({index}, __value != {value})");
            }
            self.text.push_str("; __value");
        }
        self.text.push_str(if is_statement { "" } else { " })" });
    }
}

/// The choice of a mutant. `used` keeps it as it is, and an atomic is read every time, as others may change it.
const CHOOSING: &str = r#"
mod __mutants {
    use std::sync::atomic::{AtomicU32, Ordering};
    #[repr(C)]
    pub(crate) struct Marker { mark: [u8; 24], chosen: AtomicU32 }
    #[used]
    pub(crate) static MARKER: Marker = Marker { mark: *b"@MARK@", chosen: AtomicU32::new(0) };
    #[inline(always)]
    pub(crate) fn is(number: u32) -> bool { MARKER.chosen.load(Ordering::Relaxed) == number }
}
"#;

/// The report is written when the main thread lets go of its locals: there is no other moment in safe Rust.
const RECORDING: &str = r#"
mod __mutants {
    use std::sync::atomic::{AtomicU8, Ordering};
    static SEEN: [AtomicU8; @COUNT@] = [const { AtomicU8::new(0) }; @COUNT@];
    #[inline(always)]
    pub(crate) fn saw(mutant: usize, differs: bool) {
        if differs {
            SEEN[mutant].store(2, Ordering::Relaxed);
        } else if SEEN[mutant].load(Ordering::Relaxed) == 0 {
            SEEN[mutant].store(1, Ordering::Relaxed);
        }
    }
    pub(crate) struct Report;
    impl Drop for Report {
        fn drop(&mut self) {
            let digits: String = SEEN.iter().map(|seen| char::from(b'0' + seen.load(Ordering::Relaxed))).collect();
            eprintln!("\n@MARK@ {digits}");
        }
    }
}
"#;

#[cfg(test)]
#[path = "combine_tests.rs"]
mod tests;
