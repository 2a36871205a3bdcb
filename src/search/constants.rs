//! Tunable constants of a search. Each constant is declared once in the table of its game, with a
//! range and a step for tuning.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constant {
    pub name: &'static str,
    /// The description, including the unit.
    pub description: &'static str,
    pub value: i32,
    pub min: i32,
    pub max: i32,
    /// The tuning step: a change large enough to affect game results.
    pub step: i32,
}

pub trait Constants: Clone + Default + Send + Sync + 'static {
    const TABLE: &'static [Constant];

    /// Creates constants from `values`, which are in table order. Each value is clamped to its
    /// range. Missing values are replaced by the defaults.
    fn with_values(values: &[i32]) -> Self;
}

/// Declares a struct of constants and implements `Default` and [`Constants`] for it.
macro_rules! constants {
    ($(#[$meta:meta])* $vis:vis struct $Constants:ident {
        $($(#[doc = $description:literal])+ $name:ident = $value:literal in $min:literal..=$max:literal by $step:literal;)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        $vis struct $Constants {
            $($(#[doc = $description])+ pub $name: i32,)+
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
                    description: concat!($($description),+),
                    value: $value,
                    min: $min,
                    max: $max,
                    step: $step,
                },
            )+];

            fn with_values(values: &[i32]) -> Self {
                let mut values = values.iter().copied();
                Self { $($name: values.next().unwrap_or($value).clamp($min, $max),)+ }
            }
        }
    };
}
pub(super) use constants;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{chess, draughts};

    fn check_table<C: Constants + PartialEq + std::fmt::Debug>() {
        let values: Vec<i32> = C::TABLE.iter().map(|constant| constant.value).collect();
        assert_eq!(C::with_values(&values), C::default());
        assert_eq!(C::with_values(&[]), C::default());
        for Constant { name, description, value, min, max, step } in C::TABLE {
            assert!(min < value && value < max, "{name} is at the end of its range");
            assert!(*step > 0 && value - min >= *step && max - value >= *step, "{name}");
            assert!(description.trim_end().ends_with('.'), "{name}: {description}");
        }
    }

    #[test]
    fn every_constant_is_inside_its_range() {
        check_table::<chess::Constants>();
        check_table::<draughts::Constants>();
    }

    #[test]
    fn clamps_values_to_their_range() {
        let smallest = draughts::Constants::with_values(&[i32::MIN]);
        assert_eq!(smallest.futility_margin, draughts::Constants::TABLE[0].min);
        assert_eq!(smallest.reduction_divisor, draughts::Constants::default().reduction_divisor);
    }
}
