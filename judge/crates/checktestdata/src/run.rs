//! Runs a program: each command reads the text that it expects from the input, or reports what it
//! found instead.
//!
//! Responsible for loops, conditions and the step limit. Must not depend on the syntax of programs.
//!
//! Source: checktestdata, "Language specification".

mod evaluate;
mod read;

use std::collections::HashMap;
use std::sync::Arc;

use regex_automata::hybrid::dfa::Cache;

use crate::error::{CheckError, Excerpt, Fault, FaultKind, Rejection};
use crate::evaluate::{expected, size};
use crate::input::Input;
use crate::memory::Array;
use crate::number::{Integer, Number};
use crate::pattern::Pattern;
use crate::reach::{Reach, Watch};
use crate::syntax::{Bound, Command, CommandKind, Expression, Program, Test, Value, Variable};

/// The number of steps that a program may take for any input: a few seconds in an optimised build.
const STEPS: u64 = 100_000_000;

/// The number of additional steps for each byte of the input.
const STEPS_PER_BYTE: u64 = 64;

/// The maximum number of compiled regular expressions in the cache.
const MAX_PATTERNS: usize = 64;

/// A program that runs on an input.
pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) input: Input<'p>,
    /// The array of values of each name.
    pub(crate) arrays: Vec<Array>,
    /// The reason why the last `UNIQUE` was false, for messages.
    pub(crate) remark: Option<String>,
    /// The watched ranges, if any are.
    watch: Option<Watch>,
    steps: u64,
    steps_left: u64,
    /// The line of the current command.
    line: u32,
    patterns: HashMap<Arc<[u8]>, (Arc<Pattern>, Cache)>,
}

impl<'p> Machine<'p> {
    /// `steps` is the maximum number of steps, if it is not the default.
    pub(crate) fn new(program: &'p Program, input: &'p [u8], steps: Option<u64>) -> Self {
        let default = STEPS.saturating_add(STEPS_PER_BYTE.saturating_mul(input.len() as u64));
        let steps = steps.unwrap_or(default);
        Machine {
            program,
            input: Input::new(input),
            arrays: program
                .names
                .iter()
                .map(|name| Array::new(name.is_searched))
                .collect(),
            remark: None,
            watch: None,
            steps,
            steps_left: steps,
            line: 1,
            patterns: HashMap::new(),
        }
    }

    /// Runs the whole program, after which the input must end.
    pub(crate) fn run(&mut self) -> Result<(), CheckError> {
        self.block(&self.program.commands)?;
        // The end of the file needs no command. If the input continues, the report names the last
        // line of the program.
        self.line = self.program.last_line;
        self.end_of_file()
    }

    /// Runs the whole program, and returns how much of its ranges the input covers.
    pub(crate) fn watched(mut self) -> Result<Vec<Reach>, CheckError> {
        self.watch = Some(Watch::new(&self.program.commands));
        self.run()?;
        Ok(self
            .watch
            .map(|watch| watch.reached.into_values().collect())
            .unwrap_or_default())
    }

