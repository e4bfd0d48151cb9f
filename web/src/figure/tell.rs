//! What a figure tells the page around it.

use std::cell::RefCell;
use std::panic::PanicHookInfo;

use js_sys::{Function, Object, Reflect};
use scenario::Play;
use scenario::report::{Number, numbers};
use wasm_bindgen::JsValue;

use crate::playback::Playback;
use crate::session::Session;
use crate::slim::{effect, memo};
use crate::verdict::look;

thread_local! {
    /// Those of all figures: after a panic none of them goes on.
    static LISTENING: RefCell<Vec<Function>> = const { RefCell::new(Vec::new()) };
}

/// Whom a figure tells.
#[derive(Clone)]
pub(super) struct Teller(Function);

impl Teller {
    pub(super) fn new(tell: Function) -> Self {
        LISTENING.with_borrow_mut(|listening| {
            if listening.is_empty() {
                std::panic::set_hook(Box::new(stopped));
            }
            listening.push(tell.clone());
        });
        Self(tell)
    }

    /// Tells no more.
    pub(super) fn forget(&self) {
        LISTENING.with_borrow_mut(|listening| listening.retain(|other| *other != self.0));
    }

    fn tell(&self, what: &str, particulars: &[(&str, JsValue)]) {
        // What a listener throws is its own affair.
        let _ = self.0.call2(&JsValue::NULL, &what.into(), &object(particulars));
    }

    /// From now on tells what the session comes to.
    pub(super) fn follow(&self, session: Session, playback: Playback) {
        let tells = self.clone();
        effect(move || session.play.with(|play| tells.tell("verdict", &verdict(play))));
        let (tells, at) = (self.clone(), memo(move || session.at()));
        effect(move || tells.tell("playhead", &[("at_us", (at.get().as_micros() as f64).into())]));
        let tells = self.clone();
        effect(move || tells.tell("playing", &[("playing", playback.playing.get().into())]));
        let tells = self.clone();
        effect(move || {
            session.document.track();
            let link = session.link().fragment();
            tells.tell("change", &[("link", link.into()), ("edited", session.is_edited().into())]);
        });
        let tells = self.clone();
        effect(move || {
            if let Some(why) = session.refusal.get() {
                tells.tell("refused", &[("why", why.into())]);
            }
        });
    }
}

fn verdict(play: &Play) -> Vec<(&'static str, JsValue)> {
    let mut told = vec![
        ("title", play.scenario.title.as_str().into()),
        ("tone", look(play.headline.tone).class.into()),
        ("sentence", play.headline.sentence.as_str().into()),
        ("because", play.headline.because.as_str().into()),
    ];
    let named: Vec<(String, JsValue)> = numbers(&play.verdict)
        .into_iter()
        .map(|(name, number)| match number {
            Number::Count(count) => (name.to_owned(), (count as f64).into()),
            Number::Time(span) => (format!("{name}_us"), (span.as_micros() as f64).into()),
        })
        .collect();
    let named: Vec<(&str, JsValue)> =
        named.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    told.push(("numbers", object(&named)));
    told
}

fn object(particulars: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in particulars {
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}

/// A panic, which is our own mistake: every figure is told, since none can go on.
fn stopped(info: &PanicHookInfo<'_>) {
    let message = info.to_string();
    web_sys::console::error_1(&message.as_str().into());
    let listening =
        LISTENING.with(|listening| listening.try_borrow().map(|all| all.clone()).unwrap_or_default());
    for tell in listening {
        let _ = tell.call2(&JsValue::NULL, &"stopped".into(), &object(&[("why", message.as_str().into())]));
    }
}
