//! The policy of a page: it may show its own style and run its own script, and nothing else.
//!
//! Responsible for the content security policy. It names the style and the script by their hashes, so even markup that
//! got in unescaped could not run anything, load anything or send anything. Must not know what is in them.

use sha2::{Digest, Sha256};

/// The policy of a page with this style and this script.
pub(super) fn render(style: &str, script: Option<&str>) -> String {
    let style = hash(style);
    let script = script.map_or_else(|| "'none'".to_owned(), |script| format!("'sha256-{}'", hash(script)));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; script-src {script}; img-src data:; base-uri 'none'; \
         form-action 'none'"
    )
}

fn hash(text: &str) -> String {
    base64(&Sha256::digest(text))
}

/// Base 64 (RFC 4648, section 4).
pub(super) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        // Missing bytes of the last group are zeros; the padding says how many there are.
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place > chunk.len() { '=' } else { char::from(digit) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        let encoded = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(encoded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }

    #[test]
    fn the_policy_names_style_and_script() {
        let policy = render("", Some("a"));
        assert!(policy.contains("style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"), "{policy}");
        assert!(policy.contains("script-src 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='"), "{policy}");
        assert!(render("", None).contains("script-src 'none';"));
        assert!(!policy.contains("unsafe") && policy.starts_with("default-src 'none';"), "{policy}");
    }
}
