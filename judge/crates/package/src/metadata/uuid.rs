//! UUIDs as texts.
//!
//! Responsible for their format (RFC 9562). Must not know the source of their bits.

/// Returns the UUID of these bits, with the given version and the variant of RFC 9562, section 4.1.
#[must_use]
pub fn uuid_of_bits(bits: u128, version: u8) -> String {
    let bits = bits & !(0xf << 76) | u128::from(version & 0xf) << 76;
    let hex = format!("{:032x}", bits & !(0b11 << 62) | 0b10 << 62);
    [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ]
    .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_and_variant_are_set() {
        assert_eq!(uuid_of_bits(0, 8), "00000000-0000-8000-8000-000000000000");
        assert_eq!(
            uuid_of_bits(u128::MAX, 4),
            "ffffffff-ffff-4fff-bfff-ffffffffffff"
        );
    }
}
