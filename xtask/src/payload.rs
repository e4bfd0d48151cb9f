//! What is downloaded: by a visitor of the page above all.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::say;

/// What the whole page is meant to be, compressed.
const BUDGET_BYTES: usize = 200_000;
/// What it must not grow beyond until it is there: a little above what it is. To be lowered with every cut. (Code is four
/// fifths of the program: the components of the page, the kinds of lock service and the document's model above all.)
const RATCHET_BYTES: usize = 658_000;

/// What comes before the program, compressed: the first view is painted with that alone.
const FIRST_PAINT_BYTES: usize = 60_000;

/// What files are together, in bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Size {
    files: usize,
    raw: usize,
    gzip: usize,
    pub(crate) brotli: usize,
}

impl Size {
    fn add(&mut self, other: Self) {
        self.files += other.files;
        self.raw += other.raw;
        self.gzip += other.gzip;
        self.brotli += other.brotli;
    }
}

/// Prints sizes by kind of file, says when the page is over its budget, and fails when it has grown beyond the ratchet.
pub(crate) fn report(dist: &Path) -> Result<()> {
    let kinds = table(dist)?;
    let total = total(&kinds);
    let first = kinds.iter().filter(|(kind, _)| *kind != "wasm").map(|(_, size)| size.brotli).sum();
    say::line(format!("Before the first paint: {}", say::bytes(first)));
    if first > FIRST_PAINT_BYTES {
        let most = say::bytes(FIRST_PAINT_BYTES);
        bail!(
            "what comes before the first paint is {} compressed, and is to be at most {most}",
            say::bytes(first)
        );
    }
    let (page, budget) = (say::bytes(total.brotli), say::bytes(BUDGET_BYTES));
    if total.brotli > RATCHET_BYTES {
        let most = say::bytes(RATCHET_BYTES);
        bail!("the page is {page} compressed; it must not grow beyond {most} (its budget is {budget})");
    }
    if total.brotli > BUDGET_BYTES {
        say::line(format!("OVER BUDGET: the page is {page} compressed, and is meant to be at most {budget}"));
    }
    Ok(())
}

/// Sizes by kind of file, which it prints.
pub(crate) fn table(folder: &Path) -> Result<BTreeMap<String, Size>> {
    let mut kinds: BTreeMap<String, Size> = BTreeMap::new();
    measure(folder, &mut kinds)?;
    say::line(format!("{:<8}{:>6}{:>14}{:>14}{:>14}", "kind", "files", "raw", "gzip", "brotli"));
    kinds.iter().for_each(|(kind, size)| row(kind, *size));
    row("total", total(&kinds));
    Ok(kinds)
}

fn total(kinds: &BTreeMap<String, Size>) -> Size {
    let mut total = Size::default();
    kinds.values().for_each(|size| total.add(*size));
    total
}

fn row(kind: &str, size: Size) {
    say::line(format!(
        "{kind:<8}{:>6}{:>14}{:>14}{:>14}",
        size.files,
        say::bytes(size.raw),
        say::bytes(size.gzip),
        say::bytes(size.brotli)
    ));
}

fn measure(dir: &Path, kinds: &mut BTreeMap<String, Size>) -> Result<()> {
    let entries = fs::read_dir(dir).with_context(|| format!("{} cannot be read", dir.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            measure(&path, kinds)?;
            continue;
        }
        let kind = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        kinds.entry(kind).or_default().add(sizes(&fs::read(&path)?)?);
    }
    Ok(())
}

/// How large a file is as a server would send it.
pub(crate) fn compressed(file: &Path) -> Result<usize> {
    let bytes = fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(sizes(&bytes)?.brotli)
}

fn sizes(bytes: &[u8]) -> Result<Size> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(bytes)?;
    let mut brotli = Vec::new();
    // Quality 9 is a second where 11 is ten, and an eighth more than that.
    brotli::CompressorWriter::new(&mut brotli, 4096, 9, 22).write_all(bytes)?;
    Ok(Size { files: 1, raw: bytes.len(), gzip: gzip.finish()?.len(), brotli: brotli.len() })
}
