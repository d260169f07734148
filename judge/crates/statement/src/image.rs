//! Images as parts of a page.
//!
//! Must not know where they stand or where they come from.

use base64::prelude::{BASE64_STANDARD, Engine as _};

use crate::Image;
use crate::escape::escaped;

/// Returns the element of an image, with `attributes` and a description for readers who cannot see
/// it. `missing` describes an image that cannot be shown.
pub(crate) fn element(
    image: Option<Image>,
    attributes: &str,
    description: &str,
    missing: &str,
) -> String {
    let Some(Image { media_type, bytes }) = image else {
        return format!("<em class=\"missing\">[image: {}]</em>", escaped(missing));
    };
    let (data, alt) = (BASE64_STANDARD.encode(bytes), escaped(description));
    format!("<img{attributes} src=\"data:{media_type};base64,{data}\" alt=\"{alt}\">")
}
