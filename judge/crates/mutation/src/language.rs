//! The languages that mutants can be made of.
//!
//! Responsible for which there are and for what their compilers are told. Must not know syntax.

use judge_model::LanguageId;

/// A language that mutants can be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutantLanguage {
    /// Rust.
    Rust,
    /// C++.
    Cpp,
    /// C.
    C,
    /// Java.
    Java,
    /// Python 3.
    Python,
}

impl MutantLanguage {
    /// Every one of them, first those whose mutants cost least: they share a program.
    pub const ALL: [Self; 5] = [Self::Rust, Self::Cpp, Self::C, Self::Java, Self::Python];

    /// Returns the one with this id.
    #[must_use]
    pub fn of(language: &LanguageId) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.id() == language.0)
    }

    fn id(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Cpp => "cpp",
            Self::C => "c",
            Self::Java => "java",
            Self::Python => "python3",
        }
    }

    /// Its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::Cpp => "C++",
            Self::C => "C",
            Self::Java => "Java",
            Self::Python => "Python",
        }
    }

    /// The arguments that the compiler gets besides: some mistakes that are tried here are only warnings to it, and its
    /// messages are read by a program. Columns are to count bytes, which a tab is one of. What is for debuggers only
    /// would make programs differ that are the same.
    pub(crate) fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Rust => &["--error-format=json", "--json=diagnostic-short", "--cap-lints=allow"],
            Self::Cpp | Self::C => &["-w", "-g0", "-ftabstop=1", "-fdiagnostics-color=never"],
            // A compiler that lives for one small file is done before it has optimised itself.
            Self::Java => &["-g:none", "-proc:none", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"],
            Self::Python => &[],
        }
    }
}
