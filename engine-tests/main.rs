//! The integration tests, one binary. Each module says what it proves.
