//! An SVG of ours as PNG, with the fonts of the system.

/// The pixels of an SVG, two for each of its own.
#[cfg(not(feature = "png"))]
pub(crate) fn rendered(_: &str) -> anyhow::Result<Vec<u8>> {
    anyhow::bail!("this `fencepost` was built without PNG (the feature `png`); --format svg is there")
}

#[cfg(feature = "png")]
pub(crate) use with_fonts::rendered;

#[cfg(feature = "png")]
mod with_fonts {
    use std::sync::Arc;

    use anyhow::{Context as _, Result, anyhow};
    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg::fontdb::{Database, Family, Query, Style};
    use resvg::usvg::{Options, Tree};

    /// Sharp on today's screens.
    const SCALE: f32 = 2.0;
    /// What stands for any sans serif, the first that there is.
    const SANS: [&str; 8] = [
        "Helvetica Neue",
        "Helvetica",
        "Arial",
        "Liberation Sans",
        "Noto Sans",
        "Segoe UI",
        "Roboto",
        "DejaVu Sans",
    ];

    /// The pixels of an SVG, two for each of its own.
    pub(crate) fn rendered(svg: &str) -> Result<Vec<u8>> {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        with(svg, fonts)
    }

    fn with(svg: &str, mut fonts: Database) -> Result<Vec<u8>> {
        let sans = sans(&fonts).context(
            "this machine has no fonts, and a PNG is drawn with the machine's: install some (DejaVu, Liberation or Noto), or take --format svg",
        )?;
        fonts.set_sans_serif_family(sans);
        let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
        let tree = Tree::from_str(svg, &options).context("the picture cannot be read back")?;
        let size = tree.size().to_int_size().scale_by(SCALE).context("the picture is too large")?;
        let mut pixels = Pixmap::new(size.width(), size.height()).context("the picture is too large")?;
        resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| anyhow!("the picture cannot be written as PNG: {error}"))
    }

    /// The family that stands for any sans serif; `None` where there is no font at all.
    fn sans(fonts: &Database) -> Option<String> {
        let is_there = |name: &&str| {
            fonts.query(&Query { families: &[Family::Name(name)], ..Query::default() }).is_some()
        };
        let known = SANS.iter().find(|name| is_there(name)).map(|name| (*name).to_owned());
        known.or_else(|| {
            let plain = fonts.faces().find(|face| !face.monospaced && face.style == Style::Normal);
            let face = plain.or_else(|| fonts.faces().next())?;
            face.families.first().map(|(name, _)| name.clone())
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_machine_without_fonts_is_told_so() {
            let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>";
            let error = with(svg, Database::new()).expect_err("there is none");
            assert!(error.to_string().contains("no fonts"), "{error}");
        }
    }
}
