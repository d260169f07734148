//! The languages of mutants, and the arguments of their compilers.

pub use judge_model::LanguageFamily;

/// Returns additional arguments of the compiler. Warnings must not reject a mutant. `blame` reads
/// the messages and needs columns in bytes, where a tab counts as one. Debugging information would
/// make equal programs differ.
pub(crate) fn compiler_arguments(language: LanguageFamily) -> &'static [&'static str] {
    match language {
        LanguageFamily::Rust => &[
            "--error-format=json",
            "--json=diagnostic-short",
            "--cap-lints=allow",
        ],
        LanguageFamily::Cpp | LanguageFamily::C => {
            &["-w", "-g0", "-ftabstop=1", "-fdiagnostics-color=never"]
        }
        // The compiler of one small file ends before its JIT compiler has optimised it.
        LanguageFamily::Java => &[
            "-g:none",
            "-proc:none",
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:+UseSerialGC",
        ],
        LanguageFamily::Python => &[],
    }
}
