//! Unlike programs: by how much other work on the host may move the ratio of two programs.
//!
//! Responsible for when two programs suffer from it by different factors, and for how much is
//! allowed for that. Pure. Must not measure.
//!
//! Programs that are alike suffer alike. Others do not, and no number of rounds averages that out:
//! the figures are what was seen on a virtual machine whose host had other guests
//! (docs/background/measurements/comparing.md).

use judge_model::LanguageId;

/// Bytes of memory, beyond what starting takes, that caches feel.
const MUCH_MEMORY: u64 = 1 << 20;
/// So many processors that other programs keep busy disturb what is measured.
pub(crate) const DISTURBING: f64 = 0.2;

/// The share for different languages.
const OTHER_LANGUAGE: f64 = 0.1;
/// The share where one waits for memory more than the other: caches and memory are shared with
/// guests that nobody sees.
const MUCH_MORE_MEMORY: f64 = 0.35;
/// The same while programs on this host keep processors busy: three times as much, or a third.
const MUCH_MORE_MEMORY_DISTURBED: f64 = 2.0;

/// The reason why two programs do not suffer alike from other work on the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unlike {
    /// They are in different languages.
    Language,
    /// One needs much more memory than the other.
    Memory,
}

/// A program, as far as other work on the host slows it down in its own way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind<'a> {
    pub(crate) language: Option<&'a LanguageId>,
    /// The most memory in bytes that it took on any test case.
    pub(crate) peak: u64,
    /// The memory in bytes of a program in its language that does nothing. A runtime touches most
    /// of it only once.
    pub(crate) at_start: u64,
}

impl Unlike {
    /// The reason why two programs are unlike, if they are.
    pub(crate) fn between([one, other]: [Kind<'_>; 2]) -> Option<Self> {
        let mut own = [one, other].map(|of| of.peak.saturating_sub(of.at_start));
        own.sort_unstable();
        let [less, more] = own;
        // Both conditions: twice as much of almost nothing still fits the caches, and a
        // megabyte more of much is not noticed.
        if more > 2 * less && more - less > MUCH_MEMORY {
            return Some(Self::Memory);
        }
        // Memory comes first because it has the larger allowance, and the two are not added.
        (one.language != other.language).then_some(Self::Language)
    }

    /// The share by which other work on the host may move their ratio, while others keep so many
    /// processors busy.
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
    fn much_more_memory_beyond_starting_is_another_kind_of_program() {
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
            // A runtime is no data of the program's.
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
    fn programs_that_wait_for_memory_are_moved_most_beside_others() {
        let effects = |others| [Unlike::Language, Unlike::Memory].map(|of| of.host_effect(others));
        assert_eq!(
            effects(Some(0.1)),
            effects(None),
            "next to nothing is no disturbance"
        );
        let ([language, quiet], [same, busy]) = (effects(None), effects(Some(1.5)));
        assert!(language == same && language < quiet && quiet < busy);
    }
}
