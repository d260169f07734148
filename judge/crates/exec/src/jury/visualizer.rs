//! Visualizers: programs of the package that draw pictures of a test case and of a submission's
//! output.
//!
//! Responsible for the arguments and files of a visualizer, and for collecting the pictures that it
//! leaves. Nothing that a visualizer does is a fault: at worst there is no picture. Must not know
//! where pictures are shown.
//!
//! Source: 2025-09, "Input visualizer", "Output visualizer" and "Resource guarantees". The format
//! does not say where an input visualizer leaves its picture; here, as in other tools, it is any
//! picture in its working directory.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_event::Picture;
use judge_model::{Limit, Limits, Termination, TestCase};
use judge_sandbox::{CancelToken, Capture, Execution, Input, Slot, names_in, read_file};

use crate::ExecError;
use crate::build::program::{Runnable, bind};
use crate::jury::limits::{
    FILES, copy_feedback, feedback_argument, feedback_directory, run_limits,
};
use crate::store::programs::{ProgramCache, Stage};
use crate::xml::read_untrusted_xml;

/// The largest picture that is taken, in bytes.
const MAX_PICTURE_BYTES: u64 = 512 << 10;
/// The largest part of its standard error that is shown, in bytes.
const MAX_EXCERPT_BYTES: usize = 2 << 10;
/// The largest number of elements, texts and comments in a drawing.
const MAX_NODES: u32 = 500_000;
/// The maximum number of characters shown of an invalid name.
const MAX_NAME_CHARACTERS: usize = 60;
/// The largest number of pictures that are taken from one run.
const MAX_PICTURES: usize = 8;

/// The pictures that are drawn of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pictures {
    /// None.
    #[default]
    None,
    /// Pictures of runs that are not accepted.
    OfRejected,
    /// Pictures of every run.
    Always,
}

/// The files of a feedback directory, kept for the output visualizer. They are removed with the
/// last clone.
#[derive(Clone, Debug)]
pub struct Feedback(Arc<Stage>);

impl Feedback {
    /// Copies the directory; `None` when it exceeds the limits of a copy.
    pub(crate) fn keep(
        cache: &ProgramCache,
        work: &OwnedFd,
        max_bytes: u64,
    ) -> Result<Option<Self>, ExecError> {
        let kept = Self(Arc::new(cache.stage()?));
        let is_copied = copy_feedback(work, &kept.directory(), max_bytes).is_ok();
        Ok(is_copied.then_some(kept))
    }

    fn directory(&self) -> PathBuf {
        self.0.path.join("feedback")
    }
}

// Results are compared by what they report, not by their feedback directories.
impl PartialEq for Feedback {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The subject of a picture.
pub(crate) enum Subject<'a> {
    /// A test case.
    Input,
    /// An output, with the feedback directory of the validator.
    Output(&'a [u8], Option<&'a Feedback>),
}

/// Pictures, and remarks about missing ones.
#[derive(Clone, Debug, Default)]
pub struct Illustration {
    /// The pictures; those of one run are in order of their names.
    pub pictures: Vec<Picture>,
    /// The reasons why some are missing.
    pub remarks: Vec<String>,
}

/// Draws in a slot for the jury's programs.
pub(crate) struct Drawing<'a> {
    pub(crate) slot: &'a mut dyn Slot,
    pub(crate) cache: &'a ProgramCache,
    pub(crate) cancel: &'a CancelToken,
    pub(crate) limits: &'a Limits,
}

