//! A value that signals pass around without copying it.

use std::ops::Deref;
use std::rc::Rc;

use send_wrapper::SendWrapper;

/// A shared value. The page has one thread, which the reactive system cannot know: the wrapper vouches for it. Two are
/// equal when they are the same.
pub(crate) struct Shared<T>(SendWrapper<Rc<T>>);

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(SendWrapper::new(Rc::new(value)))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}
