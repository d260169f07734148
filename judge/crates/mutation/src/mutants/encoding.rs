//! Sources that hold more than a program in UTF-8.
//!
//! Responsible for what is taken all the same: comments in whatever encoding, and a first line for whoever runs it, on which no
//! program depends. Must not read files.

use std::borrow::Cow;

use tree_sitter::{Node, Parser};

use crate::language::MutantLanguage;
use crate::mutants::grammar;

/// The letter in the place of a byte that is none.
const UNKNOWN: u8 = b'?';

/// The text of a source, with `?` for every byte of a comment that is not in UTF-8.
///
/// # Errors
/// The line, counted from 1, of the first such byte that is somewhere else: another text would be another program.
pub(crate) fn text_of(mut bytes: Vec<u8>, language: Option<MutantLanguage>) -> Result<String, usize> {
    let mut replaced = Vec::new();
    let mut at = 0;
    while let Err(error) = std::str::from_utf8(&bytes[at..]) {
        let start = at + error.valid_up_to();
        at = start + error.error_len().unwrap_or(bytes.len() - start);
        replaced.extend(start..at);
        bytes[start..at].fill(UNKNOWN);
    }
    let text = String::from_utf8(bytes).map_err(|_| 1_usize)?;
    let comments = match language.filter(|_| !replaced.is_empty()) {
        Some(language) => comments(&text, language),
        None => Vec::new(),
    };
    let is_in_comment = |at: &usize| comments.iter().any(|comment| comment.contains(at));
    match replaced.iter().find(|at| !is_in_comment(at)) {
        Some(at) => Err(1 + text[..*at].matches('\n').count()),
        None => Ok(text),
    }
}

/// The program with spaces for a first line that says who is to run it. Everything else is where it was.
pub(crate) fn without_shebang(source: &str) -> Cow<'_, str> {
    let line = source.lines().next().unwrap_or_default();
    // An attribute may come first too.
    if !line.starts_with("#!") || line[2..].trim_start().starts_with('[') {
        return Cow::Borrowed(source);
    }
    Cow::Owned(" ".repeat(line.len()) + &source[line.len()..])
}

/// The places of all comments, as far as the grammar knows; none in Rust, which has another one.
fn comments(text: &str, language: MutantLanguage) -> Vec<std::ops::Range<usize>> {
    let mut parser = Parser::new();
    let is_known = grammar(language).is_some_and(|grammar| parser.set_language(&grammar).is_ok());
    let Some(tree) = is_known.then(|| parser.parse(text, None)).flatten() else { return Vec::new() };
    let mut found = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if is_comment(node) {
            found.push(node.byte_range());
        }
        let mut cursor = node.walk();
        open.extend(node.children(&mut cursor));
    }
    found
}

fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "line_comment" | "block_comment")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_may_be_in_any_encoding_and_nothing_else_may() {
        let text = |source: &[u8], language| text_of(source.to_vec(), Some(language));
        let cpp = MutantLanguage::Cpp;
        let source = b"// \xe5 \xff\xfe\nint main() { /* \xf6\n */ }\n";
        assert_eq!(text(source, cpp).as_deref(), Ok("// ? ??\nint main() { /* ?\n */ }\n"));
        assert_eq!(text(b"int main() {\n  f(\"\xe5\"); // \xe5\n}\n", cpp), Err(2));
        assert_eq!(text(b"char *a = \"// \xe5\";\n", cpp), Err(1));
        assert_eq!(text(b"auto a = R\"x(\n// \xe5\n)x\";\n", cpp), Err(2));
        assert_eq!(
            text(b"# coding: latin-1\n# \xe5\nprint(1)\n", MutantLanguage::Python).as_deref(),
            Ok("# coding: latin-1\n# ?\nprint(1)\n")
        );
        assert_eq!(text(b"# coding: latin-1\nprint('\xe5')\n", MutantLanguage::Python), Err(2));
        assert!(text(b"class A { /** \xe5 */ int a; // \xe5\n}\n", MutantLanguage::Java).is_ok());
        assert_eq!(text(b"class A { char a = '\xe5'; }\n", MutantLanguage::Java), Err(1));
        assert_eq!(text(b"// \xe5\nfn main() {}\n", MutantLanguage::Rust), Err(1));
        assert_eq!(text("// å\n".as_bytes(), MutantLanguage::Rust).as_deref(), Ok("// å\n"));
        // What a byte in the middle of a letter is cut from.
        assert_eq!(text(b"// \xe2\x82", cpp).as_deref(), Ok("// ??"));
    }
}