impl Drawing<'_> {
    /// Runs `visualizer input answer [args]`, or
    /// `visualizer input answer feedback/ [args] < output`.
    pub(crate) fn draw(
        &mut self,
        visualizer: &Runnable,
        test_case: &TestCase,
        subject: &Subject<'_>,
    ) -> Result<Illustration, ExecError> {
        let files = [
            self.cache.readable(&test_case.input)?,
            self.cache.readable(&test_case.answer)?,
        ];
        let layout = self.slot.layout();
        let places = ["/judge/input", "/judge/answer"];
        let mut args = places
            .map(|name| layout.place(Path::new(name)).into_os_string())
            .to_vec();
        // The format has separate arguments for both visualizers of a test case.
        let (stdin, feedback, own) = match subject {
            Subject::Input => (&[][..], None, &test_case.input_visualizer_args),
            Subject::Output(output, feedback) => {
                args.push(feedback_argument(layout));
                (*output, *feedback, &test_case.output_visualizer_args)
            }
        };
        args.extend(own.iter().map(OsString::from));
        let mut execution =
            visualizer.execution(args, run_limits(self.limits), layout, self.cancel.clone())?;
        for (file, place) in files.iter().zip(places) {
            execution.binds.push(bind(&file.path, place));
        }
        let execution = Execution {
            stdin: Input::Bytes(stdin.into()),
            work: feedback_directory(self.limits),
            work_files: feedback.map(Feedback::directory).into_iter().collect(),
            keep_work: true,
            ..execution
        };
        let mut capture = Capture::default();
        let finished = self.slot.run(&execution, &mut capture)?;
        visualizer.expect_whole()?;
        let mut drawn = Illustration::default();
        // A remark must name the visualizer: results of a problem with two of them are shown
        // together.
        let name = visualizer.entry.main.display();
        let termination = finished.outcome.termination;
        // By the format, a visualizer that exceeds a limit has drawn nothing, regardless of the
        // files that it left.
        if let Termination::Killed { limit } = termination {
            drawn.remarks.push(format!(
                "`{name}` drew nothing: {}",
                exceeded(limit, self.limits)
            ));
            return Ok(drawn);
        }
        let of_output = matches!(subject, Subject::Output(..));
        let others = finished
            .work
            .as_ref()
            .map(|work| drawn.take(work, of_output))
            .unwrap_or_default();
        if drawn.pictures.is_empty() && drawn.remarks.is_empty() {
            let last = &capture.stderr[capture.stderr.len().saturating_sub(MAX_EXCERPT_BYTES)..];
            let stderr = visualizer.shown(last, self.slot.layout());
            let stderr = String::from_utf8_lossy(&stderr).trim().to_owned();
            let stderr = if stderr.is_empty() {
                stderr
            } else {
                format!(": {stderr}")
            };
            let ended = match termination {
                Termination::Exited { code: 0 } => String::new(),
                Termination::Exited { code } => format!(", and exited with code {code}"),
                Termination::Signaled { signal } => format!(", and was killed by signal {signal}"),
                Termination::Killed { .. } | Termination::Cancelled => {
                    ", and was stopped".to_owned()
                }
            };
            let others = describe_other_files(&others, of_output);
            drawn
                .remarks
                .push(format!("`{name}` drew nothing{ended}{others}{stderr}"));
        }
        Ok(drawn)
    }
}

/// Describes the files whose names are not those of pictures, and the valid names. Empty without
/// such files.
fn describe_other_files(others: &[String], of_output: bool) -> String {
    let [first, more @ ..] = others else {
        return String::new();
    };
    let more = if more.is_empty() {
        String::new()
    } else {
        format!(" and {} more", more.len())
    };
    let names = match of_output {
        true => {
            "pictures of outputs are named `judgeimage.EXT`, `teamimage.EXT`, `judgeimage-ID.EXT` or `teamimage-ID.EXT`"
        }
        false => "pictures end with `.png`, `.jpg`, `.jpeg` or `.svg`",
    };
    format!(" (it left {}{more}, but {names})", shown_name(first))
}

/// Returns a file name, which could be anything, as a string of Rust.
fn shown_name(name: &str) -> String {
    format!(
        "{:?}",
        name.chars().take(MAX_NAME_CHARACTERS).collect::<String>()
    )
}

/// Describes a limit that was exceeded.
fn exceeded(limit: Limit, limits: &Limits) -> String {
    match limit {
        Limit::CpuTime => format!(
            "it did not finish within {} s of CPU time",
            limits.validation_time.as_secs_f64()
        ),
        Limit::WallTime => format!(
            "it did not finish within {} s",
            run_limits(limits).wall_time.as_secs_f64()
        ),
        Limit::Memory => format!(
            "it needed more than {} MiB of memory",
            limits.validation_memory_bytes >> 20
        ),
        Limit::Output => format!(
            "it wrote more than {} MiB",
            limits.validation_output_bytes >> 20
        ),
    }
}

