//! Sets of characters in tokens.
//!
//! Responsible for ASCII characters only: test data contains no others unless a problem is about
//! them. Must not read anything.

use std::ops::{BitOr, RangeInclusive};

/// A set of ASCII characters. Sets are joined with `|`.
///
/// ```
/// use testlib::Chars;
/// let name = Chars::LOWER | Chars::DIGITS | Chars::new("_-");
/// assert!(name.has(b'x') && name.has(b'-') && !name.has(b'X'));
/// assert_eq!(Chars::range('a'..='c').to_string(), "abc");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chars(u128);

impl Chars {
    /// `a` to `z`.
    pub const LOWER: Self = Self(0x3ff_ffff << 97);
    /// `A` to `Z`.
    pub const UPPER: Self = Self(0x3ff_ffff << 65);
    /// `0` to `9`.
    pub const DIGITS: Self = Self(0x3ff << 48);
    /// All visible characters: `!` to `~`.
    pub const VISIBLE: Self = Self(((1 << 94) - 1) << 33);
    /// All visible characters and the space.
    pub const PRINTABLE: Self = Self(((1 << 95) - 1) << 32);

    /// Creates the set of the characters of a text.
    ///
    /// # Panics
    /// When one of them is not ASCII.
    #[must_use]
    pub fn new(text: &str) -> Self {
        assert!(
            text.is_ascii(),
            "expected ASCII characters, found `{}`",
            text
        );
        Self(text.bytes().fold(0, |set, byte| set | 1 << byte))
    }

    /// Creates the set of all characters in a range.
    ///
    /// # Panics
    /// When one of them is not ASCII.
    #[must_use]
    pub fn range(range: RangeInclusive<char>) -> Self {
        range.fold(Self(0), |set, character| {
            set | Self::new(character.encode_utf8(&mut [0; 4]))
        })
    }

    /// Returns true if a byte is in the set.
    #[must_use]
    pub fn has(self, byte: u8) -> bool {
        byte.is_ascii() && self.0 >> byte & 1 == 1
    }
}

impl BitOr for Chars {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl std::fmt::Display for Chars {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (0..128_u8)
            .filter(|byte| self.has(*byte))
            .try_for_each(|byte| write!(f, "{}", byte.escape_ascii()))
    }
}
