//! The verdict in words, at the top.

use leptos::prelude::*;
use scenario::{Headline, Tone};

use crate::session::Session;
use crate::slim::{memo, text};

/// The verdict: a sentence and what led to it. Its tone is a colour, an icon and a word. It is held back while something asks
/// what it will be.
#[component]
pub(crate) fn Verdict(is_held_back: Signal<bool>) -> impl IntoView {
    let session = Session::of_page();
    let headline =
        memo(
            move || {
                if is_held_back.get() { waiting() } else { session.play.with(|play| play.headline.clone()) }
            },
        );
    let look = move || headline.with(|headline| look(headline.tone));
    view! {
        <section id="verdict" class=text(move || format!("verdict {}", look().class)) aria-live="polite" aria-atomic="true">
            <svg class="verdict-icon" viewBox="0 0 24 24" role="img" aria-label=text(move || look().word.into())>
                <circle cx="12" cy="12" r="12" />
                <path d=text(move || look().icon.into()) />
            </svg>
            <div>
                <p class="verdict-sentence">{text(move || headline.with(|headline| headline.sentence.clone()))}</p>
                <p class="verdict-because">{text(move || headline.with(|headline| headline.because.clone()))}</p>
            </div>
        </section>
    }
}

/// What stands there while a lesson waits for a prediction.
fn waiting() -> Headline {
    Headline {
        tone: Tone::Plain,
        sentence: "What comes of it?".to_string(),
        because:
            "The verdict, and all that comes after the playhead, is shown when you have said what you expect."
                .to_string(),
    }
}

/// How a tone looks.
pub(crate) struct Look {
    pub(crate) class: &'static str,
    word: &'static str,
    icon: &'static str,
}

pub(crate) fn look(tone: Tone) -> Look {
    match tone {
        Tone::Good => Look { class: "good", word: "Held:", icon: "M6.5 12.5l3.7 3.7 7.3-8" },
        Tone::Bad => Look { class: "bad", word: "Harm:", icon: "M7.5 7.5l9 9M16.5 7.5l-9 9" },
        Tone::Fault => Look { class: "warn", word: "Trouble:", icon: "M12 6v7.5M12 16.8v.4" },
        Tone::Plain => Look { class: "plain", word: "Outcome:", icon: "M7 12h10" },
    }
}
