//! The built-in stories as a JavaScript module.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use toml::{Table, Value};

/// `export const stories = [...]`: name, title, about, moral and document of every story in the folder, by name.
pub(super) fn module(folder: &Path) -> Result<String> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let mut out = "// The built-in stories.\nexport const stories = [\n".to_owned();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(&file)?;
        out += &entry(&name, &text).with_context(|| format!("in {}", file.display()))?;
    }
    Ok(out + "];\n")
}

fn entry(name: &str, text: &str) -> Result<String> {
    let document: Table = text.parse()?;
    let of = |key: &str| document.get(key).and_then(Value::as_str).unwrap_or_default();
    let [title, about, moral] = ["title", "about", "moral"].map(|key| literal(of(key)));
    let (name, text) = (literal(name), literal(text));
    Ok(format!("  {{ name: {name}, title: {title}, about: {about}, moral: {moral}, document: {text} }},\n"))
}

/// A text as JavaScript has it.
fn literal(text: &str) -> String {
    let mut out = String::from("'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            _ => out.push(c),
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_story_is_an_object_with_its_text() {
        let text = "title = \"It's\"\nmoral = \"a \\\\ b\"\n";
        let wanted = r#"  { name: 'a-b', title: 'It\'s', about: '', moral: 'a \\ b', document: 'title = "It\'s"\nmoral = "a \\\\ b"\n' },"#;
        assert_eq!(entry("a-b", text).unwrap(), format!("{wanted}\n"));
    }
}
