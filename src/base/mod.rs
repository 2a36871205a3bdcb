//! What every room shares and no room owns: sides, bits, random numbers, text cursors, shares of a
//! work, instructions of the processor.
//!
//! Lowest folder of the tree: it imports from nowhere.

pub mod bits;
pub mod cpu;
pub mod cursor;
pub mod game;
pub mod rng;
pub mod shard;
pub mod side;

/// Declares a field-less enum together with the tables that make it an index: `ALL`, `NUM`,
/// `index`, `from_index`.
///
/// `from_index` is written as a match over every value, which the optimiser turns into the
/// identity; an enum of 64 values then indexes a `[T; 64]` without a bounds check.
#[macro_export]
macro_rules! indexed_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$vmeta:meta])* $variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        $vis enum $name { $($(#[$vmeta])* $variant),* }

        impl $name {
            /// Every value, in index order.
            pub const ALL: [Self; [$(stringify!($variant)),*].len()] = [$(Self::$variant),*];
            /// How many values there are.
            pub const NUM: usize = Self::ALL.len();

            /// The value's place in [`Self::ALL`].
            #[inline(always)]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The value at `index`, if there is one.
            #[inline(always)]
            pub const fn from_index(index: usize) -> Option<Self> {
                $(#[allow(non_upper_case_globals)] const $variant: usize = $name::$variant as usize;)*
                #[allow(non_upper_case_globals)]
                match index {
                    $($variant => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}
