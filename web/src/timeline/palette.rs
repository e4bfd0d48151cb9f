//! The painters' colours and type, read from the tokens in assets/tokens.css.

use leptos::prelude::{document, window};
use timeline::paint::{HUES, Tint};
use timeline::{Hue, LabelStyle, text_width};
use wasm_bindgen::JsCast as _;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::canvas::context_of;
use crate::shared::Shared;
use crate::slim::{Memo, State, memo};
use crate::theme::{Theme, ground};

/// Colours as the canvas takes them.
pub(crate) struct Palette {
    pub(crate) paper: String,
    pub(crate) lane: String,
    pub(crate) line: String,
    pub(crate) ink: String,
    pub(crate) ink_soft: String,
    pub(crate) accent: String,
    pub(crate) accent_wash: String,
    pub(crate) bad: String,
    pub(crate) bad_wash: String,
    pub(crate) good: String,
    pub(crate) fault: String,
    pub(crate) fault_wash: String,
    pub(crate) on_hue: String,
    pub(crate) hues: Vec<String>,
    pub(crate) washes: Vec<String>,
    pub(crate) font: String,
}

/// How much wider the page's type runs than the layout thinks, measured once.
pub(super) fn type_scale(font: &str) -> f64 {
    const SAMPLE: &str = "thinks it holds the lock, token 7 < 12, refused at 19.05 s";
    let context = || -> Option<CanvasRenderingContext2d> {
        let canvas: HtmlCanvasElement = document().create_element("canvas").ok()?.dyn_into().ok()?;
        context_of(&canvas)
    };
    let Some(context) = context() else { return 1.0 };
    let style = LabelStyle::Fault;
    let (size, _) = style.font();
    context.set_font(&format!("600 {}px {font}", size as u32));
    let measured = context.measure_text(SAMPLE).map_or(0.0, |metrics| metrics.width());
    (measured / text_width(SAMPLE, style)).clamp(0.7, 1.6)
}

impl Palette {
    /// The palette of the page's theme.
    pub(crate) fn of(theme: State<Theme>) -> Memo<Shared<Self>> {
        memo(move || {
            theme.track();
            Shared::new(Self::read())
        })
    }

    pub(crate) fn hue(&self, hue: Hue) -> &str {
        self.of_tint(Tint::of(hue))
    }

    pub(super) fn of_tint(&self, tint: Tint) -> &str {
        match tint {
            Tint::Paper => &self.paper,
            Tint::Lane => &self.lane,
            Tint::Line => &self.line,
            Tint::Ink => &self.ink,
            Tint::InkSoft => &self.ink_soft,
            Tint::Accent => &self.accent,
            Tint::AccentWash => &self.accent_wash,
            Tint::Good => &self.good,
            Tint::Bad => &self.bad,
            Tint::BadWash => &self.bad_wash,
            Tint::Fault => &self.fault,
            Tint::FaultWash => &self.fault_wash,
            Tint::OnHue => &self.on_hue,
            Tint::Worker(nth) => &self.hues[nth % HUES],
            Tint::WorkerWash(nth) => &self.washes[nth % HUES],
        }
    }

    /// Reads the tokens as they are now.
    pub(super) fn read() -> Self {
        let style = ground().and_then(|ground| window().get_computed_style(&ground).ok().flatten());
        let token = |name: &str| -> String {
            let value =
                style.as_ref().and_then(|style| style.get_property_value(name).ok()).unwrap_or_default();
            value.trim().to_string()
        };
        let numbered = |prefix: &str| (0..HUES).map(|nth| token(&format!("--{prefix}-{nth}"))).collect();
        Self {
            paper: token("--paper"),
            lane: token("--lane"),
            line: token("--line"),
            ink: token("--ink"),
            ink_soft: token("--ink-soft"),
            accent: token("--accent"),
            accent_wash: token("--accent-wash"),
            bad: token("--bad"),
            bad_wash: token("--bad-wash"),
            good: token("--good"),
            fault: token("--fault"),
            fault_wash: token("--fault-wash"),
            on_hue: token("--on-hue"),
            hues: numbered("hue"),
            washes: numbered("hue-wash"),
            font: token("--font"),
        }
    }
}
