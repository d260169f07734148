//! The reach of inputs: how much they cover of the ranges that a program allows. A value that no
//! input reaches is not tested.
//!
//! Only ranges that are the same for every input count: their bounds must not depend on values that
//! were read. Must not judge whether a bound should be reached.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::number::Number;
use crate::syntax::{Command, CommandKind, Expression, Name, Variable};

/// The smallest and largest number that an `INT` or `FLOAT` has read, and the range that it allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    place: usize,
    line: u32,
    min: Number,
    max: Number,
    smallest: Number,
    largest: Number,
}

impl Reach {
    /// Creates the reach of a range from which one value was read.
    pub(crate) fn new(place: usize, line: u32, [min, max]: [Number; 2], value: Number) -> Self {
        let (smallest, largest) = (value.clone(), value);
        Self {
            place,
            line,
            min,
            max,
            smallest,
            largest,
        }
    }

    /// The number of the range, counted from 0 in the order of the program. It is the same for
    /// every input.
    #[must_use]
    pub fn place(&self) -> usize {
        self.place
    }

    /// The line of the command, counted from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The range as text, for messages.
    #[must_use]
    pub fn range(&self) -> String {
        format!("{} to {}", self.min, self.max)
    }

    /// The part of the range that was reached as text, from the smallest value to the largest.
    #[must_use]
    pub fn reached(&self) -> String {
        format!("{} to {}", self.smallest, self.largest)
    }

    /// True if both ends of the range were read.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        // By value: the bound may be written as `1.5` and the input as `1.50`.
        let same = |one: &Number, other: &Number| one.compare(other) == Ordering::Equal;
        same(&self.min, &self.smallest) && same(&self.max, &self.largest)
    }

    /// Adds the numbers that another input has reached of the same range.
    pub fn merge(&mut self, other: &Reach) {
        self.add(&other.smallest);
        self.add(&other.largest);
    }

    fn add(&mut self, value: &Number) {
        if value.compare(&self.smallest) == Ordering::Less {
            self.smallest = value.clone();
        }
        if value.compare(&self.largest) == Ordering::Greater {
            self.largest = value.clone();
        }
    }
}

/// Watches ranges while an input is checked.
#[derive(Debug)]
pub(crate) struct Watch {
    /// The numbers of the ranges that do not depend on the input, by the addresses of their
    /// commands.
    places: BTreeMap<usize, usize>,
    pub(crate) reached: BTreeMap<usize, Reach>,
}

impl Watch {
    pub(crate) fn new(commands: &[Command]) -> Self {
        // A name that is set twice may hold different values at different times. It is treated
        // as if the input decided it, since the bounds of a range are evaluated only once.
        let mut read = set_again(commands);
        // Repeats until a pass finds no more names.
        while collect_read(commands, &mut read) {}
        let mut places = BTreeMap::new();
        for_each_command(commands, &mut |command| {
            if let CommandKind::Integer { min, max, .. } | CommandKind::Float { min, max, .. } =
                &command.kind
                && !depends(min, &read)
                && !depends(max, &read)
            {
                let place = places.len();
                places.insert(address(command), place);
            }
        });
        Self {
            places,
            reached: BTreeMap::new(),
        }
    }

    pub(crate) fn place(&self, command: &Command) -> Option<usize> {
        self.places.get(&address(command)).copied()
    }

    /// Records a value of this range, unless it is the first one. Returns true if it was recorded.
    pub(crate) fn note_again(&mut self, place: usize, value: &Number) -> bool {
        let known = self.reached.get_mut(&place);
        known.map(|reach| reach.add(value)).is_some()
    }
}

/// Identifies a command by its address: programs are not moved while they run.
fn address(command: &Command) -> usize {
    std::ptr::from_ref(command).addr()
}

/// Calls `visit` for each command in order, including those in blocks.
fn for_each_command<'p>(commands: &'p [Command], visit: &mut impl FnMut(&'p Command)) {
    // An explicit stack, since blocks nest and recursion could exhaust the call stack.
    let mut left: Vec<&Command> = commands.iter().rev().collect();
    while let Some(command) = left.pop() {
        visit(command);
        match &command.kind {
            CommandKind::Repeat {
                separator, body, ..
            } => {
                left.extend(body.iter().rev());
                // The last one pushed is visited first, so the separator precedes the body, as in
                // the program.
                left.extend(separator.as_deref());
            }
            CommandKind::If {
                then, otherwise, ..
            } => {
                left.extend(otherwise.iter().rev());
                left.extend(then.iter().rev());
            }
            _ => {}
        }
    }
}

/// Returns the names that are set more than once. A range that depends on one of them may change.
fn set_again(commands: &[Command]) -> Vec<Name> {
    let (mut once, mut again) = (Vec::new(), Vec::new());
    for_each_command(commands, &mut |command| {
        let CommandKind::Set(assignments) = &command.kind else {
            return;
        };
        for (variable, _) in assignments {
            let into = if once.contains(&variable.name) {
                &mut again
            } else {
                &mut once
            };
            into.push(variable.name);
        }
    });
    again
}

