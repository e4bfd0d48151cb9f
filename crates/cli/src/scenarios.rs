//! Finding scenarios: built-in stories, files, directories, standard input.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use scenario::document::{Document, Problems, hint, limits};

/// A document, and what people call it.
pub(crate) struct Found {
    /// The story's name, or the file's path.
    pub(crate) name: String,
    pub(crate) document: Document,
}

impl Found {
    fn read(name: String, text: &str) -> Result<Self> {
        match Document::parse(text) {
            Ok(document) => Ok(Self { name, document }),
            Err(problems) => Err(complaint(&name, &problems)),
        }
    }
}

/// Everything that is wrong with a document, one a line, each with the document's name before it.
pub(crate) fn complaint(name: &str, problems: &Problems) -> anyhow::Error {
    let lines: Vec<String> = problems.0.iter().map(|problem| format!("{name}, {problem}")).collect();
    anyhow!("{}", lines.join("\n"))
}

/// The scenario that a word on the command line means.
pub(crate) fn one(word: &str) -> Result<Found> {
    if word == "-" {
        return from_stdin();
    }
    if let Some(story) = scenario::story(word) {
        return Found::read(word.to_owned(), story.text);
    }
    let path = Path::new(word);
    if path.is_dir() {
        bail!("{word} is a directory; `fencepost check` takes those");
    }
    if !path.exists() {
        return Err(not_found(word));
    }
    from_file(path)
}

/// The scenarios that a word on the command line means: all of a directory.
pub(crate) fn all(word: &str) -> Result<Vec<Found>> {
    let path = Path::new(word);
    if scenario::story(word).is_some() || !path.is_dir() {
        return Ok(vec![one(word)?]);
    }
    let mut files = Vec::new();
    collect(path, &mut files)?;
    if files.is_empty() {
        bail!("{word} has no .toml or .json file in it");
    }
    let (mut found, mut complaints) = (Vec::new(), Vec::new());
    for file in files {
        match from_file(&file) {
            Ok(scenario) => found.push(scenario),
            Err(complaint) => complaints.push(format!("{complaint:#}")),
        }
    }
    if complaints.is_empty() { Ok(found) } else { Err(anyhow!("{}", complaints.join("\n"))) }
}

fn from_stdin() -> Result<Found> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(limits::TEXT_BYTES_MAX as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| anyhow!("standard input cannot be read: {error}"))?;
    text_of("standard input".to_owned(), bytes)
}

fn from_file(path: &Path) -> Result<Found> {
    let name = path.display().to_string();
    let open = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // What is too long is refused by the reader; it need not be in memory for that.
        fs::File::open(path)?.take(limits::TEXT_BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = open().map_err(|error| anyhow!("{name} cannot be read: {error}"))?;
    text_of(name, bytes)
}

fn text_of(name: String, bytes: Vec<u8>) -> Result<Found> {
    match String::from_utf8(bytes) {
        Ok(text) => Found::read(name, &text),
        Err(error) => {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            // A text that was cut off in the middle of a character was too long to begin with.
            match error.as_bytes().len() > limits::TEXT_BYTES_MAX {
                true => bail!("{name}: the text is longer than {} kB", limits::TEXT_BYTES_MAX / 1024),
                false => bail!("{name}, line {line}: this is not UTF-8 text"),
            }
        }
    }
}

/// All documents in a directory and in those within it, in the order of their names.
fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let cannot = |error| anyhow!("{} cannot be read: {error}", directory.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        // A link to a directory could lead back here.
        let is_link = entry.file_type().map_err(cannot)?.is_symlink();
        let leads_back = is_link && entry.path().is_dir();
        if !is_hidden && !leads_back {
            paths.push(entry.path());
        }
    }
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "toml" || extension == "json") {
            files.push(path);
        }
    }
    Ok(())
}

fn not_found(word: &str) -> anyhow::Error {
    let beside = neighbours(Path::new(word));
    let known = scenario::stories().iter().map(|story| story.name).chain(beside.iter().map(String::as_str));
    match hint(word, known) {
        Some(hint) => anyhow!("there is no story or file `{word}`; {hint}"),
        None => anyhow!("there is no story or file `{word}`; `fencepost stories` lists the stories"),
    }
}

/// The documents in the directory of a path, as somebody would write them.
fn neighbours(path: &Path) -> Vec<String> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(directory.unwrap_or(Path::new("."))) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name());
    let documents = names.filter(|name| {
        Path::new(name).extension().is_some_and(|extension| extension == "toml" || extension == "json")
    });
    let mut names: Vec<String> = documents
        .map(|name| directory.map_or_else(|| PathBuf::from(&name), |directory| directory.join(&name)))
        .map(|path| path.display().to_string())
        .collect();
    names.sort();
    names
}
