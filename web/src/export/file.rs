//! What can be taken elsewhere, what it is called, and the text of it.

use leptos::prelude::untrack;
use scenario::report;
use scenario::why::otherwise;
use timeline::svg::{self, Picture};

use crate::session::Session;
use crate::zoom::Zoom;

/// A kind of file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum File {
    Svg,
    Png,
    Markdown,
    Mermaid,
    Json,
    Toml,
}

/// All of them.
pub(super) const FILES: [File; 6] =
    [File::Svg, File::Png, File::Markdown, File::Mermaid, File::Json, File::Toml];

impl File {
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Markdown => "md",
            Self::Mermaid => "mmd",
            Self::Json => "json",
            Self::Toml => "toml",
        }
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Svg => "SVG",
            Self::Png => "PNG",
            Self::Markdown => "Markdown",
            Self::Mermaid => "Mermaid",
            Self::Json => "JSON",
            Self::Toml => "Scenario",
        }
    }

    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Svg => "the timeline, as text and shapes",
            Self::Png => "the timeline, as pixels",
            Self::Markdown => "the report, for an issue",
            Self::Mermaid => "the events, as a sequence diagram",
            Self::Json => "the report, for machines",
            Self::Toml => "the document, to play it again",
        }
    }

    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png => "image/png",
            Self::Markdown => "text/markdown",
            Self::Json => "application/json",
            Self::Mermaid | Self::Toml => "text/plain",
        }
    }
}

/// What a file is called: after the story, its variant, and that it was changed.
pub(super) fn name(session: Session, file: File) -> String {
    let choice = session.choice.get_untracked();
    let mut name = if choice.story.is_empty() { "scenario".to_string() } else { choice.story };
    if let Some(variant) = choice.variant {
        name = format!("{name}-{variant}");
    }
    if session.is_edited_untracked() {
        name.push_str("-edited");
    }
    format!("{name}.{}", file.extension())
}

/// The timeline, with what is in view.
pub(super) fn picture(session: Session, zoom: Zoom, theme: svg::Theme) -> String {
    let play = session.play.get_untracked();
    let view = untrack(|| zoom.of(play.horizon()));
    svg::svg(&play, &Picture { theme, view, ..Picture::default() })
}

/// The text of a file; of the picture in pixels it is the picture's.
pub(super) fn text(session: Session, zoom: Zoom, file: File) -> String {
    let (play, checked) = (session.play.get_untracked(), session.document.get_untracked());
    match file {
        File::Svg | File::Png => picture(session, zoom, svg::Theme::Both),
        File::Markdown => report::markdown(&play, &otherwise(&checked.document, &play)),
        File::Mermaid => report::mermaid(&play),
        File::Json => report::json_text(&play, &otherwise(&checked.document, &play), false),
        File::Toml => checked.document.to_toml(),
    }
}
