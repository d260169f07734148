//! Pictures that a package's visualizers drew.
//!
//! Responsible for checking whether a file is a picture. Must not know which program draws it or
//! where it is rendered.

use serde::{Deserialize, Serialize};

use crate::Bytes;

/// A picture that a visualizer of the package drew.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Picture {
    /// The name of its file, such as `judgeimage.svg`.
    pub name: String,
    /// The content of the file. It is untrusted: a drawing in SVG is rendered only as an image,
    /// where no script runs.
    pub bytes: Bytes,
}

impl Picture {
    /// The media type for the extension of a name; `None` if it is not that of a picture.
    ///
    /// Source: 2025-09, "Output visualizer".
    #[must_use]
    pub fn media_type_of(name: &str) -> Option<&'static str> {
        match name.rsplit_once('.')?.1 {
            "png" => Some("image/png"),
            "jpg" | "jpeg" => Some("image/jpeg"),
            "svg" => Some("image/svg+xml"),
            _ => None,
        }
    }

    /// True for the name of a picture: letters, digits, `-`, `_` and `.`, at most 100 characters,
    /// and not hidden. Such a name has no special meaning in a path, a page or a shell.
    #[must_use]
    pub fn is_name(name: &str) -> bool {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        name.chars().all(is_plain) && name.chars().count() <= 100 && !name.starts_with(['.', '-'])
    }

    /// A picture from a file; `None` if its bytes do not match its extension.
    #[must_use]
    pub fn new(name: &str, bytes: Vec<u8>) -> Option<Self> {
        let is_one = match Self::media_type_of(name)? {
            // A truncated file lacks the end.
            "image/png" => {
                bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.ends_with(b"IEND\xaeB`\x82")
            }
            "image/jpeg" => bytes.starts_with(b"\xff\xd8\xff") && bytes.ends_with(b"\xff\xd9"),
            _ => std::str::from_utf8(&bytes).is_ok_and(|text| text.contains("<svg")),
        };
        is_one.then(|| Self {
            name: name.to_owned(),
            bytes: Bytes(bytes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_of_a_picture_matches_its_extension() {
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec();
        assert!(Picture::new("judgeimage.svg", svg.clone()).is_some());
        assert!(
            Picture::new(
                "judgeimage.png",
                b"\x89PNG\r\n\x1a\n...IEND\xaeB`\x82".to_vec()
            )
            .is_some()
        );
        assert!(Picture::new("a.jpeg", b"\xff\xd8\xff\xe0...\xff\xd9".to_vec()).is_some());
        for (name, bytes) in [
            ("b.png", b"\x89PNG\r\n\x1a\n...".to_vec()),
            ("b.jpg", b"\xff\xd8\xff\xe0...".to_vec()),
            ("a.png", svg.clone()),
            ("a.html", svg.clone()),
            ("svg", svg),
            ("a.svg", b"\xff<svg".to_vec()),
        ] {
            assert_eq!(Picture::new(name, bytes), None, "{name}");
        }
    }

    #[test]
    fn picture_names_are_safe_in_paths_pages_and_shells() {
        for name in ["judgeimage.svg", "teamimage-01_a.png", "rutnät.svg"] {
            assert!(Picture::is_name(name), "{name}");
        }
        let long = "x".repeat(101);
        for name in [
            ".svg",
            "-a.svg",
            "a b.svg",
            "a/b.svg",
            "<b>.svg",
            "a\"b.svg",
            "a\u{202e}.svg",
            "a\n.svg",
            &long,
        ] {
            assert!(!Picture::is_name(name), "{name}");
        }
    }
}
