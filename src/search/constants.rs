//! Constants of a search that games can tune: each stands once, in its game's table, with its range and
//! the step in which it is tried.

/// One constant, as a tuner sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constant {
    /// Its name in the code.
    pub name: &'static str,
    /// What it is for, with its unit.
    pub what: &'static str,
    /// The value in play.
    pub value: i32,
    /// The least value that makes sense.
    pub least: i32,
    /// The greatest value that makes sense.
    pub most: i32,
    /// A change that is likely to be felt in games.
    pub step: i32,
}

/// The constants of a game's search, made by `constants!`.
pub trait Constants: Clone + Default + Send + Sync + 'static {
    /// All of them.
    const TABLE: &'static [Constant];

    /// The constants with these values, in the order of the table; those in play where there is no
    /// value. A value beyond its range becomes the nearest within.
    fn with_values(values: &[i32]) -> Self;
}

/// Makes a struct of constants, its default, which is in play, and its table.
macro_rules! constants {
    ($(#[$meta:meta])* $vis:vis struct $Constants:ident {
        $($(#[doc = $what:literal])+ $name:ident = $value:literal in $least:literal..=$most:literal by $step:literal;)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        $vis struct $Constants {
            $($(#[doc = $what])+ pub $name: i32,)+
        }

        impl Default for $Constants {
            fn default() -> Self {
                Self { $($name: $value,)+ }
            }
        }

        impl crate::search::constants::Constants for $Constants {
            const TABLE: &'static [crate::search::constants::Constant] = &[$(
                crate::search::constants::Constant {
                    name: stringify!($name),
                    what: concat!($($what),+),
                    value: $value,
                    least: $least,
                    most: $most,
                    step: $step,
                },
            )+];

            fn with_values(values: &[i32]) -> Self {
                let mut values = values.iter().copied();
                Self { $($name: values.next().unwrap_or($value).clamp($least, $most),)+ }
            }
        }
    };
}
pub(super) use constants;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{chess, draughts};

    fn sound<C: Constants + PartialEq + std::fmt::Debug>() {
        let values: Vec<i32> = C::TABLE.iter().map(|constant| constant.value).collect();
        assert_eq!(C::with_values(&values), C::default());
        assert_eq!(C::with_values(&[]), C::default());
        for Constant { name, what, value, least, most, step } in C::TABLE {
            assert!(least < value && value < most, "{name} is at the end of its range");
            assert!(*step > 0 && value - least >= *step && most - value >= *step, "{name}");
            assert!(what.trim_end().ends_with('.'), "{name}: {what}");
        }
    }

    #[test]
    fn every_constant_is_inside_its_range() {
        sound::<chess::Constants>();
        sound::<draughts::Constants>();
    }

    #[test]
    fn values_beyond_a_range_become_the_nearest_within() {
        let least = draughts::Constants::with_values(&[i32::MIN]);
        assert_eq!(least.futility_margin, draughts::Constants::TABLE[0].least);
        assert_eq!(least.reduction_divisor, draughts::Constants::default().reduction_divisor);
    }
}
