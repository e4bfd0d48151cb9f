//! A lease's lengths are taken hold of where they show: with a mouse, with keys, with a finger.

use fencepost_tests::played;
use scenario::Play;

use crate::driver::on_page;
use crate::hand::Pointer;
use crate::page::Page;

const MOUSE: Pointer = Pointer::Mouse;
const FINGER: Pointer = Pointer::Finger;
const LEASE: &str = "[data-length='lock.ttl']";
const MARGIN: &str = "[data-length='worker.A.margin']";

/// The middle of the row of a worker's lane on which its lease is.
async fn lease_row(page: &Page, worker: &str) -> f64 {
    let script = "const e = [...document.querySelectorAll('.caption')]
            .find(e => e.querySelector('b').textContent === arguments[0]);
        return e.getBoundingClientRect().top";
    page.run(script, vec![worker.into()]).await.as_f64().expect("the lane has a caption") + 21.0
}

/// The first deadline of C's lease, in seconds. It was moved while C held: it stands as a line on the bar.
fn deadline_of_c(play: &Play) -> f64 {
    let c = play.cast.process("C").expect("C plays");
    let lease = play.facts.leases.iter().find(|lease| lease.worker == c).expect("C holds a lease");
    lease.deadlines.first().expect("it has a deadline").until.as_micros() as f64 / 1e6
}

/// When A stops, in seconds: within its pause.
fn stop_of_a(play: &Play) -> f64 {
    let a = play.cast.process("A").expect("A plays");
    let belief = play.facts.beliefs.iter().find(|belief| belief.worker == a).expect("A believes");
    belief.stops.last().expect("it has a stop time").at.as_micros() as f64 / 1e6
}

fn seconds(length: &str) -> f64 {
    length.trim_end_matches('s').parse().expect("a length in seconds")
}

/// The deadline of a lease is pulled, and the lease is longer; its holder's stop time, and the margin is smaller.
#[test]
fn a_lease_is_pulled_at_its_ends() {
    on_page("pull", async |page| {
        let play = played("billing", None, &[]);
        let (deadline, stop) = (deadline_of_c(&play), stop_of_a(&play));
        let y = lease_row(&page, "C").await;
        let (from, to) = ((page.x_of(deadline).await, y), (page.x_of(deadline + 2.0).await, y));
        page.press(MOUSE, from).await;
        page.pull(MOUSE, from, to, 8).await;
        page.lift(MOUSE).await;
        page.click("#tab-setup").await;
        let ttl = page.value("[data-path='lock.ttl']").await;
        assert!((seconds(&ttl) - 12.0).abs() < 0.2, "the lease is {ttl} long");
        page.tells("billing", None, &[("lock.ttl", &ttl)]).await;
        page.click("#undo").await;
        page.tells("billing", None, &[]).await;

        let y = lease_row(&page, "A").await;
        let (from, to) = ((page.x_of(stop).await, y), (page.x_of(stop + 1.0).await, y));
        page.press(MOUSE, from).await;
        page.pull(MOUSE, from, to, 8).await;
        page.lift(MOUSE).await;
        let margin = page.value("[data-path='worker.A.margin']").await;
        assert!((seconds(&margin) - 1.0).abs() < 0.2, "the margin is {margin}");
        page.tells("billing", None, &[("worker.A.margin", &margin)]).await;
    });
}

/// With the keyboard: each length is a slider with a name and a value.
#[test]
fn a_lease_is_changed_with_keys() {
    on_page("lease-keys", async |page| {
        assert_eq!(page.attr(LEASE, "aria-valuetext").await, "10 s");
        page.keys(LEASE, "\u{e014}").await; // ArrowRight
        page.tells("billing", None, &[("lock.ttl", "10.1s")]).await;
        page.keys(LEASE, "\u{e008}\u{e014}").await; // Shift: a second
        page.tells("billing", None, &[("lock.ttl", "11.1s")]).await;
        assert_eq!(page.attr(LEASE, "aria-valuenow").await, "11100");
        page.click("#undo").await;
        page.click("#undo").await;
        page.keys(MARGIN, "\u{e012}").await; // ArrowLeft
        page.tells("billing", None, &[("worker.A.margin", "1.9s")]).await;
        page.shot("look-lease").await;
    });
}

/// A finger that taps a deadline or a stop time gets a handle there, and pulls that. What it slides over otherwise scrolls.
#[test]
fn a_lease_is_pulled_by_a_finger() {
    on_page("lease-finger", async |page| {
        let play = played("billing", None, &[]);
        for (worker, path, instant, by, to) in [
            ("C", "lock.ttl", deadline_of_c(&play), 2.0, 12.0),
            ("A", "worker.A.margin", stop_of_a(&play), 1.0, 1.0),
        ] {
            let y = lease_row(&page, worker).await;
            let (from, end) = ((page.x_of(instant).await, y), (page.x_of(instant + by).await, y));
            page.press(FINGER, from).await;
            page.lift(FINGER).await;
            page.becomes("the handle", &path.to_owned(), async || {
                let focused = page.run("return document.activeElement.dataset.length", vec![]).await;
                focused.as_str().unwrap_or_default().to_owned()
            })
            .await;
            page.press(FINGER, from).await;
            page.pull(FINGER, from, end, 8).await;
            page.lift(FINGER).await;
            page.click("#tab-setup").await;
            let length = page.value(&format!("[data-path='{path}']")).await;
            assert!((seconds(&length) - to).abs() < 0.2, "{path} is {length}");
            page.tells("billing", None, &[(path, &length)]).await;
            page.click("#undo").await;
            page.tells("billing", None, &[]).await;
        }
    });
}
