//! Closures behind one type each. The framework is compiled anew for every closure type that it is given; through these
//! it is compiled once for each kind of value, which halves the page.

use leptos::prelude::*;

/// A text that follows from signals.
pub(crate) fn text(read: impl Fn() -> String + Send + Sync + 'static) -> Signal<String> {
    Signal::derive(read)
}

/// An attribute or a style that may be absent.
pub(crate) fn maybe(read: impl Fn() -> Option<String> + Send + Sync + 'static) -> Signal<Option<String>> {
    Signal::derive(read)
}

/// Whether something is so.
pub(crate) fn flag(read: impl Fn() -> bool + Send + Sync + 'static) -> Signal<bool> {
    Signal::derive(read)
}

/// A part of the page that comes, goes, or is made anew.
pub(crate) fn part(read: impl Fn() -> AnyView + Send + 'static) -> Box<dyn FnMut() -> AnyView + Send> {
    Box::new(read)
}

/// A value that is computed again when a signal that it read changes, and tells others only when it is another.
pub(crate) fn memo<T>(read: impl Fn() -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    fn boxed<T>(read: Box<dyn Fn() -> T + Send + Sync>) -> Memo<T>
    where
        T: PartialEq + Send + Sync + 'static,
    {
        Memo::new(move |_| read())
    }
    boxed(Box::new(read))
}

/// Does something now, and again when a signal that it read changes.
pub(crate) fn effect(run: impl Fn() + 'static) {
    fn boxed(run: Box<dyn Fn()>) {
        Effect::new(run);
    }
    boxed(Box::new(run));
}

/// What is done when an event comes.
pub(crate) fn on<E: 'static>(handle: impl FnMut(E) + 'static) -> Box<dyn FnMut(E)> {
    Box::new(handle)
}
