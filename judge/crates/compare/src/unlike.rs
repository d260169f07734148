//! Unlike programs: two programs that other work on the host slows down by different factors.
//!
//! Responsible for deciding whether two programs are unlike, and for the allowance for it. Pure.
//! Must not measure.
//!
//! Other work slows down similar programs by the same factor, but not unlike ones, and no number of
//! rounds averages that out. The figures were measured on a virtual machine on a host with other
//! guests (docs/background/measurements/comparing.md).

use judge_model::LanguageId;

/// The additional memory after start-up, in bytes, above which caches matter.
const MUCH_MEMORY: u64 = 1 << 20;
/// The number of processors kept busy by other programs at which measurements count as disturbed.
pub(crate) const DISTURBING: f64 = 0.2;

/// The allowance for different languages.
const OTHER_LANGUAGE: f64 = 0.1;
/// The allowance if one program waits for memory more than the other: the machine shares caches and
/// memory with its other guests, whose load cannot be measured.
const MUCH_MORE_MEMORY: f64 = 0.35;
/// The same allowance while programs on this host keep processors busy: a factor of 3.
const MUCH_MORE_MEMORY_DISTURBED: f64 = 2.0;

/// The reason why other work on the host affects two programs differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unlike {
    /// The programs are in different languages.
    Language,
    /// One needs much more memory than the other.
    Memory,
}

/// The properties of a program that determine how other work on the host slows it down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind<'a> {
    pub(crate) language: Option<&'a LanguageId>,
    /// The largest peak of memory on any test case, in bytes.
    pub(crate) peak: u64,
    /// The memory of a program in the language that does nothing, in bytes. A runtime uses most of
    /// it only once.
    pub(crate) at_start: u64,
}

impl Unlike {
    /// Returns the reason why two programs are unlike, if they are.
    pub(crate) fn between([one, other]: [Kind<'_>; 2]) -> Option<Self> {
        let mut own = [one, other].map(|kind| kind.peak.saturating_sub(kind.at_start));
        own.sort_unstable();
        let [less, more] = own;
        // Both conditions are needed: twice as much as very little still fits into the caches, and
        // an additional megabyte makes no difference to a large program.
        if more > 2 * less && more - less > MUCH_MEMORY {
            return Some(Self::Memory);
        }
        // Memory comes first because it has the larger allowance, and the two are not added.
        (one.language != other.language).then_some(Self::Language)
    }

    /// Returns the share by which other work on the host may change the ratio. `others_busy` is the
    /// number of processors that other programs keep busy.
    pub(crate) fn host_effect(self, others_busy: Option<f64>) -> f64 {
        match self {
            Self::Language => OTHER_LANGUAGE,
            Self::Memory if others_busy.is_some_and(|busy| busy >= DISTURBING) => {
                MUCH_MORE_MEMORY_DISTURBED
            }
            Self::Memory => MUCH_MORE_MEMORY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn programs_with_much_more_memory_are_unlike() {
        let (c, python) = (LanguageId("c".to_owned()), LanguageId("python3".to_owned()));
        let kind = |language, peak, at_start| Kind {
            language: Some(language),
            peak,
            at_start,
        };
        let in_c = |peak| kind(&c, peak, MIB);
        for (pair, expected) in [
            ([in_c(2 * MIB), in_c(6 * MIB)], Some(Unlike::Memory)),
            ([in_c(6 * MIB), in_c(2 * MIB)], Some(Unlike::Memory)),
            ([in_c(101 * MIB), in_c(181 * MIB)], None),
            ([in_c(MIB + MIB / 4), in_c(2 * MIB)], None),
            // The memory of a runtime is not the program's data.
            (
                [in_c(2 * MIB), kind(&python, 11 * MIB, 10 * MIB)],
                Some(Unlike::Language),
            ),
            (
                [in_c(2 * MIB), kind(&python, 40 * MIB, 10 * MIB)],
                Some(Unlike::Memory),
            ),
            ([in_c(0), in_c(MIB)], None),
        ] {
            assert_eq!(Unlike::between(pair), expected, "{pair:?}");
        }
    }

    #[test]
    fn other_work_affects_memory_bound_programs_most() {
        let effects =
            |others| [Unlike::Language, Unlike::Memory].map(|unlike| unlike.host_effect(others));
        assert_eq!(
            effects(Some(0.1)),
            effects(None),
            "very little other work does not disturb"
        );
        let ([language, quiet], [same, busy]) = (effects(None), effects(Some(1.5)));
        assert!(language == same && language < quiet && quiet < busy);
    }
}
