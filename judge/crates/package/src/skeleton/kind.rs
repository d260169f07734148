//! The kinds of problems and the languages of skeletons.

/// The kind of a new problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkeletonKind {
    /// One correct output for each input.
    PassFail,
    /// Numbers with a tolerance.
    Float,
    /// Several correct outputs for each input, which an output validator judges.
    Custom,
    /// The submission interacts with an interactor.
    Interactive,
    /// The submission is run twice.
    MultiPass,
    /// Groups of test cases that are worth points.
    Scoring,
}

impl SkeletonKind {
    /// Every kind, in the order in which they are offered.
    pub const ALL: [Self; 6] = [
        Self::PassFail,
        Self::Float,
        Self::Custom,
        Self::Interactive,
        Self::MultiPass,
        Self::Scoring,
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PassFail => "pass-fail",
            Self::Float => "float",
            Self::Custom => "custom",
            Self::Interactive => "interactive",
            Self::MultiPass => "multi-pass",
            Self::Scoring => "scoring",
        }
    }
}

/// The language of the programs of a new package.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkeletonLanguage {
    /// Rust, with the library that the judge provides for such programs.
    #[default]
    Rust,
    /// C++, with only its standard library.
    Cpp,
    /// C++ with `testlib.h`, which the caller has to find.
    CppTestlib,
    /// Python, with only its standard library.
    Python,
}

impl SkeletonLanguage {
    /// Every language, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Rust, Self::Cpp, Self::CppTestlib, Self::Python];

    /// The extension of its files.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Rust => "rs",
            Self::Cpp | Self::CppTestlib => "cpp",
            Self::Python => "py",
        }
    }

    /// Returns the template directories that are laid over that of Rust. Each overrides files of
    /// the previous ones.
    pub(super) fn layers(self) -> &'static [&'static str] {
        match self {
            Self::Rust => &[],
            Self::Cpp => &["latex", "cpp"],
            Self::CppTestlib => &["latex", "cpp", "cpp-testlib"],
            Self::Python => &["latex", "python"],
        }
    }

    /// True if every judging system that accepts the package format has tools for its programs
    /// (2025-09, "Programs": Python 3, C and C++).
    #[must_use]
    pub fn is_portable(self) -> bool {
        self != Self::Rust
    }
}
