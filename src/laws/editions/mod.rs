//! The editions of the laws: one module per text, with its articles and its terms.

pub mod catalogue;
mod early;
pub mod edition;
mod fide1928;
mod fide1930;
mod fide2009;
mod fide2023;
mod fmjd;
pub mod index;
pub mod rule;
mod translations;
