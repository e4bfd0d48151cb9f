//! `fencepost stories`: what comes built in.

use std::fmt::Write as _;

use anyhow::Result;
use scenario::document::Document;
use serde_json::{Value, json};

use crate::Outcome;
use crate::args::{ListFormat, StoriesArgs};
use crate::output::print;
use crate::scenarios::complaint;

pub(crate) fn stories(args: StoriesArgs) -> Result<Outcome> {
    let mut stories = Vec::new();
    for story in scenario::stories() {
        let document = Document::parse(story.text).map_err(|problems| complaint(story.name, &problems))?;
        stories.push((story.name, document));
    }
    let text = match args.format {
        ListFormat::Table => table(&stories),
        ListFormat::Json => {
            let list: Value = stories.iter().map(|(name, document)| entry(name, document)).collect();
            format!("{list:#}\n")
        }
    };
    print(&text)?;
    Ok(Outcome::Done)
}

fn table(stories: &[(&str, Document)]) -> String {
    let width = |names: &mut dyn Iterator<Item = usize>| names.max().unwrap_or(0);
    let name_width = width(&mut stories.iter().map(|(name, _)| name.chars().count()));
    let mut out = String::new();
    for (name, document) in stories {
        let title = document.get("title").unwrap_or_default();
        let _ = writeln!(out, "{name:name_width$}  {title}");
        let variants = document.variants();
        let variant_width = width(&mut variants.iter().map(|(variant, _)| variant.chars().count()));
        for (variant, about) in variants {
            let _ = writeln!(out, "{}", format!("  --variant {variant:variant_width$}  {about}").trim_end());
        }
    }
    out
}

fn entry(name: &str, document: &Document) -> Value {
    let text = |key: &str| document.get(key).unwrap_or_default();
    let variants: Value = document
        .variants()
        .into_iter()
        .map(|(name, about)| json!({ "name": name, "about": about }))
        .collect();
    json!({
        "name": name,
        "title": text("title"),
        "about": text("about"),
        "moral": text("moral"),
        "variants": variants,
    })
}
