//! Links: a play in the address of a page, after `#`. A story of ours with what was changed in it, or a whole document; the
//! instant, the fault and the part of the page that were looked at.
//!
//! ```text
//! #v=1&story=billing&variant=election&at=19.05s&fault=a-pause&tab=why&=fault.a-pause.for=8s&-worker.B.margin
//! ```
//!
//! Such links are kept by people: what version 1 means stays as it is. A reader of it refuses what it does not know.

use std::fmt::Write as _;

use document::{Change, Document, Dur, Problems};
use kernel::SimTime;

use crate::stories::story;

/// How long a link can be.
const LENGTH_MAX: usize = 200_000;
const VERSION: &str = "1";

/// What a link leads to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// The story that the document was made of; `None`: it is whole in here.
    pub story: Option<String>,
    /// Which variant of it.
    pub variant: Option<String>,
    /// What was changed in it.
    pub changes: Vec<Change>,
    /// The whole document, where it was made of no story, or is shorter than what was changed.
    pub text: Option<String>,
    /// The instant that is looked at.
    pub at: Option<SimTime>,
    /// The fault that is looked at.
    pub fault: Option<String>,
    /// The part of the page that is open.
    pub tab: Option<String>,
}

impl Link {
    /// A link to what was made of a story: its document as it is told, and as it is now.
    pub fn to(story: &str, variant: Option<&str>, told: &Document, now: &Document) -> Self {
        let changes = told.changes_to(now);
        Self {
            story: Some(story.to_owned()),
            variant: variant.map(str::to_owned),
            changes,
            ..Self::default()
        }
    }

    /// What a block of code in somebody's page shows: a story by its name, a link (whole, or what stands after its `#`, with or
    /// without its version), or a document. The error says what is wrong with it; whether the document is good is not asked.
    pub fn of_block(block: &str) -> Result<Self, String> {
        let line = block.trim();
        if line.is_empty() {
            return Err("the block is empty: it wants a story's name, a link, or a document".to_owned());
        }
        if line.contains(char::is_whitespace) || line.starts_with('{') {
            return Ok(Self { text: Some(block.to_owned()), ..Self::default() });
        }
        let fragment = line.split_once('#').map_or(line, |(_, fragment)| fragment);
        match fragment {
            name if !name.contains('=') => Ok(Self { story: Some(name.to_owned()), ..Self::default() }),
            link if link.starts_with("v=") => Self::parse(link),
            link => Self::parse(&format!("v={VERSION}&{link}")),
        }
    }

    /// The document as the story tells it; `None` where the link is of no story.
    pub fn told(&self) -> Result<Option<Document>, String> {
        let Some(name) = &self.story else { return Ok(None) };
        let story = story(name).ok_or_else(|| {
            let hint = document::hint(name, crate::stories().iter().map(|story| story.name));
            format!(
                "the link is of a story `{name}`, which is not known here{}",
                hint.map_or_else(String::new, |hint| format!("; {hint}"))
            )
        })?;
        let told = Document::parse(story.text).map_err(|problems| problems.to_string())?;
        match &self.variant {
            None => Ok(Some(told)),
            Some(variant) => told.with_variant(variant).map(Some).map_err(|problems| problems.to_string()),
        }
    }

    /// The document that it leads to.
    pub fn document(&self) -> Result<Document, String> {
        if let Some(text) = &self.text {
            return Document::parse(text).map_err(|problems: Problems| problems.to_string());
        }
        let mut document = self.told()?.ok_or("the link names neither a story nor a document")?;
        for change in &self.changes {
            let undone = |problem| format!("the link changes what the story does not have: {problem}");
            document.take(change).map_err(undone)?;
        }
        Ok(document)
    }

    /// What stands after the `#`.
    pub fn fragment(&self) -> String {
        let mut out = format!("v={VERSION}");
        let at = self.at.map(|at| Dur(at.since(SimTime::ZERO)).to_string());
        let named = [
            ("story", self.story.as_deref()),
            ("variant", self.variant.as_deref()),
            ("at", at.as_deref()),
            ("fault", self.fault.as_deref()),
            ("tab", self.tab.as_deref()),
            ("text", self.text.as_deref()),
        ];
        for (name, value) in named.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            let _ = write!(out, "&{name}=");
            escape(&mut out, value);
        }
        for change in &self.changes {
            let (sign, path, value) = change.in_link();
            out.push('&');
            out.push(sign);
            escape(&mut out, path);
            if let Some(value) = value {
                out.push('=');
                escape(&mut out, &value);
            }
        }
        out
    }

    /// Reads what stands after the `#`. The error says what is wrong with it.
    pub fn parse(fragment: &str) -> Result<Self, String> {
        if fragment.len() > LENGTH_MAX {
            return Err(format!("the link is longer than {} kB", LENGTH_MAX / 1_000));
        }
        let mut link = Self::default();
        let mut version = None;
        for part in fragment.trim_start_matches('#').split('&').filter(|part| !part.is_empty()) {
            let (sign, rest) = match part.chars().next() {
                Some(sign @ ('=' | '-' | '+')) => (Some(sign), &part[1..]),
                _ => (None, part),
            };
            let (name, value) = match rest.split_once('=') {
                Some((name, value)) => (unescape(name)?, Some(unescape(value)?)),
                None => (unescape(rest)?, None),
            };
            if let Some(sign) = sign {
                let change = Change::of_link(sign, &name, value.as_deref());
                link.changes.push(change.ok_or_else(|| format!("the link is broken at `{part}`"))?);
                continue;
            }
            let Some(value) = value else { return Err(format!("the link is broken at `{part}`")) };
            match name.as_str() {
                "v" => version = Some(value),
                "story" => link.story = Some(value),
                "variant" => link.variant = Some(value),
                "text" => link.text = Some(value),
                "fault" => link.fault = Some(value),
                "tab" => link.tab = Some(value),
                "at" => {
                    let at: Dur = value.parse().map_err(|why| format!("the link's `at`: {why}"))?;
                    link.at = Some(SimTime::ZERO + at.0);
                }
                _ => {
                    return Err(format!(
                        "the link has a part `{name}`, which version {VERSION} does not know"
                    ));
                }
            }
        }
        match version.as_deref() {
            Some(VERSION) => Ok(link),
            Some(other) => Err(format!("the link is of version {other}; this page reads version {VERSION}")),
            None => {
                Err("the link does not say which version it is of: it is cut off, or no link of ours"
                    .to_owned())
            }
        }
    }
}

/// Writes a text so that it stands in an address as it is, and is told apart from what is around it.
fn escape(out: &mut String, text: &str) {
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b':'
            | b','
            | b'/'
            | b'*'
            | b'('
            | b')'
            | b'!' => {
                out.push(char::from(byte));
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
}

fn unescape(text: &str) -> Result<String, String> {
    let broken = || format!("the link is broken at `{text}`");
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let (high, low) = (digit().ok_or_else(broken)?, digit().ok_or_else(broken)?);
        bytes.push((high * 16 + low) as u8);
    }
    String::from_utf8(bytes).map_err(|_| broken())
}
