//! Finding good moves.
