//! Types used by every layer: sides, the `Game` trait, bit sets, random numbers, text cursors,
//! durations, dates, file errors, journals, shards, panic guards, processor instructions.
//!
//! This is the lowest layer: it imports nothing from the rest of the crate.

pub(crate) mod bits;
// Without the feature `engine`, some of the vector code is unused.
#[cfg_attr(not(feature = "internals"), allow(dead_code))]
pub(crate) mod cpu;
pub(crate) mod cursor;
pub(crate) mod date;
pub(crate) mod file;
pub mod game;
#[cfg(feature = "arena")]
pub mod journal;
pub(crate) mod panics;
pub mod rng;
#[cfg(feature = "engine")]
pub mod shard;
pub mod side;
pub(crate) mod span;
pub(crate) mod text;

/// Declares a fieldless enum that can serve as an array index. Adds `ALL`, `NUM`, `index` and
/// `from_index`.
///
/// `from_index` matches on every value. The optimizer turns this match into the identity function,
/// so an enum with 64 values can index a `[T; 64]` without a bounds check.
macro_rules! indexed_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$vmeta:meta])* $variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        $vis enum $name { $($(#[$vmeta])* $variant),* }

        impl $name {
            /// All values in index order.
            pub const ALL: [Self; [$(stringify!($variant)),*].len()] = [$(Self::$variant),*];
            /// The number of values.
            pub const NUM: usize = Self::ALL.len();

            /// Returns the index of the value in [`Self::ALL`].
            #[inline(always)]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// Returns the value at `index`, or `None` if `index` is out of range.
            // With `inline(always)`, the match would be inlined before it is simplified, and the
            // code after it would be repeated for each value.
            #[inline]
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
pub(crate) use indexed_enum;

/// Implements slice access and iteration for a newtype around a list.
macro_rules! slice_list {
    ($list:ident, $item:ident, $inner:ty) => {
        impl std::ops::Deref for $list {
            type Target = [$item];
            #[inline(always)]
            fn deref(&self) -> &[$item] {
                &self.0
            }
        }

        impl std::ops::DerefMut for $list {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut [$item] {
                &mut self.0
            }
        }

        impl<'a> IntoIterator for &'a $list {
            type Item = &'a $item;
            type IntoIter = std::slice::Iter<'a, $item>;
            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        impl IntoIterator for $list {
            type Item = $item;
            type IntoIter = IntoIter;
            #[inline(always)]
            fn into_iter(self) -> IntoIter {
                IntoIter(self.0.into_iter())
            }
        }

        /// An iterator over the moves of a list.
        #[derive(Clone, Debug)]
        pub struct IntoIter($inner);

        impl Iterator for IntoIter {
            type Item = $item;
            #[inline(always)]
            fn next(&mut self) -> Option<$item> {
                self.0.next()
            }
            #[inline(always)]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl ExactSizeIterator for IntoIter {}
    };
}
pub(crate) use slice_list;
