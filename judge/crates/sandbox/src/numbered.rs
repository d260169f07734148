//! Enums whose variants travel as numbers between the harness and its helpers.
//!
//! Responsible for the conversion from a number, in which a hand-written match could forget a
//! variant.

/// Declares an enum with the numbers of its variants, and `from_number`.
macro_rules! numbered {
    ($(#[$attribute:meta])* $visibility:vis enum $name:ident {
        $($(#[$note:meta])* $variant:ident $(= $number:literal)?,)+
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        $visibility enum $name {
            $($(#[$note])* $variant $(= $number)?,)+
        }

        impl $name {
            /// All variants, in order.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The variant with this number, if there is one.
            pub(crate) fn from_number(number: u32) -> Option<Self> {
                Self::ALL.iter().copied().find(|variant| *variant as u32 == number)
            }
        }
    };
}
pub(crate) use numbered;
