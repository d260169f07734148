//! The ids of mutants, which do not change with edits elsewhere in the file.
//!
//! Responsible for digests of tokens. Must not know the kinds of mistakes.

use std::collections::HashMap;
use std::ops::Range;

use tree_sitter::Node;

use crate::mutants::parse::descendants;

/// The tokens of a program with their places, in order and without comments.
pub(super) struct Tokens<'s>(Vec<(Range<usize>, &'s str)>);

impl<'s> Tokens<'s> {
    pub(super) fn new(root: Node<'_>, source: &'s str) -> Self {
        let (mut tokens, mut comment_end) = (Vec::new(), 0);
        for node in descendants(root) {
            let range = node.byte_range();
            if node.kind().contains("comment") {
                comment_end = range.end;
            } else if node.child_count() == 0 && range.start >= comment_end {
                tokens.push((range.clone(), &source[range]));
            }
        }
        Self(tokens)
    }

    /// The tokens of a part, with spaces between them, independent of layout.
    pub(super) fn text(&self, range: &Range<usize>) -> String {
        let first = self
            .0
            .partition_point(|(token, _)| token.start < range.start);
        let last = self.0.partition_point(|(token, _)| token.end <= range.end);
        let tokens: Vec<&str> = self.0[first..last.max(first)]
            .iter()
            .map(|(_, text)| *text)
            .collect();
        tokens.join(" ")
    }
}

/// The size from which ids are computed from the digest of a function instead of its text, in
/// bytes. A table in a function may have thousands of mutants, each with an id.
const MAX_TEXT_BYTES: usize = 32 << 10;

/// The text of a function, or its digest, for computing ids.
pub(super) fn text_in_ids(function: String) -> String {
    if function.len() < MAX_TEXT_BYTES {
        function
    } else {
        format!("{:016x}", digest(FIRST, [function.as_str()]))
    }
}

/// Assigns ids. Equal mistakes in a function are numbered.
#[derive(Default)]
pub(super) struct Ids(HashMap<u64, u64>);

impl Ids {
    /// The id of the mistake that these parts describe.
    pub(super) fn id<'a>(&mut self, parts: impl IntoIterator<Item = &'a str>) -> String {
        let digest = digest(FIRST, parts);
        let ordinal = self.0.entry(digest).or_default();
        let number = ordinal.to_string();
        *ordinal += 1;
        format!("{:016x}", self::digest(digest, [number.as_str()]))[..10].to_owned()
    }
}

/// Computes FNV-1a with 64 bits, which is enough for ids within one file. Each part is followed by
/// a byte that no text contains.
fn digest<'a>(first: u64, parts: impl IntoIterator<Item = &'a str>) -> u64 {
    let bytes = parts
        .into_iter()
        .flat_map(|part| part.bytes().chain([0xff]));
    bytes.fold(first, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

const FIRST: u64 = 0xcbf2_9ce4_8422_2325;
