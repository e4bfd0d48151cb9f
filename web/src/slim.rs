//! Leptos, compiled once. The framework is generic in every type of value and of closure that it is given, and each
//! costs kilobytes; the page's budget is 200 kB. Through these few types it is given one kind of value and one kind of
//! closure, and what is stored is asked for by its type here.

use std::any::Any;
use std::marker::PhantomData;
use std::rc::Rc;

use leptos::html;
use leptos::mount::mount_to;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::JsCast as _;

/// What a [`Memo`] or a [`State`] can hold.
trait Value: Any {
    fn is(&self, other: &dyn Value) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<T: PartialEq + 'static> Value for T {
    fn is(&self, other: &dyn Value) -> bool {
        other.as_any().downcast_ref::<T>().is_some_and(|other| self == other)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A value of any type. The page has one thread, which the reactive system cannot know: the wrapper vouches for it.
#[derive(Clone)]
struct Erased(SendWrapper<Rc<dyn Value>>);

impl Erased {
    fn new(value: impl Value) -> Self {
        Self(SendWrapper::new(Rc::new(value)))
    }
    fn read<T: 'static, R>(&self, read: impl FnOnce(&T) -> R) -> R {
        let value: &dyn Value = &**self.0;
        read(value.as_any().downcast_ref().expect("a signal holds what its type says"))
    }
}

impl PartialEq for Erased {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0.is(&**other.0)
    }
}

/// A value that follows from others: computed again when one of them changes, and news only when it is another.
pub(crate) struct Memo<T>(leptos::prelude::Memo<Erased>, PhantomData<fn() -> T>);

/// A value that is set.
pub(crate) struct State<T>(RwSignal<Erased>, PhantomData<fn() -> T>);

impl<T> Clone for Memo<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Memo<T> {}
impl<T> PartialEq for Memo<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for State<T> {}

/// A value that is computed again when a signal that it read changes.
pub(crate) fn memo<T: PartialEq + 'static>(read: impl Fn() -> T + Send + Sync + 'static) -> Memo<T> {
    fn boxed(read: Box<dyn Fn() -> Erased + Send + Sync>) -> leptos::prelude::Memo<Erased> {
        leptos::prelude::Memo::new(move |_| read())
    }
    Memo(boxed(Box::new(move || Erased::new(read()))), PhantomData)
}

impl<T: PartialEq + 'static> Memo<T> {
    /// Reads it; whoever reads is told of changes.
    pub(crate) fn with<R>(self, read: impl FnOnce(&T) -> R) -> R {
        self.0.get().read(read)
    }
    /// Reads it once.
    pub(crate) fn with_untracked<R>(self, read: impl FnOnce(&T) -> R) -> R {
        self.0.get_untracked().read(read)
    }
    pub(crate) fn track(self) {
        self.0.track();
    }
}

impl<T: PartialEq + Clone + 'static> Memo<T> {
    pub(crate) fn get(self) -> T {
        self.with(T::clone)
    }
    pub(crate) fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }
}

impl<T: PartialEq + 'static> State<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(RwSignal::new(Erased::new(value)), PhantomData)
    }
    /// Sets it; nobody is told when it is what it was.
    pub(crate) fn set(self, value: T) {
        self.put(Erased::new(value));
    }
    /// Whether the part of the page that it belongs to is gone: then nobody is left to be told.
    pub(crate) fn is_gone(self) -> bool {
        self.0.is_disposed()
    }
    fn put(self, value: Erased) {
        if !self.is_gone() && self.0.get_untracked() != value {
            self.0.set(value);
        }
    }
    /// Reads it; whoever reads is told of changes.
    pub(crate) fn with<R>(self, read: impl FnOnce(&T) -> R) -> R {
        self.0.get().read(read)
    }
    /// Reads it once.
    pub(crate) fn with_untracked<R>(self, read: impl FnOnce(&T) -> R) -> R {
        self.0.get_untracked().read(read)
    }
    pub(crate) fn track(self) {
        self.0.track();
    }
}

impl<T: PartialEq + Clone + 'static> State<T> {
    pub(crate) fn get(self) -> T {
        self.with(T::clone)
    }
    pub(crate) fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }
    /// Changes it.
    pub(crate) fn update(self, change: impl FnOnce(&mut T)) {
        let mut value = self.get_untracked();
        change(&mut value);
        self.set(value);
    }
}

/// A text that changes.
pub(crate) fn text(read: impl Fn() -> String + Send + Sync + 'static) -> Signal<String> {
    Signal::derive(read)
}

/// Whether something is so.
pub(crate) fn flag(read: impl Fn() -> bool + Send + Sync + 'static) -> Signal<bool> {
    Signal::derive(read)
}

/// An attribute that is "true" or absent.
pub(crate) fn mark(read: impl Fn() -> bool + Send + Sync + 'static) -> Signal<Option<&'static str>> {
    Signal::derive(move || read().then_some("true"))
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

/// Keeps as many children in a part of the page as `count` says: each is made once and follows its own signals from then on.
/// `within` is a selector for where in `root` they go; empty for `root` itself.
pub(crate) fn rows<V: IntoView + 'static>(
    root: NodeRef<html::Div>,
    within: &'static str,
    count: Memo<usize>,
    make: impl Fn(usize) -> V + Clone + 'static,
) {
    // Not kept alive by what it owns: what it owns would never be put away.
    let Some(owner) = Owner::current().map(|owner| owner.downgrade()) else { return };
    let kept = std::cell::RefCell::new(Vec::new());
    effect(move || {
        let Some(root) = root.get() else { return };
        let place =
            if within.is_empty() { Some(root.into()) } else { root.query_selector(within).ok().flatten() };
        let Some(place) = place.and_then(|place| place.dyn_into::<web_sys::HtmlElement>().ok()) else {
            return;
        };
        let Some(owner) = owner.upgrade() else { return };
        let mut kept = kept.borrow_mut();
        kept.truncate(count.get());
        for nth in kept.len()..count.get() {
            let make = make.clone();
            kept.push(owner.with(|| mount_to(place.clone(), move || make(nth))));
        }
    });
}
