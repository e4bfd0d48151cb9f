//! How the timeline is read: a sheet that says what each shape is.

use fantoccini::key::Key;

use crate::driver::on_page;
use crate::looks::{SIZES, settles};

const OPEN: &str = "return document.querySelector('#legend').matches(':popover-open')";

/// It opens, every shape has ink and fits, it is in the window at every size, and Escape gives the focus back.
#[test]
fn every_shape_has_its_words() {
    on_page("legend", async |page| {
        for scheme in ["light", "dark"] {
            page.prefer(scheme).await;
            for (width, height) in SIZES {
                page.resize(width, height).await;
                settles(&page).await;
                // Below the controls, which lie over the lower edge of a small window.
                page.run(
                    "document.querySelector('#legend-open').scrollIntoView({ block: 'center' })",
                    vec![],
                )
                .await;
                page.click("#legend-open").await;
                page.shown("the legend", OPEN).await;
                page.shot(&format!("look-legend-{width}-{scheme}")).await;
                let bad = "const sheet = document.querySelector('#legend'), { left, right, top, bottom } = sheet.getBoundingClientRect();
                    const bad = [...sheet.querySelectorAll('svg *')].filter(shape => {
                        const { fill, stroke } = getComputedStyle(shape), box = shape.getBBox();
                        const inked = fill !== 'none' || stroke !== 'none';
                        return !inked || box.x < 0 || box.y < 0 || box.x + box.width > 32 || box.y + box.height > 16;
                    }).map(shape => shape.outerHTML);
                    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) bad.push('it leaves the window');
                    if (sheet.scrollWidth > sheet.clientWidth) bad.push('it scrolls sideways');
                    return bad";
                assert_eq!(page.strings(bad, vec![]).await, [""; 0], "at {width} in the {scheme}");
                page.keys("#legend-open", &Key::Escape.to_string()).await;
                page.shown("no legend", "return !document.querySelector('#legend').matches(':popover-open')")
                    .await;
                page.shown("the focus", "return document.activeElement.id === 'legend-open'").await;
            }
        }
    });
}
