//! Records of the bounds that numbers reached, by name.
//!
//! Responsible for gathering and writing bounds. Must not know where numbers come from.
//!
//! The file has the format of BAPCtools: a line for each name,
//! `place name reached_low reached_high least most low high`.

use std::fmt::{self, Write};
use std::panic::Location;

/// An integer or a floating-point number. All numbers with the same name have the same kind.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) enum Amount {
    Integer(i128),
    Real(f64),
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
            Self::Real(number) => number.fmt(f),
        }
    }
}

/// The known bounds of the numbers with one name.
#[derive(Clone, Debug)]
struct Bound {
    name: String,
    place: String,
    reached: [bool; 2],
    seen: [Amount; 2],
    allowed: [Amount; 2],
}

#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    names: Vec<Bound>,
    /// The index of the name that was used last, since lists use the same name repeatedly.
    last: usize,
}

impl Bounds {
    /// Records a number. Bounds may differ from number to number, as in `1..=n`: a bound is reached
    /// if one number equals its own bound, and the widest bounds are reported.
    pub(super) fn note(
        &mut self,
        name: &str,
        value: Amount,
        allowed: [Amount; 2],
        place: &Location<'_>,
    ) {
        if name.is_empty() {
            return;
        }
        if self
            .names
            .get(self.last)
            .is_none_or(|bound| bound.name != name)
        {
            let found = self.names.iter().position(|bound| bound.name == name);
            self.last = found.unwrap_or_else(|| {
                let file = place.file().rsplit('/').next().unwrap_or_default();
                let place = format!("{file}:{}", place.line());
                let name = name.to_owned();
                self.names.push(Bound {
                    name,
                    place,
                    reached: [false; 2],
                    seen: [value; 2],
                    allowed,
                });
                self.names.len() - 1
            });
        }
        let bound = &mut self.names[self.last];
        bound.reached[0] |= value == allowed[0];
        bound.reached[1] |= value == allowed[1];
        widen(&mut bound.seen, [value; 2]);
        widen(&mut bound.allowed, allowed);
    }

    /// The contents of the file.
    pub(super) fn lines(&self) -> String {
        let mut lines = String::new();
        for Bound {
            name,
            place,
            reached,
            seen,
            allowed,
        } in &self.names
        {
            let word = |text: &str| text.split_whitespace().collect::<Vec<_>>().join("_");
            let reached = reached.map(u8::from);
            let written = writeln!(
                lines,
                "{} {} {} {} {} {} {} {}",
                word(place),
                word(name),
                reached[0],
                reached[1],
                seen[0],
                seen[1],
                allowed[0],
                allowed[1]
            );
            written.expect("writing to a string cannot fail");
        }
        lines
    }
}

fn widen(range: &mut [Amount; 2], other: [Amount; 2]) {
    if other[0] < range[0] {
        range[0] = other[0];
    }
    if other[1] > range[1] {
        range[1] = other[1];
    }
}
