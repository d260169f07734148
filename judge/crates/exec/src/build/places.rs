//! Places: the author's paths of the files that a compiler sees below `/program`.
//!
//! Responsible for replacing the paths in the output of programs by those of the author. Pure. Must
//! not know who reads the output. The cache stores the messages of compilers with the paths that
//! compilers see, so that an entry does not depend on where the sources are.

use std::path::{Path, PathBuf};

use judge_sandbox::Layout;

use crate::build::command::PROGRAM;

/// The paths of the files of a program: those that it sees, and those that its author knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places(Vec<(String, String)>);

impl Places {
    /// The places of files with these names below `/program`. The first of equal names counts.
    pub(crate) fn new(files: impl Iterator<Item = (PathBuf, PathBuf)>) -> Self {
        let mut places: Vec<(String, String)> = Vec::new();
        for (name, path) in files {
            let seen = Path::new(PROGRAM).join(name).display().to_string();
            if places.iter().all(|(known, _)| *known != seen) {
                places.push((seen, path.display().to_string()));
            }
        }
        // The longest comes first, because one name may be the beginning of another.
        places.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        Self(places)
    }

    /// Returns the output of a program with its author's paths.
    pub(crate) fn shown(&self, output: &[u8]) -> Vec<u8> {
        let mut shown = Vec::with_capacity(output.len());
        let mut rest = output;
        while let Some(at) = rest
            .windows(PROGRAM.len())
            .position(|part| part == PROGRAM.as_bytes())
        {
            shown.extend_from_slice(&rest[..at]);
            rest = &rest[at..];
            // The next byte decides whether the name ends here: `/program/a.c` must not be
            // found in `/program/a.cpp`.
            let is_here = |seen: &str| {
                rest.starts_with(seen.as_bytes())
                    && rest
                        .get(seen.len())
                        .is_none_or(|next| !next.is_ascii_alphanumeric() && !b"_-/".contains(next))
            };
            match self.0.iter().find(|(seen, _)| is_here(seen)) {
                Some((seen, path)) => {
                    take_steps_up(&mut shown);
                    shown.extend_from_slice(path.as_bytes());
                    rest = &rest[seen.len()..];
                }
                None => {
                    shown.extend_from_slice(PROGRAM.as_bytes());
                    rest = &rest[PROGRAM.len()..];
                }
            }
        }
        shown.extend_from_slice(rest);
        shown
    }
}

/// Removes the steps that lead from a working directory to the root, as in `../../program/main.go`.
fn take_steps_up(text: &mut Vec<u8>) {
    // Some compilers print paths relative to their working directory. After those steps up, the
    // absolute path of the author would be wrong.
    while text.ends_with(b"..") {
        text.truncate(text.len() - 2);
        if text.ends_with(b"../") {
            text.pop();
        }
    }
}

/// Returns the output of a program in a slot with this layout, with the paths of the fixed layout.
pub(crate) fn unplaced(output: Vec<u8>, layout: &Layout) -> Vec<u8> {
    let program = layout.program.as_os_str().as_encoded_bytes();
    // With a mount namespace, every slot has the same places, and there is nothing to replace.
    if program == PROGRAM.as_bytes() || program.is_empty() {
        return output;
    }
    let mut same = Vec::with_capacity(output.len());
    let mut rest = output.as_slice();
    while let Some(at) = rest.windows(program.len()).position(|part| part == program) {
        same.extend_from_slice(&rest[..at]);
        same.extend_from_slice(PROGRAM.as_bytes());
        rest = &rest[at + program.len()..];
    }
    same.extend_from_slice(rest);
    same
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(files: &[(&str, &str)]) -> Places {
        Places::new(
            files
                .iter()
                .map(|(name, path)| (PathBuf::from(name), PathBuf::from(path))),
        )
    }

    #[test]
    fn places_are_replaced_by_the_paths_of_the_author() {
        let places = places(&[
            ("v.c", "p/v.c"),
            ("v.cpp", "p/v.cpp"),
            ("Main.java", "s/a.java"),
            ("v.c", "other"),
        ]);
        for (output, shown) in [
            ("/program/v.cpp:1:5: error", "p/v.cpp:1:5: error"),
            (
                "In '/program/v.c', /program/Main.java:3",
                "In 'p/v.c', s/a.java:3",
            ),
            ("../../program/v.c:1", "p/v.c:1"),
            (
                "/program/v.cc:1 /program/v.c/x /programs /program",
                "/program/v.cc:1 /program/v.c/x /programs /program",
            ),
            ("a/program/v.c.", "ap/v.c."),
        ] {
            assert_eq!(
                String::from_utf8(places.shown(output.as_bytes())).unwrap(),
                shown
            );
        }
        assert_eq!(places.shown(b"\xff/program/v.c"), b"\xffp/v.c");
    }

    #[test]
    fn stored_messages_do_not_contain_the_slot_directory() {
        let layout = Layout {
            program: "/tmp/x/program".into(),
            ..Layout::default()
        };
        assert_eq!(
            unplaced(b"/tmp/x/program/v.c:1 /tmp/x".to_vec(), &layout),
            b"/program/v.c:1 /tmp/x"
        );
        assert_eq!(
            unplaced(b"/program/v.c".to_vec(), Layout::fixed()),
            b"/program/v.c"
        );
    }
}
