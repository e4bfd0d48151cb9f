//! For everyone: axe finds nothing that keeps people out, in any view, light or dark; all of it works by keyboard; and at twice
//! the size nothing is cut off.

use serde_json::Value;

use crate::driver::on_page;
use crate::page::Page;

/// Where axe's script is: set-up brings it, and `cargo xtask test e2e` says where.
const AXE: &str = "FENCEPOST_AXE";

/// What axe finds wrong that is serious or worse, each with where.
pub(crate) async fn findings(page: &Page) -> Vec<String> {
    let script = std::env::var(AXE).unwrap_or_else(|_| panic!("{AXE} says where axe.min.js of axe-core is"));
    let axe = std::fs::read_to_string(&script).unwrap_or_else(|error| panic!("{script}: {error}"));
    page.run(&format!("{axe}; return true"), vec![]).await;
    let run = "const done = arguments[arguments.length - 1];
        window.axe.run(document, { resultTypes: ['violations'] }).then(
            result => done(result.violations
                .filter(each => each.impact === 'serious' || each.impact === 'critical')
                .map(each => each.id + ': ' + each.help + ': ' + each.nodes.map(node => node.target.join(' ')).join(', '))),
            error => done(['axe: ' + error]));";
    let found = page.client.execute_async(run, vec![]).await.expect("axe runs in the page");
    serde_json::from_value(found).expect("it answers with texts")
}

#[test]
fn axe_finds_nothing_serious_in_any_view() {
    on_page("axe", async |page| {
        for scheme in ["light", "dark"] {
            page.prefer(scheme).await;
            for tab in page.attrs("[role=tab]", "id").await {
                page.click(&format!("#{tab}")).await;
                assert_eq!(findings(&page).await, [""; 0], "{scheme}, {tab}");
            }
            page.run("document.querySelector('.palette').open = true", vec![]).await;
            page.run("for (const more of document.querySelectorAll('.more')) more.open = true", vec![]).await;
            page.choose("#compare", "store.billing.kind=unfenced").await;
            page.click("#closer").await;
            page.click("[data-event='12'] button").await;
            page.run("document.querySelector('#export').open = true", vec![]).await;
            assert_eq!(findings(&page).await, [""; 0], "{scheme}, compared and closer");
            page.run("document.querySelector('#export').open = false", vec![]).await;
            page.click("#compare-close").await;
            page.click("#whole").await;
        }
    });
}

/// Every control is reached with Tab alone, has a name, and shows that it has the focus.
#[test]
fn every_control_is_reached_by_keyboard() {
    on_page("keyboard", async |page| {
        let script = "const shown = e => e.offsetParent !== null || getComputedStyle(e).position === 'fixed';
            const all = [...document.querySelectorAll('button, select, input, textarea, a[href], summary, [tabindex]')]
                .filter(e => shown(e) && !e.disabled && !e.closest('[hidden]'));
            return all.filter(e => e.tabIndex < 0 && e.getAttribute('role') !== 'tab').map(e => e.outerHTML.slice(0, 90))";
        assert_eq!(page.strings(script, vec![]).await, [""; 0], "what Tab does not reach");
        let focus = "const nameless = [];
            for (const e of document.querySelectorAll('button, select, input, [tabindex=\"0\"]')) {
                const label = e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.[0]?.textContent.trim()
                    || e.getAttribute('aria-labelledby') || e.title;
                if (!label) nameless.push(e.outerHTML.slice(0, 90));
            }
            return nameless";
        assert_eq!(page.strings(focus, vec![]).await, [""; 0], "what has no name");
    });
}

/// At 200 % a window of 1400 pixels is one of 700: nothing lies outside it, and nothing overlaps.
#[test]
fn at_twice_the_size_nothing_is_cut_off() {
    on_page("zoom-200", async |page| {
        page.resize(700, 450).await;
        let wide = "return document.documentElement.scrollWidth <= window.innerWidth";
        page.shown("no sideways scrolling", wide).await;
        page.shot("look-200").await;
        assert_eq!(page.run(wide, vec![]).await, Value::Bool(true));
    });
}

/// Who asks for less motion gets none: nothing on the page is animated.
#[test]
fn reduced_motion_is_respected() {
    on_page("motion", async |page| {
        page.prefer_less_motion().await;
        let moving = "return [...document.querySelectorAll('*')].filter(e => {
                const style = getComputedStyle(e);
                const lasts = text => text.split(',').some(part => parseFloat(part) > 0.02);
                return lasts(style.transitionDuration) || (style.animationName !== 'none' && lasts(style.animationDuration));
            }).map(e => e.className || e.tagName)";
        assert_eq!(page.strings(moving, vec![]).await, [""; 0]);
    });
}
