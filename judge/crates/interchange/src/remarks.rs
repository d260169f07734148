//! Remarks on a conversion: what was carried over, changed or lost, and what prevents it.
//!
//! Responsible for reporting nothing twice. Must not know how remarks are found or shown.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use judge_event::{Fate, Part, Remark};

/// A list of remarks without duplicates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Remarks {
    list: Vec<Remark>,
    /// The remarks as a set, to find duplicates quickly: there may be one for every file.
    known: BTreeSet<(Part, Fate, String, String)>,
}

impl Remarks {
    /// Adds a remark about a part of the problem. `place` is empty if it is unknown.
    pub(crate) fn add(
        &mut self,
        fate: Fate,
        part: Part,
        place: impl Into<String>,
        text: impl Into<String>,
    ) {
        let (place, text) = (place.into(), text.into());
        if self.known.insert((part, fate, text.clone(), place.clone())) {
            let remark = Remark::new(fate, part, text);
            self.list.push(Remark { place, ..remark });
        }
    }

    /// Reports a part that is in the result in another form.
    pub(crate) fn changed(
        &mut self,
        part: Part,
        place: impl Into<String>,
        text: impl Into<String>,
    ) {
        self.add(Fate::Changed, part, place, text);
    }

    /// Reports a part that is not in the result.
    pub(crate) fn lost(&mut self, part: Part, place: impl Into<String>, text: impl Into<String>) {
        self.add(Fate::Lost, part, place, text);
    }

    /// Reports a part without which nothing is written.
    pub(crate) fn refused(
        &mut self,
        part: Part,
        place: impl Into<String>,
        text: impl Into<String>,
    ) {
        self.add(Fate::Refused, part, place, text);
    }

    /// True if something prevents the conversion.
    pub(crate) fn is_refused(&self) -> bool {
        self.list.iter().any(|remark| remark.fate == Fate::Refused)
    }

    /// True if a part has a remark with this fate.
    pub(crate) fn has(&self, fate: Fate, part: Part) -> bool {
        self.list
            .iter()
            .any(|remark| (remark.fate, remark.part) == (fate, part))
    }

    /// All remarks in the order of parts, and for each part the best first.
    pub(crate) fn into_best_first(mut self) -> Vec<Remark> {
        self.list.sort_by_key(|remark| (remark.part, remark.fate));
        self.list
    }

    /// All remarks in the order of parts, and for each part the worst first.
    pub(crate) fn into_worst_first(mut self) -> Vec<Remark> {
        self.list
            .sort_by_key(|remark| (remark.part, Reverse(remark.fate)));
        self.list
    }
}
