//! The policy of a page: it permits only the page's own style and script.
//!
//! Responsible for the content security policy. It lists the style and the script by their hashes,
//! so that even unescaped markup could not run, load or send anything. Must not know their content.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use sha2::{Digest, Sha256};

/// Renders the policy of a page with this style and this script.
pub(super) fn render(style: &str, script: Option<&str>) -> String {
    let style = hash(style);
    let script = script.map_or_else(
        || "'none'".to_owned(),
        |script| format!("'sha256-{}'", hash(script)),
    );
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; script-src {script}; img-src data:; base-uri 'none'; \
         form-action 'none'"
    )
}

fn hash(text: &str) -> String {
    BASE64_STANDARD.encode(Sha256::digest(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_style_and_script() {
        let policy = render("", Some("a"));
        assert!(
            policy.contains("style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"),
            "{policy}"
        );
        assert!(
            policy.contains("script-src 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='"),
            "{policy}"
        );
        assert!(render("", None).contains("script-src 'none';"));
        assert!(
            !policy.contains("unsafe") && policy.starts_with("default-src 'none';"),
            "{policy}"
        );
    }
}
