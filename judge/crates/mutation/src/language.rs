//! The languages of mutants, and the arguments of their compilers.

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
    /// All languages; first those whose mutants share a program, which makes them cheap.
    pub const ALL: [Self; 5] = [Self::Rust, Self::Cpp, Self::C, Self::Java, Self::Python];

    /// The language with this id.
    #[must_use]
    pub fn from_id(language: &LanguageId) -> Option<Self> {
        Self::ALL.into_iter().find(|candidate| candidate.id() == language.0)
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

    /// Additional arguments of the compiler. Warnings must not reject a mutant, messages are read by `blame`, which needs
    /// columns in bytes (a tab counts as one), and debugging information would make equal programs differ.
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
