//! Sources that are not entirely in UTF-8.
//!
//! Responsible for comments, which may be in any encoding. Must not read files.

use judge_model::LanguageFamily;

use crate::mutants::parse::tolerant_parse;

/// The replacement of a byte that is not UTF-8.
const REPLACEMENT: u8 = b'?';

/// Returns the text of a source, with `?` for every byte of a comment that is not UTF-8.
///
/// # Errors
/// Returns the line, counted from 1, of the first such byte outside of comments: replacing it would
/// change the program.
pub(crate) fn text_of(mut bytes: Vec<u8>, language: LanguageFamily) -> Result<String, usize> {
    let mut replaced = Vec::new();
    let mut at = 0;
    while let Err(error) = std::str::from_utf8(&bytes[at..]) {
        let start = at + error.valid_up_to();
        at = start + error.error_len().unwrap_or(bytes.len() - start);
        replaced.extend(start..at);
        bytes[start..at].fill(REPLACEMENT);
    }
    let text = String::from_utf8(bytes).map_err(|_| 1_usize)?;
    if replaced.is_empty() {
        return Ok(text);
    }
    let tree = tolerant_parse(&text, language).ok_or(1_usize)?;
    // The compiler of Rust accepts no other encoding anywhere.
    let is_in_comment = |at: usize| {
        let node = tree.root_node().descendant_for_byte_range(at, at + 1);
        language != LanguageFamily::Rust && node.is_some_and(|node| node.kind().contains("comment"))
    };
    match replaced.iter().find(|at| !is_in_comment(**at)) {
        Some(at) => Err(1 + text[..*at].matches('\n').count()),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comments_may_be_in_another_encoding() {
        let text = |source: &[u8], language| text_of(source.to_vec(), language);
        let cpp = LanguageFamily::Cpp;
        let source = b"// \xe5 \xff\xfe\nint main() { /* \xf6\n */ }\n";
        assert_eq!(
            text(source, cpp).as_deref(),
            Ok("// ? ??\nint main() { /* ?\n */ }\n")
        );
        assert_eq!(
            text(b"int main() {\n  f(\"\xe5\"); // \xe5\n}\n", cpp),
            Err(2)
        );
        assert_eq!(text(b"char *a = \"// \xe5\";\n", cpp), Err(1));
        assert_eq!(text(b"auto a = R\"x(\n// \xe5\n)x\";\n", cpp), Err(2));
        assert_eq!(
            text(
                b"# coding: latin-1\n# \xe5\nprint(1)\n",
                LanguageFamily::Python
            )
            .as_deref(),
            Ok("# coding: latin-1\n# ?\nprint(1)\n")
        );
        assert_eq!(
            text(
                b"# coding: latin-1\nprint('\xe5')\n",
                LanguageFamily::Python
            ),
            Err(2)
        );
        assert!(
            text(
                b"class A { /** \xe5 */ int a; // \xe5\n}\n",
                LanguageFamily::Java
            )
            .is_ok()
        );
        assert_eq!(
            text(b"class A { char a = '\xe5'; }\n", LanguageFamily::Java),
            Err(1)
        );
        assert_eq!(
            text(b"// \xe5\nfn main() {}\n", LanguageFamily::Rust),
            Err(1)
        );
        assert_eq!(
            text("// å\n".as_bytes(), LanguageFamily::Rust).as_deref(),
            Ok("// å\n")
        );
        // A letter that is cut off in the middle.
        assert_eq!(text(b"// \xe2\x82", cpp).as_deref(), Ok("// ??"));
    }
}
