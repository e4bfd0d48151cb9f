//! The page, as Trunk builds it.

fn main() {
    fencepost_web::open_page();
}