/// Adds the names whose values depend on the input, according to the names in `read`. Returns true
/// if any were added.
fn collect_read(commands: &[Command], read: &mut Vec<Name>) -> bool {
    let before = read.len();
    let add = |read: &mut Vec<Name>, variable: &Variable| {
        if !read.contains(&variable.name) {
            read.push(variable.name);
        }
    };
    for_each_command(commands, &mut |command| match &command.kind {
        CommandKind::Integer { into, .. }
        | CommandKind::Float { into, .. }
        | CommandKind::Pattern { into, .. } => {
            into.iter().for_each(|variable| add(read, variable));
        }
        // A counter changes with every pass, even if the number of passes is constant.
        CommandKind::Repeat { counter, .. } => {
            counter.iter().for_each(|variable| add(read, variable));
        }
        CommandKind::Set(assignments) => {
            for (variable, value) in assignments {
                if depends(value, read) {
                    add(read, variable);
                }
            }
        }
        // An assignment in a branch depends on the condition.
        CommandKind::If {
            then, otherwise, ..
        } => {
            for block in [then, otherwise] {
                for_each_command(block, &mut |inner| {
                    if let CommandKind::Set(assignments) = &inner.kind {
                        assignments
                            .iter()
                            .for_each(|(variable, _)| add(read, variable));
                    }
                });
            }
        }
        _ => {}
    });
    read.len() > before
}

fn depends(expression: &Expression, read: &[Name]) -> bool {
    match expression {
        Expression::Constant(_) => false,
        // The element of an array may be any of those that were assigned.
        Expression::Variable(variable) => {
            !variable.index.is_empty() || read.contains(&variable.name)
        }
        Expression::Length(inner) | Expression::Negation(inner) => depends(inner, read),
        Expression::Chain(first, rest) => {
            depends(first, read) || rest.iter().any(|(_, part)| depends(part, read))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Program;

    /// Returns the line, the range and, unless it is complete, the part that was reached by all
    /// inputs together.
    fn reached(program: &str, inputs: &[&str]) -> Vec<String> {
        let program = Program::parse(program).unwrap();
        let mut all: Vec<super::Reach> = Vec::new();
        for input in inputs {
            for reach in program.reach(input.as_bytes()).unwrap() {
                match all.iter_mut().find(|known| known.place() == reach.place()) {
                    Some(known) => known.merge(&reach),
                    None => all.push(reach),
                }
            }
        }
        let texts = |reach: &super::Reach| {
            let but = if reach.is_whole() {
                String::new()
            } else {
                format!(", but {}", reach.reached())
            };
            format!("{}: {}{but}", reach.line(), reach.range())
        };
        all.iter().map(texts).collect()
    }

    #[test]
    fn reaches_of_all_inputs_are_merged() {
        let program =
            "SET(most = 10)\nINT(1, most, n) NEWLINE\nREP(n) INT(-5, 5) NEWLINE END\nEOF\n";
        assert_eq!(
            reached(program, &["2\n-5\n3\n", "1\n0\n"]),
            ["2: 1 to 10, but 1 to 2", "3: -5 to 5, but -5 to 3"]
        );
        assert_eq!(
            reached(program, &["1\n5\n", "10\n5\n5\n5\n5\n5\n5\n5\n5\n5\n-5\n"]),
            ["2: 1 to 10", "3: -5 to 5"]
        );
    }

    #[test]
    fn input_dependent_ranges_are_left_out() {
        let program = "INT(1, 9, n) SPACE INT(0, n) SPACE\nSET(m = n + 1) INT(0, m) SPACE\n\
                       IF(n > 5) SET(k = 1) ELSE SET(k = 2) END INT(0, k) NEWLINE\nREPI(i, 2) INT(0, i) SPACE END EOF\n";
        assert_eq!(
            reached(program, &["9 0 0 0\n0 0 "]),
            ["1: 1 to 9, but 9 to 9"]
        );
    }

    #[test]
    fn ranges_with_variable_bounds_are_not_recorded() {
        let program =
            "SET(max = 1) REP(2) INT(0, max) SPACE SET(max = max * 2) END INT(0, 7) EOF\n";
        assert_eq!(reached(program, &["1 2 7"]), ["1: 0 to 7, but 7 to 7"]);
    }

    #[test]
    fn floats_are_compared_by_their_values() {
        let program = "FLOAT(0, 1.5) NEWLINE EOF\n";
        assert_eq!(reached(program, &["0.00\n", "1.50\n"]), ["1: 0 to 1.5"]);
        assert_eq!(
            reached(program, &["1.4\n"]),
            ["1: 0 to 1.5, but 1.4 to 1.4"]
        );
    }

    #[test]
    fn unread_ranges_are_not_reported() {
        let program = "INT(0, 1, n) NEWLINE IF(n > 5) INT(1, 2) END EOF\n";
        assert_eq!(reached(program, &["0\n", "1\n"]), ["1: 0 to 1"]);
        assert!(Program::parse(program).unwrap().reach(b"7\n").is_err());
    }
}
