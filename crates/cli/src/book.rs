//! `fencepost book`: a preprocessor of mdBook. Blocks of code in the language `fencepost` become figures: a picture with the
//! verdict for as long as nothing runs, and the element that makes it live.

use std::fmt::Write as _;
use std::io::Read as _;

use anyhow::{Context as _, Result, anyhow};
use scenario::link::Link;
use scenario::play;
use serde_json::Value;
use timeline::svg::{Picture, svg};

use crate::Outcome;
use crate::args::BookArgs;
use crate::output::print;

/// The language of the blocks that are taken.
const LANGUAGE: &str = "fencepost";

pub(crate) fn book(args: &BookArgs) -> Result<Outcome> {
    if let [_, renderer] = args.supports.as_slice() {
        return Ok(if renderer == "html" { Outcome::Done } else { Outcome::Failed });
    }
    let mut asked = String::new();
    std::io::stdin().read_to_string(&mut asked).context("what mdBook says cannot be read")?;
    let asked: Value = serde_json::from_str(&asked)
        .context("this is called by mdBook, with a book as JSON on standard input; see docs/embedding.md")?;
    let Value::Array(mut asked) = asked else {
        return Err(anyhow!("mdBook did not send a context and a book"));
    };
    let Some(mut book) = asked.pop() else { return Err(anyhow!("mdBook did not send a book")) };
    chapters(&mut book)?;
    print(&book.to_string())?;
    Ok(Outcome::Done)
}

/// Every chapter, however deep: versions of mdBook differ in what they lie in.
fn chapters(value: &mut Value) -> Result<()> {
    match value {
        Value::Array(items) => items.iter_mut().try_for_each(chapters),
        Value::Object(object) => {
            let name = object.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            if let Some(Value::String(content)) = object.get_mut("content") {
                *content = with_figures(content).with_context(|| format!("chapter \"{name}\""))?;
            }
            object.values_mut().try_for_each(chapters)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

/// A chapter with figures where its blocks were. Blocks inside other blocks stay what they are: text about figures.
fn with_figures(chapter: &str) -> Result<String> {
    let mut out = String::with_capacity(chapter.len());
    let mut lines = chapter.split_inclusive('\n').enumerate();
    while let Some((nth, line)) = lines.next() {
        let Some((fence, info)) = fence(line) else {
            out.push_str(line);
            continue;
        };
        let is_ours = info.split([' ', ',']).next() == Some(LANGUAGE);
        let mut block = String::new();
        let mut end = "";
        for (_, line) in lines.by_ref() {
            if self::fence(line).is_some_and(|(other, info)| other.starts_with(fence) && info.is_empty()) {
                end = line;
                break;
            }
            block.push_str(line);
        }
        if is_ours {
            let indent = &line[..line.len() - line.trim_start_matches(' ').len()];
            out.push_str(
                &figure(&block, indent).map_err(|why| anyhow!("the block at line {}: {why}", nth + 1))?,
            );
        } else {
            out.extend([line, &block, end]);
        }
    }
    Ok(out)
}

/// The fence with which a block of code begins or ends, and what is said of the block.
fn fence(line: &str) -> Option<(&str, &str)> {
    let text = line.trim_end();
    let indent = text.len() - text.trim_start_matches(' ').len();
    let text = text.trim_start_matches(' ');
    let mark = text.chars().next().filter(|mark| indent < 4 && matches!(mark, '`' | '~'))?;
    let info = text.trim_start_matches(mark);
    let fence = &text[..text.len() - info.len()];
    // What has more of the same behind it is code within a line.
    (fence.len() >= 3 && !(mark == '`' && info.contains(mark))).then_some((fence, info.trim()))
}

/// A block as an element with its picture, as far in as the block was. Markdown takes up again at an empty line: there is one
/// before it and one behind it, and none within.
fn figure(block: &str, indent: &str) -> Result<String, String> {
    let document = Link::of_block(block)?.document()?;
    let scenario = document.scenario().map_err(|problems| problems.to_string())?;
    let picture = svg(&play(&scenario), &Picture::default());
    let mut out = format!("\n{indent}<fence-post document=\"{}\">\n", attribute(block.trim()));
    for line in picture.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(out, "{indent}{line}");
    }
    let _ = writeln!(out, "{indent}</fence-post>\n");
    Ok(out)
}

/// A text as the value of an attribute, on one line.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('\n', "&#10;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_of_its_language_become_figures() {
        let chapter = "# One\n\n```rust\nfn main() {}\n```\n\n````markdown\n```fencepost\nbilling\n```\n````\n\n~~~fencepost\nstory=billing&variant=unfenced\n~~~\nend\n";
        let out = with_figures(chapter).unwrap();
        let (before, rest) = out.split_once("<fence-post ").expect("there is a figure");
        let until = chapter.find("~~~").unwrap();
        assert_eq!(before, format!("{}\n", &chapter[..until]), "what comes before is as it was");
        assert!(rest.starts_with("document=\"story=billing&amp;variant=unfenced\">\n"), "{rest}");
        assert!(rest.ends_with("</fence-post>\n\nend\n"), "{rest}");
        assert!(rest.contains("5,000 invoices charged twice"), "the verdict stands in the picture");
        let within = rest.split("</fence-post>").next().unwrap();
        assert!(!within.contains("\n\n"), "an empty line would end the figure");
    }

    #[test]
    fn a_figure_stands_in_a_list_and_behind_a_line() {
        let out = with_figures("- one:\n  ```fencepost\n  billing\n  ```\n").unwrap();
        assert!(out.starts_with("- one:\n\n  <fence-post document=\"billing\">\n  <svg"), "{out}");
        assert!(out.ends_with("\n  </fence-post>\n\n"), "{out}");
        let code = "```x``` is code\n";
        assert_eq!(with_figures(code).unwrap(), code);
    }

    #[test]
    fn a_bad_block_says_where_it_is() {
        let refused = with_figures("# One\n\n```fencepost\nbiling\n```\n").unwrap_err().to_string();
        assert!(refused.contains("line 3") && refused.contains("did you mean `billing`?"), "{refused}");
    }
}
