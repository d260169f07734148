//! The identity of mutants: a name that survives edits elsewhere in the file.
//!
//! Responsible for digests of tokens. Must not know kinds of mistakes.

use std::collections::HashMap;
use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};

/// The tokens of a file, in order, without comments.
pub(crate) struct Tokens(Vec<(Range<usize>, String)>);

impl Tokens {
    /// The tokens with these places and texts, in order.
    pub(crate) fn new(tokens: Vec<(Range<usize>, String)>) -> Self {
        Self(tokens)
    }

    pub(crate) fn of(stream: &TokenStream) -> Self {
        let mut tokens = Vec::new();
        collect(stream, &mut tokens);
        Self(tokens)
    }

    /// The tokens of a part.
    pub(crate) fn within<'a>(&'a self, range: &Range<usize>) -> impl Iterator<Item = &'a str> {
        let first = self.0.partition_point(|(token, _)| token.start < range.start);
        let last = self.0.partition_point(|(token, _)| token.end <= range.end);
        self.0[first..last.max(first)].iter().map(|(_, text)| text.as_str())
    }

    /// Every token with its place.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&Range<usize>, &str)> {
        self.0.iter().map(|(range, text)| (range, text.as_str()))
    }
}

fn collect(stream: &TokenStream, tokens: &mut Vec<(Range<usize>, String)>) {
    for tree in stream.clone() {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                    proc_macro2::Delimiter::Brace => ("{", "}"),
                    proc_macro2::Delimiter::Bracket => ("[", "]"),
                    proc_macro2::Delimiter::None => ("", ""),
                };
                tokens.push((group.span_open().byte_range(), open.to_owned()));
                collect(&group.stream(), tokens);
                tokens.push((group.span_close().byte_range(), close.to_owned()));
            }
            other => tokens.push((other.span().byte_range(), other.to_string())),
        }
    }
}

/// The size from which the text of a function is not itself a part of names, but its digest is: a table in a function has
/// thousands of mutants, and each of them a name.
const LONG: usize = 32 << 10;

/// The text of a function as names depend on it.
pub(crate) fn in_names(function: String) -> String {
    if function.len() < LONG { function } else { format!("{:016x}", digest(FIRST, [function.as_str()])) }
}

/// Gives out names; the same mistake in the same function is counted.
#[derive(Default)]
pub(crate) struct Names(HashMap<u64, u64>);

impl Names {
    /// A name for what these parts describe.
    pub(crate) fn name<'a>(&mut self, parts: impl IntoIterator<Item = &'a str>) -> String {
        let digest = digest(FIRST, parts);
        let ordinal = self.0.entry(digest).or_default();
        let number = ordinal.to_string();
        *ordinal += 1;
        format!("{:016x}", self::digest(digest, [number.as_str()]))[..10].to_owned()
    }
}

/// FNV-1a, 64 bits; the parts end in a byte that no text has. Names within one file need no more than that.
fn digest<'a>(first: u64, parts: impl IntoIterator<Item = &'a str>) -> u64 {
    let bytes = parts.into_iter().flat_map(|part| part.bytes().chain([0xff]));
    bytes.fold(first, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

const FIRST: u64 = 0xcbf2_9ce4_8422_2325;
