//! Programs for testlib as its author publishes it, made to speak as validators of packages do.
//!
//! Responsible for the file that is added to such a program. Must not know where in an archive the
//! program goes.
//!
//! The judge recognises these programs and speaks to them as testlib wants it
//! ([programs](../../../../docs/reference/programs.md)). Others take them for validators of
//! packages, whose exit codes and arguments differ.

use std::path::Path;

use judge_exec::uses_plain_testlib;

use super::super::remark::{RemarkKind, Remarks};
use super::{PackedProgram, ProgramFile};

/// The part that a program plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pack) enum Role {
    /// It looks at inputs.
    InputValidator,
    /// It looks at outputs.
    Checker,
    /// It talks with submissions.
    Interactor,
}

/// The name of the file that is added.
const NAME: &str = "testlib_protocol";

/// Adds a file to a program for testlib that lets it speak as validators of packages do. A program
/// with scripts of its own stays as it is: these speak for it. True when the file was added.
pub(in crate::pack) fn translate(
    packed: &mut PackedProgram,
    role: Role,
    has_scripts: bool,
    about: &str,
    remarks: &mut Remarks,
) -> bool {
    let files = packed
        .files
        .iter()
        .map(|file| (Path::new(&file.name), file.bytes.as_slice()));
    if has_scripts || !uses_plain_testlib(files) {
        return false;
    }
    // Compiled together are the files of one extension.
    let extension = packed
        .files
        .iter()
        .filter_map(|file| Some(file.name.rsplit_once('.')?.1));
    let Some(extension) = extension
        .into_iter()
        .find(|of| ["cpp", "cc", "cxx", "C"].contains(of))
    else {
        let message = "is written for testlib in another language than C++, and speaks as no validator of packages does";
        remarks.add(RemarkKind::OUTPUT_CHECK, about, message);
        return false;
    };
    let kind = match role {
        Role::InputValidator => "0",
        Role::Checker => "1",
        Role::Interactor => "2",
    };
    let text = include_str!("testlib_protocol.cpp").replace("@KIND@", kind);
    let name = format!("{NAME}.{extension}");
    let message =
        format!("is written for testlib: `{name}` lets it speak as validators of packages do");
    remarks.add(RemarkKind::PROTOCOL, about, message);
    packed.files.push(ProgramFile {
        name,
        bytes: text.into_bytes(),
        executable: false,
    });
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_with_a_testlib_that_is_not_adapted_get_one_more_file() {
        let file = |name: &str, text: &str| ProgramFile {
            name: name.into(),
            bytes: text.into(),
            executable: false,
        };
        let packed = |header: &str| PackedProgram {
            files: vec![
                file("check.cc", "#include \"testlib.h\"\n"),
                file("testlib.h", header),
            ],
            has_library: false,
        };
        let mut remarks = Remarks::default();
        let mut plain = packed("#define OK_EXIT_CODE 0\n");
        assert!(translate(
            &mut plain,
            Role::Checker,
            false,
            "output_validator",
            &mut remarks
        ));
        let added = plain.files.last().unwrap();
        assert!(
            added.name == "testlib_protocol.cc"
                && String::from_utf8_lossy(&added.bytes).contains("KIND = 1;")
        );
        // A packed program is not plain any more.
        assert!(!translate(
            &mut plain,
            Role::Checker,
            false,
            "output_validator",
            &mut remarks
        ));
        assert!(!translate(
            &mut packed("#define OK_EXIT_CODE 42\n"),
            Role::Checker,
            false,
            "x",
            &mut remarks
        ));
        assert!(!translate(
            &mut packed(""),
            Role::Checker,
            true,
            "x",
            &mut remarks
        ));
        assert_eq!(remarks.into_sorted().len(), 1);
        let mut remarks = Remarks::default();
        let mut in_c = packed("");
        in_c.files.remove(0);
        assert!(!translate(
            &mut in_c,
            Role::Checker,
            false,
            "x",
            &mut remarks
        ));
        assert_eq!(remarks.into_sorted().len(), 1, "it is refused");
    }
}
