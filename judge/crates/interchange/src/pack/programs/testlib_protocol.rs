//! Adapts programs for the original testlib to the protocol of package validators.
//!
//! Responsible for the file that is added to such a program. Must not know the path of the program
//! in an archive.
//!
//! The judge recognises these programs and runs them with testlib's protocol
//! ([programs](../../../../docs/reference/programs.md)). Other judges treat them as validators of
//! packages, whose exit codes and arguments differ.

use judge_event::Part;

use super::{PackedProgram, ProgramFile, is_plain_testlib};
use crate::remarks::Remarks;

/// The role of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pack) enum Role {
    /// Checks inputs.
    InputValidator,
    /// Checks outputs.
    Checker,
    /// Communicates with submissions.
    Interactor,
}

/// The name of the file that is added.
const NAME: &str = "testlib_protocol";

/// Adds a file to a testlib program that implements the protocol of package validators. A program
/// with its own scripts is not changed, since these may translate already. Returns true if the file
/// was added.
pub(in crate::pack) fn translate(
    packed: &mut PackedProgram,
    role: Role,
    has_scripts: bool,
    about: &str,
    remarks: &mut Remarks,
) -> bool {
    if has_scripts || !is_plain_testlib(&packed.files) {
        return false;
    }
    // Files with the same extension are compiled together.
    let files = packed.files.iter();
    let mut extensions = files.filter_map(|file| Some(file.name.rsplit_once('.')?.1));
    let Some(extension) =
        extensions.find(|extension| ["cpp", "cc", "cxx", "C"].contains(extension))
    else {
        let message = "uses testlib in a language other than C++, and cannot be adapted to the protocol of packages";
        remarks.refused(Part::Checker, about, message);
        return false;
    };
    let kind = match role {
        Role::InputValidator => "0",
        Role::Checker => "1",
        Role::Interactor => "2",
    };
    let text = include_str!("testlib_protocol.cpp").replace("@KIND@", kind);
    let name = format!("{NAME}.{extension}");
    let message = format!("uses testlib: `{name}` adapts it to the protocol of packages");
    remarks.changed(Part::Checker, about, message);
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
    fn original_testlib_programs_get_an_adapter() {
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
            ..PackedProgram::default()
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
        // An adapted program is not changed again.
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
        assert_eq!(remarks.into_worst_first().len(), 1);
        let mut remarks = Remarks::default();
        let mut in_c = packed("");
        in_c.files[0].name = "check.c".into();
        assert!(!translate(
            &mut in_c,
            Role::Checker,
            false,
            "x",
            &mut remarks
        ));
        assert_eq!(remarks.into_worst_first().len(), 1, "it is refused");
    }
}
