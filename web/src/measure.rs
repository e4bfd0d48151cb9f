//! How long the parts of a frame take, for whoever asks: with `?measure` in the address each play, layout and paint
//! leaves an entry in the browser's performance timeline, and the root element says how much memory the program has.
//! Without it nothing is measured.

#[cfg(target_arch = "wasm32")]
use leptos::prelude::document;
use leptos::prelude::window;

thread_local! {
    static ASKED: bool = window().location().search().is_ok_and(|search| search.contains("measure"));
}

/// Says on the root element how many bytes of memory the program has.
fn tell_memory() {
    #[cfg(target_arch = "wasm32")]
    if let Some(root) = document().document_element() {
        let bytes = core::arch::wasm32::memory_size(0) * 65_536;
        let _ = root.set_attribute("data-memory", &bytes.to_string());
    }
}

/// Does it, and leaves an entry of that name if measuring was asked for.
pub(crate) fn measured<T>(name: &str, then: impl FnOnce() -> T) -> T {
    let clock = ASKED.with(|asked| asked.then(|| window().performance()).flatten());
    let Some(clock) = clock else { return then() };
    let start = format!("{name} begins");
    let _ = clock.mark(&start);
    let value = then();
    let _ = clock.measure_with_start_mark(name, &start);
    clock.clear_marks_with_mark_name(&start);
    tell_memory();
    value
}
