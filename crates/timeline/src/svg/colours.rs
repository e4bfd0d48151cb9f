//! The values of the colours: the tokens of `assets/tokens.css`, to which a test holds them.

use super::Theme;
use crate::paint::Tint;

/// A colour's token and its values on light paper and on dark.
const fn token(tint: Tint) -> (&'static str, &'static str, &'static str) {
    match tint {
        Tint::Paper => ("paper", "#fbfaf7", "#11151b"),
        Tint::Lane => ("lane", "#f2f1ec", "#171c24"),
        Tint::Line => ("line", "#e3e0d8", "#2a313c"),
        Tint::Ink => ("ink", "#1b2330", "#e9ebf0"),
        Tint::InkSoft => ("ink-soft", "#5a6270", "#a2aab8"),
        Tint::Accent => ("accent", "#2a56a5", "#92b4ff"),
        Tint::AccentWash => ("accent-wash", "#dde7f7", "#22314f"),
        Tint::Good => ("good", "#177549", "#55c98f"),
        Tint::Bad => ("bad", "#c0271d", "#ff8279"),
        Tint::BadWash => ("bad-wash", "#fce9e7", "#351a1a"),
        Tint::Fault => ("fault", "#6a675c", "#a9aaa6"),
        Tint::FaultWash => ("fault-wash", "#cfccc0", "#3d4045"),
        Tint::OnHue => ("on-hue", "#ffffff", "#10141a"),
        Tint::Worker(0) => ("hue-0", "#2d6cc9", "#74a7f5"),
        Tint::Worker(1) => ("hue-1", "#9a6410", "#dba74a"),
        Tint::Worker(2) => ("hue-2", "#7a50b8", "#b795f2"),
        Tint::Worker(3) => ("hue-3", "#0f7878", "#57bcbc"),
        Tint::Worker(4) => ("hue-4", "#b03c7c", "#e68abc"),
        Tint::Worker(_) => ("hue-5", "#567519", "#a9c463"),
        Tint::WorkerWash(0) => ("hue-wash-0", "#c3d7f3", "#2a3f63"),
        Tint::WorkerWash(1) => ("hue-wash-1", "#ead7b4", "#4d3d1f"),
        Tint::WorkerWash(2) => ("hue-wash-2", "#dacdef", "#41345e"),
        Tint::WorkerWash(3) => ("hue-wash-3", "#bfe0df", "#1f4747"),
        Tint::WorkerWash(4) => ("hue-wash-4", "#f0cbdf", "#553048"),
        Tint::WorkerWash(_) => ("hue-wash-5", "#d8e3bd", "#3a4524"),
    }
}

/// What is done with a colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Use {
    /// It fills a shape or a text.
    Fill,
    /// It is the colour of a line.
    Line,
    /// It is the halo of a text.
    Halo,
}

/// The name of the rule for a colour.
pub(super) fn class(tint: Tint, used: Use) -> String {
    let (name, ..) = token(tint);
    match used {
        Use::Fill => name.to_string(),
        Use::Line => format!("{name}-line"),
        Use::Halo => format!("{name}-halo"),
    }
}

/// The rules for these colours, within the picture of this id only.
pub(super) fn rules(id: &str, used: &[(Tint, Use)], theme: Theme) -> String {
    let all =
        |dark: bool| -> String { used.iter().map(|(tint, used)| rule(id, *tint, *used, dark)).collect() };
    match theme {
        Theme::Light => all(false),
        Theme::Dark => all(true),
        Theme::Both => format!("{}@media (prefers-color-scheme: dark) {{\n{}}}\n", all(false), all(true)),
    }
}

fn rule(id: &str, tint: Tint, used: Use, dark: bool) -> String {
    let (_, on_light, on_dark) = token(tint);
    let value = if dark { on_dark } else { on_light };
    let says = match used {
        Use::Fill => format!("fill: {value}"),
        Use::Line => format!("fill: none; stroke: {value}"),
        Use::Halo => {
            format!("stroke: {value}; stroke-width: 3.5; stroke-linejoin: round; paint-order: stroke")
        }
    };
    format!("#{id} .{} {{ {says} }}\n", class(tint, used))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::HUES;

    fn all() -> Vec<Tint> {
        use Tint::{
            Accent, AccentWash, Bad, BadWash, Fault, FaultWash, Good, Ink, InkSoft, Lane, Line, OnHue, Paper,
            Worker, WorkerWash,
        };
        let plain = [
            Paper, Lane, Line, Ink, InkSoft, Accent, AccentWash, Good, Bad, BadWash, Fault, FaultWash, OnHue,
        ];
        plain.into_iter().chain((0..HUES).map(Worker)).chain((0..HUES).map(WorkerWash)).collect()
    }

    #[test]
    fn colours_are_the_page_s_tokens() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/tokens.css");
        let css = std::fs::read_to_string(file).expect("the tokens are there");
        let (light, dark) = css.split_once(":root[data-theme=\"dark\"]").expect("two sets");
        for tint in all() {
            let (name, on_light, on_dark) = token(tint);
            assert!(light.contains(&format!("--{name}: {on_light};")), "{name} on light");
            assert!(dark.contains(&format!("--{name}: {on_dark};")), "{name} on dark");
        }
    }

    #[test]
    fn dark_colours_are_behind_the_query_or_alone() {
        let used = [(Tint::Ink, Use::Fill), (Tint::Bad, Use::Line)];
        let light = "#p .ink { fill: #1b2330 }\n#p .bad-line { fill: none; stroke: #c0271d }\n";
        let dark = "#p .ink { fill: #e9ebf0 }\n#p .bad-line { fill: none; stroke: #ff8279 }\n";
        assert_eq!(rules("p", &used, Theme::Light), light);
        assert_eq!(rules("p", &used, Theme::Dark), dark);
        let both = format!("{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n");
        assert_eq!(rules("p", &used, Theme::Both), both);
    }
}
