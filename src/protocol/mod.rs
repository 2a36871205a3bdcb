//! The languages engines and interfaces speak.