impl Illustration {
    /// Creates an illustration without pictures, for this reason.
    pub(crate) fn missing(why: String) -> Self {
        Self {
            remarks: vec![why],
            ..Self::default()
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.pictures.extend(other.pictures);
        self.remarks.extend(other.remarks);
    }

    /// Takes the pictures, and returns the files that may have been meant as pictures: pictures
    /// whose name is invalid for pictures of outputs, or else files that are not pictures.
    fn take(&mut self, work: &OwnedFd, of_output: bool) -> Vec<String> {
        let Ok(names) = names_in(work, FILES) else {
            self.remarks.push(format!(
                "its pictures cannot be listed: it left more than {FILES} files"
            ));
            return Vec::new();
        };
        let names = names
            .into_iter()
            .map(|name| name.to_string_lossy().into_owned());
        let (mut names, mut others): (Vec<String>, Vec<String>) =
            names.partition(|name| Picture::media_type_of(name).is_some());
        if of_output {
            // Files that are not pictures may belong to the output validator.
            (names, others) = names.into_iter().partition(|name| is_feedback(name));
        }
        others.sort();
        // Directories list their entries in any order, and reports must not differ between two
        // runs.
        names.sort();
        let (mut names, strange): (Vec<String>, Vec<String>) =
            names.into_iter().partition(|name| Picture::is_name(name));
        // Names could be anything, so they are shown as a string of Rust.
        self.remarks.extend(strange.iter().take(MAX_PICTURES).map(|name| {
            let shown = shown_name(name);
            format!("{shown} is not a valid picture name: expected letters, digits, `-`, `_` and `.`, at most 100 characters")
        }));
        let left_out = names.len().saturating_sub(MAX_PICTURES);
        if left_out > 0 {
            self.remarks
                .push(format!("{left_out} more pictures are left out"));
        }
        names.truncate(MAX_PICTURES);
        for name in names {
            match read_file(work, Path::new(&name), MAX_PICTURE_BYTES)
                .ok()
                .map(|bytes| Picture::new(&name, bytes))
            {
                Some(Some(picture)) => match unsound(&picture) {
                    None => self.pictures.push(picture),
                    Some(why) => self
                        .remarks
                        .push(format!("`{name}` is not a valid drawing: {why}")),
                },
                Some(None) => self
                    .remarks
                    .push(format!("`{name}` does not match its extension")),
                None => self.remarks.push(format!(
                    "`{name}` is not a file of at most {} KiB",
                    MAX_PICTURE_BYTES >> 10
                )),
            }
        }
        others
    }
}

/// True for `judgeimage.EXT`, `teamimage.EXT`, `judgeimage-ID.EXT` and `teamimage-ID.EXT`.
fn is_feedback(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let rest = ["judgeimage", "teamimage"]
        .iter()
        .find_map(|known| stem.strip_prefix(known));
    rest.is_some_and(|rest| rest.is_empty() || rest.len() > 1 && rest.starts_with('-'))
}

/// Returns the reason why a browser cannot show a drawing in SVG. Other pictures are recognized by
/// their first and last bytes.
fn unsound(picture: &Picture) -> Option<String> {
    if Picture::media_type_of(&picture.name) != Some("image/svg+xml") {
        return None;
    }
    let text = std::str::from_utf8(&picture.bytes.0).ok()?;
    let is_svg = |document: &roxmltree::Document<'_>| {
        document
            .root_element()
            .has_tag_name(("http://www.w3.org/2000/svg", "svg"))
    };
    match read_untrusted_xml(text, MAX_NODES, is_svg) {
        Err(error) => Some(error.to_string()),
        Ok(true) => None,
        Ok(false) => {
            Some("its root is not `svg` in the namespace `http://www.w3.org/2000/svg`".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn pictures_are_taken_by_name_content_and_size() {
        let directory = tempfile::tempdir().unwrap();
        let write =
            |name: &str, bytes: &[u8]| fs::write(directory.path().join(name), bytes).unwrap();
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>";
        // Graphviz and Matplotlib write this line.
        let public = "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'>\n";
        write("judgeimage-2.svg", &[public.as_bytes(), svg].concat());
        write("judgeimage-1.svg", svg);
        write(
            "judgeimage-4.svg",
            b"<svg xmlns='http://www.w3.org/2000/svg'><g></svg>",
        );
        write("judgeimage-5.svg", b"<svg/>");
        let entities =
            "<!DOCTYPE svg [<!ENTITY a 'a'>]><svg xmlns='http://www.w3.org/2000/svg'>&a;</svg>";
        write("judgeimage-6.svg", entities.as_bytes());
        write("judgeimage-<b>.svg", svg);
        write("judgeimage-.svg", svg);
        write("judgeimage.x.svg", svg);
        write("teamimage.png", b"<svg/>");
        write("judgeimages.svg", b"<svg/>");
        write("notes.txt", b"x");
        write(
            "judgeimage.svg",
            &[b"<svg>".to_vec(), vec![b' '; 600 << 10]].concat(),
        );
        std::os::unix::fs::symlink("/etc/passwd", directory.path().join("judgeimage-3.svg"))
            .unwrap();
        let work: OwnedFd = fs::File::open(directory.path()).unwrap().into();
        let mut drawn = Illustration::default();
        drawn.take(&work, true);
        let names: Vec<&str> = drawn
            .pictures
            .iter()
            .map(|picture| picture.name.as_str())
            .collect();
        assert_eq!(names, ["judgeimage-1.svg", "judgeimage-2.svg"]);
        let remarks = drawn.remarks.join("\n");
        for part in [
            "\"judgeimage-<b>.svg\" is not a valid picture name",
            "`judgeimage-3.svg` is not a file",
            "`judgeimage-4.svg` is not a valid drawing: invalid XML: expected 'g' tag, not 'svg'",
            "`judgeimage-6.svg` is not a valid drawing: expected a document type that declares nothing, found declarations in it",
            "`judgeimage-5.svg` is not a valid drawing: its root is not `svg`",
            "`judgeimage.svg` is not a file of at most 512 KiB",
            "`teamimage.png` does not match its extension",
        ] {
            assert!(remarks.contains(part), "{part} in {remarks}");
        }
        assert_eq!(drawn.remarks.len(), 7, "{remarks}");
    }
}