    /// Takes steps from the budget. Fails if too few are left.
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), CheckError> {
        match self.steps_left.checked_sub(steps) {
            Some(left) => {
                self.steps_left = left;
                Ok(())
            }
            None => Err(self.fault(FaultKind::Steps(self.steps))),
        }
    }

    /// Builds the error for a program that cannot continue.
    #[cold]
    pub(crate) fn fault(&self, kind: FaultKind) -> CheckError {
        let (line, column) = self.input.position(self.input.at());
        CheckError::Faulty(Fault {
            program_line: self.line,
            line,
            column,
            kind,
        })
    }

    /// Builds the error for an input that is wrong at this position.
    #[cold]
    fn reject(&self, at: usize, message: String) -> CheckError {
        let (line, column) = self.input.position(at);
        CheckError::Rejected(Rejection {
            line,
            column,
            message,
            program_line: self.line,
        })
    }

    /// Builds the error for an input that contains something other than expected at this position.
    #[cold]
    fn mismatch(&self, at: usize, expected: &str) -> CheckError {
        let found = self.input.found(at);
        self.reject(at, format!("expected {expected}, found {found}"))
    }

    fn block(&mut self, commands: &'p [Command]) -> Result<(), CheckError> {
        commands
            .iter()
            .try_for_each(|command| self.command(command))
    }

    fn command(&mut self, command: &'p Command) -> Result<(), CheckError> {
        self.line = command.line;
        self.spend(1)?;
        match &command.kind {
            CommandKind::Space => self.byte(b' ', "a space"),
            CommandKind::Newline => self.byte(b'\n', "the end of the line"),
            CommandKind::EndOfFile => self.end_of_file(),
            CommandKind::Integer { min, max, into } => {
                let value = self.read_integer(min, max)?;
                self.note(command, min, max, || Number::Integer(value.clone()))?;
                self.keep(into.as_ref(), || Value::Number(Number::Integer(value)))
            }
            CommandKind::Float {
                min,
                max,
                decimals,
                notation,
                into,
            } => {
                let decimals = decimals
                    .as_ref()
                    .map(|(min, max)| self.decimals(min, max))
                    .transpose()?;
                let value = self.read_float(min, max, decimals, *notation)?;
                self.note(command, min, max, || Number::Float(value.to_float()))?;
                self.keep(into.as_ref(), || {
                    Value::Number(Number::Float(value.to_float()))
                })
            }
            CommandKind::Text(text) => self.text(text),
            CommandKind::Pattern {
                pattern,
                compiled,
                into,
            } => {
                let matched = self.pattern(pattern, compiled.as_ref())?;
                self.keep(into.as_ref(), || Value::Text(matched.into()))
            }
            CommandKind::Assert { test, written } => self.assert(test, written),
            CommandKind::Set(assignments) => {
                // Assignments take effect one after the other, so a later one may use the value
                // of an earlier one.
                for (variable, expression) in assignments {
                    let value = self.value(expression)?.into_owned();
                    self.assign(variable, value)?;
                }
                Ok(())
            }
            CommandKind::Unset(names) => {
                names.iter().for_each(|name| self.arrays[*name].clear());
                Ok(())
            }
            CommandKind::Repeat {
                counter,
                bound,
                separator,
                body,
            } => self.repeat(counter.as_ref(), bound, separator.as_deref(), body),
            CommandKind::If {
                test,
                then,
                otherwise,
            } => {
                let taken = if self.test(test)? { then } else { otherwise };
                self.block(taken)
            }
        }
    }

    /// Records a value that was read, if its range is watched.
    fn note(
        &mut self,
        command: &'p Command,
        min: &'p Expression,
        max: &'p Expression,
        value: impl FnOnce() -> Number,
    ) -> Result<(), CheckError> {
        let Some(watch) = &mut self.watch else {
            return Ok(());
        };
        let Some(place) = watch.place(command) else {
            return Ok(());
        };
        let value = value();
        // Only ranges whose bounds do not depend on the input are watched: they are evaluated
        // once.
        if watch.note_again(place, &value) {
            return Ok(());
        }
        let expected = "a number as the bound of a range";
        let min = self.number(min, expected)?.into_owned();
        let max = self.number(max, expected)?.into_owned();
        if let Some(watch) = &mut self.watch {
            let first = Reach::new(place, command.line, [min, max], value);
            watch.reached.insert(place, first);
        }
        Ok(())
    }

    /// Assigns the value that was read, if the command names a variable for it.
    fn keep(
        &mut self,
        into: Option<&'p Variable>,
        value: impl FnOnce() -> Value,
    ) -> Result<(), CheckError> {
        into.map_or(Ok(()), |variable| self.assign(variable, value()))
    }

    fn repeat(
        &mut self,
        counter: Option<&'p Variable>,
        bound: &'p Bound,
        separator: Option<&'p Command>,
        body: &'p [Command],
    ) -> Result<(), CheckError> {
        let line = self.line;
        let number = |pass: u64| {
            let pass = i64::try_from(pass).unwrap_or(i64::MAX);
            Value::Number(Number::Integer(Integer::Small(pass)))
        };
        // The counter has a value before the first iteration, since the condition may use it.
        self.keep(counter, || number(0))?;
        let count = match bound {
            Bound::Count(count) => {
                Some(self.count(count, "a number of passes that is not negative")?)
            }
            Bound::While(_) => None,
        };
        let mut pass = 0;
        loop {
            // The body has changed the line, but a fault in the condition belongs to the line of
            // the loop.
            self.line = line;
            let continues = match bound {
                Bound::Count(_) => count.is_some_and(|count| pass < count),
                Bound::While(test) => self.test(test)?,
            };
            if !continues {
                return Ok(());
            }
            self.spend(1)?;
            // The separator is read between two passes, not before the first one.
            if let Some(separator) = separator.filter(|_| pass > 0) {
                self.command(separator)?;
            }
            self.block(body)?;
            pass += 1;
            self.keep(counter, || number(pass))?;
        }
    }

    /// Evaluates a count, which has to be a non-negative integer.
    fn count(
        &mut self,
        expression: &'p Expression,
        expected: &'static str,
    ) -> Result<u64, CheckError> {
        let count = self.integer(expression, expected)?;
        match count.to_i64().and_then(|count| u64::try_from(count).ok()) {
            Some(count) => Ok(count),
            None => Err(self.fault(FaultKind::Range {
                expected,
                found: count.to_string(),
            })),
        }
    }

    fn decimals(
        &mut self,
        min: &'p Expression,
        max: &'p Expression,
    ) -> Result<(u64, u64), CheckError> {
        let expected = "a number of decimals that is not negative";
        let (min, max) = (self.count(min, expected)?, self.count(max, expected)?);
        if min > max {
            let found = format!("{min} and {max}");
            return Err(self.fault(FaultKind::Range {
                expected: "a minimum number of decimals not above the maximum",
                found,
            }));
        }
        Ok((min, max))
    }

    fn assert(&mut self, test: &'p Test, written: &str) -> Result<(), CheckError> {
        // An earlier `UNIQUE` may have left a remark, which must not appear in the message of
        // this assertion.
        self.remark = None;
        if self.test(test)? {
            return Ok(());
        }
        let remark = self.remark.take().map(|remark| format!(": {remark}"));
        let remark = remark.unwrap_or_default();
        let message = format!("the assertion {written} does not hold{remark}");
        Err(self.reject(self.input.at(), message))
    }

    fn byte(&mut self, byte: u8, expected: &str) -> Result<(), CheckError> {
        if self.input.peek() != Some(byte) {
            return Err(self.mismatch(self.input.at(), expected));
        }
        self.input.advance(1);
        Ok(())
    }

    fn end_of_file(&mut self) -> Result<(), CheckError> {
        if self.input.is_at_end() {
            Ok(())
        } else {
            Err(self.mismatch(self.input.at(), "the end of the file"))
        }
    }

    fn text(&mut self, expression: &'p Expression) -> Result<(), CheckError> {
        let text = self.bytes(expression, "a string in `STRING`")?;
        // Comparing bytes is far cheaper than a command, but a long string may be compared
        // often.
        self.spend(text.len() as u64 / 64)?;
        if self.input.rest().starts_with(&text) {
            self.input.advance(text.len());
            return Ok(());
        }
        Err(self.mismatch(self.input.at(), &Excerpt(&text).to_string()))
    }

    /// Evaluates an expression that has to be a string.
    fn bytes(
        &mut self,
        expression: &'p Expression,
        required: &'static str,
    ) -> Result<Arc<[u8]>, CheckError> {
        match self.value(expression)?.as_ref() {
            Value::Text(text) => Ok(Arc::clone(text)),
            number @ Value::Number(_) => Err(self.fault(expected(required, number))),
        }
    }

    fn pattern(
        &mut self,
        expression: &'p Expression,
        compiled: Option<&Arc<Pattern>>,
    ) -> Result<&'p [u8], CheckError> {
        let written = self.bytes(expression, "a string in `REGEX`")?;
        if !self.patterns.contains_key(&written) {
            let pattern = match compiled {
                Some(compiled) => Arc::clone(compiled),
                None => {
                    // Compiling is far more expensive than anything else that a single command
                    // does.
                    self.spend(10_000 + 100 * size(&Value::Text(Arc::clone(&written))))?;
                    let pattern = Pattern::parse(&written);
                    Arc::new(pattern.map_err(|why| self.fault(FaultKind::Pattern(why)))?)
                }
            };
            // A program can build any number of patterns from its input. Clearing the table bounds
            // its memory and is simpler than finding the least used entry.
            if self.patterns.len() == MAX_PATTERNS {
                self.patterns.clear();
            }
            let cache = pattern.cache();
            self.patterns.insert(Arc::clone(&written), (pattern, cache));
        }
        let rest = self.input.rest();
        let found = self
            .patterns
            .get_mut(&written)
            .and_then(|(pattern, cache)| pattern.find(cache, rest));
        let Some(found) = found else {
            let shown = Excerpt(&written);
            let message = format!("the regular expression {shown} cannot be matched");
            return Err(self.fault(FaultKind::Pattern(message)));
        };
        // A search may examine bytes far beyond the match that it returns, so its cost depends on
        // the number of examined bytes.
        self.spend(found.examined_bytes as u64 / 4)?;
        match found.length {
            Some(length) => {
                self.input.advance(length);
                Ok(&rest[..length])
            }
            None => {
                let expected = format!("a match of {}", Excerpt(&written));
                Err(self.mismatch(self.input.at(), &expected))
            }
        }
    }
}
