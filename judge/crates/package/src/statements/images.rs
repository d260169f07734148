//! Images of statements: finding, reading and checking them.
//!
//! Must not know anything else about a statement, or render anything.

use std::fs;
use std::io;
use std::path::Path;

use judge_model::Problem;

use super::{MAX_TEXT, StatementFile, StatementKind};
use crate::code;
use crate::disk::bounded::read_in_package;
use crate::error::Finding;

/// The maximum number of pictures of a statement, and their maximum total size, in bytes.
const MAX_PICTURES: usize = 200;
const MAX_PICTURE_BYTES: u64 = 64 << 20;

/// The maximum size of an image, in bytes. A page with a larger one takes long to open.
const MAX_IMAGE: u64 = 16 << 20;

/// An image of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementImage {
    /// Its media type, from its file name.
    pub media_type: &'static str,
    /// The contents of the file.
    pub bytes: Vec<u8>,
}

impl StatementFile {
    /// The image at an address that the statement gives: the name of a file, relative to the
    /// statement.
    ///
    /// # Errors
    /// When there is no such image, when its format is not one of the package format, it is larger
    /// than 16 MiB, or lies outside of the package.
    pub fn image(&self, problem: &Problem, address: &str) -> Result<StatementImage, Finding> {
        let refused = |why: &dyn std::fmt::Display| {
            let message = format!("shows the image `{address}`, which {why}");
            Finding::new(code::IMAGE_MISSING, &self.path, message)
                .at(self.line_of(problem, address))
        };
        if address.contains(':') || address.starts_with("//") {
            return Err(refused(&"is not a file of the package"));
        }
        let name = unescaped(address).ok_or_else(|| refused(&"is not a valid file name"))?;
        let folder = self.path.parent().unwrap_or(&problem.directory);
        let name = if self.kind == StatementKind::Tex {
            self.found_by_tex(problem, folder, name)
        } else {
            name
        };
        let is_shown = |media_type: &&str| *media_type != PDF || self.kind == StatementKind::Tex;
        let media_type = media_type_of(&name).filter(is_shown).ok_or_else(|| {
            refused(&"is in none of the formats `.png`, `.jpg`, `.jpeg` and `.svg`")
        })?;
        let bytes = read_in_package(&problem.directory, &folder.join(name), MAX_IMAGE);
        let bytes = bytes.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => refused(&"is missing"),
            _ => refused(&format!("cannot be shown: {error}")),
        })?;
        if !is_of(media_type, &bytes) {
            return Err(refused(&format!(
                "does not match its extension: its content is not `{media_type}`"
            )));
        }
        Ok(StatementImage { media_type, bytes })
    }

    /// The name under which LaTeX finds an image: without its extension, and in the directories of
    /// `\graphicspath`.
    fn found_by_tex(&self, problem: &Problem, folder: &Path, name: String) -> String {
        let with_extension = |name: &str| {
            let names = ["", ".png", ".jpg", ".jpeg", ".svg", ".pdf"]
                .map(|extension| format!("{name}{extension}"));
            names.into_iter().find(|name| folder.join(name).is_file())
        };
        let elsewhere = || {
            let text = self.text(problem).ok()?;
            graphics_paths(&text)
                .into_iter()
                .find_map(|path| with_extension(&format!("{path}{name}")))
        };
        with_extension(&name).or_else(elsewhere).unwrap_or(name)
    }

    /// The first line of the text that names an image.
    fn line_of(&self, problem: &Problem, address: &str) -> Option<u32> {
        let bytes = read_in_package(&problem.directory, &self.path, MAX_TEXT).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let index = text.lines().position(|line| line.contains(address))?;
        u32::try_from(index + 1).ok()
    }
}

/// The directories in which LaTeX searches for images, as a statement names them:
/// `\graphicspath{{one/}{two/}}`.
fn graphics_paths(text: &str) -> Vec<String> {
    let named = text
        .split("\\graphicspath")
        .skip(1)
        .filter_map(|rest| rest.trim_start().strip_prefix('{'));
    let paths = named.flat_map(|inner| {
        inner
            .split('{')
            .skip(1)
            .map_while(|path| path.split_once('}'))
    });
    paths
        .map(|(path, _)| path.trim().to_owned())
        .take(20)
        .collect()
}

const PNG: &str = "image/png";
const JPEG: &str = "image/jpeg";
const SVG: &str = "image/svg+xml";
const PDF: &str = "application/pdf";

/// The media type of an image by its file name.
fn media_type_of(name: &str) -> Option<&'static str> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "png" => Some(PNG),
        "jpg" | "jpeg" => Some(JPEG),
        "svg" => Some(SVG),
        "pdf" => Some(PDF),
        _ => None,
    }
}

/// True if bytes are an image of this type, by their signature.
fn is_of(media_type: &str, bytes: &[u8]) -> bool {
    let has = |signature: &[u8], within: usize| {
        bytes[..bytes.len().min(within)]
            .windows(signature.len())
            .any(|window| window == signature)
    };
    match media_type {
        PNG => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
        JPEG => bytes.starts_with(b"\xff\xd8\xff"),
        PDF => has(b"%PDF-", 1024),
        _ => has(b"<svg", 64 << 10) || has(b":svg", 64 << 10),
    }
}

/// The pictures next to a statement, for a document in LaTeX: their names below its directory, and
/// their bytes, in order of the names. Unreadable files and files beyond the bounds are left out. A
/// file whose content does not match its extension is left out too, because LaTeX stops at it; if
/// the statement names it, it is an error.
#[must_use]
pub fn pictures_next_to(
    problem: &Problem,
    statement: &StatementFile,
) -> (Vec<(String, Vec<u8>)>, Vec<Finding>) {
    const DEPTH: usize = 3;
    let Some(folder) = statement.path.parent() else {
        return (Vec::new(), Vec::new());
    };
    let mut names = Vec::new();
    names_below(folder, "", DEPTH, &mut names);
    names.sort();
    let mut left = MAX_PICTURE_BYTES;
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    for (name, media_type) in names.into_iter().take(MAX_PICTURES) {
        let Ok(bytes) =
            read_in_package(&problem.directory, &folder.join(&name), MAX_IMAGE.min(left))
        else {
            continue;
        };
        // The total size of pictures is bounded, since they are held in memory and written for the
        // engine.
        left -= bytes.len() as u64;
        if is_of(media_type, &bytes) {
            found.push((name, bytes));
            continue;
        }
        let bare = name
            .rsplit_once('.')
            .map_or(name.as_str(), |(bare, _)| bare);
        let named = [name.as_str(), bare]
            .into_iter()
            .find(|named| statement.line_of(problem, named).is_some());
        errors.extend(named.and_then(|named| statement.image(problem, named).err()));
    }
    (found, errors)
}

fn names_below(folder: &Path, prefix: &str, depth: usize, names: &mut Vec<(String, &'static str)>) {
    let Ok(entries) = fs::read_dir(folder.join(prefix)) else {
        return;
    };
    for entry in entries.flatten() {
        let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else {
            continue;
        };
        let name = format!("{prefix}{name}");
        if kind.is_dir() && depth > 1 {
            names_below(folder, &format!("{name}/"), depth - 1, names);
        } else if let Some(media_type) = media_type_of(&name).filter(|found| *found != SVG) {
            names.push((name, media_type));
        }
    }
}

/// Returns an address with escapes such as `%20` decoded; `None` if the result is not UTF-8.
fn unescaped(address: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(address.len());
    let mut rest = address.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .filter(|_| byte == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(escaped) => {
                bytes.push(escaped);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes)
        .ok()
        .filter(|name| !name.contains('\0'))
}
