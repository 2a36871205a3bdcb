//! Lets other threads notice a panic instead of waiting forever.

use std::any::Any;
use std::fmt;

/// A guard that calls a function if the thread panics while the guard is in scope.
pub(crate) struct OnPanic<F: FnMut()>(pub F);

impl<F: FnMut()> fmt::Debug for OnPanic<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnPanic")
    }
}

impl<F: FnMut()> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

/// Returns the message in a panic payload, as returned by `catch_unwind` or by joining a thread.
pub(crate) fn message(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("panic")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn guard_notices_panics_and_message_is_available() {
        for panics in [false, true] {
            let mut noticed = false;
            let result = catch_unwind(AssertUnwindSafe(|| {
                let _guard = OnPanic(|| noticed = true);
                assert!(!panics, "{} is the matter", "this");
            }));
            assert_eq!(noticed, panics);
            assert_eq!(
                result.err().as_deref().map(message),
                panics.then_some("this is the matter")
            );
        }
        let literal = catch_unwind(|| panic!("plain")).expect_err("it panics");
        assert_eq!(message(&*literal), "plain");
    }
}
